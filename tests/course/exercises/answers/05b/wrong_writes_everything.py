"""Writes whatever comes."""

REASON = "is in the log twice"


class Broker:
    def __init__(self):
        self.log = []

    def receive(self, number, value):
        self.log.append(value)
        return True


answer = Broker

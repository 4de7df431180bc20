"""Acknowledges early records, and drops them."""

REASON = "is acknowledged, and its record is not in the log"


class Broker:
    def __init__(self):
        self.log = []

    def receive(self, number, value):
        if number == len(self.log):
            self.log.append(value)
        return True


answer = Broker

"""Recognises only the record that it wrote last."""

REASON = "in the log"


class Broker:
    def __init__(self):
        self.log = []

    def receive(self, number, value):
        if not self.log or self.log[-1] != value:
            self.log.append(value)
        return True


answer = Broker

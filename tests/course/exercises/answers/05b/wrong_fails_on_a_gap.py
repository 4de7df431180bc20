"""Raises for what is early."""

REASON = "fails with ValueError: a gap"


class Broker:
    def __init__(self):
        self.log = []

    def receive(self, number, value):
        if number > len(self.log):
            raise ValueError("a gap")
        if number == len(self.log):
            self.log.append(value)
        return True


answer = Broker

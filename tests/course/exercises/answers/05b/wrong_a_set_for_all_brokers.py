"""Keeps the numbers in the class."""

REASON = "share something outside of themselves"


class Broker:
    seen = []  # noqa: RUF012

    def __init__(self):
        self.log = []

    def receive(self, number, value):
        if number == len(self.seen):
            self.seen.append(number)
            self.log.append(value)
        return number < len(self.seen)


answer = Broker

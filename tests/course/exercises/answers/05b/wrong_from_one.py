"""Waits for number 1 first."""

REASON = "Number 0 is acknowledged, and its record is not in the log"


class Broker:
    def __init__(self):
        self.log, self.next = [], 1

    def receive(self, number, value):
        if number == self.next:
            self.log.append(value)
            self.next += 1
        return number < self.next


answer = Broker

"""Puts late records where they belong, and changes what readers have read."""

REASON = "is in the log without 'tea'"


class Broker:
    def __init__(self):
        self.numbers, self.log = [], []

    def receive(self, number, value):
        if number not in self.numbers:
            place = sum(other < number for other in self.numbers)
            self.numbers.insert(place, number)
            self.log.insert(place, value)
        return True


answer = Broker

"""Keeps the last number, and compares with that."""


class Broker:
    last = -1

    def __init__(self):
        self.log = []

    def receive(self, number, value):
        if number > self.last + 1:
            return False
        if number == self.last + 1:
            self.log += [value]
            self.last = number
        return True


answer = Broker

# Plausible: right as long as nothing crashes.
"""Keeps the time in the class, which dies with the process as well."""

REASON = "is given twice"


class Clock:
    time = 0

    def __init__(self, disk):
        self.time = max(type(self).time, disk.load())

    def tick(self):
        return self.receive(0)

    def receive(self, stamp):
        self.time = type(self).time = max(self.time, stamp) + 1
        return self.time


answer = Clock

# Plausible: right as long as nothing crashes.
"""Saves the time of the event before."""

REASON = "is given twice"


class Clock:
    def __init__(self, disk):
        self.disk, self.time = disk, disk.load()

    def tick(self):
        return self.receive(0)

    def receive(self, stamp):
        self.disk.save(self.time)
        self.time = max(self.time, stamp) + 1
        return self.time


answer = Clock

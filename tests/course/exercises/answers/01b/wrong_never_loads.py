"""Saves all, and asks for none of it."""

REASON = "is given twice"


class Clock:
    def __init__(self, disk):
        self.disk, self.time = disk, 0

    def tick(self):
        return self.receive(0)

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1
        self.disk.save(self.time)
        return self.time


answer = Clock

"""Saves at receipts only."""

REASON = "the stamp 1 is given twice"


class Clock:
    def __init__(self, disk):
        self.disk, self.time = disk, disk.load()

    def tick(self):
        self.time += 1
        return self.time

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1
        self.disk.save(self.time)
        return self.time


answer = Clock

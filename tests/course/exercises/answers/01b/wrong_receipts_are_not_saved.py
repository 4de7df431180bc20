# Plausible: right as long as nothing crashes, and for sends.
"""Forgets the jump of a receipt."""

REASON = "the stamps go back: after 5, a send gets 2"


class Clock:
    def __init__(self, disk):
        self.disk, self.time = disk, disk.load()

    def tick(self):
        self.time += 1
        self.disk.save(self.time)
        return self.time

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1
        return self.time


answer = Clock

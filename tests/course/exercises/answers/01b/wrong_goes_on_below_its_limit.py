"""Saves a limit ahead, and begins a new life where the last limit was set, not at the limit."""

REASON = "One crash: after this schedule"


class Clock:
    def __init__(self, disk):
        self.disk, self.limit = disk, disk.load()
        self.time = max(self.limit - 10, 0)

    def tick(self):
        return self.receive(0)

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1
        if self.time > self.limit:
            self.limit = self.time + 10
            self.disk.save(self.limit)
        return self.time


answer = Clock

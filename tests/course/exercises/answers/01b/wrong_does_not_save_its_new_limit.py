"""Saves a limit ahead, begins a new life there, and counts on ten more that are not saved: enough for one crash."""

REASON = "Two crashes: after this schedule"


class Clock:
    def __init__(self, disk):
        self.disk, self.time = disk, disk.load()
        self.limit = self.time + 10 if self.time else 0

    def tick(self):
        return self.receive(0)

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1
        if self.time > self.limit:
            self.limit = self.time + 10
            self.disk.save(self.limit)
        return self.time


answer = Clock

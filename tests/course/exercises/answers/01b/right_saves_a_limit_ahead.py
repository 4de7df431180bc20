"""Saves a limit ten ahead of the stamps, and begins a new life there: one save for many stamps."""


class Clock:
    def __init__(self, disk):
        self.disk = disk
        self.time = self.limit = disk.load()

    def tick(self):
        return self.receive(0)

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1
        if self.time > self.limit:
            self.limit = self.time + 10
            self.disk.save(self.limit)
        return self.time


answer = Clock

"""The disk is the clock."""


class Clock:
    def __init__(self, disk):
        self.disk = disk

    def tick(self):
        return self.receive(0)

    def receive(self, stamp):
        time = max(self.disk.load(), stamp) + 1
        self.disk.save(time)
        return time


answer = Clock

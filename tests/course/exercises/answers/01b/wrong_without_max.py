"""Takes the message's stamp whatever its own is."""

REASON = "One crash: after this schedule the stamps go back: after 6, a receive gets 5"


class Clock:
    def __init__(self, disk):
        self.disk, self.time = disk, disk.load()

    def tick(self):
        self.time += 1
        self.disk.save(self.time)
        return self.time

    def receive(self, stamp):
        self.time = stamp + 1
        self.disk.save(self.time)
        return self.time


answer = Clock

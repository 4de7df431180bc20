"""Only the number of the life is saved: each begins a million further on."""


class Clock:
    def __init__(self, disk):
        life = disk.load() + 1
        disk.save(life)
        self.time = life * 1_000_000

    def tick(self):
        self.time += 1
        return self.time

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1
        return self.time


answer = Clock

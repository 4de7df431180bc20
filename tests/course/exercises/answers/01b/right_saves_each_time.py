"""Each new time goes to the disk before it goes out."""


class Clock:
    def __init__(self, disk):
        self.disk, self.time = disk, disk.load()

    def tick(self):
        self.time += 1
        self.disk.save(self.time)
        return self.time

    def receive(self, stamp):
        self.time = max(self.time, stamp)
        return self.tick()


answer = Clock

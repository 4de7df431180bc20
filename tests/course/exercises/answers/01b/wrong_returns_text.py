"""A stamp is a number."""

REASON = "Even when nothing goes wrong: after this schedule the stamp of a send is '1', which is no whole number"


class Clock:
    def __init__(self, disk):
        self.disk, self.time = disk, disk.load()

    def tick(self):
        return self.receive(0)

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1
        self.disk.save(self.time)
        return str(self.time)


answer = Clock

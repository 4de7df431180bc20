REASON = "would go back, or stand still"


class Clock:
    def __init__(self):
        self.time = 0

    def tick(self):
        self.time += 1
        return self.time

    def receive(self, stamp):
        self.time = stamp + 1
        return self.time


answer = Clock

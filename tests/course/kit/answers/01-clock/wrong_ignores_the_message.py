REASON = "larger stamp than its send"


class Clock:
    def __init__(self):
        self.time = 0

    def tick(self):
        self.time += 1
        return self.time

    def receive(self, stamp):
        return self.tick()


answer = Clock

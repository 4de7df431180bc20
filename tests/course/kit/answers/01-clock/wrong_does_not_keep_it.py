REASON = "receive must also set self.time"


class Clock:
    def __init__(self):
        self.time = 0

    def tick(self):
        self.time += 1
        return self.time

    def receive(self, stamp):
        return max(self.time, stamp) + 1


answer = Clock

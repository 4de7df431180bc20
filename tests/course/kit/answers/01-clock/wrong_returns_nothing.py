REASON = "receive returns nothing"  # Plausible: the clock is right, and nobody gets the stamp


class Clock:
    def __init__(self):
        self.time = 0

    def tick(self):
        self.time += 1
        return self.time

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1


answer = Clock

from exactly_once.course.kit import gap


class Clock:
    def __init__(self):
        self.time = 0

    def tick(self):
        self.time += 1
        return self.time

    def receive(self, stamp):
        ### BEGIN SOLUTION
        self.time = max(self.time, stamp) + 1
        return self.time
        ### END SOLUTION


filled = gap("01-clock", Clock)
filled

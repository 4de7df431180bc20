REASON = "the clock forgets what it knew"


class VectorClock:
    def __init__(self, process):
        self.process, self.row = process, {}

    def tick(self):
        self.row[self.process] = self.row.get(self.process, 0) + 1
        return dict(self.row)

    def receive(self, stamp):
        self.row = dict(stamp)
        return self.tick()


answer = VectorClock

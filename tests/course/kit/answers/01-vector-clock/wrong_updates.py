REASON = "the clock forgets"


class VectorClock:
    def __init__(self, process):
        self.process, self.row = process, {}

    def tick(self):
        self.row[self.process] = self.row.get(self.process, 0) + 1
        return dict(self.row)

    def receive(self, stamp):
        # Plausible: for entries that both know, the message's may be the older one
        self.row.update(stamp)
        return self.tick()


answer = VectorClock

REASON = "the same dictionary is handed out"


class VectorClock:
    def __init__(self, process):
        self.process, self.row = process, {}

    def tick(self):
        self.row[self.process] = self.row.get(self.process, 0) + 1
        return dict(self.row)

    def receive(self, stamp):
        # Plausible: right at the moment, and changed by the next event
        for process, count in stamp.items():
            self.row[process] = max(self.row.get(process, 0), count)
        self.tick()
        return self.row


answer = VectorClock

REASON = "of which nobody has told"


class VectorClock:
    def __init__(self, process):
        self.process, self.row = process, {}

    def tick(self):
        self.row[self.process] = self.row.get(self.process, 0) + 1
        return dict(self.row)

    def receive(self, stamp):
        # Plausible: Lamport's rule, for the own entry
        for process, count in stamp.items():
            self.row[process] = max(self.row.get(process, 0), count)
        self.row[self.process] = max(self.row.values()) + 1
        return dict(self.row)


answer = VectorClock

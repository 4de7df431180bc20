class VectorClock:
    def __init__(self, process):
        self.process, self.row = process, {}

    def tick(self):
        self.row[self.process] = self.row.get(self.process, 0) + 1
        return dict(self.row)

    def receive(self, stamp):
        mine = self.tick()
        self.row = {name: max(mine.get(name, 0), stamp.get(name, 0)) for name in {*mine, *stamp}}
        return dict(self.row)


answer = VectorClock

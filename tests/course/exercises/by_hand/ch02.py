# %% 02d goes on at the end → returns ([], 4, 4)
from exactly_once.log import Consumer
from exactly_once.log.log_errors import OffsetOutOfRange


def answer(log, committed):
    start = log.log_start("orders", 0)
    position = start if committed is None else committed
    try:
        found = log.fetch("orders", 0, position)
    except OffsetOutOfRange:
        end = log.high_watermark("orders", 0)
        return [], end, end - position
    return [record.value for record in found], log.high_watermark("orders", 0), 0

# %% 02g compares from the beginning
class Replica:
    def __init__(self, number, log):
        self.number, self.log, self.epoch = number, log, -1
        self.high_watermark, self.same, self.known, self.members = 0, 0, {}, []

    def lead(self, epoch, in_sync):
        self.known = self.known if epoch == self.epoch else {}
        self.epoch, self.members = epoch, in_sync
        self.acknowledge()

    def follow(self, epoch):
        self.epoch, self.same = epoch, 0

    def write(self, value):
        self.log += [[self.epoch, value]]
        self.acknowledge()

    def acknowledge(self):
        others = [self.known.get(one, 0) for one in self.members if one != self.number]
        self.high_watermark = max(self.high_watermark, min([len(self.log), *others]))

    def fetch(self):
        mine = self.log[self.same][0] if self.same < len(self.log) else None
        return {"epoch": self.epoch, "same": self.same, "mine": mine}

    def serve(self, follower, request):
        same, mine = request["same"], request["mine"]
        if request["epoch"] != self.epoch:
            return None
        self.known[follower] = same
        self.acknowledge()
        if same == len(self.log):
            return (self.epoch, same, "end", 0) if mine is not None else None
        record = self.log[same]
        return (self.epoch, same, "same", 0) if record[0] == mine else (self.epoch, same, *record)

    def receive(self, reply):
        epoch, offset, what, value = reply
        if (epoch, offset) != (self.epoch, self.same):
            return
        if what == "end":
            del self.log[offset:]
            return
        if what != "same":
            self.log[offset:] = [[what, value]]
        self.same += 1


answer = Replica

# Plausible: right when no reply is lost.
"""Counts a record as copied when it is sent."""

REASON = "was acknowledged at offset 0"


class Replica:
    def __init__(self, number, log):
        self.number, self.log = number, log
        self.epoch, self.high_watermark, self.ends, self.in_sync = -1, 0, {}, []

    def lead(self, epoch, in_sync):
        if epoch != self.epoch:
            self.epoch, self.ends = epoch, {}
        self.in_sync = in_sync
        self.advance()

    def follow(self, epoch):
        self.epoch = epoch

    def write(self, value):
        self.log.append([self.epoch, value])
        self.advance()

    def advance(self):
        ends = {**self.ends, self.number: len(self.log)}
        reached = min(ends.get(broker, 0) for broker in self.in_sync)
        self.high_watermark = max(self.high_watermark, reached)

    def fetch(self):
        return [self.epoch, len(self.log), self.log[-1][0] if self.log else -1]

    def serve(self, follower, request):
        epoch, end, last = request
        if epoch != self.epoch:
            return None
        if end > len(self.log) or (end and self.log[end - 1][0] != last):
            return [epoch, end, None]
        self.ends[follower] = min(end + 1, len(self.log))
        self.advance()
        return [epoch, end, self.log[end]] if end < len(self.log) else None

    def receive(self, reply):
        epoch, end, record = reply
        if epoch == self.epoch and end == len(self.log):
            if record is None:
                self.log.pop()
            else:
                self.log.append(record)


answer = Replica

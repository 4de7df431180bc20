"""Cuts in one step, to where the leader's log has the end of the follower's last epoch (KIP-101, KIP-279)."""


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
            ends = [place for place, one in enumerate(self.log, 1) if one[0] <= last]
            older = max((one[0] for one in self.log if one[0] <= last), default=-1)
            return [epoch, end, "cut", min(ends[-1] if ends else 0, end), older]
        self.ends[follower] = end
        self.advance()
        return [epoch, end, self.log[end]] if end < len(self.log) else None

    def receive(self, reply):
        epoch, end, *rest = reply
        if epoch != self.epoch or end != len(self.log):
            return
        if rest[0] != "cut":
            self.log.append(rest[0])
            return
        _, most, older = rest
        own = [place for place, one in enumerate(self.log, 1) if one[0] <= older]
        keep = min(most, own[-1] if own else 0)
        del self.log[keep if keep < end else end - 1 :]


answer = Replica

"""Which leader epoch began at which offset of a replica's log; it tells where two replicas' logs part.

Sources: KIP-101 (truncate by leader epoch, not by high watermark) and KIP-279 (several quick changes of leader).
"""


class Epochs:
    """The starts of the leader epochs in one log, oldest first."""

    def __init__(self, starts=()):
        self.starts = [tuple(start) for start in starts]

    def note(self, epoch, offset):
        """Take in that a batch of `epoch` stands at `offset`."""
        if epoch > self.latest:
            self.starts.append((epoch, offset))

    def at(self, offset):
        """Return the epoch in which the record at `offset` was first written; -1 for one before the oldest."""
        return max((epoch for epoch, start in self.starts if start <= offset), default=-1)

    @property
    def latest(self):
        """The newest epoch in the log; -1 when the log never held a batch."""
        return self.starts[-1][0] if self.starts else -1

    def end_of(self, epoch, end):
        """Return (e, offset): the newest epoch e up to `epoch` in this log, and where it ends.

        `end` is the log's end. When no epoch is that old, e is -1 and the offset is where the oldest one begins.
        """
        found, until = -1, self.starts[0][1] if self.starts else end
        for number, (one, _) in enumerate(self.starts):
            if one <= epoch:
                found = one
                until = self.starts[number + 1][1] if number + 1 < len(self.starts) else end
        return found, until

    def truncate(self, end):
        """Forget the epochs that begin at or after `end`."""
        self.starts = [(epoch, start) for epoch, start in self.starts if start < end]

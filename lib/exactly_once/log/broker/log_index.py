"""The state that a replica derives from its log alone: producers, leader epochs, and the active segment.

It is rebuilt from the headers of the batches. A snapshot on the disk holds the state from batches that retention or
compaction removed (Kafka keeps producer snapshots and a leader-epoch checkpoint for the same reason).
"""

from .producer_state import EXPIRY_MS, Producers


class Epochs:
    """Which leader epoch began at which offset of a replica's log, oldest first; it tells where two logs part.

    Sources: KIP-101 (truncate by leader epoch, not by high watermark), KIP-279 (several quick changes of leader).
    """

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


class LogIndex:
    """The knowledge that a log's batches give, up to offset `end`. Producers idle for `expiry` ms are forgotten."""

    def __init__(self, end=0, epochs=None, producers=None, expiry=EXPIRY_MS):
        self.end = end
        self.epochs = epochs or Epochs()
        self.producers = producers or Producers(expiry=expiry)
        self.segment, self.segment_size = None, 0
        self.time = 0  # the newest batch's; it never goes back

    @staticmethod
    def key(replica):
        """Return the key under which the disk keeps a replica's snapshot."""
        return f"snapshot/{replica}"

    @classmethod
    def rebuilt(cls, disk, replica, until=None, expiry=EXPIRY_MS):
        """Return the index of all batches of a replica, or of the batches that end at or before offset `until`."""
        snapshot = disk.get(cls.key(replica))
        end = disk.status(replica)[1]
        found = cls(expiry=expiry)
        if snapshot:
            found.epochs = Epochs(snapshot["epochs"])
            if end >= snapshot["end"] or not end:
                found.end, found.producers = snapshot["end"], Producers.load(snapshot["producers"], expiry=expiry)
                found.time = snapshot["time"]
            else:  # the log was cut off before the snapshot's end: only an unclean election does that
                found.epochs.truncate(end)
        for batch in disk.headers(replica, found.end):
            if until is None or batch.end <= until:
                found.note(batch)
        return found

    @classmethod
    def keep(cls, disk, replica, until, expiry=EXPIRY_MS):
        """Write the snapshot of the state up to `until`, before the batches up to `until` are removed.

        A transaction that was aborted wholly before it is forgotten: none of its records are left.
        """
        found = cls.rebuilt(disk, replica, until, expiry)
        found.producers.forget_ended(until)
        producers = found.producers.dump()
        producers["aborted"] = [one for one in producers["aborted"] if one[2] >= until]
        known = {"end": until, "epochs": found.epochs.starts, "producers": producers, "time": found.time}
        disk.put(cls.key(replica), known)

    def note(self, batch):
        """Take in the next batch of the log."""
        self.end, self.time = batch.end, max(self.time, batch.time)
        self.epochs.note(batch.epoch, batch.base)
        self.producers.note(batch)
        if batch.segment != self.segment:
            self.segment, self.segment_size = batch.segment, 0
        self.segment_size += batch.size

    def segment_for(self, size, base, most):
        """Return the segment for a batch of `size` bytes at `base`: the newest one, or a new one when that is
        full.
        """
        if self.segment is None or self.segment_size + size > most:
            return base
        return self.segment

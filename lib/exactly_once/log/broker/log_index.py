"""The state that a replica derives from its log alone: producers, leader epochs, and the active segment.

It is rebuilt from the headers of the batches. A snapshot on the disk holds the state from batches that retention or
compaction removed (Kafka keeps producer snapshots and a leader-epoch checkpoint for the same reason).
"""

from .epochs import Epochs
from .producer_state import EXPIRY_MS, Producers


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

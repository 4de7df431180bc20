"""The state that a replica derives from its log alone: producers, leader epochs, and the active segment.

It is rebuilt from the headers of the batches. A snapshot on the disk holds the state from batches that retention or
compaction removed (Kafka keeps producer snapshots and a leader-epoch checkpoint for the same reason). A checkpoint of
the state is written now and then, so that a long log is not read from its beginning. Aborted transactions, of which
there may be ever more, are written once each, as in Kafka's transaction index.
"""

from .epochs import Epochs
from .producer_state import EXPIRY_MS, Producers

CHECKPOINT = 256  # batches, at least, from one checkpoint to the next: they are read when a log is opened


class LogIndex:
    """The knowledge that a log's batches give, up to offset `end`. Producers idle for `expiry` ms are forgotten."""

    def __init__(self, end=0, epochs=None, producers=None, expiry=EXPIRY_MS):
        self.end = end
        self.epochs = epochs or Epochs()
        self.producers = producers or Producers(expiry=expiry)
        self.segment, self.segment_size = None, 0
        self.time = 0  # the newest batch's; it never goes back
        self._noted = 0  # batches since the last checkpoint
        self._parts = 0  # of the aborted transactions that are put down

    @staticmethod
    def key(replica):
        """Return the key under which the disk keeps a replica's snapshot."""
        return f"snapshot/{replica}"

    @classmethod
    def rebuilt(cls, disk, replica, until=None, expiry=EXPIRY_MS):
        """Return the index of all batches of a replica, or of the batches that end at or before offset `until`."""
        snapshot, checkpoint = disk.get(cls.key(replica)), disk.get(_checkpoint(replica))
        end = disk.status(replica)[1]
        found = cls(expiry=expiry)
        if snapshot:
            found.epochs = Epochs(snapshot["epochs"])
            if end >= snapshot["end"] or not end:
                found.end, found.producers = snapshot["end"], Producers.load(snapshot["producers"], expiry=expiry)
                found.time = snapshot["time"]
            else:  # the log was cut off before the snapshot's end: only an unclean election does that
                found.epochs.truncate(end)
        if checkpoint and found.end < checkpoint["end"] <= (end if until is None else until):
            found = cls._from(disk, replica, checkpoint, found.end, expiry)
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

    def checkpoint(self, disk, replica, high_watermark):
        """Write a checkpoint of the state, if enough was noted since the last checkpoint."""
        if self._noted < max(CHECKPOINT, len(self.producers.entries)):
            return
        self.producers.forget_ended(high_watermark)
        if aborted := self.producers.take_aborted(CHECKPOINT):
            disk.put(_aborted(replica, self._parts), aborted)
            self._parts += 1
        disk.put(
            _checkpoint(replica),
            {
                "end": self.end,
                "epochs": self.epochs.starts,
                "producers": self.producers.dump(older=False),
                "time": self.time,
                "segment": [self.segment, self.segment_size],
                "parts": self._parts,
            },
        )
        self._noted = 0

    @staticmethod
    def forget_checkpoint(disk, replica, offset):
        """Forget the checkpoint if it goes beyond `offset`, where the log is cut off."""
        found = disk.get(_checkpoint(replica))
        if found and found["end"] > offset:
            disk.put(_checkpoint(replica), None)

    @classmethod
    def _from(cls, disk, replica, checkpoint, gone, expiry):
        """Return the state of a checkpoint; aborted transactions that ended before `gone` have no records left."""

        def older():
            parts = [disk.get(_aborted(replica, number)) for number in range(checkpoint["parts"])]
            return [tuple(one) for part in parts for one in part if one[2] >= gone]

        newer = [one for one in checkpoint["producers"]["aborted"] if one[2] >= gone]
        producers = Producers.load(checkpoint["producers"] | {"aborted": newer}, older, expiry)
        found = cls(checkpoint["end"], Epochs(checkpoint["epochs"]), producers)
        found.time = checkpoint["time"]
        found.segment, found.segment_size = checkpoint["segment"]
        found._parts = checkpoint["parts"]
        return found

    def note(self, batch):
        """Take in the next batch of the log."""
        self._noted += 1
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


def _checkpoint(replica):
    return f"checkpoint/{replica}"


def _aborted(replica, number):
    return f"aborted/{replica}/{number}"

"""One replica of one partition, on its broker's disk: the operations of a leader and of a follower on its log.

The state kept here between two calls is rebuilt from the disk when another process has changed the disk. What the
log alone gives is a `LogIndex`: producers, leader epochs, and the active segment, rebuilt from the headers of the
batches. A snapshot on the disk holds it from batches that retention or compaction removed (Kafka keeps producer
snapshots and a leader-epoch checkpoint for the same reason).
"""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

from ..log_errors import CorruptLog, FencedLeaderEpoch, NotEnoughReplicas, NotLeader
from ..storage.records import Batch
from .producer_state import EXPIRY_MS, Producers
from .topics import Topic

NEW: dict[str, Any] = {
    "leader": False, "epoch": -1, "epoch_start": 0, "isr": [], "high_watermark": 0, "start": 0, "positions": {},
}  # fmt: skip


class Moved(Exception):
    """The log has grown since the writer of a batch read it: the writer reads on, and decides again."""


class Epochs:
    """Which leader epoch began at which offset of a replica's log, oldest first; it tells where two logs part.

    Sources: KIP-101 (truncate by leader epoch, not by high watermark), KIP-279 (several quick changes of leader).
    """

    def __init__(self, starts: Iterable[Sequence[int]] = ()) -> None:
        self.starts = [tuple(start) for start in starts]

    def note(self, epoch: int, offset: int) -> None:
        """Take in that a batch of `epoch` stands at `offset`."""
        if epoch > self.latest:
            self.starts.append((epoch, offset))

    def at(self, offset: int) -> int:
        """Return the epoch in which the record at `offset` was first written; -1 for one before the oldest."""
        return max((epoch for epoch, start in self.starts if start <= offset), default=-1)

    @property
    def latest(self) -> int:
        """The newest epoch in the log; -1 when the log never held a batch."""
        return self.starts[-1][0] if self.starts else -1

    def end_of(self, epoch: int, end: int) -> tuple[int, int]:
        """Return (e, offset): the newest epoch e up to `epoch` in this log, and where it ends.

        `end` is the log's end. When no epoch is that old, e is -1 and the offset is where the oldest one begins.
        """
        found, until = -1, self.starts[0][1] if self.starts else end
        for number, (one, _) in enumerate(self.starts):
            if one <= epoch:
                found = one
                until = self.starts[number + 1][1] if number + 1 < len(self.starts) else end
        return found, until

    def truncate(self, end: int) -> None:
        """Forget the epochs that begin at or after `end`."""
        self.starts = [(epoch, start) for epoch, start in self.starts if start < end]


class LogIndex:
    """The knowledge that a log's batches give, up to offset `end`. Producers idle for `expiry` ms are forgotten."""

    def __init__(
        self, end: int = 0, epochs: Epochs | None = None, producers: Producers | None = None, expiry: int = EXPIRY_MS
    ) -> None:
        self.end = end
        self.epochs = epochs or Epochs()
        self.producers = producers or Producers(expiry=expiry)
        self.segment: int | None = None
        self.segment_size = 0
        self.time = 0  # the newest batch's; it never goes back

    @classmethod
    def rebuilt(cls, disk: Any, replica: str, until: int | None = None, expiry: int = EXPIRY_MS) -> Self:
        """Return the index of all batches of a replica, or of the batches that end at or before offset `until`."""
        snapshot = disk.get(f"snapshot/{replica}")
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
    def keep(cls, disk: Any, replica: str, until: int, expiry: int = EXPIRY_MS) -> None:
        """Write the snapshot of the state up to `until`, before the batches up to `until` are removed.

        A transaction that was aborted wholly before it is forgotten: none of its records are left.
        """
        found = cls.rebuilt(disk, replica, until, expiry)
        found.producers.forget_ended(until)
        producers = found.producers.dump()
        producers["aborted"] = [one for one in producers["aborted"] if one[2] >= until]
        known = {"end": until, "epochs": found.epochs.starts, "producers": producers, "time": found.time}
        disk.put(f"snapshot/{replica}", known)

    def note(self, batch: Batch) -> None:
        """Take in the next batch of the log."""
        self.end, self.time = batch.end, max(self.time, batch.time)
        self.epochs.note(batch.epoch, batch.base)
        self.producers.note(batch)
        if batch.segment != self.segment:
            self.segment, self.segment_size = batch.segment, 0
        self.segment_size += batch.size


class Replica:
    """One replica. `broker` is its broker's number, `settings` the topic's.

    Use its methods inside `changing()` or, to look only, inside `reading()`: both begin by seeing what is there now.
    """

    def __init__(
        self, disk: Any, name: str, broker: int, settings: Topic, producer_expiration_ms: int = EXPIRY_MS
    ) -> None:
        self.disk, self.name, self.broker, self.settings = disk, name, broker, settings
        self.producer_expiration_ms = producer_expiration_ms
        self.state, self.end = dict(NEW), 0
        self._log_index: Any = None
        self._cuts, self._fresh, self._changed = None, False, False

    @contextlib.contextmanager
    def changing(self) -> Iterator[Self]:
        """Run the block as one transaction of the disk."""
        self._changed = False
        try:
            with self.disk.transaction():
                self._look()
                yield self
        except BaseException:
            if self._changed:
                self._cuts = None  # the notes were taken back
            raise

    @contextlib.contextmanager
    def reading(self) -> Iterator[Self]:
        """Run the block on one state of the disk."""
        with self.disk.reading():
            self._look()
            yield self

    @property
    def log_index(self) -> LogIndex:
        """Producers, leader epochs and the newest segment, as the log has them."""
        if not self._fresh:
            cuts, end = self.disk.status(self.name)
            if self._log_index is None or cuts != self._cuts:
                self._log_index = LogIndex.rebuilt(self.disk, self.name, expiry=self.producer_expiration_ms)
                self._cuts = cuts
            elif end > self._log_index.end:
                for batch in self.disk.headers(self.name, self._log_index.end):
                    self._log_index.note(batch)
            self._fresh = True
        return self._log_index

    @property
    def start(self) -> int:
        """The log start: the first offset that was not deleted."""
        return self.state["start"]

    @property
    def high_watermark(self) -> int:
        """The first offset that is not known to be committed."""
        return self.end if self._alone else self.state["high_watermark"]

    @property
    def last_stable(self) -> int:
        """The first offset that a read_committed reader may not see."""
        unstable = self.log_index.producers.first_unstable(self.high_watermark)
        return self.high_watermark if unstable is None else max(self.start, min(unstable, self.high_watermark))

    def epoch_end(self, epoch: int) -> tuple[int, int]:
        """Return (e, offset): the newest epoch up to `epoch` in this log, and where it ends (KIP-101, KIP-279)."""
        return self.log_index.epochs.end_of(epoch, self.end)

    def obey(self, decision: Any) -> bool:
        """Lead or follow as the controller's `Partition` says. Returns whether that was news."""
        state = self.state
        if decision.leader == self.broker:
            if state["leader"] and (state["epoch"], state["isr"]) == (decision.epoch, list(decision.isr)):
                return False
            self.lead(decision.epoch, decision.isr)
            return True
        if not state["leader"] and state["epoch"] == decision.epoch:
            return False
        self._refuse_old(decision.epoch)
        self.state |= {"leader": False, "epoch": decision.epoch, "isr": [], "positions": {}}
        self._save()
        return True

    def lead(self, epoch: int, isr: Iterable[int]) -> None:
        """Be the partition's leader in `epoch`, with these in-sync replicas."""
        self._refuse_old(epoch)
        state = self.state
        if epoch > state["epoch"] or not state["leader"]:
            state |= {"leader": True, "epoch": epoch, "epoch_start": self.end, "positions": {}}
        state["isr"] = list(isr)
        self.advance()
        self._save()

    def resign(self) -> None:
        """Lead no more: this broker is being killed."""
        if self.state["leader"]:
            self.state |= {"leader": False, "isr": [], "positions": {}}
            self._save()

    def leading(self) -> dict[str, Any]:
        """Return the state of a leader. Raises `NotLeader` on another replica."""
        if not self.state["leader"]:
            raise NotLeader(f"Broker {self.broker} does not lead {self.name}; ask which one does and send it there.")
        return self.state

    def append(self, draft: Batch, now: int, acks_all: bool = False, rules: int = 1) -> tuple[int, bool]:
        """Write a batch as the leader. Returns (base offset, whether it was there already).

        `now` is the writer's time; the log's own never goes backward. Raises `NotLeader`, `NotEnoughReplicas` for
        `acks_all`, and the errors of `Producers.check`.
        """
        state = self.leading()
        wanted = self.settings.min_insync_replicas
        found = len(state["isr"])
        if acks_all and found < wanted:
            raise NotEnoughReplicas(
                f"{self.name} has {found} replica{'s' * (found != 1)} in sync, and acks='all' needs {wanted}: "
                "nothing was written. Wait until a follower has caught up, or revive a broker, and send it again."
            )
        now = max(now, self.log_index.time)
        if draft.producer >= 0:
            base = self.log_index.producers.check(
                draft, now, rules, self.settings.sequence_rule, self.start, self.end
            )
            if base is not None:
                return base, True
        self._write(draft._replace(base=self.end, epoch=state["epoch"], time=now))
        if not self._alone:
            self.advance()
            self._save()
        return self.end - draft.count, False

    def copy(self, batches: Iterable[Batch], leader_start: int, leader_high_watermark: int) -> None:
        """Write batches of the leader's log as a follower, as they are, and learn the leader's high watermark."""
        if self.start < leader_start:
            self.delete_before(leader_start)
            self.end = max(self.end, leader_start)
        for batch in batches:
            self._write(batch)
        self._learn(self.start, min(leader_high_watermark, self.end))

    def truncate(self, offset: int) -> None:
        """Remove the records at or after `offset`: the leader's log has other records there."""
        self.disk.truncate(self.name, offset)
        self._fresh, self._changed = False, True
        self.end = max(self.disk.status(self.name)[1], self.start)
        self._learn(self.start, min(self.state["high_watermark"], self.end))

    def report(self, follower: int, end: int) -> None:
        """Hear, as the leader, that a follower has everything below `end`."""
        self.state["positions"][str(follower)] = end
        self.advance()
        self._save()

    def in_sync(self, follower: int) -> bool:
        """Tell whether a follower, by its last report, may count as in sync."""
        end = self.state["positions"].get(str(follower), -1)
        return end >= max(self.high_watermark, self.state["epoch_start"])

    def advance(self) -> None:
        """Move the leader's high watermark to the least end of the in-sync replicas, if enough (KIP-966)."""
        state = self.state
        if len(state["isr"]) < self.settings.min_insync_replicas:
            return
        ends = [self.end if one == self.broker else state["positions"].get(str(one), 0) for one in state["isr"]]
        state["high_watermark"] = max(state["high_watermark"], min(ends))

    def delete_before(self, offset: int) -> None:
        """Move the log start to `offset`, and take away the segments that lie before it wholly."""
        segments = [batch.segment for batch in self.disk.headers(self.name, offset)][:1]
        self._learn(offset, self.state["high_watermark"])
        gone = segments[0] if segments else offset
        LogIndex.keep(self.disk, self.name, gone, self.producer_expiration_ms)
        self.disk.delete_before(self.name, gone)
        self._fresh, self._changed = False, True

    def put_compacted(self, start: int, end: int, batches: Iterable[Batch]) -> None:
        """Put `batches` in place of those from `start` to below `end`; the facts of the others are kept."""
        LogIndex.keep(self.disk, self.name, end, self.producer_expiration_ms)
        self.disk.replace(self.name, start, end, batches)
        self._fresh, self._changed = False, True

    def _refuse_old(self, epoch: int) -> None:
        if epoch < self.state["epoch"]:
            raise FencedLeaderEpoch(
                f"{self.name} on broker {self.broker} is in leader epoch {self.state['epoch']}; epoch "
                f"{epoch} is over."
            )

    def _look(self) -> None:
        self._fresh = False
        state = self.disk.get(f"replica/{self.name}")
        self.state = dict(NEW, positions={}, isr=[]) if state is None else state
        self.end = max(self.disk.status(self.name)[1], self.state["start"])
        if self.state["high_watermark"] > self.end:
            raise CorruptLog(
                f"{self.name} on broker {self.broker} ends at offset {self.end}, and {self.state['high_watermark']} "
                "was committed there: its disk has lost records. Put back a copy of the log's whole folder."
            )

    def _save(self) -> None:
        self.disk.put(f"replica/{self.name}", self.state)

    def _learn(self, start: int, high_watermark: int) -> None:
        learnt = {"start": start, "high_watermark": high_watermark}
        if not learnt.items() <= self.state.items():
            self.state |= learnt
            self._save()

    def _write(self, batch: Batch) -> None:
        """Write a batch to the newest segment, or to a new one when that is full."""
        log_index, self._changed = self.log_index, True
        full = log_index.segment_size + batch.size > self.settings.segment_bytes
        batch = batch._replace(segment=batch.base if log_index.segment is None or full else log_index.segment)
        self.disk.append(self.name, batch)
        log_index.note(batch)
        self.end = batch.end

    @property
    def _alone(self) -> bool:
        """Whether this is the partition's only replica: then all it has is committed, and nothing is to be noted."""
        return self.settings.replicas == 1

"""Consumer groups' committed offsets: records of a compacted topic, as in Kafka, so that they share the log's fate.

Offsets in a transaction are transactional records, by the producer's id and epoch and without a sequence number. They
are pending until the marker comes; of two offsets for one place, the one that was written later counts.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

from ...errors import BadInput, OutcomeUnknown, whole
from ...stores.codec import encode
from ..client.requests import batch_of
from ..log_errors import IllegalGeneration, UnknownTopicOrPartition, UnstableOffsetCommit
from ..storage.records import COMMIT, MARKERS, NOBODY, PLAIN, TRANSACTIONAL, Batch, Pair
from .broker_cluster import DELIVERY_SECONDS
from .replica import Moved, Replica

OFFSETS = "__consumer_offsets"
NO_PRODUCER = NOBODY, NOBODY, NOBODY
NO_GENERATION = 0, -1


class Groups:
    """The committed offsets, as this process last read them; every question reads on from there."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self._forget(None)

    def commit(
        self,
        group: str,
        offsets: Mapping[tuple[str, int], int],
        producer: int | None = None,
        epoch: int | None = None,
        generation: int | None = None,
    ) -> None:
        """Commit {(topic, partition): offset}, all in one batch; if its leader moves, again. Raises as `append`, and
        `IllegalGeneration`.
        """
        if not isinstance(offsets, Mapping) or not offsets:
            raise BadInput(f"The offsets to commit are {offsets!r}; they map (topic, partition) to the next offset.")
        if (producer is None) != (epoch is None):
            raise BadInput(f"The producer is {producer!r} and its epoch {epoch!r}; give both or neither.")
        pairs = []
        for place, offset in offsets.items():
            if not isinstance(place, tuple) or len(place) != 2:
                raise BadInput(f"Offsets are committed for (topic, partition), and not for {place!r}.")
            self._log.topic(*place)
            pairs.append(Pair(_key(group, *place), whole("The offset", offset)))
        whom, kind = NO_PRODUCER, PLAIN
        if producer is not None:
            whole("The producer id", producer, most=2**63 - 1)
            whom, kind = (producer, whole("The producer epoch", epoch, most=2**15 - 1), NOBODY), TRANSACTIONAL

        def allowed(replica: Replica) -> None:
            now = self._generation(replica, group)
            if generation != now:
                raise IllegalGeneration(
                    f"Group {group!r} is in generation {now}, and this commit is of generation {generation}: its "
                    "partitions may belong to another member by now. Join the group again."
                )

        self._write(lambda: pairs, kind, whom, None if generation is None else allowed)

    def rebalance(self, group: str) -> int:
        """Begin a new generation of a group. Returns its number."""
        key, number = _key(group), 0

        def following() -> list[Pair]:
            nonlocal number
            number = self._found.get(key, NO_GENERATION)[0] + 1
            return [Pair(key, number)]

        def next_one(replica: Replica) -> None:
            if self._generation(replica, group) + 1 != number:
                raise Moved

        self._write(following, PLAIN, NO_PRODUCER, next_one)
        return number

    def offset(self, group: str, topic: str, partition: int, require_stable: bool = False) -> int | None:
        """Return the offset that a group committed for a partition, or None. Raises `UnstableOffsetCommit`."""
        key = _key(group, topic, partition)
        try:
            self._follow()
        except UnknownTopicOrPartition:
            return None
        if require_stable and any(key in pending for pending in self._pending.values()):
            raise UnstableOffsetCommit(
                f"A newer offset of group {group!r} for {topic}-{partition} is in a transaction that is open: ask "
                "again when it has ended."
            )
        return self._found.get(key, (None,))[0]

    def _write(
        self,
        pairs: Callable[[], list[Pair]],
        kind: str,
        whom: tuple[int, int, int],
        guard: Callable[[Replica], None] | None,
    ) -> None:
        log = self._log
        log.internal_topic(OFFSETS)
        settings, deadline = log.topic(OFFSETS), time.monotonic() + DELIVERY_SECONDS
        while True:
            self._follow()
            try:
                log.append_if(OFFSETS, batch_of(settings, pairs(), kind, whom, log.clock()), guard)
            except Moved:
                continue
            except OutcomeUnknown:  # the same offsets twice are the same offsets
                if time.monotonic() > deadline:
                    raise
                continue
            return

    def _generation(self, replica: Replica, group: str) -> int:
        """Return the generation of a group, by all that its leader has, committed or not; 0 where it never was."""
        if replica.state["epoch"] != self._epoch:
            raise Moved
        key, found = _key(group), self._found.get(_key(group), NO_GENERATION)[0]
        for batch in replica.disk.batches(replica.name, self._position):
            found = next((one.value for one in batch.records() if one.key == key), found)
        return found

    def _follow(self) -> None:
        log = self._log
        start, epoch = log.log_start(OFFSETS, 0), log.controller.partition(OFFSETS, 0).epoch
        if epoch != self._epoch:  # an unclean election may have lost what was read here
            self._forget(epoch)
        log.read_batches(OFFSETS, 0, max(self._position, start), "read_uncommitted", self._take)

    def _forget(self, epoch: int | None) -> None:
        self._epoch, self._position = epoch, 0
        self._found = {}  # by key: (value, its offset in this topic)
        self._pending = {}  # by producer, the same

    def _take(self, batch: Batch, hidden: bool, end: int) -> bool:
        """Take in the next batch of the topic."""
        if batch.end > end:
            return False
        self._position = batch.end
        if batch.kind in MARKERS:
            ended = self._pending.pop(batch.producer, {}) if batch.kind == COMMIT else {}
            self._pending.pop(batch.producer, None)
            for key, (value, at) in ended.items():
                if at > self._found.get(key, (None, -1))[1]:
                    self._found[key] = value, at
            return True
        into = self._pending.setdefault(batch.producer, {}) if batch.kind == TRANSACTIONAL else self._found
        for record in batch.records():
            into[record.key] = record.value, record.offset
        return True


def _key(group: str, *place: str | int) -> str:
    if not isinstance(group, str) or not group:
        raise BadInput(f"The consumer group is {group!r}; give it a name.")
    return encode([group, *place])

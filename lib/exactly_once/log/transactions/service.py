"""Transactions in a log: who asks the coordinator before a write, and who writes the markers after its decision."""

import contextlib
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from ...errors import BadInput, whole
from ..broker.producer_state import Entry
from ..broker.replica import Replica
from ..broker.topics import Topic
from ..log_errors import (
    RETRIABLE,
    ConcurrentTransactions,
    InvalidProducerEpoch,
    LeaderNotAvailable,
    NotCoordinator,
    NotEnoughReplicas,
    OutOfOrderSequence,
    ProducerFenced,
    TransactionCoordinatorFenced,
    UnknownTopicOrPartition,
)
from ..storage.records import ABORT, MARKERS, Batch
from . import rules
from .coordinator import MAX_TIMEOUT_MS, Coordinator, Due
from .topic import TOPIC, Kept

PROTOCOL = "transaction protocol"  # Kafka's feature transaction.version, one for the cluster


class Hanging(NamedTuple):
    """A transaction that is open in a partition, and of which the coordinator knows nothing.

    `producer` and `epoch` are those of its records, `start` is the offset of its first one, `idle_ms` says for how
    long nothing was added to it.
    """

    topic: str
    partition: int
    producer: int
    epoch: int
    start: int
    idle_ms: int


class Unverified(Exception):
    """A batch that is the first of its transaction here: the coordinator has to be asked before it is written."""


class Transactions:
    """The coordinator of a log, and the leaders' record of the batches that were verified with it."""

    def __init__(self, log: Any) -> None:
        self._log, self._verifies = log, True
        self._coordinator: Any = None
        self._verified = {}  # (partition, producer): (the producer's entry, the log's end) when it was verified
        self._lowest = {}  # (partition, producer): (epoch, sequence) of the first batch that was to be verified
        self._written = {}  # (transactional id, epoch of the marker, partition): the marker's receipt

    def coordinator(self, protocol: int | None = None, verification: bool = True, **settings: Any) -> Coordinator:
        """Make the log's `Coordinator`. `protocol` becomes the cluster's; by default it stays, and is 2 at first.

        Without `verification`, leaders of protocol 1 ask it about nothing, as before Kafka 3.6.
        """
        disk = self._log.controller.disk
        known = disk.get(PROTOCOL)
        made = Coordinator(Kept(self._log), self._log.clock, protocol or known or 2, **settings)
        if made.protocol != known:
            with disk.transaction():
                disk.put(PROTOCOL, made.protocol)
        self._coordinator, self._verifies = made, verification or made.protocol == 2
        return made

    def current(self) -> Coordinator:
        """Return the log's `Coordinator`."""
        return self._coordinator or self.coordinator()

    def tend(self) -> list[str]:
        """Abort after timeouts, write due markers, forget unused ids. Returns the ids that timed out."""
        gone = self.current().time_out()
        self.write_due_markers()
        self.current().expire()
        return gone

    def knows(self, producer: int) -> bool:
        """Tell whether a producer has a transactional id; one without is not the coordinator's business."""
        if not self._verifies:
            return False
        if self._coordinator is None:
            try:
                self._log.topic(TOPIC)
            except UnknownTopicOrPartition:
                return False
            self.coordinator()
        return self._coordinator.owner(producer) is not None or self._log.controller.is_transactional(producer)

    @property
    def protocol(self) -> Literal[1, 2]:
        """The transaction protocol, 1 or 2."""
        return self._coordinator.protocol

    def let_in(self, replica: Replica, batch: Batch) -> None:
        """Check, inside the leader's transaction, that a batch is in a transaction that the coordinator knows.

        Raises `Unverified` for the first batch of a transaction, until it was verified and no marker came between;
        `OutOfOrderSequence` for one that overtakes a batch that is not verified.
        """
        entry = replica.log_index.producers.entries.get(batch.producer) or Entry()
        if entry.opened is not None and entry.epoch == batch.producer_epoch:
            return
        place = replica.name, batch.producer
        seen, end = self._verified.pop(place, (None, 0))
        if seen != entry or _ended_since(replica, batch.producer, end):
            raise Unverified(entry, replica.end)
        lowest = self._lowest[place][1]
        if batch.sequence > lowest:
            raise OutOfOrderSequence(
                f"Producer {batch.producer} sent sequence number {batch.sequence}, and its batch with {lowest} could "
                "not be verified before: that one has to come first, or it could never be written."
            )

    def verified(self, settings: Topic, partition: int, batch: Batch, write: Callable[[Replica], Any]) -> Any:
        """Return the result of `write` of the leader's replica, after asking the coordinator if that is needed.

        If anything happens in between, it is asked again.
        """
        while True:
            try:
                found = self._log.with_leader(settings, partition, write)
            except Unverified as why:
                self._verify(f"{settings.name}-{partition}", batch, why.args)
            else:
                if self._lowest:
                    self._lowest.pop((f"{settings.name}-{partition}", batch.producer), None)
                return found

    def _verify(self, name: str, batch: Batch, guard: Any) -> None:
        """Ask the coordinator about a batch for the partition `name`; by protocol 2 it adds the partition itself.

        Raises the coordinator's error, as a partition's leader passes it on: `InvalidProducerEpoch` for a zombie.
        """
        place, asked = (name, batch.producer), (batch.producer_epoch, batch.sequence)
        known = self._lowest.get(place, asked)
        self._lowest[place] = asked if asked[0] > known[0] else min(asked, known) if asked[0] == known[0] else known
        coordinator = self._coordinator
        if self.protocol == 1:
            try:
                coordinator.verify(batch.producer, batch.producer_epoch, name)
            except ConcurrentTransactions as why:  # clients of the classic protocol try again after this one alone
                raise NotEnoughReplicas(f"{name} could not be verified now: {why}") from why
        else:
            try:
                coordinator.add_partitions(
                    coordinator.owned(batch.producer), batch.producer, batch.producer_epoch, [name]
                )
            except ProducerFenced as why:
                raise InvalidProducerEpoch(str(why)) from why
        self._verified[place] = guard

    def hanging(self, idle_ms: int = MAX_TIMEOUT_MS) -> list[Hanging]:
        """Return a `Hanging` for each transaction that no coordinator will end, as kafka-transactions.sh finds them
        (KIP-664): open in a partition, without a record for longer than `idle_ms`, and not among the coordinator's.
        """
        whole("idle_ms", idle_ms)
        found, now = [], self._log.clock()
        for topic, number in self._log.places():
            with contextlib.suppress(LeaderNotAvailable):
                found += [
                    Hanging(topic.name, number, producer, entry.epoch, entry.opened or 0, now - entry.time)
                    for producer, entry in sorted(self._open(topic, number).items())
                    if now - entry.time > idle_ms and not self._will_end(producer, f"{topic.name}-{number}")
                ]
        return found

    def abort_hanging(self, topic: str, partition: int, start: int) -> Any:
        """Write an abort marker for the transaction that began at offset `start`, to this partition alone."""
        found = self._open(self._log.topic(topic, partition), partition)
        for producer, entry in found.items():
            if entry.opened == start:
                whom = producer, entry.epoch, ABORT, max(entry.coordinator, 0)
                return self._log.write_marker(topic, partition, *whom, acks="all")
        begun = ", ".join(str(entry.opened) for entry in found.values()) or "none is open"
        raise BadInput(f"No open transaction of {topic}-{partition} began at offset {start!r}; there: {begun}.")

    def _open(self, topic: Topic, number: int) -> dict[int, Entry]:
        """Return {producer: `Entry`} of the transactions that are open in a partition."""

        def read(replica: Replica) -> dict[int, Entry]:
            with replica.reading():
                entries = replica.log_index.producers.entries
                return {producer: entry for producer, entry in entries.items() if entry.opened is not None}

        return self._log.with_leader(topic, number, read)

    def _will_end(self, producer: int, name: str) -> bool:
        """Tell whether the coordinator has the producer's transaction in a partition on its list."""
        coordinator = self.current()
        was = coordinator.kept.get(coordinator.owner(producer))
        if was is None or was.producer != producer:
            return False
        return name in was.partitions and (was.state == rules.ONGOING or was.state in rules.RESULTS)

    def write_due_markers(self, transactional_id: str | None = None) -> list[str]:
        """Write the due markers of all transactions or of one, and complete those whose markers are committed.

        Returns the transactional ids that are complete now. One whose marker cannot be written yet stays due.
        """
        coordinator, done = self.current(), []
        found = coordinator.due(transactional_id)
        if found and not coordinator.kept.owns_epoch():  # or a marker of this process could come late, and be taken
            coordinator.recover()
            found = coordinator.due(transactional_id)
        for due in found:
            try:
                committed = [self._marked(due, partition) for partition in due.partitions]
                if not all(committed):
                    continue
                coordinator.complete(due.transactional_id, due.producer, due.epoch, due.coordinator)
                done.append(due.transactional_id)
            except (InvalidProducerEpoch, TransactionCoordinatorFenced, NotCoordinator):
                pass  # another coordinator has gone on
            except RETRIABLE:
                continue
            for partition in due.partitions:
                self._written.pop((due.transactional_id, due.epoch, partition), None)
        return done

    def _marked(self, due: Due, partition: str) -> bool:
        """Write one marker, unless it is there; and tell whether it is committed. One that was lost is written
        again.
        """
        topic, _, number = partition.rpartition("-")
        place = due.transactional_id, due.epoch, partition
        receipt = self._written.get(place)
        held, committed = (False, False) if receipt is None else self._log.fate(receipt)
        if not held or self._is_open(topic, int(number), due.producer):
            receipt = self._written[place] = self._log.write_marker(topic, int(number), *due.marker, "all")
            committed = receipt.acknowledged
            for known in (self._verified, self._lowest):
                known.pop((partition, due.producer), None)
        return committed

    def _is_open(self, topic: str, partition: int, producer: int) -> bool:
        """Tell whether a producer has a transaction open in a partition: then its last marker ended another one."""
        return producer in self._open(self._log.topic(topic, partition), partition)


def _ended_since(replica: Replica, producer: int, end: int) -> bool:
    """Tell whether a producer's marker was written at or after offset `end`."""
    return any(one.producer == producer and one.kind in MARKERS for one in replica.disk.headers(replica.name, end))

"""The log: topics over brokers, as a client sees them. Every rule is elsewhere; this is where requests arrive."""

import contextlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, TypeAlias, get_args

from ..errors import BadInput, OutcomeUnknown, one_of, whole
from ..stores.codec import Value
from .broker.broker_cluster import DELIVERY_SECONDS, RETRY_SECONDS
from .broker.controller import Controller
from .broker.groups import Groups
from .broker.producer_state import EXPIRY_MS, LARGEST_SEQUENCE
from .broker.replica import Replica
from .broker.retention import compact, retain
from .broker.topics import Topic
from .client.requests import batch_of, draft
from .ledger import Ledger, snapshot
from .log_errors import (
    FencedLeaderEpoch,
    InvalidRecord,
    LeaderNotAvailable,
    LogError,
    NotEnoughReplicasAfterAppend,
    NotLeader,
)
from .reading import Readable, check_range
from .storage.disk import MemoryDisk
from .storage.records import ABORT, COMMIT, NOBODY, PLAIN, TRANSACTIONAL, Batch
from .transactions.coordinator import MAX_TIMEOUT_MS, Coordinator, MarkerRule
from .transactions.log_requests import Transactional
from .transactions.service import Hanging, Transactions

ByHand: TypeAlias = Literal["auto", "manual"]
Truncation: TypeAlias = Literal["leader epoch", "high watermark"]
Acks: TypeAlias = Literal[0, 1, "all"]
Guard: TypeAlias = Callable[[Replica], None]
ACKS: tuple[Acks, ...] = get_args(Acks)


@dataclass(frozen=True)
class Receipt:
    """A broker's answer to an append.

    `offset` is that of the first of `count` records, None with acks=0, whose sender gets no answer. `duplicate`: the
    batch was there already, at this offset, and was not written again. `acknowledged`: the promise of `acks` holds;
    False with acks=0, and with acks="all" as long as followers, copying by hand, have not caught up. `epoch` is the
    leader epoch in which the batch was written.
    """

    topic: str
    partition: int
    offset: int | None
    count: int
    epoch: int
    duplicate: bool = False
    acknowledged: bool = True


class Log(Transactional, Readable):
    """A partitioned, replicated log. `open_log` makes one.

    A log on SQLite files belongs to the thread that opened it; other threads and processes open their own.
    """

    def __init__(
        self,
        controller: Controller,
        disks: Iterable[Any],
        clock: Callable[[], int] | None = None,
        replication: ByHand = "auto",
        elections: ByHand = "auto",
        watch: bool = False,
        truncation: Truncation = "leader epoch",
        producer_expiration_ms: int = EXPIRY_MS,
    ) -> None:
        one_of("replication", replication, ("auto", "manual"))
        super().__init__(controller, disks, replication, elections, truncation, producer_expiration_ms)
        self.clock = clock or (lambda: int(time.time() * 1000))
        self.ledger = Ledger() if watch else None
        self._groups = Groups(self)
        self._transactions = Transactions(self)

    def append(
        self,
        topic: str,
        partition: int,
        records: Iterable[Value],
        acks: Acks = "all",
        producer: int | None = None,
        producer_epoch: int | None = None,
        sequence: int | None = None,
        transactional: bool = False,
    ) -> Receipt:
        """Append records to a partition as one batch, wholly or not at all. Returns a `Receipt`.

        `records` is a list of values, or of `Pair(key, value)`. A key is text, bytes or
        None; a value is text, bytes, None or another value that a store can keep. `acks`: 0 asks for no answer, 1 for
        the leader's, "all" for one when all in-sync replicas have the records. `producer`, `producer_epoch` and
        `sequence` (of the first record) make the append idempotent (KIP-98); `transactional` makes it part of the
        producer's transaction.

        Raises `BadInput`, `UnknownTopicOrPartition`, `RecordTooLarge`, `InvalidRecord` for records that cannot be
        written; `LeaderNotAvailable`, `NotEnoughReplicas`, `NotEnoughReplicasAfterAppend`; `OutOfOrderSequence`,
        `InvalidProducerEpoch`, `InvalidTxnState`. With acks=0 a broker's refusal is not heard of. A leader that has
        moved is looked up again, and a numbered batch sent to it again, for up to `DELIVERY_SECONDS`; when nobody
        can tell then whether the records are there: `OutcomeUnknown`.

        A batch's time is the clock's, or that of the newest batch if that is later: writers' clocks may differ, and
        the log's time does not go backward. A clock that is ahead moves the log's time ahead; one that jumps by over
        a day makes the partition forget its idle producers, and write a late retry twice, as Kafka does
        (producer.id.expiration.ms).
        """
        one_of("acks", acks, ACKS)
        settings = self.topic(topic, partition)
        whom = _identity(producer, producer_epoch, sequence)
        if transactional and whom[0] == NOBODY:
            raise BadInput("A transactional append needs producer, producer_epoch and sequence; give all three.")
        batch = batch_of(settings, records, TRANSACTIONAL if transactional else PLAIN, whom, self.clock())
        try:
            return self._append(settings, partition, batch, acks)
        except LogError:
            if acks == 0:
                return Receipt(topic, partition, None, batch.count, NOBODY, acknowledged=False)
            raise

    def write_marker(
        self,
        topic: str,
        partition: int,
        producer: int,
        producer_epoch: int,
        result: Literal["commit", "abort"],
        coordinator_epoch: int = 0,
        rules: Literal[1, 2] = 1,
        acks: Acks = 1,
    ) -> Receipt:
        """End a producer's transaction in a partition, as its coordinator does: with a marker. Returns a `Receipt`.

        `result` is "commit" or "abort"; `rules=2` accepts only an epoch newer than the data's (KIP-890); `acks` as
        for `append`. Raises `InvalidProducerEpoch` or `TransactionCoordinatorFenced` for a marker that comes too
        late.
        """
        settings = self.topic(topic, partition)
        one_of("The result", result, (COMMIT, ABORT))
        one_of("rules", rules, (1, 2))
        whom = *_identity(producer, producer_epoch, 0)[:2], NOBODY
        whole("coordinator_epoch", coordinator_epoch)
        marker = draft(result, 1, self.clock(), whom, coordinator=coordinator_epoch)
        return self._append(settings, partition, marker, one_of("acks", acks, ACKS), rules)

    def append_if(self, topic: str, batch: Batch, guard: Guard | None) -> Receipt:
        """Append a batch to a topic of the log's own, if `guard(replica)`, inside the leader's transaction, lets it.

        When this returns, the batch is committed, also where other topics are replicated by hand.
        """
        receipt = self._append(self.topic(topic), 0, batch, "all", guard=guard)
        if not receipt.acknowledged:
            self.replicate(topic, 0)
        return receipt

    def _append(
        self,
        settings: Topic,
        partition: int,
        batch: Batch,
        acks: Acks,
        rules: Literal[1, 2] = 1,
        guard: Guard | None = None,
    ) -> Receipt:
        deadline = None
        if batch.producer != NOBODY:
            self.controller.take_note(batch.producer)
        while True:
            try:
                receipt = self._written(settings, partition, batch, acks, rules, guard)
            except LeaderNotAvailable:
                if deadline is None:
                    raise
            else:
                deadline = deadline or time.monotonic() + DELIVERY_SECONDS
                if acks != "all" or settings.replicas == 1 or self._settled(settings, receipt, deadline):
                    return receipt
                if self.replication == "manual":
                    return replace(receipt, acknowledged=False)
            if batch.producer == NOBODY or time.monotonic() > deadline:
                raise OutcomeUnknown(
                    f"{settings.name}-{partition} changed its leader before this batch of {batch.count} records was "
                    "committed, and the new one has not got it now: it may be there, or come back, or be lost. "
                    "Sending it again may double it, unless the producer is idempotent."
                )
            time.sleep(RETRY_SECONDS)

    def _written(
        self, settings: Topic, partition: int, batch: Batch, acks: Acks, rules: Literal[1, 2], guard: Guard | None
    ) -> Receipt:
        """Have the leader write a batch, and the followers copy it unless that is by hand. Returns a `Receipt`."""
        verified = batch.kind == TRANSACTIONAL and self._transactions.knows(batch.producer)

        def write(replica: Replica) -> tuple[int, bool, int]:
            with replica.changing():
                if verified:
                    self._transactions.let_in(replica, batch)
                if guard is not None:
                    guard(replica)
                base, again = replica.append(batch, batch.time, acks == "all", rules)
                return base, again, replica.log_index.epochs.at(base) if again else replica.state["epoch"]

        if verified:
            rules = self._transactions.protocol
            base, again, epoch = self._transactions.verified(settings, partition, batch, write)
        else:
            base, again, epoch = self.with_leader(settings, partition, write)
        receipt = Receipt(settings.name, partition, base, batch.count, epoch, again)
        if self.ledger is not None:
            self.ledger.note(receipt, batch, acks)
        if settings.replicas > 1:
            self.caught_up(settings.name, partition)
        return receipt if acks != 0 else replace(receipt, offset=None, duplicate=False, acknowledged=False)

    def _settled(self, settings: Topic, receipt: Receipt, deadline: float) -> bool:
        """Wait, as a leader does with acks="all": for the followers, or until those that lag have left the ISR.

        Returns whether the records are committed; if not, the leader is another one by now, or replication is by
        hand.
        """
        topic, partition = settings.name, receipt.partition
        while True:
            with contextlib.suppress(FencedLeaderEpoch, LeaderNotAvailable, NotLeader):
                for last_chance in (False, True):
                    held, committed = self.fate(receipt)
                    if committed or not held or self.replication == "manual":
                        return committed
                    if not last_chance:
                        self.drop_laggards(settings, partition)
                in_sync = len(self.isr(topic, partition))
                if in_sync < settings.min_insync_replicas:
                    raise NotEnoughReplicasAfterAppend(
                        f"{topic}-{partition} has {in_sync} replica{'s' * (in_sync != 1)} in sync now, and "
                        f"acks='all' needs {settings.min_insync_replicas}: offset {receipt.offset} is in the "
                        "leader's log, and not committed. Sending it again may double it, "
                        "unless the producer is idempotent."
                    )
            if time.monotonic() > deadline:
                return False
            time.sleep(RETRY_SECONDS)
            self.caught_up(topic, partition)

    def fate(self, receipt: Receipt) -> tuple[bool, bool]:
        """Return whether the partition's leader has the records of a receipt, and whether they are committed."""
        assert receipt.offset is not None, "with acks=0 nobody knows where the records are"
        last = receipt.offset + receipt.count - 1

        def ask(replica: Replica) -> tuple[bool, bool]:
            with replica.reading():
                replica.leading()
                held = replica.end > last and replica.log_index.epochs.at(last) == receipt.epoch
                return held, held and replica.high_watermark > last

        return self.with_leader(self.topic(receipt.topic, receipt.partition), receipt.partition, ask)

    def new_producer_id(self) -> int:
        """Return a fresh producer id, for idempotent appends from epoch 0 and sequence number 0 on."""
        return self.controller.new_producer_id()

    def delete_records(self, topic: str, partition: int, before: int) -> None:
        """Move a partition's log start to offset `before`. Raises `OffsetOutOfRange` beyond the committed records."""

        def delete(replica: Replica) -> None:
            with replica.changing():
                replica.leading()
                check_range(topic, partition, whole("The offset", before), replica, replica.high_watermark)
                replica.delete_before(before)

        self.with_leader(self.topic(topic, partition), partition, delete)
        self.caught_up(topic, partition)

    def retain(self) -> int:
        """Delete the segments of every topic that its retention does not keep. Returns how many."""
        return retain(self)

    def compact(self, topic: str, partition: int, tombstone_ms: int = 86_400_000) -> int:
        """Keep only the newest record of each key in the closed segments (Kafka's log cleaner); return how many went.

        A record with the value None is a tombstone: it removes its key, and goes itself after `tombstone_ms`.
        """
        return compact(self, self.topic(topic, partition), partition, whole("tombstone_ms", tombstone_ms))

    def commit(
        self,
        group: str,
        offsets: Mapping[tuple[str, int], int],
        producer: int | None = None,
        producer_epoch: int | None = None,
        generation: int | None = None,
    ) -> None:
        """Keep a consumer group's offsets, {(topic, partition): offset of its next record}, as committed records.

        With `producer` and `producer_epoch` they are part of the producer's transaction, and count when it commits.
        With `generation` they are refused when the group has moved on (KIP-447). Raises the errors of `append`, and
        `IllegalGeneration`.
        """
        self._groups.commit(group, offsets, producer, producer_epoch, generation)

    def committed_offset(self, group: str, topic: str, partition: int, require_stable: bool = False) -> int | None:
        """Return the offset that a group committed for a partition, or None.

        With `require_stable`, raises `UnstableOffsetCommit` while a newer one is in an open transaction.
        """
        self.topic(topic, partition)
        return self._groups.offset(group, topic, partition, require_stable)

    def rebalance(self, group: str) -> int:
        """Let a consumer group share its partitions anew. Returns the new generation; older ones are refused now."""
        return self._groups.rebalance(group)

    @property
    def transactions(self) -> Coordinator:
        """The transaction coordinator of this log."""
        return self._transactions.current()

    def coordinator(
        self,
        protocol: Literal[1, 2] | None = None,
        verification: bool = True,
        marker_rule: MarkerRule = "kafka",
        **settings: int,
    ) -> Coordinator:
        """Return a transaction coordinator over this log's topic __transaction_state, which is `transactions` then.

        `protocol` is the cluster's from now on: 1 is the classic one, 2 (the default) that of KIP-890. Settings:
        `max_timeout_ms` and `expiration_ms`, see `Coordinator`. `verification=False` is Kafka's
        transaction.partition.verification.enable: with protocol 1, leaders then let in what belongs to no transaction
        that the coordinator knows, as they did before Kafka 3.6. `marker_rule="kafka 4.1"`: with protocol 2, leaders
        take a marker of the open transaction's own epoch, as they did in Kafka 4.0 and 4.1.
        """
        return self._transactions.coordinator(protocol, verification, marker_rule=marker_rule, **settings)

    def find_hanging(self, idle_ms: int = MAX_TIMEOUT_MS) -> list[Hanging]:
        """Return the transactions that are open in a partition, idle for longer than `idle_ms`, and unknown to the
        coordinator: nobody will end them. As `kafka-transactions.sh find-hanging` does (KIP-664).
        """
        return self._transactions.hanging(idle_ms)

    def abort_hanging(self, topic: str, partition: int, start: int) -> Receipt:
        """End, as an operator, the transaction that began at offset `start` of a partition.

        An abort marker is written to this partition alone, and the coordinator is not asked. As
        `kafka-transactions.sh abort` does (KIP-664). Raises `BadInput` where no open transaction began.
        """
        return self._transactions.abort_hanging(topic, partition, start)

    def write_due_markers(self, transactional_id: str | None = None) -> list[str]:
        """Write the markers of transactions that are decided, of all or of this one, and complete these.

        Returns the transactional ids that are complete by it. A marker that cannot be written now stays due.
        """
        return self._transactions.write_due_markers(transactional_id)

    def tend_transactions(self) -> list[str]:
        """Do the periodic work of Kafka's coordinator: abort after timeouts, write due markers, forget unused ids.

        Returns the transactional ids that timed out.
        """
        return self._transactions.tend()

    def watch(self) -> None:
        """Note which promises have come true by now, if this log was opened with watch=True."""
        if self.ledger is not None:
            self.ledger.update(self)

    def snapshot(self) -> dict[str, Any]:
        """Return all there is to see, as plain data: partitions, their replicas and records, and the promises."""
        self.watch()
        return snapshot(self)

    def dump(self) -> dict[str, Any]:
        """Return the contents of a log in memory as plain data, which `load_log` takes; equal logs give equal data.

        Raises `BadInput` for a log on files.
        """
        if not isinstance(self.controller.disk, MemoryDisk):
            raise BadInput("This log is on files; only a log in memory has a dump. Copy its folder instead.")
        disks = [disk.dump() for disk in self.disks]
        return {
            "controller": self.controller.disk.dump(),
            "disks": disks,
            "promises": None if self.ledger is None else self.ledger.dump(),
        }

    def reopened(self) -> "Log":
        """Return the same log as seen by a process that opens it now: with the contents of its disks only."""
        return Log(
            self.controller,
            self.disks,
            self.clock,
            self.replication,
            self.elections,
            truncation=self.truncation,
            producer_expiration_ms=self.producer_expiration_ms,
        )

    def close(self) -> None:
        """Close the disks."""
        for disk in (self.controller.disk, *self.disks):
            disk.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(LogError):
            self.close()


def _identity(producer: int | None, epoch: int | None, sequence: int | None) -> tuple[int, int, int]:
    if producer is None and epoch is None and sequence is None:
        return NOBODY, NOBODY, NOBODY
    if producer is None or epoch is None or sequence is None:
        raise BadInput(
            f"producer, producer_epoch and sequence are {producer!r}, {epoch!r} and {sequence!r}; give all or none."
        )
    return (
        whole("The producer id", producer, most=2**63 - 1),
        whole("The producer epoch", epoch, most=2**15 - 1),
        _sequence(sequence),
    )


def _sequence(number: int | None) -> int:
    if isinstance(number, int) and number < 0:
        raise InvalidRecord(
            f"The sequence number is {number}; a producer's first record has 0, and none is below it."
        )
    return whole("The sequence number", number, most=LARGEST_SEQUENCE)

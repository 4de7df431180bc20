"""The course's producers and consumer over confluent-kafka, the client that programs use at work (librdkafka).

They have the calls and raise the errors of `log.client` and of `log.transactions.producer`. The rest is librdkafka's:
numbers, batches, retries, and where the leaders are. A request without an answer in time raises `OutcomeUnknown`;
`TimedOut` where the same call is to be made again. Source: librdkafka's INTRODUCTION.md and CONFIGURATION.md, 2.15.0.
"""

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import confluent_kafka
from confluent_kafka import OFFSET_BEGINNING, OFFSET_END, KafkaError, KafkaException, TopicPartition

from ...clocks import LamportClock
from ...errors import BadInput, CourseError, OutcomeUnknown, one_of
from ...servers.kafka.where import Where
from ...stores.codec import Value
from ..client.partitioner import JAVA, Partitioner
from ..errors import IllegalState, TimedOut
from ..log import Acks, Receipt
from ..reading import Isolation
from ..storage.records import Key, Pair, Record
from ..transactions.producer import MAX_BLOCK_MS
from ..transactions.requests import place_of
from .log import packed, refusal, unpacked

UNANSWERED = (
    "_TIMED_OUT _MSG_TIMED_OUT _TIMED_OUT_QUEUE _TRANSPORT _ALL_BROKERS_DOWN REQUEST_TIMED_OUT NETWORK_EXCEPTION"
).split()
STATES = ("_STATE", "_CONFLICT")  # a call that does not fit the state of the producer
POLL_SECONDS = 0.1
TIMEOUT_MS = 30_000
START = {"earliest": OFFSET_BEGINNING, "latest": OFFSET_END}


def error_of(why: KafkaError, call: str | None = None) -> CourseError:
    """Return the course's error for one of librdkafka's. `call` is the method to call again when the time is over."""
    name, said = why.name(), f"{why.str()} ({why.name()})"
    if name in UNANSWERED and call is None:
        return OutcomeUnknown(f"No answer: it was done or it was not. {said}")
    if name in UNANSWERED:
        return TimedOut(f"No answer, and it may have arrived: call {call}() again, or make a new producer. {said}")
    if name in STATES:
        return IllegalState(said)
    error = refusal("PRODUCER_FENCED" if name == "_FENCED" else name, said)
    error.fatal = error.fatal or why.fatal()
    return error


@contextlib.contextmanager
def _translated(call: str | None = None) -> Iterator[None]:
    try:
        yield
    except KafkaException as why:
        raise error_of(why.args[0], call) from None


class Producer:
    """Writes records, each to the partition of its key; see `log.client.clients.Producer`.

    `idempotent` is librdkafka's enable.idempotence, which is off by default, other than Java's. `partitioner` is
    Java's here, not librdkafka's own default. For `timeout_ms` a record is sent again (message.timeout.ms). `clock`
    stamps the records, as in `KafkaLog`. Further `settings` are librdkafka's, written with _ for a dot.
    """

    def __init__(
        self, where: Where, acks: Acks = "all", idempotent: bool = False, partitioner: Partitioner = JAVA,
        timeout_ms: int = TIMEOUT_MS, clock: LamportClock | None = None, **settings: Any,
    ) -> None:  # fmt: skip
        self.clock = clock
        own = {"acks": str(acks), "linger_ms": 0, "message_timeout_ms": timeout_ms, "partitioner": partitioner}
        own |= {"enable_idempotence": True} if idempotent else {}
        with _translated():
            self.sender: Any = confluent_kafka.Producer(where.settings(**(own | settings)))

    def send(self, topic: str, value: Value, key: Key = None, partition: int | None = None) -> Receipt:
        """Send one record, and wait for the answer. Returns a `Receipt`.

        Raises the broker's refusal, and `OutcomeUnknown` when no answer comes in time.
        """
        return self._sent(topic, [Pair(key, value)], partition)

    def send_batch(self, topic: str, records: Iterable[Value], partition: int) -> Receipt:
        """Send records to one partition; librdkafka decides on the batches. Returns the first one's `Receipt`."""
        return self._sent(topic, records, partition)

    def _sent(self, topic: str, records: Iterable[Value], partition: int | None) -> Receipt:
        heard: list[Any] = []
        rows, place = (
            [packed(one, self.clock) for one in records],
            {} if partition is None else {"partition": partition},
        )
        with _translated():
            for key, value, headers in rows:
                self.sender.produce(
                    topic, value, key, headers=headers, on_delivery=lambda *answer: heard.append(answer), **place
                )
        while len(heard) < len(rows):
            with _translated():
                self.sender.poll(POLL_SECONDS)
        for why, _ in heard:
            if why is not None:
                raise error_of(why)
        first = heard[0][1]
        offset = first.offset() if first.offset() >= 0 else None
        return Receipt(topic, first.partition(), offset, len(rows), first.leader_epoch() or 0)

    def close(self) -> None:
        """Forget what was not sent."""
        self.sender.purge()
        with contextlib.suppress(KafkaException):  # one that was fenced says so again
            self.sender.flush(0)


class TransactionalProducer(Producer):
    """A producer of transactions; see `log.transactions.producer.TransactionalProducer`.

    A call that raises `TimedOut` is made again: librdkafka refuses every other one. After another error that is not
    fatal `abort_transaction` is called; after a fatal one, such as `ProducerFenced`, a new producer is made.
    """

    def __init__(
        self, where: Where, transactional_id: str, timeout_ms: int = 60_000, max_block_ms: int = MAX_BLOCK_MS,
        **settings: Any,
    ) -> None:  # fmt: skip
        self.where, self.seconds = where, max_block_ms / 1000
        own: dict[str, Any] = {"transactional_id": transactional_id, "transaction_timeout_ms": timeout_ms}
        super().__init__(where, timeout_ms=min(timeout_ms, TIMEOUT_MS), **own, **settings)
        self._groups: dict[str, Any] = {}

    def init_transactions(self) -> None:
        """Get an epoch that fences all earlier incarnations, and end their open transactions."""
        self._asked("init_transactions")

    def begin_transaction(self) -> None:
        """Begin a transaction. No request."""
        with _translated():
            self.sender.begin_transaction()

    def send(self, partition: str, records: Iterable[Value]) -> int | None:  # type: ignore[override]
        """Append records to a partition such as "output-0"; return the offset of the first."""
        topic, number = place_of(partition)
        return self._sent(topic, records, number).offset

    def send_offsets_to_transaction(
        self, offsets: Mapping[str, int], group: str, consumer: "Consumer | None" = None
    ) -> None:
        """Commit {partition: offset of the next record} of a group with the transaction.

        With `consumer`, a member of the group, the group's coordinator refuses one that was replaced (KIP-447).
        """
        if consumer is None and group not in self._groups:
            self._groups[group] = confluent_kafka.Consumer(self.where.settings(group_id=group))
        member = self._groups[group] if consumer is None else consumer.client
        places = [TopicPartition(*place_of(partition), offset) for partition, offset in offsets.items()]
        with _translated("send_offsets_to_transaction"):
            self.sender.send_offsets_to_transaction(places, member.consumer_group_metadata(), self.seconds)

    def commit_transaction(self) -> None:
        """Commit: when this returns the coordinator has decided, for good. The markers may still be on their way."""
        self._asked("commit_transaction")

    def abort_transaction(self) -> None:
        """Abort: nothing of the transaction will ever be seen by a read_committed reader."""
        self._asked("abort_transaction")

    def _asked(self, call: str) -> None:
        with _translated(call):
            getattr(self.sender, call)(self.seconds)


class Consumer:
    """Reads a topic from its positions on; see `log.client.clients.Consumer`.

    It names its partitions itself, so it is no member of its group, which keeps its offsets alone. Further `settings`
    are librdkafka's, as in `Producer`.
    """

    def __init__(
        self, where: Where, topic: str, group: str | None = None, partitions: Iterable[int] | None = None,
        start: str = "earliest", isolation: Isolation = "read_uncommitted", seconds: float = 30.0,
        clock: LamportClock | None = None, **settings: Any,
    ) -> None:  # fmt: skip
        self.topic, self.group, self.seconds, self.clock = topic, group, seconds, clock
        settings |= {"enable_auto_commit": False, "enable_partition_eof": True, "auto_offset_reset": start}
        begin = START[one_of("start", start, START)]
        self.client: Any = confluent_kafka.Consumer(
            where.settings(group_id=group or "none", isolation_level=isolation, **settings)
        )
        with _translated():
            known = sorted(self.client.list_topics(topic, seconds).topics[topic].partitions)
            places = [TopicPartition(topic, one, begin) for one in (known if partitions is None else partitions)]
            if group is not None:
                places = self.client.committed(places, seconds)
        self._positions = {place.partition: place.offset for place in places}
        self._assign()

    def _assign(self) -> None:
        """Have librdkafka fetch from the positions on, and say anew where a partition ends: it says so once only."""
        self.client.assign([TopicPartition(self.topic, *place) for place in self._positions.items()])
        self._ended: set[int] = set()

    @property
    def positions(self) -> dict[int, int]:
        """The offset of the next record, for each partition; below 0 where nothing was read."""
        return dict(self._positions)

    def seek(self, partition: int, offset: int) -> None:
        """Go on at `offset` in a partition."""
        self._positions[partition] = offset
        self._assign()

    def poll(self, max_records: int = 500) -> list[Record]:
        """Return up to `max_records` next records; an empty list when all partitions are read to their end.

        Raises `OutcomeUnknown` when the cluster does not answer in time, the refusals of `Log.fetch` otherwise.
        """
        found: list[Record] = []
        deadline = time.monotonic() + self.seconds
        if self._ended:
            self._assign()
        while len(found) < max_records and len(self._ended) < len(self._positions):
            message = self.client.poll(POLL_SECONDS)
            if message is None:
                if time.monotonic() > deadline:
                    raise OutcomeUnknown(f"No broker has answered for {self.seconds:g} s. Poll again.")
                continue
            why, partition, at = message.error(), message.partition(), message.offset()
            if why is None:
                key, value = unpacked(message.key(), message.value(), dict(message.headers() or ()), self.clock)
                found.append(Record(at, key, value, partition, message.timestamp()[1]))
                self._ended.discard(partition)
                self._positions[partition] = at + 1
            elif why.code() == KafkaError._PARTITION_EOF:
                self._ended.add(partition)
                self._positions[partition] = at
            elif not why.retriable() and why.name() not in UNANSWERED:
                raise error_of(why)
        return found

    def commit(self, positions: Mapping[int, int] | None = None) -> None:
        """Commit the positions, or the given {partition: offset}, for the group. Raises `BadInput` without one."""
        if self.group is None:
            raise BadInput("This consumer has no group to commit for; make it with group='some name'.")
        places = [TopicPartition(self.topic, *place) for place in (positions or self._positions).items()]
        with _translated():
            self.client.commit(offsets=places, asynchronous=False)

    def close(self) -> None:
        """Close the connections."""
        self.client.close()

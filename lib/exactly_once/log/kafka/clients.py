"""The course's producers and consumer over confluent-kafka, the client that programs use at work (librdkafka).

They have the calls and raise the errors of `log.client` and of `log.transactions.producer`. The client itself numbers,
batches, retries and looks for leaders. What comes without an answer in time raises `OutcomeUnknown`; `TimedOut` where
the same call is to be made again. Source: librdkafka's INTRODUCTION.md and CONFIGURATION.md, of version 2.15.0.
"""

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from confluent_kafka import Consumer as Client
from confluent_kafka import KafkaError, KafkaException, Message, TopicPartition
from confluent_kafka import Producer as Sender

from ...errors import BadInput, CourseError, OutcomeUnknown
from ...servers.kafka.where import Where
from ...stores.codec import Value
from ..client.partitioner import JAVA, Partitioner
from ..errors import IllegalState, ProducerFenced, TimedOut
from ..log import Acks, Receipt
from ..reading import Isolation
from ..storage.records import Key, Pair, Record
from ..transactions.producer import MAX_BLOCK_MS
from ..transactions.requests import place_of
from .log import packed, refusal, unpacked

UNANSWERED = (
    "_TIMED_OUT _MSG_TIMED_OUT _TIMED_OUT_QUEUE _TRANSPORT _ALL_BROKERS_DOWN REQUEST_TIMED_OUT NETWORK_EXCEPTION"
)
POLL_SECONDS = 0.1


def error_of(why: KafkaError, call: str | None = None) -> CourseError:
    """Return the course's error for one of librdkafka's. `call` is the method to call again when the time is over."""
    name, said = why.name(), f"{why.str()} ({why.name()})"
    if name in UNANSWERED.split():
        if call is None:
            return OutcomeUnknown(f"No answer: it was done or it was not. {said}")
        return TimedOut(
            f"No answer, and the request may have arrived: call {call}() again, or make a new producer. {said}"
        )
    error = refusal("PRODUCER_FENCED" if name == "_FENCED" else name, said)
    if name in ("_STATE", "_CONFLICT"):
        error = IllegalState(said)
    error.fatal = error.fatal or why.fatal() or isinstance(error, ProducerFenced)
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
    Java's here, not librdkafka's own default. `timeout_ms`: for so long a record is sent again (message.timeout.ms).
    """

    def __init__(
        self,
        where: Where,
        acks: Acks = "all",
        idempotent: bool = False,
        partitioner: Partitioner = JAVA,
        timeout_ms: int = 30_000,
        **settings: Any,
    ) -> None:
        own = {"acks": str(acks), "linger_ms": 0, "message_timeout_ms": timeout_ms, "partitioner": partitioner}
        if idempotent:
            own["enable_idempotence"] = True
        with _translated():
            self.sender = Sender(where.settings(**own, **settings))

    def send(self, topic: str, value: Value, key: Key = None, partition: int | None = None) -> Receipt:
        """Send one record, and wait for the answer. Returns a `Receipt`.

        Raises the broker's refusal, and `OutcomeUnknown` when no answer comes in time.
        """
        return self._sent(topic, [Pair(key, value)], partition)

    def send_batch(self, topic: str, records: Iterable[Value], partition: int) -> Receipt:
        """Send records to one partition; librdkafka decides on the batches. Returns the first one's `Receipt`."""
        return self._sent(topic, records, partition)

    def _sent(
        self, topic: str, records: Iterable[Value], partition: int | None, headers: Mapping[str, bytes] | None = None
    ) -> Receipt:
        heard: list[tuple[KafkaError | None, Message]] = []
        count = 0
        place = {} if partition is None else {"partition": partition}
        with _translated():
            for key, value, kinds in map(packed, records):
                self.sender.produce(
                    topic, value, key, headers={**kinds, **(headers or {})}, on_delivery=lambda *one: heard.append(one), **place
                )  # fmt: skip
                count += 1
        while len(heard) < count:
            self.sender.poll(POLL_SECONDS)
        for why, _ in heard:
            if why is not None:
                raise error_of(why)
        first = heard[0][1]
        offset = first.offset()
        return Receipt(topic, first.partition(), offset if offset >= 0 else None, count, first.leader_epoch() or 0)

    def close(self) -> None:
        """Forget what was not sent, and close the connections."""
        self.sender.purge()
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
        super().__init__(
            where, transactional_id=transactional_id, transaction_timeout_ms=timeout_ms,
            timeout_ms=min(timeout_ms, 30_000), **settings,
        )  # fmt: skip
        self._groups: dict[str, Client] = {}

    def init_transactions(self) -> None:
        """Get an epoch that fences all earlier incarnations, and end their open transactions."""
        self._asked("init_transactions")

    def begin_transaction(self) -> None:
        """Begin a transaction. No request."""
        with _translated():
            self.sender.begin_transaction()

    def send(  # type: ignore[override]
        self, partition: str, records: Iterable[Value], headers: Mapping[str, bytes] | None = None
    ) -> int | None:
        """Append records to a partition such as "output-0"; return the offset of the first."""
        topic, number = place_of(partition)
        return self._sent(topic, records, number, headers).offset

    def send_offsets_to_transaction(
        self, offsets: Mapping[str, int], group: str, consumer: "Consumer | None" = None
    ) -> None:
        """Commit {partition: offset of the next record} of a group with the transaction.

        With `consumer`, a member of the group, the group's coordinator refuses one that was replaced (KIP-447).
        """
        if group not in self._groups:
            self._groups[group] = Client(self.where.settings(group_id=group))
        member = self._groups[group] if consumer is None else consumer.client
        places = [TopicPartition(*place_of(partition), offset) for partition, offset in offsets.items()]
        with _translated("send_offsets_to_transaction"):
            self.sender.send_offsets_to_transaction(places, member.consumer_group_metadata(), self.seconds)

    def commit_transaction(self) -> None:
        """Commit: when this returns the coordinator has decided, for good."""
        self._asked("commit_transaction")

    def abort_transaction(self) -> None:
        """Abort: nothing of the transaction will ever be seen by a read_committed reader."""
        self._asked("abort_transaction")

    def _asked(self, call: str) -> None:
        with _translated(call):
            getattr(self.sender, call)(self.seconds)


class Consumer:
    """Reads a topic from its positions on; see `log.client.clients.Consumer`.

    It names its partitions itself, so it is no member of its group, which keeps its offsets alone.
    """

    def __init__(
        self,
        where: Where,
        topic: str,
        group: str | None = None,
        partitions: Iterable[int] | None = None,
        start: str = "earliest",
        isolation: Isolation = "read_uncommitted",
        seconds: float = 30.0,
    ) -> None:
        self.topic, self.group, self.seconds = topic, group, seconds
        settings = {"enable_auto_commit": False, "enable_partition_eof": True, "auto_offset_reset": start}
        self.client = Client(where.settings(group_id=group or "none", isolation_level=isolation, **settings))
        with _translated():
            known = self.client.list_topics(topic, seconds).topics[topic].partitions
            places = [
                TopicPartition(topic, number) for number in (sorted(known) if partitions is None else partitions)
            ]
            if group is not None:
                places = self.client.committed(places, seconds)
            else:
                places = [
                    TopicPartition(topic, place.partition, -2 if start == "earliest" else -1) for place in places
                ]
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
            elif message.error() is None:
                self._ended.discard(message.partition())
                found.append(_record(message))
                self._positions[message.partition()] = message.offset() + 1
            elif message.error().code() == KafkaError._PARTITION_EOF:
                self._ended.add(message.partition())
                self._positions[message.partition()] = message.offset()
            elif not message.error().retriable() and message.error().name() not in UNANSWERED.split():
                raise error_of(message.error())
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


def _record(message: Message) -> Record:
    headers: dict[str, Any] = dict(message.headers() or ())
    key, value = unpacked(message.key(), message.value(), headers)
    return Record(message.offset(), key, value, message.partition(), message.timestamp()[1])

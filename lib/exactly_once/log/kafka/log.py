"""A Kafka cluster behind the interface of the course's log, as far as a client has a say in it."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Literal, Self, TypeAlias

from kafka import TopicPartition
from kafka.consumer.fetcher import Fetcher
from kafka.errors import KafkaError
from kafka.protocol import admin, consumer, metadata
from kafka.protocol import producer as producers
from kafka.record import MemoryRecords

from ...errors import BadInput, CourseError, OutcomeUnknown, one_of, whole
from ...servers.where import Where
from ...stores.codec import Value
from .. import errors
from ..broker.topics import Topic
from ..errors import LogError
from ..log import ACKS, Acks, Receipt
from ..reading import ISOLATIONS, Fetched, Isolation
from ..storage.records import COMMIT, Record
from ..transactions import rules
from ..transactions.producer import MAX_BLOCK_MS, OFFSETS_PARTITION, TransactionalProducer
from ..transactions.requests import LogRequests, place_of
from .connection import Connection, NotSent, batch, error_named, packed, unpacked

Whom: TypeAlias = tuple[Any, ...]  # ("leader", topic, partition), (GROUP or TRANSACTION, name), or () for any broker
BY_NAME = {one.kafka: one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, LogError)}
ELSEWHERE = (  # the broker has not carried it out: another one has to, or the same one in a moment
    "NOT_LEADER_OR_FOLLOWER LEADER_NOT_AVAILABLE COORDINATOR_NOT_AVAILABLE COORDINATOR_LOAD_IN_PROGRESS "
    "NOT_COORDINATOR NOT_ENOUGH_REPLICAS"  # the last one: or it cannot ask the coordinator
).split()
SOON = {"UNKNOWN_TOPIC_OR_PARTITION": 2.0}  # s: of a topic that was made now brokers hear soon
READS = (
    metadata.MetadataRequest, metadata.FindCoordinatorRequest, admin.DescribeTransactionsRequest,
    consumer.FetchRequest, consumer.ListOffsetsRequest, consumer.OffsetFetchRequest,
)  # fmt: skip
RETRY_SECONDS = 0.02
SECONDS = 30.0  # that a request is asked again for
TIMEOUT_MS = 10_000  # that a leader waits for its followers
GROUP, TRANSACTION = 0, 1  # whose coordinator
FETCH_BYTES = 1 << 20
PARTS = (  # the fields of answers that have parts, and those of the parts
    "topics responses transaction_states results_by_topic_v3_and_below",
    "partitions partition_responses results_by_partition",
)
SKIPPED = "OPERATION_NOT_ATTEMPTED"  # because of another partition of the same request


def refusal(name: str, said: str | None = None) -> LogError:
    """Return the error of the course's log for Kafka's name of one."""
    error = BY_NAME.get(name, LogError)(said or f"The broker answered {name}.")
    error.kafka = name
    return error


class KafkaLog(AbstractContextManager["KafkaLog"]):
    """A client of a cluster that has the methods of `Log`, so that the course's producers and consumer work with it.

    `protocol` is the version of transactions that it speaks: 1, whose epoch stays over a commit, as librdkafka; or 2
    (KIP-890), as Java's client since 4.0. `prefix` stands before the names of topics, groups and transactional ids,
    on the cluster alone. A request that a broker has not carried out because another one has to is asked again for up
    to `seconds`, and so is one that only reads and gets no answer. Any other without an answer raises
    `OutcomeUnknown`. For one thread at a time, which may hold the `lock`.
    """

    def __init__(self, where: Where, protocol: Literal[1, 2] = 2, prefix: str = "", seconds: float = SECONDS) -> None:
        self.where, self.prefix, self.seconds = where, prefix, seconds
        self.protocol: Literal[1, 2] = one_of("protocol", protocol, (1, 2))
        self.lock = threading.RLock()
        self.names: dict[int, str] = {}  # {producer id: transactional id}: a Produce in a transaction names it
        self._connections: dict[tuple[str, int], Connection] = {}
        self._known: dict[Whom, tuple[str, int]] = {}
        self._turn = -1
        self._topics: dict[str, Topic] = {}

    def ask(self, whom: Whom, request: Any, part: Callable[[Any], Any] | None = None, again: bool = False) -> Any:
        """Make a request, and return `part` of the answer, by default its innermost one, whose error is raised.

        Without an answer, one that reads is made `again`, and others that may be.
        """
        began = time.monotonic()
        while True:
            try:
                answer = self._connection(whom).ask(request)
            except OutcomeUnknown as why:
                seconds = self.seconds if again or isinstance(why, NotSent) or isinstance(request, READS) else 0
                failed: CourseError = why
            else:
                found = answer if _error(answer) else (part or _part)(answer)
                name = _error(found)
                if name is None:
                    return found
                seconds = self.seconds if name in ELSEWHERE else SOON.get(name, 0)
                failed = refusal(name, getattr(found, "error_message", None))
            self._known.pop(whom, None)
            if time.monotonic() > began + seconds:
                raise failed
            time.sleep(RETRY_SECONDS)

    def _connection(self, whom: Whom) -> Connection:
        if whom not in self._known:
            self._known[whom] = self._address(whom)
        address = self._known[whom]
        connection = self._connections.get(address)
        if connection is None or connection.closed:
            connection = self._connections[address] = Connection(*address, self.where)
        return connection

    def _address(self, whom: Whom) -> tuple[str, int]:
        """Return the address of a leader or of a coordinator, as any broker says; of any broker, the next one's."""
        if not whom:
            self._turn += 1
            return self.where.hosts[self._turn % len(self.where.hosts)]
        if whom[0] != "leader":
            said = self.ask((), metadata.FindCoordinatorRequest(whom[1], whom[0], version=1))
            return said.host, said.port
        said = self.ask((), metadata.MetadataRequest([(whom[1],)], version=1), lambda said: said)
        brokers = {one.node_id: (one.host, one.port) for one in said.brokers}
        leaders = {one.partition_index: one.leader_id for one in said.topics[0].partitions}
        return brokers.get(leaders.get(whom[2], -1), self._known[()])

    def create_topic(
        self, name: str, partitions: int = 1, replicas: int = 1, min_insync_replicas: int = 1, exist_ok: bool = False,
    ) -> None:  # fmt: skip
        """Create a topic. Raises `TopicExists`, unless `exist_ok`, and `BadInput`.

        With `exist_ok` a topic that this client knows is not asked about.
        """
        if exist_ok and name in self._topics:
            return
        topic = Topic(name, partitions, replicas, min_insync_replicas)
        settings = [("min.insync.replicas", str(min_insync_replicas))]
        asked = [(self.prefix + name, topic.partitions, topic.replicas, [], settings)]
        with contextlib.suppress(*([errors.TopicExists] if exist_ok else [])):
            request = admin.CreateTopicsRequest(asked, TIMEOUT_MS, False, version=4)
            self.ask((), request, again=exist_ok)
        if exist_ok:
            self.topic(name)

    def delete_topic(self, name: str) -> None:
        """Delete a topic with all that is in it; one that is not there is deleted already."""
        self._topics.pop(name, None)
        with contextlib.suppress(errors.UnknownTopicOrPartition):
            request = admin.DeleteTopicsRequest([self.prefix + name], TIMEOUT_MS, version=3)
            self.ask((), request, again=True)

    def topic(self, name: str, partition: int | None = None) -> Topic:
        """Return a topic, which has such a partition. Raises `UnknownTopicOrPartition`."""
        if name not in self._topics:
            request = metadata.MetadataRequest([(self.prefix + name,)], version=1)
            said = self.ask((), request, lambda said: said.topics[0]).partitions
            self._topics[name] = Topic(name, len(said), max(len(one.replica_nodes) for one in said))
        found = self._topics[name]
        if partition is not None and partition not in range(found.partitions):
            raise errors.UnknownTopicOrPartition(
                f"{name} has the partitions 0 to {found.partitions - 1}, not {partition!r}."
            )
        return found

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
        headers: Mapping[str, bytes] | None = None,
    ) -> Receipt:
        """Append records to a partition as one batch, as `Log.append` does; each carries these `headers`, too.

        The receipt of a numbered batch says whether it is a duplicate, by the partition's end before it was sent.
        """
        one_of("acks", acks, ACKS)
        self.topic(topic, partition)
        rows = [(key, value, {**own, **(headers or {})}) for key, value, own in (packed(one) for one in records)]
        if not rows:
            raise BadInput("The list of records is empty; a batch has at least one.")
        whom = (-1, -1, -1) if producer is None else (producer, producer_epoch, sequence)
        end = self.high_watermark(topic, partition) if producer is not None else 0
        name = self.names.get(whom[0] or 0, "") if transactional else None
        leader = "leader", self.prefix + topic, partition
        data = batch(rows, transactional, *whom)
        parts = [(self.prefix + topic, [(partition, data)])]
        asked = name, -1 if acks == "all" else acks, TIMEOUT_MS, parts
        request = producers.ProduceRequest(*asked, version=12 if self.protocol == 2 else 8)
        written = self.ask(leader, request)
        if written is None:  # with acks=0
            return Receipt(topic, partition, None, len(rows), 0, acknowledged=False)
        return Receipt(topic, partition, written.base_offset, len(rows), 0, written.base_offset < end)

    def fetch(
        self,
        topic: str,
        partition: int,
        offset: int,
        max_records: int | None = None,
        isolation: Isolation = "read_uncommitted",
    ) -> Fetched:
        """Return the records of a partition from `offset` on, as `Log.fetch` does."""
        found = Fetched()
        found.next = offset
        for records, after in self.stored(topic, partition, offset, isolation):
            for record in records[: None if max_records is None else max_records - len(found)]:
                key, value = unpacked(record.key, record.value, dict(record.headers))
                found.append(Record(record.offset, key, value, partition, record.timestamp))
            if len(found) == max_records:
                found.next = found[-1].offset + 1
                break
            found.next = after
        return found

    def stored(
        self, topic: str, partition: int, offset: int, isolation: Isolation = "read_uncommitted"
    ) -> Iterator[tuple[list[Any], int]]:
        """Yield (what a reader sees of it from `offset` on, the offset after it) of each answer to a Fetch.

        A record is kafka-python's, with offset, key, value, headers and timestamp. The broker sends the records of
        aborted transactions, too, and a list of these: the client leaves them out.
        """
        level = ISOLATIONS.index(one_of("isolation", isolation, ISOLATIONS))
        while True:
            found, place = self.fetched(topic, partition, offset, level), TopicPartition(topic, partition)
            read = Fetcher.PartitionRecords(
                offset, place, MemoryRecords(bytes(found.records or b"")), isolation_level=level,
                aborted_transactions=found.aborted_transactions,
            )  # fmt: skip
            try:
                records = list(read.record_iterator)
            except KafkaError as why:
                raise CourseError(
                    f"What {topic}-{partition} holds from offset {offset} on cannot be read ({why}). Fetch it again; "
                    "produce with compression.type=none."
                ) from None
            if read.next_fetch_offset == offset:
                return
            offset = read.next_fetch_offset
            yield records, offset

    def fetched(self, topic: str, partition: int, offset: int, level: int = 0) -> Any:
        """Return a partition's part of the answer to one Fetch."""
        place = self.prefix + topic
        asked = [(place, [(partition, offset, FETCH_BYTES)])]
        request = consumer.FetchRequest(-1, 0, 1, FETCH_BYTES, level, asked, version=4)
        return self.ask(("leader", place, partition), request)

    def log_start(self, topic: str, partition: int) -> int:
        """Return the offset of the first record that is there."""
        return self._offset(topic, partition, -2, 0)

    def high_watermark(self, topic: str, partition: int) -> int:
        """Return the offset after the last committed record."""
        return self._offset(topic, partition, -1, 0)

    def last_stable(self, topic: str, partition: int) -> int:
        """Return the first offset that a read_committed reader may not see."""
        return self._offset(topic, partition, -1, 1)

    def _offset(self, topic: str, partition: int, when: int, level: int) -> int:
        place = self.prefix + topic
        request = consumer.ListOffsetsRequest(-1, level, [(place, [(partition, when)])], version=2)
        return self.ask(("leader", place, partition), request).offset

    def commit(
        self,
        group: str,
        offsets: Mapping[tuple[str, int], int],
        producer: int | None = None,
        producer_epoch: int | None = None,
        generation: int | None = None,
        member: str | None = None,
    ) -> None:
        """Keep a group's offsets, as `Log.commit` does: in a producer's transaction, if one is given."""
        places = [
            (self.prefix + topic, [(number, whole("The offset", offset), -1, None)])
            for (topic, number), offset in offsets.items()
        ]
        group, whose = self.prefix + group, (-1 if generation is None else generation, member or "", None, places)
        request: Any = consumer.OffsetCommitRequest(group, *whose, version=7)
        if producer is not None:
            name, whom = self.names.get(producer, ""), (producer, producer_epoch)
            if self.protocol == 1:
                self.note_group(name, *whom, group)
            version = 5 if self.protocol == 2 else 3
            request = producers.TxnOffsetCommitRequest(name, group, *whom, *whose, version=version)
        self.ask((GROUP, group), request)

    def note_group(self, name: str, producer: int, producer_epoch: int | None, group: str) -> None:
        """Have the coordinator note, before protocol 1 commits them, that a transaction has a group's offsets."""
        request = producers.AddOffsetsToTxnRequest(name, producer, producer_epoch, group, version=2)
        self.ask((TRANSACTION, name), request)

    def committed_offset(self, group: str, topic: str, partition: int, require_stable: bool = False) -> int | None:
        """Return the offset that a group committed for a partition, or None. Raises `UnstableOffsetCommit`."""
        group, places = self.prefix + group, [(self.prefix + topic, [partition])]
        request = consumer.OffsetFetchRequest(group, places, require_stable, version=7)
        found = self.ask((GROUP, group), request).committed_offset
        return None if found < 0 else found

    def new_producer_id(self) -> int:
        """Return a fresh producer id, for idempotent appends from epoch 0 and sequence number 0 on."""
        return self.ask((), producers.InitProducerIdRequest(None, 0, -1, -1, version=4)).producer_id

    @property
    def transactions(self) -> Self:
        """The cluster's transaction coordinator, which this client reaches as well."""
        return self

    def init_producer(
        self, transactional_id: str, timeout_ms: int = 60_000, producer: int | None = None, epoch: int | None = None
    ) -> tuple[int, int]:
        """Begin an incarnation: return its producer id and epoch, which fences all earlier ones."""
        asked = timeout_ms, *((-1, -1) if producer is None else (producer, epoch))
        said = self._decide(transactional_id, producers.InitProducerIdRequest, *asked, version=3 + self.protocol)
        return said.producer_id, said.producer_epoch

    def _decide(self, transactional_id: str, kind: Callable[..., Any], *asked: Any, version: int) -> Any:
        """Make a request to the coordinator of a transactional id, and note the producer id that it answers."""
        name = transactional_id and self.prefix + transactional_id  # an empty one is refused as it is
        said = self.ask((TRANSACTION, name), kind(name, *asked, version=version))
        if getattr(said, "producer_id", -1) >= 0:
            self.names[said.producer_id] = name
        return said

    def add_partitions(self, transactional_id: str, producer: int, epoch: int, partitions: Iterable[str]) -> None:
        """Have the coordinator note partitions that the transaction is about to write to.

        In protocol 2 the leaders do so. The partition of a group's offsets is noted by `commit`.
        """
        named = [place_of(one) for one in partitions if one != OFFSETS_PARTITION]
        if named and self.protocol == 1:
            asked = producer, epoch, [(self.prefix + topic, [number]) for topic, number in named]
            self._decide(transactional_id, producers.AddPartitionsToTxnRequest, *asked, version=2)

    def end(self, transactional_id: str, producer: int, epoch: int, result: str) -> tuple[int, int]:
        """Have the coordinator decide; return the producer id and epoch to go on with."""
        asked, version = (producer, epoch, result == COMMIT), 5 if self.protocol == 2 else 2
        said = self._decide(transactional_id, producers.EndTxnRequest, *asked, version=version)
        return (said.producer_id, said.producer_epoch) if version == 5 else (producer, epoch)

    def describe(self, transactional_id: str) -> rules.Transaction:
        """Return the coordinator's state of an id. Raises `TransactionalIdNotFound`."""
        name = self.prefix + transactional_id
        said = self.ask((TRANSACTION, name), admin.DescribeTransactionsRequest([name], version=0))
        return rules.Transaction(
            transactional_id, said.producer_id, said.producer_epoch, state=said.transaction_state
        )

    def write_due_markers(self, transactional_id: str) -> None:
        """Wait until the coordinator has written all markers of this id: nobody else can."""
        while self.describe(transactional_id).state in rules.RESULTS:
            time.sleep(RETRY_SECONDS)

    def transactional_producer(
        self, transactional_id: str, timeout_ms: int = 60_000, max_block_ms: int | None = MAX_BLOCK_MS
    ) -> TransactionalProducer:
        """Return a producer of transactions, as `Log.transactional_producer` does."""
        requests = LogRequests(self)  # type: ignore[arg-type]
        return TransactionalProducer(requests, transactional_id, timeout_ms, max_block_ms)

    def hang_up(self) -> None:
        """Close the connections; the next request makes new ones."""
        for connection in self._connections.values():
            connection.close()

    close = hang_up

    def __exit__(self, *_: object) -> None:
        self.close()


def _part(answer: Any) -> Any:
    """Return the part of an answer that has an error of its own, or the first; one without parts, as a whole."""
    found = [answer]
    for names in PARTS:
        found = [one for part in found for name in names.split() for one in getattr(part, name, None) or ()] or found
    own = [one for one in found if _error(one) not in (None, SKIPPED)]
    return (own or found)[0]


def _error(part: Any) -> str | None:
    return error_named(getattr(part, "error_code", 0) or getattr(part, "partition_error_code", 0))

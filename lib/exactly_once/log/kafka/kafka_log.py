"""A Kafka cluster behind the interface of the course's log, as far as a client has a say in it."""

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Self, TypeAlias

from kafka import TopicPartition
from kafka.consumer.fetcher import Fetcher
from kafka.protocol import admin, consumer, metadata
from kafka.protocol import producer as producers
from kafka.record import MemoryRecords

from ...errors import CourseError, OutcomeUnknown, one_of, whole
from ...servers.where import Where
from ...stores.codec import Value
from .. import log_errors
from ..broker.topics import Topic
from ..log import ACKS, Acks, Receipt
from ..reading import ISOLATIONS, Fetched, Isolation
from ..storage.records import COMMIT, Record
from ..transactions import rules
from ..transactions.log_requests import Transactional
from .connection import SECONDS, Connection, NotSent, batch, error_named, packed, unpacked

Whom: TypeAlias = tuple[Any, ...]  # ("leader", topic, partition), (GROUP or TRANSACTION, name), or () for any broker
BY_NAME = {one.kafka: one for one in vars(log_errors).values() if hasattr(one, "kafka")}
ELSEWHERE = (  # the broker has not carried it out: another one has to, or the same one in a moment
    "NOT_LEADER_OR_FOLLOWER LEADER_NOT_AVAILABLE COORDINATOR_NOT_AVAILABLE COORDINATOR_LOAD_IN_PROGRESS "
    "NOT_COORDINATOR NOT_ENOUGH_REPLICAS"  # the last one: or it cannot ask the coordinator
).split()
SOON = {"UNKNOWN_TOPIC_OR_PARTITION": 2.0}  # s: of a topic that was made now brokers hear soon
CHANGES = (  # requests that are not asked again without an answer: their sender has to know that
    producers.ProduceRequest, producers.InitProducerIdRequest, producers.EndTxnRequest,
    producers.TxnOffsetCommitRequest, consumer.OffsetCommitRequest,
)  # fmt: skip
RETRY_SECONDS = 0.02
TIMEOUT_MS = 10_000  # that a leader waits for its followers
GROUP, TRANSACTION = 0, 1  # whose coordinator
FETCH_BYTES = 1 << 20
PARTS = ("responses", "topics", "partition_responses", "partitions")  # the fields of answers that have parts
VERSION = 5  # of the requests that begin and end a transaction, in version 2 of transactions


def refusal(name: str, said: str | None = None) -> log_errors.LogError:
    """Return the error of the course's log for Kafka's name of one."""
    error = BY_NAME.get(name, log_errors.LogError)(said or f"The broker answered {name}.")
    error.kafka = name
    return error


def _error(part: Any) -> str | None:
    return error_named(getattr(part, "error_code", 0) or getattr(part, "partition_error_code", 0))


def _part(answer: Any) -> Any:
    """Return the innermost part of an answer, the first with an error or the first; one without parts, as a whole."""
    parts = [_part(one) for name in PARTS for one in getattr(answer, name, None) or ()] or [answer]
    return next(filter(_error, parts), parts[0])


class KafkaLog(Transactional, AbstractContextManager["KafkaLog"]):
    """A client of a cluster that has the methods of `Log`, so that the course's producers and consumer work with it.

    It speaks version 2 of transactions (KIP-890), as Java's client does since 4.0; librdkafka speaks 1, whose epoch
    stays over a commit. `prefix` stands before the names of topics, groups and transactional ids, on the cluster
    alone. A request that a broker has not carried out because another one has to is asked again for up to `seconds`,
    and so is one that gets no answer and harms nobody twice. Any other without an answer raises `OutcomeUnknown`. For
    one thread at a time, which may hold the `lock`.
    """

    def __init__(self, where: Where, prefix: str = "", seconds: float = SECONDS) -> None:
        self.where, self.prefix, self.seconds = where, prefix, seconds
        self.lock = threading.RLock()
        self.names: dict[int, str] = {}  # {producer id: transactional id}: a Produce in a transaction names it
        self._connections: dict[tuple[str, int], Connection] = {}
        self._known: dict[Whom, tuple[str, int]] = {}
        self._topics: dict[str, Topic] = {}

    def ask(self, whom: Whom, request: Any, part: Callable[[Any], Any] = _part) -> Any:
        """Make a request, and return `part` of the answer, by default its innermost one, whose error is raised."""
        began = time.monotonic()
        while True:
            try:
                answer = self._connection(whom).ask(request)
            except OutcomeUnknown as why:
                seconds = 0 if isinstance(request, CHANGES) and not isinstance(why, NotSent) else self.seconds
                failed: CourseError = why
            else:
                found = answer if _error(answer) else part(answer)
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
        """Return the address of a leader or of a coordinator, as any broker says; or any broker's."""
        if not whom:
            return random.choice(self.where.hosts)
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
        """Create a topic. Raises `TopicExists`, unless `exist_ok`, and `BadInput`."""
        if exist_ok and name in self._topics:
            return
        topic = Topic(name, partitions, replicas, min_insync_replicas)
        settings = [("min.insync.replicas", str(min_insync_replicas))]
        asked = [(self.prefix + name, topic.partitions, topic.replicas, [], settings)]
        with contextlib.suppress(*([log_errors.TopicExists] if exist_ok else [])):
            self.ask((), admin.CreateTopicsRequest(asked, TIMEOUT_MS, False, version=4))
        self.topic(name)

    def delete_topic(self, name: str) -> None:
        """Delete a topic with all that is in it; one that is not there is deleted already."""
        self._topics.pop(name, None)
        with contextlib.suppress(log_errors.UnknownTopicOrPartition):
            self.ask((), admin.DeleteTopicsRequest([self.prefix + name], TIMEOUT_MS, version=3))

    def topic(self, name: str) -> Topic:
        """Return a topic. Raises `UnknownTopicOrPartition`."""
        if name not in self._topics:
            request = metadata.MetadataRequest([(self.prefix + name,)], version=1)
            said = self.ask((), request, lambda said: said.topics[0]).partitions
            self._topics[name] = Topic(name, len(said), max(len(one.replica_nodes) for one in said))
        return self._topics[name]

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
        rows = [(key, value, {**own, **(headers or {})}) for key, value, own in (packed(one) for one in records)]
        whom = (-1, -1, -1) if producer is None else (producer, producer_epoch, sequence)
        end = self.high_watermark(topic, partition) if producer is not None else 0
        name = self.names.get(whom[0] or 0, "") if transactional else None
        place, data = self.prefix + topic, batch(rows, transactional, *whom)
        asked = name, -1 if acks == "all" else acks, TIMEOUT_MS, [(place, [(partition, data)])]
        written = self.ask(("leader", place, partition), producers.ProduceRequest(*asked, version=12))
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
        """Return the records of a partition from `offset` on, as `Log.fetch` does, and the `headers` of each.

        The broker sends the records of aborted transactions, too, and a list of these: the client leaves them out.
        """
        level = ISOLATIONS.index(one_of("isolation", isolation, ISOLATIONS))
        place, found = self.prefix + topic, Fetched()
        found.next, found.headers = offset, []
        while max_records is None or len(found) < max_records:
            asked = -1, 0, 1, FETCH_BYTES, level, [(place, [(partition, found.next, FETCH_BYTES)])]
            said = self.ask(("leader", place, partition), consumer.FetchRequest(*asked, version=4))
            read = Fetcher.PartitionRecords(
                found.next, TopicPartition(topic, partition), MemoryRecords(bytes(said.records or b"")),
                isolation_level=level, aborted_transactions=said.aborted_transactions,
            )  # fmt: skip
            records = list(read.record_iterator)[: None if max_records is None else max_records - len(found)]
            if read.next_fetch_offset == found.next:
                break
            for one in records:
                found.headers.append(headers := dict(one.headers))
                found.append(Record(one.offset, *unpacked(one.key, one.value, headers), partition, one.timestamp))
            found.next = found[-1].offset + 1 if len(found) == max_records else read.next_fetch_offset
        return found

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
    ) -> None:
        """Keep a group's offsets, as `Log.commit` does: in a producer's transaction, if one is given."""
        places = [
            (self.prefix + topic, [(number, whole("The offset", offset), -1, None)])
            for (topic, number), offset in offsets.items()
        ]
        group, whose = self.prefix + group, (-1 if generation is None else generation, "", None, places)
        request: Any = consumer.OffsetCommitRequest(group, *whose, version=7)
        if producer is not None:
            whom = self.names.get(producer, ""), group, producer, producer_epoch
            request = producers.TxnOffsetCommitRequest(*whom, *whose, version=VERSION)
        self.ask((GROUP, group), request)

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
        return self._decide(transactional_id, producers.InitProducerIdRequest, *asked)

    def _decide(self, transactional_id: str, kind: Callable[..., Any], *asked: Any) -> tuple[int, int]:
        """Make a request to the coordinator of a transactional id, and note the producer id that it answers."""
        name = transactional_id and self.prefix + transactional_id  # an empty one is refused as it is
        said = self.ask((TRANSACTION, name), kind(name, *asked, version=VERSION))
        self.names[said.producer_id] = name
        return said.producer_id, said.producer_epoch

    def add_partitions(self, transactional_id: str, producer: int, epoch: int, partitions: Iterable[str]) -> None:
        """Do nothing: in version 2 of transactions the leader has the coordinator note its partition."""

    def end(self, transactional_id: str, producer: int, epoch: int, result: str) -> tuple[int, int]:
        """Have the coordinator decide; return the producer id and epoch to go on with."""
        return self._decide(transactional_id, producers.EndTxnRequest, producer, epoch, result == COMMIT)

    def describe(self, transactional_id: str) -> rules.Transaction:
        """Return the coordinator's state of an id. Raises `TransactionalIdNotFound`."""
        name = self.prefix + transactional_id
        request = admin.DescribeTransactionsRequest([name], version=0)
        one = self.ask((TRANSACTION, name), request, lambda said: said.transaction_states[0])
        return rules.Transaction(transactional_id, one.producer_id, one.producer_epoch, state=one.transaction_state)

    def write_due_markers(self, transactional_id: str) -> None:
        """Wait until the coordinator has written all markers of this id: nobody else can."""
        while self.describe(transactional_id).state in rules.RESULTS:
            time.sleep(RETRY_SECONDS)

    def hang_up(self, *_: object) -> None:
        """Close the connections; the next request makes new ones."""
        for connection in self._connections.values():
            connection.close()

    close = __exit__ = hang_up

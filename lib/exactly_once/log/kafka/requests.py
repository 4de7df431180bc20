"""What the course asks of a Kafka cluster, one request each: the same calls, and the same refusals, as of its log."""

import contextlib
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias

from ...errors import BadInput, OutcomeUnknown
from ...servers.kafka.where import Where
from ...stores.codec import Value, decode, encode
from .. import errors
from ..client.partitioner import key_bytes
from ..errors import LogError
from ..reading import Isolation
from ..storage.records import COMMIT, Key, Pair
from ..transactions.producer import OFFSETS_PARTITION
from ..transactions.requests import place_of
from . import wire

Address: TypeAlias = tuple[str, int]
Answer: TypeAlias = dict[str, Any]
BY_NAME = {one.kafka: one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, LogError)}
GONE = ("NOT_LEADER_OR_FOLLOWER", "LEADER_NOT_AVAILABLE", "COORDINATOR_NOT_AVAILABLE", "COORDINATOR_LOAD_IN_PROGRESS")
ELSEWHERE = (*GONE, "NOT_COORDINATOR", "UNKNOWN_TOPIC_OR_PARTITION")  # not carried out: to be asked again, of another
RETRY_SECONDS = 0.02
TIMEOUT_MS = 10_000  # that a leader waits for its followers
GROUP, TRANSACTION = 0, 1  # whose coordinator
KIND = "eo-kind"  # the header that says what a value is: s text, j JSON as `stores.codec` writes it, b bytes
FETCH_BYTES = 1 << 20


def refusal(name: str, said: str | None = None) -> LogError:
    """Return the error of the course's log for Kafka's name of one."""
    error = BY_NAME.get(name, LogError)(said or f"The broker answered {name}.")
    error.kafka = name
    return error


def kept(value: Value) -> tuple[str, bytes | None]:
    """Return (kind, bytes) of a value, as a record of Kafka keeps it."""
    if value is None or isinstance(value, bytes):
        return "b", value
    return ("s", value.encode()) if isinstance(value, str) else ("j", encode(value).encode())


def revived(kind: str, data: bytes | None) -> Value:
    """Return the value that `kept` wrote; of a record that others wrote, text if its bytes are UTF-8."""
    if data is None or kind == "b":
        return data
    return decode(data.decode()) if kind == "j" else data.decode(errors="surrogateescape")


class Requests:
    """A client that makes single requests of a cluster, and hides nothing.

    `protocol` is the version of transactions that it speaks, as Kafka's clients do: 1, with an epoch that stays, as
    librdkafka; or 2 (KIP-890), as Java's since 4.0. Where to ask it finds out itself, and asks again, for up to
    `seconds`, what a broker says it has not carried out because another one has to. A request without an answer
    raises `OutcomeUnknown`.
    """

    def __init__(self, where: Where, protocol: Literal[1, 2] = 1, seconds: float = wire.SECONDS) -> None:
        self.where, self.protocol, self.seconds = where, protocol, seconds
        self.names: dict[int, str] = {}  # {producer id: transactional id}, which a Produce of a transaction has to name
        self._connections: dict[Address, wire.Connection] = {}
        self._known: dict[tuple[Any, ...], Address] = {}

    def close(self) -> None:
        """Close the connections."""
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()

    def ask(
        self, whom: tuple[Any, ...], message: str, version: int, *values: Any, part: Callable[[Answer], Answer] = dict
    ) -> Answer:
        """Make a request of a leader ("leader", topic, partition), a coordinator ("coordinator", kind, key) or any
        broker (), and return `part` of the answer, whose error code is looked at. Raises the refusal.
        """
        deadline = time.monotonic() + self.seconds
        while True:
            try:
                found = part(self._connection(whom).ask(message, version, *values))
                code = next((value for name, value in found.items() if name.endswith("error_code")), 0)
                name = wire.error_named(code)
                if name is None:
                    return found
                if name not in ELSEWHERE or time.monotonic() > deadline:
                    raise refusal(name, found.get("error_message"))
            except wire.NotSent:
                if time.monotonic() > deadline:
                    raise
            except OutcomeUnknown:
                self._known.pop(whom, None)
                raise
            self._known.pop(whom, None)
            time.sleep(RETRY_SECONDS)

    def _connection(self, whom: tuple[Any, ...]) -> wire.Connection:
        address = self._known.get(whom) or self._found(whom)
        connection = self._connections.get(address)
        if connection is None or connection.closed:
            connection = self._connections[address] = wire.Connection(*address, self.where, self.seconds)
        self._known[whom] = address
        return connection

    def _found(self, whom: tuple[Any, ...]) -> Address:
        """Return the address of a leader or a coordinator; any broker's where none is known."""
        for address in self.where.hosts:
            with contextlib.suppress(OutcomeUnknown):
                self._known[()] = address
                any_broker = self._connection(())
                if not whom:
                    return address
                if whom[0] == "leader":
                    said = any_broker.ask("Metadata", 1, [(whom[1],)])
                    places = {one["partition_index"]: one["leader_id"] for one in said["topics"][0]["partitions"]}
                    leader = places.get(whom[2], -1)
                    return next(((one["host"], one["port"]) for one in said["brokers"] if one["node_id"] == leader), address)
                said = any_broker.ask("FindCoordinator", 1, whom[2], whom[1])
                if said["error_code"] == 0:
                    return said["host"], said["port"]
        raise wire.NotSent(f"No broker of {self.where.servers} says where to find {' '.join(map(str, whom)) or 'it'}.")

    def create_topic(
        self, name: str, partitions: int = 1, replicas: int = 1, min_insync_replicas: int = 1, exist_ok: bool = False
    ) -> None:
        """Create a topic. Raises `TopicExists`, unless `exist_ok`."""
        settings = [("min.insync.replicas", str(min_insync_replicas))]
        try:
            self.ask((), "CreateTopics", 4, [(name, partitions, replicas, [], settings)], TIMEOUT_MS, False,
                     part=lambda said: said["topics"][0])  # fmt: skip
        except errors.TopicExists:
            if not exist_ok:
                raise

    def init_producer(
        self, transactional_id: str | None, timeout_ms: int = 60_000, producer: int | None = None, epoch: int | None = None
    ) -> tuple[int, int]:
        """Ask the coordinator for a producer id and an epoch; without transactional id, any broker for an id."""
        whom = ("coordinator", TRANSACTION, transactional_id) if transactional_id is not None else ()
        known = (-1, -1) if producer is None else (producer, epoch)
        said = self.ask(whom, "InitProducerId", 3 + self.protocol, transactional_id, timeout_ms, *known)
        if transactional_id is not None:
            self.names[said["producer_id"]] = transactional_id
        return said["producer_id"], said["producer_epoch"]

    def settled(self, transactional_id: str) -> None:
        """Wait until no marker of the id's last transaction is missing."""
        while self.describe(transactional_id) in ("PrepareCommit", "PrepareAbort", "PrepareEpochFence"):
            time.sleep(RETRY_SECONDS)

    def describe(self, transactional_id: str) -> str:
        """Return the coordinator's state of a transactional id."""
        whom = "coordinator", TRANSACTION, transactional_id
        return self.ask(
            whom, "DescribeTransactions", 0, [transactional_id], part=lambda said: said["transaction_states"][0]
        )["transaction_state"]

    def add_partitions(self, transactional_id: str, producer: int, epoch: int, partitions: Iterable[str]) -> None:
        """Have the coordinator note partitions. In protocol 2 the leader does it with the first Produce."""
        named = [place_of(one) for one in partitions if one != OFFSETS_PARTITION]
        if self.protocol == 1 and named:
            self.note_partitions(transactional_id, producer, epoch, named)

    def note_partitions(
        self, transactional_id: str, producer: int, epoch: int, places: Iterable[tuple[str, int]]
    ) -> None:
        """Send AddPartitionsToTxn, whatever the protocol."""
        topics = [(topic, [number]) for topic, number in places]
        self.ask(
            ("coordinator", TRANSACTION, transactional_id), "AddPartitionsToTxn", 2, transactional_id, producer, epoch,
            topics, part=lambda said: _worst(said["results_by_topic"], "results_by_partition", "partition_error_code"),
        )  # fmt: skip

    def add_offsets(self, transactional_id: str, producer: int, epoch: int, group: str) -> None:
        """Have the coordinator note the partition of a group's offsets."""
        whom = "coordinator", TRANSACTION, transactional_id
        self.ask(whom, "AddOffsetsToTxn", 2, transactional_id, producer, epoch, group)

    def append(
        self, partition: str, records: Iterable[Value], producer: int = -1, epoch: int = -1, sequence: int = -1,
        acks: Literal[0, 1, "all"] = "all", transactional: bool = True, headers: Mapping[str, bytes] | None = None,
    ) -> int:  # fmt: skip
        """Append records, values or (key, value), as one batch; return the offset of the first.

        With `producer`, `epoch` and `sequence` it is idempotent, and, where the producer has a transactional id and
        `transactional` is true, part of its transaction. Every record gets the `headers`.
        """
        topic, number = place_of(partition)
        name = self.names.get(producer) if transactional else None
        rows = []
        for record in records:
            key, value = record if isinstance(record, (Pair, tuple)) else (None, record)
            kind, data = kept(value)
            kinds = f"{'b' if isinstance(key, bytes) else 's'}{kind}".encode()
            rows.append((None if key is None else key_bytes(key), data, {KIND: kinds, **(headers or {})}))
        inside = transactional and producer >= 0
        found = self.ask(
            ("leader", topic, number), "Produce", 12 if self.protocol == 2 else 8, name, -1 if acks == "all" else acks,
            TIMEOUT_MS, [(topic, [(number, wire.batch(rows, producer, epoch, sequence, inside))])],
            part=lambda said: said["responses"][0]["partition_responses"][0],
        )  # fmt: skip
        return found["base_offset"]

    def commit_offsets(
        self, group: str, offsets: Mapping[str, int], producer: int | None = None, epoch: int | None = None,
        generation: int | None = None, member: str = "", metadata: str | None = None,
    ) -> None:  # fmt: skip
        """Write a group's offsets {partition: offset of its next record}, in a producer's transaction if one is given."""
        at = -1 if generation is None else generation
        topics = [(topic, [(number, offset, -1, metadata)]) for (topic, number), offset in _places(offsets)]
        whom = "coordinator", GROUP, group
        if producer is None:
            self.ask(whom, "OffsetCommit", 7, group, at, member, None, topics, part=_worst_place)
            return
        name = self.names.get(producer, "")
        if self.protocol == 1:
            self.add_offsets(name, producer, _number(epoch), group)
        self.txn_offset_commit(name, group, producer, _number(epoch), at, member, topics)

    def txn_offset_commit(self, name: str, group: str, *whom_and_what: Any) -> None:
        """Send TxnOffsetCommit: (producer, epoch, generation, member, topics)."""
        producer, epoch, generation, member, topics = whom_and_what
        version = 5 if self.protocol == 2 else 3
        self.ask(
            ("coordinator", GROUP, group), "TxnOffsetCommit", version, name, group, producer, epoch, generation, member,
            None, topics, part=_worst_place,
        )  # fmt: skip

    def committed_offset(self, group: str, topic: str, partition: int, require_stable: bool = False) -> int | None:
        """Return the offset that a group committed for a partition, or None. Raises `UnstableOffsetCommit`."""
        found = self.ask(
            ("coordinator", GROUP, group), "OffsetFetch", 7, group, [(topic, [partition])], require_stable,
            part=lambda said: said["topics"][0]["partitions"][0],
        )["committed_offset"]  # fmt: skip
        return None if found < 0 else found

    def end(self, transactional_id: str, producer: int, epoch: int, result: str) -> tuple[int, int]:
        """Have the coordinator decide; return the producer id and epoch to go on with."""
        whom, asked = ("coordinator", TRANSACTION, transactional_id), (transactional_id, producer, epoch, result == COMMIT)
        if self.protocol == 1:
            self.ask(whom, "EndTxn", 2, *asked)
            return producer, epoch
        said = self.ask(whom, "EndTxn", 5, *asked)
        self.names[said["producer_id"]] = transactional_id
        return said["producer_id"], said["producer_epoch"]

    def fetch_batches(
        self, topic: str, partition: int, offset: int, isolation: Isolation = "read_uncommitted", wait_ms: int = 0,
        most: int = FETCH_BYTES,
    ) -> tuple[list[wire.StoredBatch], Answer]:  # fmt: skip
        """Return the batches that a fetch brings, those of aborted transactions among them, and the broker's answer."""
        level = int(isolation == "read_committed")
        found = self.ask(
            ("leader", topic, partition), "Fetch", 4, -1, wait_ms, 1, most, level,
            [(topic, [(partition, offset, most)])], part=lambda said: said["responses"][0]["partitions"][0],
        )  # fmt: skip
        return list(wire.batches(found["records"] or b"")), found

    def end_offset(self, topic: str, partition: int, isolation: Isolation = "read_uncommitted") -> int:
        """Return the first offset that a reader may not see: high watermark, or last stable offset."""
        return self._offset(topic, partition, -1, isolation)

    def start_offset(self, topic: str, partition: int) -> int:
        """Return the first offset that is there."""
        return self._offset(topic, partition, -2, "read_uncommitted")

    def _offset(self, topic: str, partition: int, when: int, isolation: Isolation) -> int:
        asked = [(topic, [(partition, when)])]
        level = int(isolation == "read_committed")
        return self.ask(
            ("leader", topic, partition), "ListOffsets", 2, -1, level, asked,
            part=lambda said: said["topics"][0]["partitions"][0],
        )["offset"]  # fmt: skip

    def write_marker(
        self, topic: str, partition: int, producer: int, epoch: int, result: str, coordinator_epoch: int, rules: int = 1
    ) -> None:
        """End a transaction in one partition, as a coordinator does, or an operator with `kafka-transactions.sh`."""
        marker = (producer, epoch, result == COMMIT, [(topic, [partition])], coordinator_epoch)
        self.ask(
            ("leader", topic, partition), "WriteTxnMarkers", rules, [(*marker, *([2] if rules == 2 else []))],
            part=lambda said: said["markers"][0]["topics"][0]["partitions"][0],
        )  # fmt: skip

    def delete_records(self, topic: str, partition: int, before: int) -> None:
        """Move a partition's start to offset `before`."""
        self.ask(
            ("leader", topic, partition), "DeleteRecords", 1, [(topic, [(partition, before)])], TIMEOUT_MS,
            part=lambda said: said["topics"][0]["partitions"][0],
        )  # fmt: skip


def visible(
    batches: Iterable[wire.StoredBatch], aborted: Iterable[Mapping[str, int]], offset: int
) -> list[wire.Stored]:
    """Return the records from `offset` on, without those of the aborted transactions, as a consumer of Kafka does."""
    waiting, out, found = sorted(aborted, key=lambda one: one["first_offset"], reverse=True), set(), []
    for one in batches:
        while waiting and waiting[-1]["first_offset"] < one.end:
            out.add(waiting.pop()["producer_id"])
        if one.marker:
            out.discard(one.producer)
        elif not (one.transactional and one.producer in out):
            found += [record for record in one.records if record.offset >= offset]
    return found


def key_and_value(record: wire.Stored) -> tuple[Key, Value]:
    """Return a record's key and value."""
    kinds = record.headers.get(KIND, b"ss").decode()
    return revived(kinds[0], record.key), revived(kinds[1], record.value)  # type: ignore[return-value]


def _places(offsets: Mapping[str, int]) -> list[tuple[tuple[str, int], int]]:
    return [(place_of(partition), offset) for partition, offset in offsets.items()]


def _worst(topics: list[Answer], inner: str, code: str) -> Answer:
    """Return the first partition of an answer with an error that is no consequence of another's, or the first."""
    found = [one for topic in topics for one in topic[inner]]
    wrong = [one for one in found if one[code]]
    return next((one for one in wrong if wire.error_named(one[code]) != "OPERATION_NOT_ATTEMPTED"), found[0])


def _worst_place(said: Answer) -> Answer:
    return _worst(said["topics"], "partitions", "error_code")


def _number(epoch: int | None) -> int:
    if epoch is None:
        raise BadInput("A producer was given without its epoch; give both.")
    return epoch

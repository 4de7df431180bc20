"""The log of a run on a real Kafka: partitions, groups' offsets and the coordinator, as stores of these names.

They answer the verbs of `log.machine` and of `log.transactions.machine` by requests to a broker. A partition is a
topic with one partition; topics, groups and transactional ids have the run's prefix. The coordinator is Kafka's own,
which writes the markers itself: nothing is ever due to the run's coordinator node. What no client can have a broker
do, such as to write a marker in the coordinator's place, is refused.

The journal is a topic of the run (`store`), and not atomic with the requests: its line comes after the request. A
process that is killed in between leaves the line of a record missing. So a record has its origin in a header, and
whoever reads the record, or the journal, writes the missing line first. A request that writes no record, such as a
commit of offsets outside of a transaction, may remain without a line. In a transaction, a commit of offsets is a
record of a topic of the run, too: in the same transaction, so a read_committed reader sees it when the offsets count.
"""

import contextlib
import json
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from ...errors import BadInput
from ...stores.codec import Value, decode, encode, tuples
from ...stores.interface import Entry, Origin, Reply, named
from ...stores.operations import Blocked, Content, NoInput, Note, operation_named
from .. import machine
from ..errors import LogError, TransactionalIdNotFound, UnstableOffsetCommit
from ..log import Receipt
from ..reading import ISOLATIONS, Isolation
from ..storage.records import Pair
from ..transactions import machine as transactions
from ..transactions import rules
from .connection import unpacked
from .log import Requests
from .store import KafkaStore, origin_of

ORIGIN = "eo-origin"  # the header that says who sent a record, in which step, made of which inputs
COORDINATOR = "coordinator"  # the name of its store in a run
COMMITS = "commits"  # the topic with the commits of offsets
PARTS = {transactions.KIND: transactions.COORDINATOR_PART, transactions.OFFSETS_KIND: transactions.OFFSETS_PART}
SETTINGS = {"brokers": "replicas", "min_insync_replicas": "min_insync_replicas"}  # of a partition, and of a topic


class RequestStore(KafkaStore):
    """A store whose operations are requests to a broker. Its topic has the journal, and `facts` about the run.

    `KIND` is the kind of its parts. A verb that a client can ask for is carried out by the method `_ask_VERB`, whose
    answer is a `Reply` where its request has written a record.
    """

    KIND: ClassVar[str]

    def __init__(self, url: str, name: str, where: str | None = None) -> None:
        super().__init__(url, name, where)
        self.facts: dict[tuple[Value, ...], None] = {}
        self.lines: dict[tuple[str, int], Entry] = {}  # {(topic, offset): the line of a record}
        self._looked: dict[str, int] = {}  # {topic: the offset up to which all records have a line}

    def do(self, part: str, verb: str, *arguments: Value, origin: Origin | None = None) -> Reply:
        """Carry out one operation and return a `Reply`. Raises `BadInput` for one that no client can ask for."""
        method, origin = self._method(part, verb, arguments), origin or Origin()
        with self._looking():
            try:
                answer = method(part, *arguments, origin=origin)
            except LogError as why:
                answer = {"error": type(why).__name__, "says": str(why)}
            if isinstance(answer, Reply):
                return answer
            noted = None if operation_named(self.name, verb).reads else answer
            line = self._told("note", part, verb, noted, origin=origin)
        return Reply(answer, line.received, line.sent)

    def prepare(self, part: str, verb: str, *arguments: Value) -> None:
        """Carry out an operation before a run begins."""
        method = self._method(part, verb, arguments)
        with self._looking():
            method(part, *arguments, origin=None)

    def _method(self, part: str, verb: str, arguments: Sequence[Value]) -> Any:
        operation = operation_named(self.name, verb)
        named(part)
        operation.refuse(arguments)
        encode(list(arguments))
        method = getattr(self, f"_ask_{verb}", None)
        if method is None:
            raise BadInput(
                f"A client cannot ask a real Kafka for {verb!r} ({operation.does}): Kafka's brokers do it by "
                "themselves, or not at all. Simulate this handler, or run it over the other stores."
            )
        return method

    def fill(self, part: str, values: Any) -> None:
        """Refuse: only a producer writes to a partition."""
        raise BadInput(f"The store {self.name!r} is a real Kafka's; have a producer write to {part!r}.")

    def _applies(self, what: str) -> Callable[..., Any]:
        return getattr(self, f"_apply_{what}")

    def _apply_note(self, part: str, verb: str, noted: Value, origin: Origin) -> Entry:
        return self._journalled([Note(part, verb, noted)], origin)[0]

    def _apply_record(
        self, topic: str, part: str, verb: str, offset: int, values: list[Value], origin: Origin
    ) -> Entry:
        """Enter the line of records that have none yet, and return that of the first one."""
        new = [one for one in range(len(values)) if (topic, offset + one) not in self.lines]
        if new:
            kept = [values[one] for one in new]
            more = {"duplicate": False, "acknowledged": True, "values": kept}
            noted = {"offset": offset + new[0], **({"offsets": kept[0]} if topic == COMMITS else more)}
            line = self._apply_note(part, verb, noted, origin)
            self.lines |= {(topic, offset + one): line for one in new}
        return self.lines[topic, offset]

    def _apply_fact(self, *fact: Value) -> None:
        self.facts[tuples(list(fact))] = None

    def _note_fact(self, *fact: Value) -> None:
        if fact not in self.facts:
            self._told("fact", *fact)

    def _facts(self, *start: Value) -> list[Any]:
        """Return the last value of each fact that begins so."""
        return [fact[-1] for fact in self.facts if fact[:-1] == start]

    def _open(self, topic: str, **settings: Any) -> str:
        """Return a topic's name; it is made where it is not there."""
        if topic not in self._facts("topic"):
            self.log.create_topic(topic, exist_ok=True, **settings)
            self._note_fact("topic", topic)
        return topic

    def _write(
        self, topic: str, part: str, verb: str, records: Sequence[Sequence[Value]], settings: Mapping[str, Any],
        origin: Origin, answered: Callable[[Receipt], Value],
    ) -> Reply | Value:  # fmt: skip
        """Append records with their origin, and return the answer: as a `Reply` if this request wrote them."""
        if settings.get("transactional"):
            self._note_fact("id", self._id_of(settings.get("producer")))
        headers = {ORIGIN: encode([part, verb, *vars(origin).values()]).encode()}
        receipt = self.log.append(topic, 0, [Pair(*one) for one in records], **settings, headers=headers)
        answer = answered(receipt)
        if receipt.offset is None or receipt.duplicate:
            return answer
        values = [value for _, value in records]
        line = self._told("record", topic, part, verb, receipt.offset, values, origin=origin)
        return Reply(answer, line.received, line.sent)

    def _id_of(self, producer: int | None) -> str:
        """Return the transactional id of a producer; another process of the run may have begun it."""
        if producer not in self.log.names:
            with Coordinator(self.url, COORDINATOR, f"{self.log.prefix}{COORDINATOR}")._looking():
                pass
        return self.log.names.get(producer, "").removeprefix(self.log.prefix)  # type: ignore[arg-type]

    def _stored(
        self, topic: str, offset: int, isolation: Isolation = "read_uncommitted"
    ) -> Iterator[tuple[list[Value] | None, int]]:
        """Yield ([offset, key, value, number], the offset after it) of a topic's records, and (None, offset) after
        batches. Each record that is yielded has a line.
        """
        for record, after in self.log.stored(topic, 0, offset, isolation):
            if record is None:
                yield None, after
                continue
            headers = dict(record.headers)
            key, value = unpacked(record.key, record.value, headers)
            number = record.offset + 1
            if ORIGIN in headers:
                part, verb, *whose = decode(headers[ORIGIN].decode())
                origin = origin_of(whose)
                number = number if origin.item is None else origin.item
                if (topic, record.offset) not in self.lines:
                    self._told("record", topic, part, verb, record.offset, [value], origin=origin)
            yield [record.offset, key, value, number], after

    def _rows(self, topic: str, isolation: Isolation) -> list[list[Value]]:
        return [row for row, _ in self._stored(topic, 0, isolation) if row is not None]

    def _settle(self) -> None:
        """Wait until the coordinator has written the markers of all that is decided in the run."""
        for name in self._facts("id"):
            with contextlib.suppress(TransactionalIdNotFound):
                self.log.write_due_markers(name)

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on; each record in a topic has one."""
        with self._looking():
            for topic in self._facts("topic"):
                for _, after_it in self._stored(topic, self._looked.get(topic, 0)):
                    self._looked[topic] = after_it
            return super().journal(after)

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        if kind != self.KIND:
            return {}
        with self._looking():
            found = {part: self._get(kind, part) for part in self._parts()}
        return {part: content for part, content in found.items() if content is not None}

    def _get(self, kind: str, part: str) -> Content:
        return self._observed(part) if kind == self.KIND else super()._get(kind, part)

    def _parts(self) -> list[str]:
        """Return the parts that there are."""
        return [PARTS[self.KIND]]

    @abstractmethod
    def _observed(self, part: str) -> Content:
        """Return what an observer sees of a part, in the form of its kind's content; None where nothing is."""

    def remove(self) -> None:
        """Delete all topics of the store."""
        with self._looking():
            for topic in self._facts("topic"):
                self.log.delete_topic(topic)
            super().remove()


class Partitions(RequestStore):
    """The store "log": each part is a topic."""

    KIND = machine.KIND

    def _ask_create(self, part: str, settings: Mapping[str, Value], origin: Origin | None) -> None:
        others = dict(settings)
        asked = {name: others.pop(of) for of, name in SETTINGS.items() if of in others}
        if others.pop("sequence_rule", "kafka") != "kafka" or others:
            raise BadInput(
                f"A real Kafka has no partition with the settings {dict(settings)!r}; give {', '.join(SETTINGS)}."
            )
        self._open(part, **asked)
        self._note_fact("created", part)

    def _ask_produce(
        self, part: str, records: Sequence[Sequence[Value]], settings: Mapping[str, Any], origin: Origin
    ) -> Reply | Value:
        def answered(receipt: Receipt) -> Value:
            if receipt.offset is None:
                return {"offset": None}
            return {name: getattr(receipt, name) for name in ("offset", "duplicate", "acknowledged")}

        return self._write(self._open(part), part, "produce", records, settings, origin, answered)

    def _ask_consume(
        self, part: str, offset: int, most: int | None, isolation: Isolation = "read_uncommitted",
        origin: Origin | None = None,
    ) -> dict[str, Value]:  # fmt: skip
        records, end = [], offset
        for row, after in self._stored(self._open(part), offset, isolation):
            end = max(end, after)
            if row is not None:
                records.append(row)
            if len(records) == most:
                break
        return {"records": records, "next": end}

    def _ask_poll(
        self, part: str, offset: int, most: int | None, writers: Sequence[int],
        isolation: Isolation = "read_uncommitted", origin: Origin | None = None,
    ) -> dict[str, Value]:  # fmt: skip
        ended = set(writers) <= set(self._facts("ended", part))
        if ended:  # what they have decided counts, whether its markers are written or not
            self._settle()
        answer = self._ask_consume(part, offset, most, isolation)
        if not answer["records"] and answer["next"] == offset and not ended:
            raise NoInput(f"Nothing can be read at offset {offset}, and writers of the log have not ended.")
        return answer

    def _ask_close(self, part: str, writer: int, origin: Origin) -> None:
        self._note_fact("ended", part, writer)

    def _ask_commit(self, part: str, group: str, offset: int, origin: Origin) -> None:
        self._note_fact("group", self._open(part), group)
        self.log.commit(group, {(part, 0): offset})

    def _ask_committed(self, part: str, group: str, origin: Origin) -> int | None:
        return self.log.committed_offset(group, self._open(part), 0)

    def _ask_broker(self, part: str, what: str, arguments: Sequence[Value], origin: Origin) -> int:
        if what != "new_producer_id":
            raise BadInput(f"A handler cannot have a broker of a real Kafka {what!r}; kill its process, or simulate.")
        return self.log.new_producer_id()

    def _parts(self) -> list[str]:
        return self._facts("topic")

    def _observed(self, part: str) -> Content:
        if part not in self._facts("topic"):
            return None
        self._settle()
        seen = [self._rows(part, level) for level in ISOLATIONS]
        known = {group: self.log.committed_offset(group, part, 0) for group in self._facts("group", part)}
        offsets = {group: offset for group, offset in known.items() if offset is not None}
        if not any((*seen, offsets, part in self._facts("created"))):
            return None
        return machine.Observed(encode(seen[0]), encode(seen[1]), encode(offsets))


class GroupOffsets(RequestStore):
    """The store "offsets": the committed offsets of consumer groups, which Kafka's group coordinator has."""

    KIND = transactions.OFFSETS_KIND

    def __init__(self, url: str, name: str, where: str | None = None) -> None:
        super().__init__(url, name, where)
        self._next: dict[tuple[int, int], int] = {}  # {(producer, epoch): the next sequence number in `COMMITS`}

    def _ask_begin_group(self, part: str, streams: Sequence[str], origin: Origin | None) -> None:
        self._open(COMMITS)
        for stream in streams:
            self._open(stream)
            self._note_fact("stream", stream)

    def _ask_commit_offsets(
        self, part: str, group: str, offsets: Mapping[str, int], settings: Mapping[str, Any], origin: Origin
    ) -> Reply | Value:
        producer, epoch = whom = settings["producer"], settings["producer_epoch"]
        requests, name = Requests(self.log), self._id_of(producer)  # type: ignore[arg-type]
        places = {f"{stream}-0": offset for stream, offset in offsets.items()}
        self._note_fact("group", group)
        requests.commit_offsets(group, places, producer, epoch, settings.get("generation"))
        requests.add_partitions(name, producer, epoch, [f"{COMMITS}-0"])
        sequence = self._next.get(whom, 0)  # stays as it is until there is an answer: then a repeated one is known
        numbered = {"producer": producer, "producer_epoch": epoch, "sequence": sequence, "transactional": True}
        record = [group, dict(offsets)]
        answer = self._write(
            COMMITS, part, "commit_offsets", [record], numbered, origin,
            lambda receipt: {"offset": receipt.offset, "offsets": record[1]},
        )  # fmt: skip
        self._next[whom] = sequence + 1
        return answer

    def _ask_committed_offsets(self, part: str, group: str, streams: Sequence[str], origin: Origin) -> dict[str, int]:
        try:
            found = {one: self.log.committed_offset(group, one, 0, require_stable=True) for one in streams}
        except UnstableOffsetCommit as why:
            raise Blocked(str(why)) from None
        return {stream: offset for stream, offset in found.items() if offset is not None}

    def _observed(self, part: str) -> Content:
        if not self._facts("topic"):
            return None
        self._settle()
        offsets: dict[str, dict[str, int]] = {}
        for group in self._facts("group"):
            for stream in self._facts("stream"):
                if (offset := self.log.committed_offset(group, stream, 0)) is not None:
                    offsets.setdefault(group, {})[stream] = offset
        seen = [encode(self._rows(COMMITS, level)) for level in ISOLATIONS]
        return machine.Observed(seen[0], seen[1], encode(offsets))


class Coordinator(RequestStore):
    """The store "coordinator": Kafka's transaction coordinator, as a client reaches it.

    It takes a partition without a leader for a deleted one, and says that a transaction is complete whose marker it
    skipped (KAFKA-20734, in 4.3.1). When the one broker is killed between a decision and its markers, this can happen
    while it starts again: what was committed is never seen then, and the verdict says so.
    """

    KIND = transactions.KIND

    def _apply_fact(self, *fact: Value) -> None:
        super()._apply_fact(*fact)
        if fact[0] == "protocol":  # of this process's client: all stores of the run have the same one
            self.log.protocol = fact[1]
        elif fact[0] == "producer":
            self.log.names.setdefault(fact[1], self.log.prefix + fact[2])

    def _ask_begin_coordinating(self, part: str, settings: Mapping[str, Any], origin: Origin | None) -> None:
        self._note_fact("protocol", settings["protocol"])

    def _ask_init_producer(
        self, part: str, transactional_id: str, timeout_ms: int, producer: int | None, epoch: int | None,
        origin: Origin,
    ) -> list[int]:  # fmt: skip
        self._note_fact("id", transactional_id)
        found = self.log.transactions.init_producer(transactional_id, timeout_ms, producer, epoch)
        self._note_fact("producer", found[0], transactional_id)
        return list(found)

    def _ask_add_partitions(
        self, part: str, transactional_id: str, producer: int, epoch: int, partitions: Sequence[str], origin: Origin
    ) -> None:
        """Have the coordinator note partitions, in protocol 1; that of the offsets is noted when they are sent."""
        named = [f"{one}-0" for one in partitions if one != transactions.OFFSETS_PART]
        Requests(self.log).add_partitions(transactional_id, producer, epoch, named)  # type: ignore[arg-type]

    def _ask_end_transaction(
        self, part: str, transactional_id: str, producer: int, epoch: int, result: str, origin: Origin
    ) -> list[int]:
        return list(self.log.transactions.end(transactional_id, producer, epoch, result))

    def _ask_settled(self, part: str, transactional_id: str, origin: Origin) -> None:
        if self.log.transactions.describe(transactional_id).state in rules.RESULTS:
            raise Blocked(f"The last transaction of {transactional_id} is decided, and markers of it are missing.")

    def _ask_recover(self, part: str, origin: Origin) -> int:
        """Begin nothing: the coordinator is Kafka's own, and has epochs of its own."""
        return 0

    def _ask_due(self, part: str, epoch: int, producers: Sequence[int], origin: Origin) -> None:
        """Wait until all producers have ended: nothing is due to anybody but Kafka's coordinator."""
        if not set(producers) <= set(self._facts("left")):
            raise Blocked("Kafka's own coordinator writes the markers, and producers have not ended.")

    def _ask_leave(self, part: str, producer: int, origin: Origin) -> None:
        self._note_fact("left", producer)

    def _observed(self, part: str) -> Content:
        found = {}
        for name in self._facts("id"):
            with contextlib.suppress(TransactionalIdNotFound):
                found[name] = self.log.describe(name)._replace(transactional_id=name)
        return json.dumps({"transactions": found}) if self._facts("protocol") else None


REAL = {"log": Partitions, "offsets": GroupOffsets, COORDINATOR: Coordinator}


def opened(url: str, name: str, where: str) -> KafkaStore:
    """Return the store of this name on a cluster: of a run's log by requests to its brokers, of others in a topic."""
    return REAL.get(name, KafkaStore)(url, name, where)

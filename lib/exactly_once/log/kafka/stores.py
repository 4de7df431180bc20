"""Stores over Kafka: any store in a topic, and the log of a run by requests to the brokers.

`KafkaStore`'s contents are what replaying the one partition of a topic gives. The log is the database: state machine
replication (F. B. Schneider, ACM Computing Surveys 22(4), 1990; J. Kreps, The Log, 2013). A record holds the contents
that an operation has changed, of a log its new end alone, the operation's lines in the journal, and the offset up to
which its writer had read. All processes apply the records in their order, and all come to the same contents, stamps
and journal. A record that stands at another offset than its writer expected changes nothing, in any process: another
one came in between, and the operation is tried again.

The log of a run has partitions, groups' offsets and a coordinator, as stores of these names: `RequestStore`s. They
answer the verbs of `log.machine` and of `log.transactions.machine` by requests to a broker. A partition is a topic
with one partition; topics, groups and transactional ids have the run's prefix. The coordinator is Kafka's own, which
writes the markers itself: nothing is ever due to the run's coordinator node. What no client can have a broker do,
such as to write a marker in the coordinator's place, is refused.

Their journal is a topic of the run, and not atomic with the requests: its line comes after the request. So a record
carries its own line in a header, with stamps that were taken before it was sent: whoever is killed in between leaves
no record without a line. A request that writes no record, such as a commit of offsets outside of a transaction, may
remain without one. In a transaction, a commit of offsets is a record of a topic of the run, too: in the same
transaction, so a read_committed reader sees it when the offsets count.
"""

import contextlib
import json
import os
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, ClassVar
from weakref import WeakValueDictionary

from ...errors import BadInput
from ...servers.where import Where
from ...stores.codec import Value, decode, encode, tuples
from ...stores.interface import Changed, Entry, MemoryStore, OptimisticStore, Origin, Reply, named
from ...stores.operations import Blocked, Content, NoInput, Note, operation_named
from .. import machine
from ..errors import TransactionalIdNotFound
from ..reading import ISOLATIONS
from ..storage.records import Pair
from ..transactions import machine as transactions
from ..transactions import rules
from .connection import unpacked
from .log import RETRY_SECONDS, KafkaLog

ANSWER_SECONDS = 20.0  # that a client waits for a broker that is being started again
LINE = "eo-line"  # the header with a record's line in the journal
COORDINATOR = "coordinator"  # the name of its store in a run
COMMITS = "commits"  # the topic with the commits of offsets
SETTINGS = {"brokers": "replicas", "min_insync_replicas": "min_insync_replicas"}  # of a partition, and of a topic
_clients: WeakValueDictionary[tuple[int, str, str], KafkaLog] = WeakValueDictionary()


def client(url: str, prefix: str) -> KafkaLog:
    """Return the one client of this process for all stores of a run; a forked process has clients of its own."""
    key = os.getpid(), url, prefix
    return _clients.setdefault(key, KafkaLog(Where.parse(url), prefix=prefix, seconds=ANSWER_SECONDS))


class KafkaStore(OptimisticStore, MemoryStore):
    """One system in one topic, for any thread of a process, one at a time.

    Its memory holds the contents that the replay gave.

    Raises `OutcomeUnknown` for an operation whose answer does not come, and where no broker answers for
    `ANSWER_SECONDS`; and `LogError`, a `CourseError`, when the broker refuses, as for a record that is too large.
    """

    def __init__(self, url: str, name: str, where: str | None = None) -> None:
        """`url` is as for `Where.parse`; `where` is the topic's name but for "store.", by default the store's."""
        super().__init__(name)
        self.url, self.log, self._topic = url, client(url, (where or name).removesuffix(name)), f"store.{name}"
        self._at = 0
        self._puts: list[tuple[str, str, int, Content]] = []  # (kind, part, how much is kept, what is new)
        self._lines: list[dict[str, Any]] = []

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        with self._looking():
            self._puts, self._lines = [], []
            yield
            if not self._puts and not self._lines:
                return
            record = json.dumps([self._at, self._puts, self._lines])
            place = self.log.append(self._topic, 0, [record]).offset
            assert place is not None, "with acks='all' the offset is told"
            if place != self._at:
                self._read_on(place + 1)
                raise Changed
            self._apply(place, *json.loads(record))
            self._at += 1

    @contextlib.contextmanager
    def _looking(self) -> Iterator[None]:
        """Give a context in which the contents are those at the topic's end, and no other thread asks."""
        with self.log.lock:
            self._read_on(0)
            yield

    def _read_on(self, end: int) -> None:
        """Apply the records up to the topic's end, and at least up to this offset."""
        self.log.create_topic(self._topic, exist_ok=True)
        while True:
            for records, after in self.log.stored(self._topic, 0, self._at):
                for record in records:
                    self._apply(record.offset, *json.loads(record.value))
                self._at = after
            if self._at >= end:
                return
            time.sleep(RETRY_SECONDS)

    def _apply(self, offset: int, expected: int, puts: list[Any], lines: list[dict[str, Any]]) -> None:
        if offset == expected:
            for kind, part, kept, content in puts:
                new = tuples(content)
                super()._put(kind, part, super()._get(kind, part)[:kept] + new if kept else new)
            for line in lines:
                entry = Entry(**line | {"inputs": tuples(line["inputs"])})
                self.clocks[entry.part] = entry.sent
                self.entries.append(entry)

    def _put(self, kind: str, part: str, content: Content) -> None:
        before = self._get(kind, part)
        if content != before:
            grown = isinstance(before, tuple) and isinstance(content, tuple) and content[: len(before)] == before
            kept = len(before) if grown else 0
            self._puts.append((kind, part, kept, content[kept:] if kept else content))

    def _note(self, entry: Entry) -> None:
        self._lines.append(vars(entry) | {"value": encode(entry.value), "wall": time.time()})

    def remove(self) -> None:
        """Delete the topic."""
        with self.log.lock:
            self.log.delete_topic(self._topic)

    def close(self) -> None:
        """Close the connections, which all stores of this process for the run share; a request makes new ones."""
        with self.log.lock:
            self.log.close()


class RequestStore(KafkaStore):
    """A store whose operations are requests to a broker. Its topic has the journal, and facts about the run, as logs.

    `KIND` is the kind of its parts, and `PARTS` are these, where they are not its topics. A verb that a client can
    ask for is carried out by the method `_ask_VERB`; its answer is a `Reply` where its request has written a record.
    """

    KIND: ClassVar[str]
    PARTS: ClassVar[tuple[str, ...]] = ()

    def __init__(self, url: str, name: str, where: str | None = None) -> None:
        super().__init__(url, name, where)
        self._looked: dict[str, int] = {}  # {topic: the offset up to which the lines of its records were read}
        self._numbers: dict[tuple[str, int], int] = {}  # {(topic, offset): the number of the record's input}
        self._next: dict[tuple[int, int], int] = {}  # {(producer, epoch): the next sequence number in `COMMITS`}

    def do(self, part: str, verb: str, *arguments: Value, origin: Origin | None = None) -> Reply:
        """Carry out one operation and return a `Reply`. Raises `BadInput` for one that no client can ask for."""
        ask, origin = self._asking(part, verb, arguments), origin or Origin()
        with self._looking():
            answer = machine.answer_of(ask, part, *arguments, origin=origin)
            if isinstance(answer, Reply):
                return answer
            note = Note(part, verb, None if operation_named(self.name, verb).reads else answer)
            line = self._tried(lambda: self._noted(note, origin))
        return Reply(answer, line.received, line.sent)

    def prepare(self, part: str, verb: str, *arguments: Value) -> None:
        """Carry out an operation before a run begins."""
        ask = self._asking(part, verb, arguments)
        with self._looking():
            ask(part, *arguments, origin=None)

    def _asking(self, part: str, verb: str, arguments: Sequence[Value]) -> Callable[..., Any]:
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

    def _noted(self, note: Note, origin: Origin) -> Entry:
        with self._changing():
            return self._journalled([note], origin)[0]

    def _facts(self, what):
        return [decode(text) for text in self._get("log", what)]

    def _note_fact(self, what, fact):
        if fact not in self._facts(what):
            super().prepare(what, "append", fact)

    def _open(self, topic, **settings):
        """Return a topic's name; it is made where it is not there."""
        if topic not in self._facts("topics"):
            self.log.create_topic(topic, exist_ok=True, **settings)
            self._note_fact("topics", topic)
        return topic

    def _write(self, topic, part, verb, records, settings, origin, answered):
        """Append records with their line; return `answered(receipt)`, as a `Reply` if this request wrote them."""
        if settings.get("transactional"):
            self._note_fact("ids", self._id_of(settings.get("producer")))
        received = self._tried(lambda: self._reserved(part, origin))
        headers = {LINE: encode([part, verb, received, *vars(origin).values()]).encode()}
        receipt = self.log.append(topic, 0, [Pair(*one) for one in records], **settings, headers=headers)
        return answered(receipt) if receipt.duplicate else Reply(answered(receipt), received, received + 1)

    def _reserved(self, part: str, origin: Origin) -> int:
        """Take two ticks of a part's clock, and return the first."""
        with self._changing():
            received = max(origin.stamp, self._clock(part)) + 1
            self._put("table", part, received + 1)
            return received

    def _clock(self, part: str) -> int:
        return max(super()._clock(part), self._get("table", part))

    def _id_of(self, producer):
        """Return the transactional id of a producer; another process of the run may have begun it."""
        if producer not in self.log.names:
            with Coordinator(self.url, COORDINATOR, f"{self.log.prefix}{COORDINATOR}")._looking():
                pass
        return self.log.names.get(producer, "").removeprefix(self.log.prefix)

    def _rows(self, topic, *asked):
        """Return ([offset, key, value, number] of each record, the offset after them), as `KafkaLog.fetch` does."""
        found = self.log.fetch(topic, 0, *asked)
        self._read_lines(topic)
        return [[one.offset, one.key, one.value, self._numbers[topic, one.offset]] for one in found], found.next

    def _read_lines(self, topic: str) -> None:
        for records, after in self.log.stored(topic, 0, self._looked.get(topic, 0)):
            self._looked[topic] = after
            for line, batch in groupby(records, lambda one: dict(one.headers)[LINE]):
                self._read_line(topic, *tuples(decode(line.decode())), written=list(batch))

    def _read_line(self, topic, part, verb, received, *whose, written):
        origin, offset = Origin(*whose), written[0].offset
        values = [unpacked(one.key, one.value, dict(one.headers))[1] for one in written]
        more = {"duplicate": False, "acknowledged": True, "values": values}
        noted = {"offset": offset, **({"offsets": values[0]} if topic == COMMITS else more)}
        self.entries.append(
            Entry(
                part, verb, encode(noted), origin.life, origin.step, origin.item, received, received + 1,
                origin.inputs, wall=written[0].timestamp / 1000,
            )
        )  # fmt: skip
        for one in written:
            self._numbers[topic, one.offset] = one.offset + 1 if origin.item is None else origin.item

    def _settle(self):
        """Wait until the coordinator has written the markers of all that is decided in the run."""
        for name in self._facts("ids"):
            with contextlib.suppress(TransactionalIdNotFound):
                self.log.write_due_markers(name)

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on, in the order in which this process has read them."""
        with self._looking():
            for topic in self._facts("topics"):
                self._read_lines(topic)
            return super().journal(after)

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        if kind != self.KIND:
            return {}
        with self._looking():
            found = {part: self._observed(part) for part in self.PARTS or self._facts("topics")}
        return {part: content for part, content in found.items() if content is not None}

    def _get(self, kind: str, part: str) -> Content:
        return self._observed(part) if kind == self.KIND else super()._get(kind, part)

    @abstractmethod
    def _observed(self, part: str) -> Content:
        """Return what an observer sees of a part, in the form of its kind's content; None where nothing is."""

    def _seen(self, topic, offsets):
        return machine.Observed(*(encode(self._rows(topic, 0, None, one)[0]) for one in ISOLATIONS), encode(offsets))

    def remove(self) -> None:
        """Delete all topics of the store."""
        with self._looking():
            for topic in self._facts("topics"):
                self.log.delete_topic(topic)
            super().remove()


class Partitions(RequestStore):
    """The store "log": each part is a topic."""

    KIND = machine.KIND

    def _ask_create(self, part, settings, origin):
        others = dict(settings)
        asked = {name: others.pop(of) for of, name in SETTINGS.items() if of in others}
        if others.pop("sequence_rule", "kafka") != "kafka" or others:
            raise BadInput(
                f"A real Kafka has no partition with the settings {dict(settings)!r}; give {', '.join(SETTINGS)}."
            )
        self._open(part, **asked)
        self._note_fact("created", part)

    def _ask_produce(self, part, records, settings, origin):
        return self._write(self._open(part), part, "produce", records, settings, origin, machine.answer_to)

    def _ask_consume(self, part, *asked, origin):
        records, end = self._rows(self._open(part), *asked)
        return {"records": records, "next": end}

    def _ask_poll(self, part, offset, most, writers, *isolation, origin):
        ended = set(writers) <= set(self._facts(f"ended {part}"))
        if ended:  # what they have decided counts, whether its markers are written or not
            self._settle()
        answer = self._ask_consume(part, offset, most, *isolation, origin=origin)
        if not answer["records"] and answer["next"] == offset and not ended:
            raise NoInput(f"Nothing can be read at offset {offset}, and writers of the log have not ended.")
        return answer

    def _ask_close(self, part, writer, origin):
        self._note_fact(f"ended {part}", writer)

    def _ask_commit(self, part, group, offset, origin):
        self._note_fact(f"groups {self._open(part)}", group)
        self.log.commit(group, {(part, 0): offset})

    def _ask_committed(self, part, group, origin):
        return self.log.committed_offset(group, self._open(part), 0)

    def _ask_broker(self, part, what, arguments, origin):
        if what != "new_producer_id":
            raise BadInput(f"A handler cannot have a broker of a real Kafka {what!r}; kill its process, or simulate.")
        return self.log.new_producer_id()

    def _observed(self, part: str) -> Content:
        if part not in self._facts("topics"):
            return None
        self._settle()
        known = {group: self.log.committed_offset(group, part, 0) for group in self._facts(f"groups {part}")}
        seen = self._seen(part, {group: offset for group, offset in known.items() if offset is not None})
        return seen if part in self._facts("created") or any(map(decode, seen)) else None


class GroupOffsets(RequestStore):
    """The store "offsets": the committed offsets of consumer groups, which Kafka's group coordinator has."""

    KIND, PARTS = transactions.OFFSETS_KIND, (transactions.OFFSETS_PART,)

    def _ask_begin_group(self, part, streams, origin):
        for topic in (COMMITS, *streams):
            self._open(topic)

    def _ask_commit_offsets(self, part, group, offsets, settings, origin):
        producer, epoch = whom = settings["producer"], settings["producer_epoch"]
        name = self._id_of(producer)  # also for the client, which may not have begun it
        self._note_fact("groups", group)
        places = {(stream, 0): offset for stream, offset in offsets.items()}
        self.log.commit(group, places, producer, epoch, settings.get("generation"))
        self.log.add_partitions(name, producer, epoch, [f"{COMMITS}-0"])
        sequence = self._next.get(whom, 0)  # stays as it is until there is an answer: then a repeated one is known
        numbered = {"producer": producer, "producer_epoch": epoch, "sequence": sequence, "transactional": True}
        answer = self._write(
            COMMITS, part, "commit_offsets", [[group, dict(offsets)]], numbered, origin,
            lambda receipt: {"offset": receipt.offset, "offsets": dict(offsets)},
        )  # fmt: skip
        self._next[whom] = sequence + 1
        return answer

    def _ask_committed_offsets(self, part, group, streams, origin):
        return transactions.committed_offsets(self.log, group, streams)

    def _observed(self, part: str) -> Content:
        topics = self._facts("topics")
        if not topics:
            return None
        self._settle()
        offsets: dict[str, dict[str, int]] = {}
        for group in self._facts("groups"):
            for stream in topics:
                if (offset := self.log.committed_offset(group, stream, 0)) is not None:
                    offsets.setdefault(group, {})[stream] = offset
        return self._seen(COMMITS, offsets)


class Coordinator(RequestStore):
    """The store "coordinator": Kafka's transaction coordinator, as a client reaches it.

    It takes a partition without a leader for a deleted one, and says that a transaction is complete whose marker it
    skipped (KAFKA-20734, in 4.3.1). When the one broker is killed between a decision and its markers, this can happen
    while it starts again: what was committed is never seen then, and the verdict says so.
    """

    KIND, PARTS = transactions.KIND, (transactions.COORDINATOR_PART,)

    @contextlib.contextmanager
    def _looking(self) -> Iterator[None]:
        """Have the client that all stores of the run share know the protocol, and whose producers are."""
        with super()._looking():
            for protocol in self._facts("protocol"):
                self.log.protocol = protocol
            self.log.names |= {producer: self.log.prefix + name for producer, name in self._facts("producers")}
            yield

    def _ask_begin_coordinating(self, part, settings, origin):
        self._note_fact("protocol", settings["protocol"])

    def _ask_init_producer(self, part, transactional_id, timeout_ms, producer, epoch, origin):
        self._note_fact("ids", transactional_id)
        found = self.log.transactions.init_producer(transactional_id, timeout_ms, producer, epoch)
        self._note_fact("producers", [found[0], transactional_id])
        return list(found)

    def _ask_add_partitions(self, part, transactional_id, producer, epoch, partitions, origin):
        """Have the coordinator note partitions, in protocol 1; that of the offsets is noted when they are sent."""
        places = [f"{one}-0" for one in partitions if one != transactions.OFFSETS_PART]
        self.log.add_partitions(transactional_id, producer, epoch, places)

    def _ask_end_transaction(self, part, transactional_id, producer, epoch, result, origin):
        return list(self.log.transactions.end(transactional_id, producer, epoch, result))

    def _ask_settled(self, part, transactional_id, origin):
        if self.log.describe(transactional_id).state in rules.RESULTS:
            raise Blocked(f"The last transaction of {transactional_id} is decided, and markers of it are missing.")

    def _ask_recover(self, part, origin):
        """Begin nothing: the coordinator is Kafka's own, and has epochs of its own."""
        return 0

    def _ask_due(self, part, epoch, producers, origin):
        """Wait until all producers have ended: nothing is due to anybody but Kafka's coordinator."""
        if not set(producers) <= set(self._facts("left")):
            raise Blocked("Kafka's own coordinator writes the markers, and producers have not ended.")

    def _ask_leave(self, part, producer, origin):
        self._note_fact("left", producer)

    def _observed(self, part: str) -> Content:
        found = {}
        for name in self._facts("ids"):
            with contextlib.suppress(TransactionalIdNotFound):
                found[name] = self.log.describe(name)
        return json.dumps({"transactions": found}) if self._facts("protocol") else None


REAL = {"log": Partitions, "offsets": GroupOffsets, COORDINATOR: Coordinator}


def opened(url: str, name: str, where: str) -> KafkaStore:
    """Return the store of this name on a cluster: of a run's log by requests to its brokers, of others in a topic."""
    return REAL.get(name, KafkaStore)(url, name, where)

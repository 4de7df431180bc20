"""Stores over Kafka: any store in a topic, and the log of a run by requests to the brokers.

`KafkaStore`'s contents are what replaying the one partition of a topic gives. The log is the database: state machine
replication (F. B. Schneider, ACM Computing Surveys 22(4), 1990; J. Kreps, The Log, 2013). A record holds a call, with
its arguments. Each process carries the calls out in their order, in a store in memory, and all come to the same
contents, stamps and journal; whoever has appended one has its answer then. What has to wait is not appended.

The log of a run has partitions, groups' offsets and a coordinator, as `RequestStore`s: they answer the verbs of
`partition_machine` and of `coordinator_machine` by requests to a broker. A partition is a topic with one partition;
topics, groups and transactional ids have the run's prefix. The coordinator is Kafka's own, which writes the markers
itself: nothing is ever due to the run's coordinator node. What no client can have a broker do, such as to write a
marker in the coordinator's place, is refused.

Their journal is a topic of the run, and not atomic with the requests. So the line of a record is written before it,
the record names the line in a header, and the line counts once its record is read: whoever is killed in between
leaves no record without a line, and no line without a record. Another request has its line after it, and may remain
without one. In a transaction, a commit of offsets is a record, too: in the same transaction, so a read_committed
reader sees it when the offsets count.
"""

import contextlib
import itertools
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...errors import BadInput
from ...servers.where import Where
from ...stores.codec import Value, decode, encode
from ...stores.interface import Entry, MemoryStore, Origin, Reply
from ...stores.operations import KINDS, Blocked, Content, NoInput, Note, operation_named
from ...stores.served import ANSWERS, ServedStore, origin_of
from .. import partition_machine
from ..reading import ISOLATIONS
from ..storage.records import Pair
from ..transactions import coordinator_machine
from .kafka_log import KafkaLog

READS = ("waits_for", "look", "held", "journal")  # the calls that change nothing
LINE = "eo-line"  # the header that names a record's line in the journal
COORDINATOR = "coordinator"  # the name of its store in a run
COMMITS = "commits"  # the topic with the commits of offsets
SETTINGS = {"brokers": "replicas", "min_insync_replicas": "min_insync_replicas"}  # of a partition, and of a topic
# The kind of a store's parts.
SHOWN = {"log": partition_machine.KIND, "offsets": coordinator_machine.OFFSETS_KIND, COORDINATOR: None}


class KafkaStore(ServedStore):
    """One system in one topic, for any thread of a process, one at a time.

    Raises `OutcomeUnknown` for an operation whose answer does not come, and where no broker answers for 30 seconds;
    and `LogError`, a `CourseError`, when the broker refuses, as for a record that is too large.
    """

    def __init__(self, url: str, name: str, where: str | None = None) -> None:
        """`url` is as for `Where.parse`; `where` is the topic's name but for "store.", by default the store's."""
        self.url, self.name, self._topic = url, name, f"store.{name}"
        self.log = KafkaLog(Where.parse(url), (where or name).removesuffix(name))
        self.link = self.log  # type: ignore[assignment]  # what `close` closes
        self.replica, self._at = MemoryStore(name), 0

    def _ask(self, what: str, *arguments: Value) -> Value:
        waits = what == "do" and operation_named(self.name, arguments[1]).blocks
        with self.log.lock:
            if waits or what in READS or self._at == 0:  # which makes the topic
                self._read_on()
            if what in READS:
                return self._call(what, *arguments)
            if waits and (why := self.replica.waits_for(*arguments[:2], *arguments[2])):
                raise why
            text = encode([what, *arguments])
            place = self.log.append(self._topic, 0, [text]).offset or 0
            self._read_on(place)
            return self._carried_out(place, time.time(), decode(text))

    def _read_on(self, end: int | None = None) -> None:
        """Carry out the calls up to the topic's end, or those before an offset."""
        self.log.create_topic(self._topic, exist_ok=True)
        while end is None or self._at < end:
            for record in self.log.fetch(self._topic, 0, self._at, None if end is None else end - self._at):
                call = decode(record.value)
                if call[0] in ("do", "prepare"):
                    operation_named(self.name, call[2])  # which raises where this process does not know it
                with contextlib.suppress(Exception):  # then it changes nothing, in any process
                    self._carried_out(record.offset, record.time / 1000, call)
            if end is None:
                return

    def _carried_out(self, place: int, wall: float, call: list[Any]) -> Value:
        self._at, self.replica.wall = place + 1, wall
        return self._call(*call)

    def _call(self, what: str, *arguments: Value) -> Value:
        return ANSWERS[what](self.replica, *arguments)

    def remove(self) -> None:
        """Delete the topic."""
        self.log.delete_topic(self._topic)


class RequestStore(KafkaStore):
    """A store whose operations are requests to a broker. Its topic has the journal, and facts about the run, as logs.

    A verb that a client can ask for is answered by the method `_ask_VERB`; its answer is a `Reply` where its request
    has written a record. Kafka's coordinator takes a partition without a leader for a deleted one, and says that a
    transaction is complete whose marker it skipped (KAFKA-20734, in 4.3.1). When the one broker is killed between a
    decision and its markers, this can happen while it starts again: what was committed is never seen then, and the
    verdict says so.
    """

    def __init__(self, url: str, name: str, where: str | None = None) -> None:
        super().__init__(url, name, where)
        self._due: dict[bytes, Entry] = {}  # the lines of records that were not read yet, by their names
        self._looked: dict[str, int] = {}  # {topic: the offset up to which its records' lines were taken}
        self._next: dict[tuple[int, int], int] = {}  # {(producer, epoch): the next sequence number in `COMMITS`}

    def do(self, part: str, verb: str, *arguments: Value, origin: Origin | None = None) -> Reply:
        """Carry out one operation and return a `Reply`. Raises `BadInput` for one that no client can ask for."""
        origin = origin or Origin()
        with self.log.lock:
            answer = partition_machine.answer_of(self._answer, part, verb, arguments, origin=origin)
            if isinstance(answer, Reply):
                return answer
            noted = None if operation_named(self.name, verb).reads else answer
            return Reply(answer, *self._noted(part, verb, noted, origin))

    def prepare(self, part: str, verb: str, *arguments: Value) -> None:
        """Carry out an operation before a run begins."""
        self._answer(part, verb, arguments, Origin())

    def _answer(self, part: str, verb: str, arguments: tuple[Value, ...], origin: Origin) -> Any:
        self._checked(part, verb, *arguments)
        method = getattr(self, f"_ask_{verb}", None)
        if method is None:
            raise BadInput(
                f"A client cannot ask a real Kafka for {verb!r} ({operation_named(self.name, verb).does}): Kafka's "
                "brokers do it by themselves, or not at all. Simulate this handler, or run it over the other stores."
            )
        self._read_on()
        return method(part, *arguments, origin=origin)

    def _noted(self, part: str, verb: str, value: Value, origin: Origin, due: bool = False) -> list[int]:
        """Write a line of the journal, which may be `due` when its record is read. Return its stamps."""
        return self._ask("note", part, verb, value, dict(vars(origin)), due)

    def _call(self, what: str, *arguments: Value) -> Value:
        if what != "note":
            return super()._call(what, *arguments)
        part, verb, value, origin, due = arguments
        (entry,) = self.replica._journalled([Note(part, verb, value)], origin_of(origin))
        if due:
            self._due[encode([part, entry.received, entry.item]).encode()] = self.replica.entries.pop()
        return [entry.received, entry.sent]

    def _facts(self, what: str) -> list[Any]:
        return self.replica.look(what, "log")

    def _note_fact(self, what: str, fact: Value) -> None:
        if fact not in self._facts(what):
            super().prepare(what, "append", fact)

    def _open(self, topic: str, **settings: int) -> str:
        """Return a topic's name; it is made where it is not there."""
        if topic not in self._facts("topics"):
            self.log.create_topic(topic, exist_ok=True, **settings)
            self._note_fact("topics", topic)
        return topic

    def _write(
        self, topic: str, part: str, verb: str, records: Any, settings: Mapping[str, Any], origin: Origin,
        noted: dict[str, Value],
    ) -> Value | Reply:  # fmt: skip
        """Append records behind their line in the journal, which has what is `noted`; return the answer."""
        if settings.get("transactional"):
            self._know(settings["producer"])
        stamps = self._noted(part, verb, noted, origin, due=True)
        headers = {LINE: encode([part, stamps[0], origin.item]).encode()}
        receipt = self.log.append(topic, 0, [Pair(*one) for one in records], **settings, headers=headers)
        answer = {"offset": receipt.offset, **noted} if topic == COMMITS else partition_machine.answer_to(receipt)
        return answer if receipt.duplicate else Reply(answer, *stamps)

    def _know(self, producer: int) -> None:
        """Have the client know a producer's transactional id, which its requests name; any process has begun it."""
        if producer not in self.log.names:
            self.log.names |= {one: f"{self.log.prefix}{name}" for one, name in self._ids().items()}

    def _ids(self) -> dict[int, str]:
        """Return {producer: its transactional id} of the run."""
        coordinator = RequestStore(self.url, COORDINATOR, f"{self.log.prefix}{COORDINATOR}")
        coordinator.log = self.log
        coordinator._read_on()
        return dict(coordinator._facts("producers"))

    def _settle(self) -> None:
        """Wait until the coordinator has written the markers of all that is decided in the run."""
        for name in {*self._ids().values()}:
            self.log.write_due_markers(name)

    def _consumed(self, topic: str, *asked: Any) -> dict[str, Any]:
        """Return {"records": [[offset, key, value, number], …], "next": the offset after them} of a fetch."""
        found, rows = self.log.fetch(topic, 0, *asked), []
        for record, headers in zip(found, found.headers, strict=True):
            number = decode(headers[LINE].decode())[2]
            rows.append([record.offset, record.key, record.value, record.offset + 1 if number is None else number])
        return {"records": rows, "next": found.next}

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on, in the order in which this process has read them."""
        with self.log.lock:
            self._read_on()
            for topic in self._facts("topics"):
                found = self.log.fetch(topic, 0, self._looked.get(topic, 0))
                self._looked[topic] = found.next
                self._read_on()  # a line was written before its record
                for record, headers in zip(found, found.headers, strict=True):
                    if line := self._due.pop(headers[LINE], None):  # the first record of a batch
                        value = encode(decode(line.value) | {"offset": record.offset})
                        self.replica.entries.append(replace(line, value=value))
            return super().journal(after)

    def look(self, part: str, kind: str) -> Value:
        """Return the contents of a part as an observer sees them."""
        return KINDS[kind].seen(self.held(kind).get(part)) if kind == SHOWN[self.name] else super().look(part, kind)

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        if kind != SHOWN[self.name]:
            return {}
        with self.log.lock:
            self._read_on()
            self._settle()
            topics, created = self._facts("topics"), self._facts("created")
            found: dict[str, dict[str, int]] = {}
            for topic, group in itertools.product(topics, self._facts("groups")):
                if (offset := self.log.committed_offset(group, topic, 0)) is not None:
                    one, other = (topic, group) if kind == partition_machine.KIND else (group, topic)
                    found.setdefault(one, {})[other] = offset
            if kind != partition_machine.KIND:
                return {coordinator_machine.OFFSETS_PART: self._seen(COMMITS, found)} if topics else {}
            seen = {topic: self._seen(topic, found.get(topic, {})) for topic in topics}
            return {topic: one for topic, one in seen.items() if topic in created or any(map(decode, one))}

    def _seen(self, topic: str, offsets: Mapping[str, Value]) -> Content:
        """Return what readers see of a topic, with offsets of groups, in place of the content of a part."""
        seen = [encode(self._consumed(topic, 0, None, one)["records"]) for one in ISOLATIONS]
        return partition_machine.Observed._make([*seen, encode(offsets)])

    def remove(self) -> None:
        """Delete all topics of the store."""
        with self.log.lock:
            self._read_on()
            for topic in self._facts("topics"):
                self.log.delete_topic(topic)
            super().remove()

    def _ask_create(self, part: str, settings: Any, origin: Origin) -> None:
        given = {SETTINGS[name]: value for name, value in settings.items() if name in SETTINGS}
        if len(given) + (settings.get("sequence_rule") == "kafka") < len(settings):
            raise BadInput(
                f"A real Kafka has no partition with the settings {settings!r}; give {', '.join(SETTINGS)}."
            )
        self._note_fact("created", self._open(part, **given))

    def _ask_produce(self, part: str, records: Any, settings: Any, origin: Origin) -> Any:
        noted = {"duplicate": False, "acknowledged": True, "values": [value for _, value in records]}
        return self._write(self._open(part), part, "produce", records, settings, origin, noted)

    def _ask_consume(self, part: str, *asked: Any, origin: Origin) -> dict[str, Any]:
        return self._consumed(self._open(part), *asked)

    def _ask_poll(self, part: str, offset: int, most: Any, writers: Any, *isolation: str, origin: Origin) -> Any:
        ended = set(writers) <= set(self._facts(f"ended {part}"))
        if ended:  # what they have decided counts, whether its markers are written or not
            self._settle()
        answer = self._ask_consume(part, offset, most, *isolation, origin=origin)
        if not answer["records"] and answer["next"] == offset and not ended:
            raise NoInput(f"Nothing can be read at offset {offset}, and writers of the log have not ended.")
        return answer

    def _ask_close(self, part: str, writer: int, origin: Origin) -> None:
        self._note_fact(f"ended {part}", writer)

    _ask_leave = _ask_close

    def _ask_commit(self, part: str, group: str, offset: int, origin: Origin) -> None:
        self._note_fact("groups", group)
        self.log.commit(group, {(self._open(part), 0): offset})

    def _ask_committed(self, part: str, group: str, origin: Origin) -> int | None:
        return self.log.committed_offset(group, self._open(part), 0)

    def _ask_broker(self, part: str, what: str, arguments: Any, origin: Origin) -> int:
        if what != "new_producer_id":
            raise BadInput(f"A handler cannot have a broker of a real Kafka {what!r}; kill its process, or simulate.")
        return self.log.new_producer_id()

    def _ask_begin_group(self, part: str, streams: Iterable[str], origin: Origin) -> None:
        for topic in (COMMITS, *streams):
            self._open(topic)

    def _ask_commit_offsets(self, part: str, group: str, offsets: Any, settings: Any, origin: Origin) -> Any:
        producer, epoch = whom = settings["producer"], settings["producer_epoch"]
        self._know(producer)
        self._note_fact("groups", group)
        places = {(stream, 0): offset for stream, offset in offsets.items()}
        self.log.commit(group, places, producer, epoch, settings.get("generation"))
        sequence = self._next.get(whom, 0)  # stays as it is until there is an answer: then a repeated one is known
        numbered = {"producer": producer, "producer_epoch": epoch, "sequence": sequence, "transactional": True}
        noted = {"offsets": dict(offsets)}
        answer = self._write(COMMITS, part, "commit_offsets", [[group, dict(offsets)]], numbered, origin, noted)
        self._next[whom] = sequence + 1
        return answer

    def _ask_committed_offsets(self, part: str, group: str, streams: Iterable[str], origin: Origin) -> dict[str, int]:
        return coordinator_machine.committed_offsets(self.log, group, streams)

    def _ask_begin_coordinating(self, part: str, settings: Any, origin: Origin) -> None:
        if settings["protocol"] != 2:
            raise BadInput("The course's client of a real Kafka speaks protocol 2 alone; simulate protocol 1.")

    def _ask_init_producer(self, part: str, transactional_id: str, *asked: Any, origin: Origin) -> list[int]:
        found = self.log.transactions.init_producer(transactional_id, *asked)
        self._note_fact("producers", [found[0], transactional_id])
        return list(found)

    def _ask_add_partitions(self, part: str, *asked: Any, origin: Origin) -> None:
        """Do nothing: the leader of a partition has the coordinator note it."""

    def _ask_end_transaction(self, part: str, *asked: Any, origin: Origin) -> list[int]:
        return list(self.log.transactions.end(*asked))

    def _ask_settled(self, part: str, transactional_id: str, origin: Origin) -> None:
        self.log.write_due_markers(transactional_id)

    def _ask_recover(self, part: str, origin: Origin) -> int:
        """Begin nothing: the coordinator is Kafka's own, and has epochs of its own."""
        return 0

    def _ask_due(self, part: str, epoch: Any, producers: Iterable[int], origin: Origin) -> None:
        """Wait until all producers have ended: nothing is due to anybody but Kafka's coordinator."""
        if not set(producers) <= set(self._facts(f"ended {part}")):
            raise Blocked("Kafka's own coordinator writes the markers, and producers have not ended.")


def opened(url: str, name: str, where: str) -> KafkaStore:
    """Return the store of this name on a cluster: of a run's log by requests to its brokers, of others in a topic."""
    return (RequestStore if name in SHOWN else KafkaStore)(url, name, where)

"""A store over Kafka: its contents are what replaying the one partition of a topic gives.

The log is the database: state machine replication (F. B. Schneider, ACM Computing Surveys 22(4), 1990; J. Kreps, The
Log, 2013). An operation is a record: what is asked, and by whom. All processes apply the records in their order, and
all come to the same contents, answers, stamps and journal.

To do an operation, a process reads on to the end, and looks whether the operation is possible now: what has to wait
or is refused leaves no record. Then it appends the record, and reads on until it has applied it. Where a record of
another process came in between, the operation may be refused after all: then its record changes nothing, in any
process.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from weakref import WeakValueDictionary

from ...errors import CourseError
from ...servers.where import Where
from ...stores.codec import Value, decode, encode, tuples
from ...stores.interface import Entry, MemoryStore, Origin, Reply, named
from ...stores.operations import Content, operation_named
from .log import RETRY_SECONDS, KafkaLog

ANSWER_SECONDS = 20.0  # that a client waits for a broker that is being started again
_clients: WeakValueDictionary[tuple[int, str, str], KafkaLog] = WeakValueDictionary()


def client(url: str, prefix: str) -> KafkaLog:
    """Return the one client of this process for all stores of a run; a forked process has clients of its own."""
    key = os.getpid(), url, prefix
    return _clients.get(key) or _clients.setdefault(
        key, KafkaLog(Where.parse(url), prefix=prefix, seconds=ANSWER_SECONDS)
    )


class KafkaStore(MemoryStore):
    """One system in one topic, for any thread of a process, one at a time.

    Its memory holds the contents that the replay gave.

    Raises `OutcomeUnknown` for an operation whose answer does not come, and where no broker answers for
    `ANSWER_SECONDS`; and `LogError`, a `CourseError`, when the broker refuses, as for a record that is too large.
    """

    def __init__(self, url: str, name: str, where: str | None = None) -> None:
        """`url` is as for `Where.parse`; `where` is the topic's name but for "store.", by default the store's."""
        super().__init__(name)
        self.url, self.log, self._topic = url, client(url, (where or name).removesuffix(name)), f"store.{name}"
        self._at, self._wall = 0, 0.0

    def do(self, part: str, verb: str, *arguments: Value, origin: Origin | None = None) -> Reply:
        """Carry out one operation and return a `Reply`, as any store does."""
        with self.log.lock:
            self._try(part, verb, arguments)
            return self._told("do", part, verb, *arguments, origin=origin)

    def _try(self, part: str, verb: str, arguments: tuple[Value, ...]) -> None:
        """Raise what an operation would be refused with now."""
        operation = operation_named(self.name, verb)
        named(part)
        operation.refuse(arguments)
        with self._looking():
            operation.carried_out(part, self._found(operation, part, arguments)[1], arguments, Origin())

    def fill(self, part: str, values: Iterable[Value]) -> None:
        """Append many values to a log before a run begins."""
        self._told("fill", named(part), list(values))

    def prepare(self, part: str, verb: str, *arguments: Value) -> None:
        """Carry out an operation before a run begins."""
        self._try(part, verb, arguments)
        self._told("prepare", part, verb, *arguments)

    def free(self, life: int) -> None:
        """Let go of all that an incarnation holds; where it holds nothing, no record is needed."""
        with self._looking():
            after = self.copy()
            after.free(life)
            if after.parts != self.parts:
                self._told("free", life)

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        with self._looking():
            return super().held(kind)

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on."""
        with self._looking():
            return super().journal(after)

    def _note(self, entry: Entry) -> None:
        super()._note(Entry(**vars(entry) | {"wall": self._wall}))

    @contextlib.contextmanager
    def _looking(self) -> Iterator[None]:
        """Give a context in which the contents are those at the topic's end, and no other thread asks."""
        with self.log.lock:
            self._until(0)
            yield

    def _told(self, what: str, *arguments: Value, origin: Origin | None = None) -> Any:
        """Append a record, and return what it comes to where it stands. Raises what it is refused with there."""
        record = [what, list(arguments), None if origin is None else list(vars(origin).values())]
        with self.log.lock:
            self.log.create_topic(self._topic, exist_ok=True)
            place = self.log.append(self._topic, 0, [record]).offset
            assert place is not None, "with acks='all' the offset is told"
            if place == self._at:  # nobody came in between
                found = self._taken(encode(record), time.time())
                self._at += 1
            else:
                found = self._until(place + 1)
        if isinstance(found, CourseError):
            raise found
        return found

    def _until(self, end: int) -> Any:
        """Read on to the topic's end, and at least to this offset; return what the record before it came to."""
        self.log.create_topic(self._topic, exist_ok=True)
        found = None
        while True:
            for record, after in self.log.stored(self._topic, 0, self._at):
                if record is not None:
                    assert record.value is not None, "records of a store have values"
                    outcome = self._taken(record.value.decode(), record.timestamp / 1000)
                    found = outcome if record.offset == end - 1 else found
                self._at = max(self._at, after)
            if self._at >= end:
                return found
            time.sleep(RETRY_SECONDS)

    def _taken(self, text: str, wall: float) -> Any:
        """Apply a record; return what it comes to, or the error with which it is refused. The same in any process."""
        what, arguments, origin = decode(text)
        more = {} if origin is None else {"origin": origin_of(origin)}
        self._wall = wall
        try:
            return self._applies(what)(*arguments, **more)
        except CourseError as why:
            return why

    def _applies(self, what: str) -> Callable[..., Any]:
        """Return what applies records of one kind to the contents: an operation of a store in memory."""
        return getattr(super(), what)

    def remove(self) -> None:
        """Delete the topic."""
        with self.log.lock:
            self.log.delete_topic(self._topic)

    def close(self) -> None:
        """Close the connections, which all stores of this process for the run share; a request makes new ones."""
        with self.log.lock:
            self.log.close()


def origin_of(fields: list[Value]) -> Origin:
    """Return the origin whose fields a record has."""
    return Origin(*tuples(fields))

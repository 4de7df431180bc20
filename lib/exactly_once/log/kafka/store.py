"""A store over Kafka: its contents are what replaying the one partition of a topic gives.

The log is the database: state machine replication (F. B. Schneider, ACM Computing Surveys 22(4), 1990; J. Kreps, The
Log, 2013). A record holds the contents that an operation has changed, of a log its new end alone, the operation's
lines in the journal, and the offset up to which its writer had read. All processes apply the records in their order,
and all come to the same contents, stamps and journal. A record that stands at another offset than its writer expected
changes nothing, in any process: another one came in between, and the operation is tried again.
"""

import contextlib
import json
import os
import time
from collections.abc import Iterator
from typing import Any
from weakref import WeakValueDictionary

from ...servers.where import Where
from ...stores.codec import encode, tuples
from ...stores.interface import Changed, Entry, MemoryStore, OptimisticStore
from ...stores.operations import Content
from .log import RETRY_SECONDS, KafkaLog

ANSWER_SECONDS = 20.0  # that a client waits for a broker that is being started again
_clients: WeakValueDictionary[tuple[int, str, str], KafkaLog] = WeakValueDictionary()


def client(url: str, prefix: str) -> KafkaLog:
    """Return the one client of this process for all stores of a run; a forked process has clients of its own."""
    key = os.getpid(), url, prefix
    return _clients.get(key) or _clients.setdefault(
        key, KafkaLog(Where.parse(url), prefix=prefix, seconds=ANSWER_SECONDS)
    )


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

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        with self._looking():
            return super().held(kind)

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on."""
        with self._looking():
            return super().journal(after)

    def remove(self) -> None:
        """Delete the topic."""
        with self.log.lock:
            self.log.delete_topic(self._topic)

    def close(self) -> None:
        """Close the connections, which all stores of this process for the run share; a request makes new ones."""
        with self.log.lock:
            self.log.close()

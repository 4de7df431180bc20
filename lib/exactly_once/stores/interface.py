"""The interface of every store, wherever it has its contents; the store in memory, and a beginning for SQL's."""

import contextlib
import functools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias

from ..errors import BadInput, one_of
from .codec import Value, decode, encode, tuples
from .operations import KINDS, OPERATIONS, Blocked, Content, Note, Operation, Place, committed, operation_named

Inputs: TypeAlias = tuple[
    tuple[int, str], ...
]  # (hour, stream) of each reading, or (number, partition) of each record


@dataclass(frozen=True)
class Origin:
    """Who asks a store for something, and why: written beside the effect, in the effect's own transaction.

    `stamp` is the Lamport stamp of the request; `inputs` are the (hour, stream) pairs behind a value.
    """

    life: int = 0
    step: int = 0
    item: int | None = None
    stamp: int = 0
    inputs: Inputs = ()


@dataclass(frozen=True)
class Reply:
    """A store's answer: the value, and the stamps at which the request arrived and the reply left."""

    value: Value
    received: int
    sent: int


@dataclass(frozen=True)
class Entry:
    """A line of a store's journal: an operation that took place, with its origin and the store's two stamps."""

    part: str
    verb: str
    value: Value
    life: int
    step: int
    item: int | None
    received: int
    sent: int
    inputs: Inputs = ()
    place: int = 0  # among those of one request: of a transaction's parts the first one answers
    wall: float | None = field(default=None, compare=False, repr=False)  # when, by the clock of the file's machine

    @property
    def operation(self) -> Operation:
        """The operation that took place."""
        return OPERATIONS[self.verb]


class Store(ABC):
    """One system: named parts, each of which is a process with a Lamport clock of its own.

    Every operation is atomic: its effect, its stamps, its origin and its line in the journal appear together or not
    at all. Two stores never share a transaction. `operations` holds them.
    """

    name: str

    def do(self, part: str, verb: str, *arguments: Value, origin: Origin | None = None) -> Reply:
        """Carry out one operation and return a `Reply`.

        Raises `BadInput` for an unknown operation or a value that cannot be kept, `Blocked` for one that has to wait,
        `CourseError` when the store is broken.
        """
        operation = operation_named(self.name, verb)
        named(part)
        operation.refuse(arguments)
        origin = Origin() if origin is None else origin
        with self._changing():
            places, before = self._found(operation, part, arguments)
            done = operation.carried_out(part, before, arguments, origin)
            for place, old, new in zip(places, before, done.contents, strict=True):
                if new is not old:
                    self._put(*place, new)
            entries = self._journalled(done.notes, origin)
        return Reply(done.answer, entries[0].received, entries[0].sent)

    def waits_for(self, part: str, verb: str, *arguments: Value) -> Blocked | None:
        """Return why an operation would have to wait now, or None, as for a refused one. Nothing takes place."""
        operation = operation_named(self.name, verb)
        with self._looking(), contextlib.suppress(BadInput):
            try:
                operation.carried_out(part, self._found(operation, part, arguments)[1], arguments)
            except Blocked as why:
                return why
        return None

    def _found(
        self, operation: Operation, part: str, arguments: Sequence[Value]
    ) -> tuple[list[Place], list[Content]]:
        """Return the places that an operation is about, and their contents."""
        places = operation.places(part, arguments)
        contents = [self._get(*place) for place in places]
        more = operation.more_places(part, contents, arguments)
        return [*places, *more], [*contents, *(self._get(*place) for place in more)]

    def _journalled(self, notes: Sequence[Note], origin: Origin) -> list[Entry]:
        """Record the operation, on the clocks of all parts that took part, and return the entries.

        The request arrives after all that the parts have seen and after its own stamp. Each part that took part has a
        tick, in turn, and the reply leaves one tick later.
        """
        received = max(origin.stamp, *(self._clock(part) for part, _, _ in notes)) + 1
        entries = []
        for place, (part, verb, value) in enumerate(notes):
            entry = Entry(
                part, verb, value, origin.life, origin.step, origin.item, received + place, received + len(notes),
                tuple(origin.inputs), place,
            )  # fmt: skip
            self._note(entry)
            entries.append(entry)
        return entries

    @abstractmethod
    def _changing(self) -> AbstractContextManager[object]:
        """Return a context: all puts and notes within it take place together, or none does."""

    @abstractmethod
    def _get(self, kind: str, part: str) -> Content:
        """Return the content of a part."""

    @abstractmethod
    def _put(self, kind: str, part: str, content: Content) -> None:
        """Keep the content of a part."""

    @abstractmethod
    def _clock(self, part: str) -> int:
        """Return where the clock of a part stands."""

    @abstractmethod
    def _note(self, entry: Entry) -> None:
        """Add an entry to the journal, and move the clock of its part to where it ends."""

    def owned(self, verb: str) -> bool:
        """Tell whether an operation is for the incarnation that asks alone."""
        return operation_named(self.name, verb).owned

    def fill(self, part: str, values: Iterable[Value]) -> None:
        """Append many values to a log before a run begins; no clock ticks and no journal is written."""
        texts = tuple(encode(value) for value in values)
        with self._changing():
            self._put("log", part, (*self._get("log", part), *texts))

    def prepare(self, part: str, verb: str, *arguments: Value) -> None:
        """Carry out an operation before a run begins: no clock ticks and no journal is written."""
        operation = operation_named(self.name, verb)
        operation.refuse(arguments)
        with self._changing():
            places, before = self._found(operation, part, arguments)
            after = operation.carried_out(part, before, arguments).contents
            for place, content in zip(places, after, strict=True):
                self._put(*place, content)

    def look(self, part: str, kind: str) -> Value:
        """Return the contents of a part as an observer sees them, without a tick of any clock.

        `kind` is "cell" (the value or None), "log" (a list of values), "table" (a number), "inbox" (a list of
        [sender, message]), "lock" (the incarnation that holds it, or None), or another that was registered. Raises
        `BadInput` for another kind.
        """
        named(part)
        kind = one_of("the kind of a part", kind, KINDS)
        with self._looking():
            return KINDS[kind].seen(committed(self._get(kind, part)))

    @abstractmethod
    def _looking(self) -> AbstractContextManager[object]:
        """Return a context in which contents may be looked at."""

    @abstractmethod
    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""

    def free(self, life: int) -> None:
        """Release an incarnation's locks and the like, since it is over: no clock ticks, no journal is written."""
        with self._changing():
            for name, passed in [(name, kind.passed) for name, kind in KINDS.items() if kind.passed is not None]:
                for part, content in self.held(name).items():
                    if passed(content, life, None) != content:
                        self._put(name, part, passed(self._get(name, part), life, None))

    @abstractmethod
    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries, oldest first, from number `after` on."""

    def close(self) -> None:  # noqa: B027 - a store that holds nothing open has nothing to give back
        """Release the open resources of the store."""


class MemoryStore(Store):
    """One system in one process's memory, for simulated worlds. It is not for threads.

    Its contents cannot be changed in place.
    """

    wall: float | None = None  # when the operation took place that is being carried out, where somebody says so

    def __init__(self, name: str) -> None:
        self.name = name
        self.parts: dict[Place, Content] = {}
        self.clocks: dict[str, int] = {}
        self.entries: list[Entry] = []

    def _changing(self) -> AbstractContextManager[object]:
        return contextlib.nullcontext()

    _looking = _changing

    def _get(self, kind: str, part: str) -> Content:
        return self.parts.get((kind, part), KINDS[kind].empty)

    def _put(self, kind: str, part: str, content: Content) -> None:
        if content == KINDS[kind].empty:
            self.parts.pop((kind, part), None)
        else:
            self.parts[kind, part] = content

    def _clock(self, part: str) -> int:
        return self.clocks.get(part, 0)

    def _note(self, entry: Entry) -> None:
        self.clocks[entry.part] = entry.sent
        self.entries.append(replace(entry, value=encode(entry.value), wall=self.wall))

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        with self._looking():
            return {part: content for (one, part), content in self.parts.items() if one == kind}

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on."""
        with self._looking():
            return [replace(entry, value=decode(entry.value)) for entry in self.entries[after:]]


def named(part: str) -> str:
    """Return the name of a part. Raises `BadInput` for one that is not text."""
    if not isinstance(part, str):
        raise BadInput(f"A part of a store is named {part!r}; its name must be text.")
    return part


def again_after(kind: type[Exception]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what makes a function begin again as long as an error of this kind says that another came in between."""

    def decorator(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def begun_again(*arguments: Any, **named: Any) -> Any:
            while True:
                with contextlib.suppress(kind):
                    return function(*arguments, **named)

        return begun_again

    return decorator


COLUMNS = ", ".join(field.name for field in fields(Entry))  # of the journal, beside each entry's number
PLACES = ", ".join("?" for _ in fields(Entry))


class SQLStore(Store):
    """One system in tables: `parts` with the contents, `clocks` with each part's stamp, and the `journal`."""

    @abstractmethod
    def _rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Carry out a statement, in which each value is a question mark, and return its rows."""

    def _clock(self, part: str) -> int:
        found = self._rows("SELECT stamp FROM clocks WHERE part = ?", part)
        return found[0][0] if found else 0

    def _note(self, entry: Entry) -> None:
        self._rows(
            "INSERT INTO clocks VALUES (?, ?) ON CONFLICT (part) DO UPDATE SET stamp = excluded.stamp",
            entry.part, entry.sent,
        )  # fmt: skip
        texts = {"value": encode(entry.value), "inputs": encode(entry.inputs)}
        columns = vars(entry) | texts | {"wall": time.time()}
        number = "(SELECT coalesce(max(number), 0) + 1 FROM journal)"  # no gap, also where a sequence would leave one
        self._rows(f"INSERT INTO journal (number, {COLUMNS}) VALUES ({number}, {PLACES})", *columns.values())

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on."""
        with self._looking():
            rows = self._rows(f"SELECT {COLUMNS} FROM journal WHERE number > ? ORDER BY number", after)
        return [
            Entry(part, verb, decode(value), life, step, item, received, sent, tuples(decode(inputs)), *rest)
            for part, verb, value, life, step, item, received, sent, inputs, *rest in rows
        ]

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        with self._looking():
            parts = [part for (part,) in self._rows("SELECT part FROM parts WHERE kind = ?", kind)]
            found = {part: self._get(kind, part) for part in parts}
        return {part: content for part, content in found.items() if content != KINDS[kind].empty}

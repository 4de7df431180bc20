"""What every store answers, whatever keeps its contents."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput

VERBS = {
    "read": "cell: return [version, value]; version 0 and None when nothing was written",
    "write": "cell: store a value; return its version",
    "cas": "cell: store a value if the version is the expected one; return whether it was",
    "append": "log: add a value at the end; return its offset",
    "fetch": "logs: for {stream: offset}, return {stream: up to `limit` values from there}",
    "add": "table: add a number to a row, in a transaction; return the new value",
}


@dataclass(frozen=True)
class Origin:
    """Who asks a store for something, and why: written beside the effect, in the effect's own transaction.

    `stamp` is the Lamport stamp of the request; `inputs` are the (hour, stream) pairs behind a value.
    """

    life: int = 0
    step: int = 0
    item: int | None = None
    stamp: int = 0
    inputs: tuple = ()


@dataclass(frozen=True)
class Reply:
    """A store's answer: the value, and the stamps at which the request arrived and the reply left."""

    value: Any
    received: int
    sent: int


@dataclass(frozen=True)
class Entry:
    """A line of a store's journal: an operation that took place, with its origin and the store's two stamps."""

    part: str
    verb: str
    value: Any
    life: int
    step: int
    item: int | None
    received: int
    sent: int
    inputs: tuple = ()


class Store(ABC):
    """One system: named parts, each of which is a process with a Lamport clock of its own.

    Every operation is atomic: its effect, its stamps, its origin and its line in the journal appear together or not
    at all. Two stores never share a transaction. `VERBS` lists the operations.
    """

    name: str

    def do(self, part, verb, *arguments, origin=None):
        """Carry out one operation and return a `Reply`.

        Raises `BadInput` for an unknown verb or a value that cannot be kept, `CourseError` when the store is broken.
        """
        if verb not in VERBS:
            raise BadInput(f"The store {self.name!r} has no operation {verb!r}; it has {', '.join(VERBS)}.")
        return self._do(part, verb, arguments, origin or Origin())

    @abstractmethod
    def _do(self, part, verb, arguments, origin):
        """Carry out one checked operation."""

    @abstractmethod
    def fill(self, part, values):
        """Append many values to a log before a run begins; no clock ticks and no journal is written."""

    @abstractmethod
    def look(self, part, kind):
        """Return the contents of a part as an observer sees them, without a tick of any clock.

        `kind` is "cell" (the value or None), "log" (a list of values) or "table" (a number).
        """

    @abstractmethod
    def journal(self, after=0):
        """Return the journal's entries, oldest first, from number `after` on."""

    def close(self):
        """Give back what the store holds open."""

"""What every store answers, whatever keeps its contents."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput, CourseError, one_of, whole

KINDS = ("cell", "log", "table", "inbox", "lock")
LARGEST = 2**63 - 1  # what a table's column can hold
VERBS = {
    "read": "cell: return [version, value]; version 0 and None when nothing was written",
    "write": "cell: store a value; return its version",
    "cas": "cell: store a value if the version is the expected one; return whether it was",
    "append": "log: add a value at the end; return its offset",
    "fetch": "logs: for {stream: offset}, return {stream: up to `limit` values from there}",
    "add": "table: add a number to a row, in a transaction; return the new value",
    "put": "inbox: add a message of a sender",
    "take": "inbox: remove the first message of a sender, or of any if that is None; return [sender, message]",
    "acquire": "lock: hold it for a life, unless another one does",
    "release": "lock: let go of it if this life holds it; return whether it did",
}
TAKES = {
    "read": (),
    "write": ("value",),
    "cas": ("version", "value"),
    "append": ("value",),
    "fetch": ("offsets", "limit"),
    "add": ("number",),
    "put": ("sender", "message"),
    "take": ("sender",),
    "acquire": ("life",),
    "release": ("life",),
}


class Blocked(CourseError):
    """An operation that has to wait: no message is there, or another life holds the lock. Nothing took place."""


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

        Raises `BadInput` for an unknown verb or a value that cannot be kept, `Blocked` for a take or an acquire that
        has to wait, `CourseError` when the store is broken.
        """
        if not isinstance(verb, str) or verb not in VERBS:
            raise BadInput(f"The store {self.name!r} has no operation {verb!r}; it has {', '.join(VERBS)}.")
        _check(part, verb, arguments)
        origin = Origin() if origin is None else origin
        if not isinstance(origin, Origin):
            raise BadInput(f"The origin of a request is {origin!r}; give an Origin, or None.")
        whole("the stamp of a request", origin.stamp)
        return self._do(part, verb, arguments, origin)

    @abstractmethod
    def _do(self, part, verb, arguments, origin):
        """Carry out one checked operation."""

    @abstractmethod
    def fill(self, part, values):
        """Append many values to a log before a run begins; no clock ticks and no journal is written."""

    def look(self, part, kind):
        """Return the contents of a part as an observer sees them, without a tick of any clock.

        `kind` is "cell" (the value or None), "log" (a list of values), "table" (a number), "inbox" (a list of
        [sender, message]) or "lock" (the life that holds it, or None). Raises `BadInput` for another kind.
        """
        return self._look(_named(part), one_of("the kind of a part", kind, KINDS))

    @abstractmethod
    def _look(self, part, kind):
        """Return the contents of a part of a checked kind."""

    @abstractmethod
    def free(self, life):
        """Let go of all locks that a life holds, since it is over: no clock ticks and no journal is written."""

    @abstractmethod
    def journal(self, after=0):
        """Return the journal's entries, oldest first, from number `after` on."""

    def close(self):  # noqa: B027 - a store that holds nothing open has nothing to give back
        """Give back what the store holds open."""


def journal_entry(clock, part, verb, value, origin):
    """Return the `Entry` of an operation that a part whose clock stands at `clock` carries out now.

    The request arrives after all that the part has seen and after its own stamp; the reply leaves one tick later.
    """
    received = max(clock, origin.stamp) + 1
    inputs = tuple(origin.inputs)
    return Entry(part, verb, value, origin.life, origin.step, origin.item, received, received + 1, inputs)


def _named(part):
    if not isinstance(part, str):
        raise BadInput(f"A part of a store is named {part!r}; its name must be text.")
    return part


def _check(part, verb, arguments):
    """Raise `BadInput` unless `arguments` are what the operation takes."""
    _named(part)
    if len(arguments) != len(TAKES[verb]):
        wanted = ", ".join(TAKES[verb]) or "nothing"
        raise BadInput(f"The operation {verb!r} was given {len(arguments)} values; it takes {wanted}.")
    if verb == "cas":
        whole("the expected version", arguments[0])
    if verb == "add":
        whole("the number to add", arguments[0], -LARGEST, LARGEST)
    if verb == "put" or (verb == "take" and arguments[0] is not None):
        whole("the sender of a message", arguments[0], least=1, most=LARGEST)
    if verb in ("acquire", "release"):
        whole("the life that asks for a lock", arguments[0], most=LARGEST)
    if verb == "fetch":
        offsets, limit = arguments
        if not isinstance(offsets, Mapping):
            raise BadInput(f"The offsets to fetch from are {offsets!r}; they map each stream to its offset.")
        for stream, offset in offsets.items():
            whole(f"the offset in {stream!r}", offset, most=LARGEST)
        whole("the limit of a fetch", limit, most=LARGEST)


def checked_sum(part, old, number):
    """Return the sum of a row of a table and a number. Raises `BadInput` when the row cannot hold it exactly."""
    if abs(old + number) > LARGEST:
        raise BadInput(f"The table {part!r} holds {old}; adding {number} would leave what it can hold, ±{LARGEST}.")
    return old + number

"""The parts of stores that a handler or a program names, such as registers, inboxes, partitions, and their labels."""

from ..errors import BadInput
from ..log.transactions.machine import COORDINATOR_PART, OFFSETS_PART
from ..stores.codec import Value
from ..stores.isolation import KIND as TRANSACTIONS_ON_ROWS
from ..stores.operations import OPERATIONS, ROWS
from .access.handles import register_in
from .world import COORDINATOR, MACHINE, OFFSETS, QUEUES

_INBOX, _LOCK = "inbox.", "lock."
SYSTEMS = {
    f"{COORDINATOR}.{COORDINATOR_PART}": "coordinator's log",
    f"{OFFSETS}.{OFFSETS_PART}": "group's offsets",
    "transactions.transactions": "transactions",
    ".".join(MACHINE): "machine",
}
EVERY_NODES = ("input", "positions", "state", "output", "counter")


def inbox_of(node: int) -> str:
    """Return the name of the part in which messages to a node wait."""
    return f"{_INBOX}{node}"


def lock_part(name: str) -> str:
    """Return the name of a lock's part in the engine's store. Raises `BadInput` for a name that is not text."""
    if not isinstance(name, str) or not name:
        raise BadInput(f"The name of a lock is {name!r}; it is text, such as 'account'.")
    return _LOCK + name


def named_part(part: str) -> str | None:
    """Return a part's name in a drawing, such as "inbox 2", or None for a part of every node or incarnation."""
    if part in EVERY_NODES or part.startswith("incarnation "):
        return None
    if part in SYSTEMS:
        return SYSTEMS[part]
    if queue := queue_in(part):
        return f"{queue}, {part.rpartition('.')[2]}"
    return register_in(part) or part.replace(".", " ", 1)


def queue_in(part: str) -> str | None:
    """Return which lock-free queue of the store "queues" a part belongs to, in a trace; None for any other part."""
    store, _, cell = part.partition(".")
    return f"queue {cell.partition('.')[0]}" if store == QUEUES else None


def part_in_words(part: str) -> str:
    """Return a part's name in a sentence: "the inbox of node 2", "the lock 'a'", "the register machine"."""
    if part.startswith(_INBOX):
        return f"the inbox of node {part.removeprefix(_INBOX)}"
    if part.startswith(_LOCK):
        return f"the lock {part.removeprefix(_LOCK)!r}"
    return f"the register {register_in(part) or part}"


def awaited(verb: str, part: str, asked: Value = None, *_: Value) -> str:
    """Return the object that this operation waits for: the lock, a message, a record of a partition, or a row."""
    kind = OPERATIONS[verb].kind
    if kind == "inbox":
        return f"a message of node {asked}" if asked else "a message"
    if part == COORDINATOR_PART:
        return "the coordinator"
    if part == OFFSETS_PART:
        return "the marker of offsets that are pending"
    if kind == "lock":
        return part_in_words(part)
    if kind == TRANSACTIONS_ON_ROWS:
        return "the end of another transaction"
    if kind == "queue":
        return f"a message in the queue {part}"
    if kind == "prepared" or kind in ROWS:
        return "a row that a prepared transaction holds" if kind == "prepared" else f"the row {part}"
    return f"a record of {part}"

"""The shortcuts of the explorer, and the properties of operations that each shortcut relies on.

`RELIANCES` has every operation of a store; the tests walk through it, check each property on examples, and compare
the search with all shortcuts to the one without any over random programs of all operations. A property that holds
only while some other operation is not asked for is in `BROKEN_BY`: when an incarnation asks for one after the
shortcut was taken, the exploration begins again without it (`Retracted`). So it does when an incarnation does more
with a version than compare it and hand it back (`versions`), or a rule asks for one.
"""

import functools
from collections.abc import Collection, Iterator, Sequence
from typing import Any, TypeAlias

from ...stores.operations import OPERATIONS

SHORTCUTS = {
    "once": "An operation on equal contents is carried out once.",
    "waiting": "Only an operation that blocks, or changes a row of a store with prepared transactions, has to wait.",
    "lost reads": "A late request that only reads is a lost one.",
    "actors": "What an incarnation holds it holds by the number of its actor, and passes it on with that number.",
    "messages": "Messages of several senders have no order among them: an inbox holds them by their senders.",
    "saves": "Positions and state have the version 1, however often they were saved.",
    "partial order": "An independent step goes before those of all others, whose steps are put off.",
    "versions": "Registers whose versions differ are equal, if each incarnation is as far behind them.",
    "frames": "Incarnations with equal frames are at one local state, whatever they did before.",
    "symmetry": "Equal nodes are taken for each other, until one asks for its number.",
    "pauses": "An incarnation falls asleep when it begins, since the next one can wait for its sleeper's steps.",
    "faults": "A state that was seen with more faults left is not looked at again.",
}
PROPERTIES = {  # property: (the shortcut that relies on it, what it says)
    "function": ("once", "What it answers and leaves is decided by the contents of its places and its arguments."),
    "item apart": (
        "once",
        "It keeps who asked for it, and only the number of a message or record shows that.",
    ),
    "never waits": ("waiting", "It is never told to wait, unless a prepared transaction holds its row."),
    "changes nothing": ("lost reads", "It leaves all contents as they are."),
    "passes on": (
        "actors",
        "Done and then passed on to another incarnation, it is the same as done by that one.",
    ),
    "sender's order": (
        "messages",
        "It keeps or takes the messages of one sender in order, whatever others sent.",
    ),
    "unseen version": ("saves", "On positions and state it tells nothing of the version, and leaves the same value."),
    "nobody's": ("partial order", "It reads the inputs alone, which nobody changes."),
    "refused for good": (
        "partial order",
        "Once its version is past, it is refused, now or later, and changes nothing.",
    ),
    "only awaited": (
        "partial order",
        "It adds a message behind those of its sender; others only wait for it.",
    ),
    "its own": (
        "partial order",
        "From its own node's inbox it takes the first message of a named sender.",
    ),
    "lets go": (
        "partial order",
        "It frees what nobody but its own incarnation could change; others only wait for it.",
    ),
    "grows": ("versions", "On a register it compares versions for equality only, and a version only grows."),
}
_OF_ALL = ("function", "never waits")
_READS = (*_OF_ALL, "changes nothing")
_AWAITS = ("function", "changes nothing")
_OF_A_LIFE = ("function", "passes on")
RELIANCES: dict[str, tuple[str, ...]] = {
    "read": (*_READS, "unseen version", "grows"),
    "write": (*_OF_ALL, "unseen version"),
    "cas": (*_OF_ALL, "refused for good", "grows"),
    "fence": _OF_ALL,
    "expect": _READS,
    "rename": _OF_ALL,
    "append": _OF_ALL,
    "scan": _READS,
    "fetch": (*_READS, "nobody's"),
    "add": _OF_ALL,
    "change": _OF_ALL,
    "total": _READS,
    "put": (*_OF_ALL, "sender's order", "only awaited"),
    "take": ("function", "sender's order", "its own"),
    "acquire": _OF_A_LIFE,
    "release": (*_OF_A_LIFE, "never waits", "lets go"),
    "transact": _OF_ALL,
    "prepare": ("function",),
    "commit_prepared": _OF_ALL,
    "rollback_prepared": _OF_ALL,
    "prepared": _READS,
    "enqueue": (*_OF_ALL, "item apart"),
    "next": _AWAITS,
    "close_queue": _OF_ALL,
    "any_filled": _AWAITS,
    "close_cells": _OF_ALL,
    "begin_transactions": _OF_ALL,
    "let_in": _OF_ALL,
    "may_load": _READS,
    "commit_whole": _OF_ALL,
    "create": _OF_ALL,
    "produce": (*_OF_ALL, "item apart"),
    "consume": _READS,
    "poll": _AWAITS,
    "close": _OF_ALL,
    "commit": _OF_ALL,
    "committed": _READS,
    "marker": _OF_ALL,
    "broker": _OF_ALL,
    "begin_coordinating": _OF_ALL,
    "init_producer": _OF_ALL,
    "add_partitions": _OF_ALL,
    "end_transaction": _OF_ALL,
    "settled": _AWAITS,
    "due": _AWAITS,
    "complete": _OF_ALL,
    "recover": _OF_ALL,
    "leave": _OF_ALL,
    "begin_group": _OF_ALL,
    "commit_offsets": _OF_ALL,
    "committed_offsets": _AWAITS,
    "offsets_marker": _OF_ALL,
    "set_up_rows": _OF_ALL,
    "begin_rows": _OF_A_LIFE,
    "read_row": (*_OF_A_LIFE, "never waits"),
    "read_rows": (*_OF_A_LIFE, "never waits"),
    "lock_row": _OF_A_LIFE,
    "update_row": _OF_A_LIFE,
    "update_row_where": _OF_A_LIFE,
    "add_to_row": _OF_A_LIFE,
    "insert_row": _OF_A_LIFE,
    "commit_rows": (*_OF_A_LIFE, "never waits"),
    "roll_back_rows": (*_OF_A_LIFE, "never waits"),
}
BROKEN_BY = {  # property: the operations after which it need not hold of a part any more
    "refused for good": ("rename", "prepare"),  # a cell that is moved away begins anew; one that is held has to wait
    "unseen version": ("cas", "expect", "fence", "rename"),
}
Broken: TypeAlias = tuple[str, str, str]  # (property, store, part)


class Retracted(Exception):
    """A shortcut relied on a property that a later operation broke: begin again without `broken`."""

    def __init__(self, broken: Collection[Broken]) -> None:
        super().__init__(broken)
        self.broken = frozenset(broken)


@functools.cache
def reliance(verb: str, shortcut: str) -> str | None:
    """Return the property of an operation on which a shortcut relies; None where it is not taken for it."""
    return next((name for name in RELIANCES.get(verb, ()) if PROPERTIES[name][0] == shortcut), None)


def breaks(store: str, part: str, verb: str, arguments: Sequence[Any]) -> Iterator[Broken]:
    """Yield (property, store, part) of all that need not hold any more where an incarnation asks for an operation."""
    for name, verbs in BROKEN_BY.items():
        if verb in verbs and verb != "prepare":
            yield name, store, part
    if verb in ("transact", "prepare"):
        for one, within, *rest in arguments[-1]:
            yield from breaks(store, one, within, rest)
            if verb == "prepare":
                for _, place in OPERATIONS[within].places(one, rest):
                    yield "refused for good", store, place


class Reliances:
    """The properties that an exploration relies on; `broken` are those that an operation so far has broken.

    With `plain` the exploration relies on no property.
    """

    def __init__(self, broken: Collection[Broken] = (), plain: bool = False) -> None:
        self.broken, self.plain = set(broken), plain
        self._relied: set[Broken] = set()

    def holds(self, name: str, store: str, part: str) -> bool:
        """Tell whether a property of a part can be relied on, and note that it is."""
        if self.plain or (name, store, part) in self.broken:
            return False
        self._relied.add((name, store, part))
        return True

    def asked(self, store: str, part: str, verb: str, arguments: Sequence[Any]) -> None:
        """Note that an incarnation asks for an operation."""
        self.broken.update(breaks(store, part, verb, arguments))

    @property
    def are_broken(self) -> bool:
        """Whether something was relied on that does not hold."""
        return not self._relied.isdisjoint(self.broken)

    def check(self) -> None:
        """Raise `Retracted` if something was relied on that does not hold."""
        if self.are_broken:
            raise Retracted(self.broken)

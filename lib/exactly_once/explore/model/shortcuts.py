"""The shortcuts of the explorer, and the properties of operations that each shortcut relies on.

`docs/how-it-is-made.md` has a table of the shortcuts. Of every operation the tests check on examples that

- its answer, and what it leaves, are decided by the contents of its places and its arguments (it is done once);
- it is told to wait only if it says that it `blocks`, or if a prepared transaction holds its row;
- it leaves all contents as they are if it says that it `reads` (a late one is a lost one);
- done and then passed on to another incarnation it is the same as done by that one, if it is `by_life`;
- it keeps who asked for it only if it `keeps_origin`, and only the number of a message or record shows that;
- messages of one sender stay in order, whatever others sent (an inbox holds them by their senders);
- a `read` or `write` of positions and state tells nothing of the version, and leaves the same value;
- a `read` or `cas` of a register compares versions for equality only, and a version only grows;

and what `GOES_FIRST` says. They compare the search with all shortcuts to the one without any over random programs of
all operations, too. A property that holds only while some other operation is not asked for is in `BROKEN_BY`: when an
incarnation asks for one after the shortcut was taken, the exploration begins again without it (`Retracted`). So it
does when an incarnation does more with a version than compare it and hand it back (`versions`), or a rule asks for
one.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, TypeAlias

from ...stores.operations import OPERATIONS

GOES_FIRST = {  # operation: why it may go before those of all other incarnations (partial-order reduction)
    "fetch": "nobody's",  # it reads the inputs alone, which nobody changes
    "cas": "refused for good",  # once its version is past, it is refused, now or later, and changes nothing
    "put": "only awaited",  # it adds a message behind those of its sender; others only wait for it
    "take": "its own",  # from its own node's inbox it takes the first message of a named sender
    "release": "lets go",  # it frees what nobody but its own incarnation could change; others only wait for it
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

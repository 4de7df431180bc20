"""Versions of registers, which only grow: states that differ in nothing else are one state.

That is so as long as an incarnation does nothing with a version but compare it with others of the same register, or
with 0, and hand it back, also with 1 or 2 added. To find the versions in its variables, and what is done with them,
it runs once more and reads each version as a `Version`, which is no number and notes everything else: then the
register breaks the property "grows", and the exploration begins again with its versions (`Retracted`).
"""

from __future__ import annotations

import builtins
import contextlib
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ...node.access import register_in
from ...node.world import ENGINE
from ...simulate.simulated_world import dispose
from ...stores.codec import decode, encode
from ...stores.operations import committed, is_held
from .bytecode import Hidden, stack_layout
from .states import GOING
from .store_contents import asked_once

if TYPE_CHECKING:
    from .automaton import Automaton
    from .shortcuts import Reliances
    from .states import Core, GlobalState, LocalState, StoreState

Place: TypeAlias = tuple[str, str]  # (store, part) of a cell

NEAR = 2  # how far from a version that was read a number may be that is compared or handed back
FARTHEST = 2 * NEAR + 1  # versions that are this far apart, or farther, compare alike
SAYS = "exactly_once.stores.codec"  # it says a version, for people
ERRORS = {name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, BaseException)}
ASKS_KINDS = {"type", "issubclass"} | ERRORS
OF_OBJECTS = {"__getattribute__", "__setattr__", "__delattr__", "__init_subclass__", "__subclasshook__", "__dir__"}
OF_OBJECTS |= {"__new__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__getstate__", "__sizeof__"}


class VersionAbstraction:
    """Finds one state for all that differ in nothing but versions."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton, self.contents = automaton, automaton.contents
        self._first: dict[Any, Core] = {}
        # Whether code may go another way where it meets no number: it then does nothing that a `Version` could note.
        self._asks_kinds = any(stack_layout(code).names & ASKS_KINDS for code in automaton.code)

    def of(self, state: GlobalState) -> GlobalState:
        """Return the first global state that was like this one."""
        store_state, budget, last, locals_ = state
        found = [abstracted(self.automaton, local) for local in locals_]
        if self.contents.late(store_state) or None in found:  # what cannot be seen may hand back any version
            return state
        seen, versions = self.store_state(store_state)
        key = (seen, budget, tuple(self._life(one, versions) for one in found if one is not None))
        store_state, budget, locals_ = self._first.setdefault(key, (store_state, budget, locals_))
        return store_state, budget, last, locals_

    def _grows(self, place: Place) -> bool:
        (store, part), holds = place, self.contents.reliances.holds
        return not self._asks_kinds and store == ENGINE and bool(register_in(part)) and holds("grows", store, part)

    @asked_once
    def store_state(self, store_state: StoreState) -> tuple[tuple[Any, ...], dict[Place, int]]:
        """Return (what the stores hold, but for versions; the version of each register)."""
        seen, versions = [], {}
        for place, number in enumerate(self.contents.store_states[store_state]):
            store, part, kind = self.contents.parts[place]
            if kind == "cell" and number != -1 and self._grows((store, part)):
                content = self.contents.part_contents[number]
                versions[store, part], text = committed(content)
                number = content if is_held(content) else text
            seen.append(number)
        return tuple(seen), versions

    def _life(self, found: tuple[Any, ...], versions: dict[Place, int]) -> tuple[Any, ...]:
        """Return the key of a local state, with how far each version is behind the newest of its cell in its place.

        A gap of more than `FARTHEST` counts as that: 19, 19, 17 and 1 become 0, 0, 2 and 7.
        """
        without, held = found
        distances = {}
        for place in dict(held):
            known = {base for of, base in held if of == place} | {versions.get(place, 0)}
            before, far = max(known), 0
            for version in sorted(known, reverse=True):
                before, far = version, far + min(before - version, FARTHEST)
                distances[place, version] = far if self._grows(place) else version
            held = [*held, (place, versions.get(place, 0))]
        return without, tuple(distances[one] for one in held)


def abstracted(automaton: Automaton, local: LocalState) -> tuple[Any, ...] | None:
    """Return (the key of a local state without its versions, the versions it holds), or None for one without a key.

    Each version is a pair (cell, version). Raises `Retracted` when the incarnation did more with versions than
    compare them, and the search relies on that.
    """
    if local not in automaton.abstracted:
        automaton.abstracted[local] = _watched(automaton, automaton.history(local), local)
    return automaton.abstracted[local]


def watch_step(automaton: Automaton, local: LocalState, result: int | None) -> None:
    """Watch what an incarnation does after a result of the step that is next in a local state, as `abstracted` does.

    Where it comes to is often known already, and by another way.
    """
    step = local, result
    if step not in automaton.watched:
        automaton.watched.add(step)
        found, after = abstracted(automaton, local), automaton.arrows[step]
        if automaton.origin[after] == step and after not in automaton.abstracted:
            abstracted(automaton, after)
        elif found is None or found[1] or automaton.states[local].kind == "store":
            _watched(automaton, [*automaton.history(local), step], after)


def _watched(
    automaton: Automaton, steps: list[tuple[LocalState, int | None]], local: LocalState
) -> tuple[Any, ...] | None:
    """Run an incarnation once more that comes to a local state by these steps; see `abstracted`."""
    state, contents = automaton.states[local], automaton.contents
    watch, versions = Watch(contents.reliances), None
    life, world, found = automaton.start_life(state.program, watch)
    for _, result in steps:
        if life:
            found = life.switch(result)
    same = automaton.state_of(state.program, found) == state
    if life and local not in automaton.unseen:
        with contextlib.suppress(Hidden):
            key, versions = automaton.key_of(life, world)
            same = same and key == automaton.keys[local][1]
    dispose(life, world)
    if not same or (versions is None) != (local in automaton.unseen or state.kind not in GOING):
        watch.used.update(watch.seen)  # it acts differently when it is watched
        versions = None
    contents.reliances.broken.update(("grows", *place) for place in watch.used)
    contents.reliances.check()
    if state.kind not in GOING:
        return local, ()
    if versions is None:
        return None
    asked: tuple[Any, ...] = contents.operations[state.operation] if state.operation >= 0 else ()
    if watch.expected is not None and asked:
        versions, asked = [*versions, (len(key), watch.expected)], (*asked[:-1], encode(decode(asked[-1])[1:]))
    without = dict(enumerate(key)) | {at: one.without_number() for at, one in versions}
    held = [(one.place, one.base) for _, one in versions]
    return (replace(state, operation=-1), asked, *without.values()), held


class Watch:
    """Watches one incarnation: gives it versions of cells as `Version`, and notes what it does with them.

    `seen` are the cells whose versions it saw, `used` those whose versions it did more with than compare them and
    hand them back, and `expected` is the `Version` that its next step hands back, if it does.
    """

    def __init__(self, reliances: Reliances) -> None:
        self.reliances, self.seen, self.used = reliances, set(), set()
        self.expected: Version | None = None

    def asked(self, store: str, part: str, verb: str, arguments: tuple) -> tuple:
        """Note what is asked of a store. Returns the arguments with plain numbers."""
        self.expected = None
        if verb in ("transact", "prepare"):
            self.used |= {(store, one) for one, within, *_ in arguments[-1] if within not in ("write", "append")}
        if verb in ("fence", "expect", "rename"):
            self.used.add((store, part))
        if verb == "cas":
            expected = arguments[0]
            if type(expected) is Version and expected.place == (store, part):
                self.expected = expected
                return expected.value, *map(self._plain, arguments[1:])
            if type(expected) is not list and expected != 0:
                self.used.add((store, part))
        return tuple(map(self._plain, arguments))

    def answered(self, store: str, part: str, verb: str, answer: Any) -> Any:
        """Return what a store answers, with a `Version` where it has one."""
        if verb != "read" or ("grows", store, part) in self.reliances.broken:
            return answer
        version, value = answer
        self.seen.add((store, part))
        return [Version(self.used, (store, part), version, version), value]

    def _plain(self, value: Any) -> Any:
        if type(value) is Version:
            self.used.add(value.place)
            return value.value
        if type(value) is dict:
            return {name: self._plain(one) for name, one in value.items()}
        return type(value)(map(self._plain, value)) if type(value) in (list, tuple) else value


class Version:
    """A version of a cell, or a number near one, in place of the number: it notes what is done with it.

    `base` is the version that was read, `value` the number.
    """

    __slots__ = ("base", "place", "used", "value")
    __class__ = property(lambda self: int)  # to those who ask by isinstance

    def __init__(self, used: set[Place], place: Place, base: int, value: int) -> None:
        self.used, self.place, self.base, self.value = used, place, base, value

    def without_number(self) -> tuple[Place, int, bool]:
        """Return what code that does no more than compare versions can tell of this one."""
        return self.place, self.value - self.base, self.base == 0

    def _noted(self, name: str, *others: Any) -> Any:
        """Do what a number does, and note it, unless the library asks, to say it."""
        if sys._getframe(2).f_globals.get("__name__") != SAYS:
            self.used.add(self.place)
        return getattr(int, name)(self.value, *(one.value if type(one) is Version else one for one in others))

    def __getattr__(self, name: str) -> Any:
        self.used.add(self.place)
        return getattr(self.value, name)

    def __bool__(self) -> bool:
        return self.value != 0 if self.value >= self.base else self._noted("__bool__")

    def __add__(self, other: Any) -> Any:
        if type(other) is int and abs(self.value + other - self.base) <= NEAR:
            return Version(self.used, self.place, self.base, self.value + other)
        return self._noted("__add__", other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other if type(other) is int else self._noted("__sub__", other)

    def __copy__(self, known: Any = None) -> Version:
        return self

    __deepcopy__ = __copy__


def _comparing(name: str) -> Callable[[Version, Any], Any]:
    def compares(self: Version, other: Any) -> Any:
        if type(other) is Version and other.place == self.place:
            return getattr(int, name)(self.value, other.value)
        if type(other) is int and other == 0 and self.value >= self.base:
            return getattr(int, name)(self.value, 0)
        if isinstance(other, (str, bytes, tuple, list, dict, type(None))):
            return NotImplemented
        return self._noted(name, other)

    return compares


def _noting(name: str) -> Callable[..., Any]:
    return lambda self, *others: self._noted(name, *others)


for _name in set(dir(int)) - vars(Version).keys() - OF_OBJECTS:
    if callable(getattr(int, _name)):
        setattr(Version, _name, _noting(_name))
for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(Version, _name, _comparing(_name))

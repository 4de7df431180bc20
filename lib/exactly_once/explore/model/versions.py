"""Versions of registers, which only grow: states that differ in nothing else are one state.

To find the versions among the numbers in the variables of an incarnation, and their registers, the incarnation runs
once more with larger versions: a number that grows with the versions of a register is a version of that register. A
counter that grows as fast as a version by chance does not grow then. A handler can only compare a version and hand it
back, so the key of a version is its distance from the version of the register.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...node.access.handles import register_in
from ...simulate.suspended import dispose
from ...stores.codec import decode, encode
from .store_contents import REFUSED, UNKNOWN

if TYPE_CHECKING:
    from .automaton import Automaton
    from .states import GlobalState, LocalState

VERSION_SHIFT = 1_000_003  # by how much the versions of a register are larger when an incarnation runs once more,
BASE = 3  # times a power of this, another one for each register, so that no sum of two is the shift of a third
FARTHEST = 4  # how far behind is told from farther behind


class VersionAbstraction:
    """Finds one state for all that differ in nothing but versions."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton, self.contents = automaton, automaton.contents
        self._first, self._store_states = {}, {}

    def of(self, state: GlobalState) -> GlobalState:
        """Return the first global state that was like this one."""
        store_state, budget, last, locals_ = state
        seen, versions = self._store_state(store_state)
        key = (seen, budget, tuple(self._life(local, versions) for local in locals_))
        store_state, budget, locals_ = self._first.setdefault(key, (store_state, budget, locals_))
        return store_state, budget, last, locals_

    def _store_state(self, store_state):
        """Return (what the stores hold, but for versions; the version of each register)."""
        found = self._store_states.get(store_state)
        if found is None:
            seen, versions = [], {}
            for part, content in self.contents.look(store_state).items():
                if register_in(part[1]) and part[2] == "cell":
                    versions[part], content = content
                seen.append((part, content))
            found = self._store_states[store_state] = tuple(seen), versions
        return found

    def _life(self, local, versions):
        """Return the key of a local state, with each version replaced by its distances from other versions."""
        found = abstracted(self.automaton, local)
        if found is None or not found[1]:
            return local
        apart, before = [], {}
        for part, version in found[1]:
            others = versions.get(part, 0), before.get(part, version)
            apart += [max(-FARTHEST, min(FARTHEST, other - version)) for other in others]
            before[part] = version
        return found[0], tuple(apart)


def abstracted(automaton: Automaton, local: LocalState) -> tuple | None:
    """Return (the key of a local state without its versions, the versions).

    Each version is a pair (register, version). The result is None when a part of the state cannot be seen, or when
    the incarnation acts differently for the larger versions.
    """
    if local not in automaton.abstracted:
        automaton.abstracted[local] = _abstract(automaton, local)
    return automaton.abstracted[local]


def _abstract(automaton, local):
    state = automaton.states[local]
    life, world, found = automaton.start_life(state.program)
    shifts = {}
    for before, result in automaton.history(local):
        if not life:
            return None
        found = life.switch(_larger(automaton, automaton.states[before], result, shifts))
    larger = automaton.visible(found, life, world) if life else None
    dispose(life, world)
    seen, versions = automaton.visible(state, local=local), []
    if seen is None or larger is None:
        return None
    without = _without_versions(seen, larger, {shift: part for part, shift in shifts.items()}, versions)
    return (state.program, without), versions


def _without_versions(value, larger, shifts, versions):
    """Return a value with each number left out that is larger in the other one; note those numbers."""
    if isinstance(value, (tuple, list)) and isinstance(larger, (tuple, list)) and len(value) == len(larger):
        return tuple(_without_versions(*pair, shifts, versions) for pair in zip(value, larger, strict=True))
    if type(value) is int and type(larger) is int and larger - value in shifts:
        versions.append((shifts[larger - value], value))
        return "a version", versions[-1][0]
    if type(value) in (bool, int, float, dict, list):
        value, larger = encode([value]), encode([larger])
    return value if value == larger else ("differs", value, larger)


def _larger(automaton, state, result, shifts):
    """Return the result of a step with a larger version, if it is one of a register that was written to."""
    contents = automaton.contents
    if state.kind != "store" or result in (UNKNOWN, REFUSED):
        return result
    store, part, verb, _ = contents.operations[state.operation]
    kind, text = contents.results[result]
    if verb != "read" or kind != "value" or not register_in(part):
        return result
    version, value = decode(text)
    shift = shifts.setdefault((store, part, "cell"), VERSION_SHIFT * BASE ** len(shifts))
    return contents.results.of(("value", encode([version + shift * bool(version), value])))

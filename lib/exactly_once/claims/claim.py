"""What a claim is, and three ways to check it: every state, every step, and every way."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..simulate.decision import NETWORK, Decision
from .found import Finding
from .mutants import Mutant
from .schedules import Schedules


@dataclass(frozen=True)
class Claim:
    """One claim: its `check`, in words `how` it is checked, and the mutants, of which each fails this check alone.

    Where there can be no such mutant, since the claim `follows` from others, `because` says why; its mutant is then
    found by the checks of these, too. `faults` tells whether it is checked with faults, of one kind at a time, or
    else within which `bounds`.
    """

    name: str
    mutants: tuple[Mutant, ...]
    check: Callable[[Schedules], Finding]
    how: str
    faults: bool = True
    bounds: str = "no fault"
    follows: tuple[str, ...] = ()
    because: str = ""

    @property
    def means(self) -> str:
        """What the claim says."""
        return self._paragraphs()[0]

    @property
    def remarks(self) -> str:
        """What else is to be said about it."""
        return " ".join(self._paragraphs()[1:])

    def found(self, schedules: Schedules) -> Finding:
        """Check the claim of all schedules of a handler."""
        found = self.check(schedules)
        without, *struck = (str(schedules.bounds(faults)).split(", ", 2) for faults in schedules.faults)
        within = ", or ".join(["no fault", *(" and ".join(words[2].split(", ")) for words in struck)])
        found.bounds = f"{without[0]}, {without[1]}; {within if self.faults else self.bounds}"
        found.states = found.states or (schedules.states if self.faults else len(schedules.graph))
        return found

    def _paragraphs(self):
        return [" ".join(one.split()) for one in inspect.getdoc(self.check).split("\n\n")]


CLAIMS: dict[str, Claim] = {}


def claim(name: str, *broken_by: Mutant, **more: Any) -> Callable[[Callable], Callable]:
    """Return a decorator that enters a property into the table of claims; `more` are the fields of `Claim`."""

    def enter(check):
        CLAIMS[name] = Claim(name, broken_by, check, **more)
        return check

    return enter


def broken(
    schedules: Schedules, schedule: list[Decision], says: str, kind: str = "invariant", loop: int = 0
) -> Finding:
    """Return the result for a schedule that breaks a property."""
    return Finding(False, says, schedules.counterexample(schedule, says, kind, loop))


def never_a_state(schedules: Schedules, wrong: Callable, right: str, kind: str = "invariant") -> Finding:
    """Check that `wrong(state)`, a sentence or "", is "" in every state of all schedules."""
    for faults in schedules.faults:
        if any(map(wrong, schedules.within(faults).states)):
            schedule, state = schedules.simplest(faults, wrong)
            return broken(schedules, schedule, wrong(state), kind)
    return Finding(True, right)


def never_a_step(schedules: Schedules, wrong: Callable, right: str) -> Finding:
    """Check that `wrong(store state, local state, actor, transition)`, a sentence or "", is "" for every step."""

    def watch(said, core, actor, transition):
        said = wrong(core[0], None if actor == NETWORK else core[2][actor], actor, transition)
        found.append(said)
        return None if said else ""

    for faults in schedules.faults:
        if any(wrong(*step) for step in schedules.steps(faults)):
            found: list[str] = []  # what was said, "" or None for most steps
            schedule, _ = schedules.simplest(faults, watch=watch)
            return broken(schedules, schedule, next(filter(None, found)))
    return Finding(True, right)


def never_a_way(schedules: Schedules, watch: Callable, wrong: str, right: str) -> Finding:
    """Check that on no way without faults `watch(memory of each node, state, actor, transition)` returns None."""
    memory = (frozenset(),) * schedules.nodes
    if not schedules.watched(watch, memory):
        return Finding(True, right)
    return broken(schedules, schedules.simplest(watch=watch, memory=memory)[0], wrong)

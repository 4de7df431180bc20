"""The table of claims: what each check finds of the handler, of a second one, and of the mutants."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import BadInput, one_of, whole
from ..explore.bounds import KINDS
from ..lockfree.general import general
from ..node.node import Handler
from ..node.program import program_of
from ..pipeline import Job
from ..verdict import ideal_outcomes
from . import properties  # noqa: F401 - it enters the claims into their table
from .claim import CLAIMS, Finding
from .mutants import beside_a_database, totals
from .schedules import Schedules, explored, ideal_of

USUAL, SECOND = "the handler", "the second handler"
WORDS = {
    USUAL: "`general` with the function `totals`: it adds up the readings of one stream and sends each total; one "
    "output, no database",
    SECOND: "the same with two outputs: the hour goes to the second one, and a node of the database counts what "
    "comes there",
}
SECOND_ITEMS = 1
SLOW = ("pauses", "late_requests")  # kinds of fault that only the usual handler is asked with


def faults_of(nodes: int, but: Sequence[str] = ()) -> tuple[tuple[str, ...], ...]:
    """Return the faults that the checks look at: each kind once, and as many crashes as there are nodes."""
    return tuple((kind,) * (nodes if kind == "crashes" else 1) for kind in KINDS if kind not in but)


MUTANTS = {mutant.name: mutant for claim in CLAIMS.values() for mutant in claim.mutants}


class Claims(dict[str, Mapping[str, Finding]]):
    """The findings of each claim: {claim: {handler that was asked: `Finding`}}; the mutants have their names.

    `words` say which handler was asked, and which second one, and `seconds` how long it took.
    """

    def __init__(self, found: Mapping[str, Mapping[str, Finding]], words: Mapping[str, str], seconds: float) -> None:
        super().__init__({name: {asked: found[asked][name] for asked in found} for name in CLAIMS})
        self.words, self.seconds = words, seconds

    def __missing__(self, name: str) -> Mapping[str, Finding]:
        return self[one_of("The claim", name, self)]

    @property
    def ok(self) -> bool:
        """True when every claim holds."""
        return all(row[asked].holds for row in self.values() for asked in self.words)

    @property
    def mutants(self) -> list[str]:
        """The names of the mutants that were asked, in the order of their claims."""
        return [name for name in MUTANTS if any(name in row for row in self.values())]

    def found_by(self, mutant: str) -> list[str]:
        """Return the claims that a mutant breaks."""
        return [name for name, row in self.items() if not row[mutant].holds]


def claims(
    nodes: int = 2,
    items: int = 2,
    *,
    handler: Handler | None = None,
    mutants: bool = True,
    faults: Sequence[tuple[str, ...]] | None = None,
) -> Claims:
    """Check every claim of the lock-free handler on so many nodes and hours of input. Returns `Claims`.

    `handler` is one that `general` returned; without it the usual one is asked, which adds up the readings and sends
    each total, and over one hour a second one, which has two outputs and the database beside it. With `mutants` every
    check is asked of every mutant, too, which are mutants of the usual one. `faults` are the faults of the
    schedules: those of each tuple in turn, by the names that `prove` has for them, may all strike, each as often as
    it is named; by default each kind once, and as many crashes as there are nodes, and without pauses and late
    requests for the mutants and the second handler. A line is printed for each handler.

    Raises `BadInput` for bounds that make no sense, and for a handler that `general` did not make;
    `IdealFailed` for one that fails when nothing goes wrong, `CourseError` where there are too many states.
    """
    whole("the number of nodes", nodes, least=1)
    whole("the number of items", items, least=1)
    _check_faults(faults)
    given = general(totals) if handler is None else handler
    if not callable(given) or program_of(given, Job(items=items)).machine is None:
        raise BadInput(f"The handler is {given!r}; give one that general(function) returns.")
    ideal_outcomes(given, Job(items=items))  # of one that fails by itself nothing is to be found
    begun, words, found = time.perf_counter(), WORDS, {}
    asked = {USUAL: (given, given, items, faults_of(nodes))}
    if handler is None:
        second = beside_a_database(nodes)
        asked[SECOND] = (
            second,
            second,
            min(items, SECOND_ITEMS),
            faults_of(nodes + 1, but=SLOW),
        )  # one is the database's
    else:
        words = {USUAL: f"{given.__name__!r}, your own"}
    for name, mutant in MUTANTS.items() if mutants and handler is None else ():
        right, hours = general(mutant.function), min(items, mutant.most_items)
        asked[name] = mutant.handler, right, hours, faults_of(nodes, but=SLOW)
    for number, (name, (one, right, hours, struck)) in enumerate(asked.items(), 1):
        print(f"{number} of {len(asked)}, {name}: ", end="", flush=True)
        found[name] = findings(one, right, nodes, hours, struck if faults is None else faults)
        hold = sum(finding.holds for finding in found[name].values())
        print(f"{hold} of {len(found[name])} checks hold", flush=True)
    return Claims(found, words, time.perf_counter() - begun)


def _check_faults(faults):
    """Raise `BadInput` for faults that are no list of tuples of names."""
    if faults is not None and not (
        isinstance(faults, (tuple, list)) and all(isinstance(names, (tuple, list)) for names in faults)
    ):
        raise BadInput(f"The faults are {faults!r}; give a list of tuples, such as [('crashes',), ('pauses',)].")
    for name in (name for names in faults or () for name in names):
        one_of("the kind of fault", name, KINDS)


def findings(
    handler: Handler | Sequence[Any],
    right: Handler | Sequence[Any],
    nodes: int,
    items: int,
    faults: Sequence[tuple[str, ...]],
    only: Sequence[str] = tuple(CLAIMS),
) -> dict[str, Finding]:
    """Return the findings of the checks for one handler, by name of the claim; `only` names the claims.

    `handler` may be a list with one for each node: the twins, which share a machine, and others beside them. `right`
    is the handler that shows, alone and without faults, what the stores may hold.
    """
    handlers, others = (one if isinstance(one, (list, tuple)) else [one] for one in (handler, right))
    ideal = ideal_of(others, items)

    def ask(schedules: Schedules) -> dict[str, Finding]:
        schedules.ideal = ideal
        return {name: _finding(CLAIMS[name], schedules) for name in only}

    return explored(ask, handlers, len(handlers) if len(handlers) > 1 else nodes, items, faults)


def _finding(claim, schedules):
    found = claim.check(schedules)
    without, *struck = (str(schedules.bounds(faults)).split(", ", 2) for faults in schedules.faults)
    within = ", or ".join(["no fault", *(" and ".join(words[2].split(", ")) for words in struck)])
    found.bounds = f"{without[0]}, {without[1]}; {within if claim.faults else claim.bounds}"
    found.states = found.states or (schedules.states if claim.faults else len(schedules.graph))
    return found

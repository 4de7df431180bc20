"""The table of claims: what each check finds of the handler, of a second one, and of the mutants."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import one_of, whole
from ..explore.bounds import KINDS
from ..lockfree.general import general
from ..node.node import Handler
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

    `seconds` is how long it took.
    """

    def __init__(self, found: Mapping[str, Mapping[str, Finding]], seconds: float) -> None:
        super().__init__({name: {asked: found[asked][name] for asked in found} for name in CLAIMS})
        self.seconds = seconds

    def __missing__(self, name: str) -> Mapping[str, Finding]:
        return self[one_of("The claim", name, self)]

    @property
    def ok(self) -> bool:
        """True when every claim holds."""
        return all(row[asked].holds for row in self.values() for asked in WORDS)

    def found_by(self, mutant: str) -> list[str]:
        """Return the claims that a mutant breaks."""
        return [name for name, row in self.items() if not row[mutant].holds]


def claims(nodes: int = 2, items: int = 2) -> Claims:
    """Check every claim of the lock-free handler on so many nodes and hours of input. Returns `Claims`.

    The usual handler is asked, which adds up the readings and sends each total; over one hour a second one, which has
    two outputs and the database beside it; and every mutant. Each kind of fault strikes once, and as many crashes as
    there are nodes; pauses and late requests strike the usual handler alone. A line is printed for each handler.

    Raises `BadInput` for bounds that make no sense, and `CourseError` where there are too many states.
    """
    whole("the number of nodes", nodes, least=1)
    whole("the number of items", items, least=1)
    begun, found = time.perf_counter(), {}
    usual, second = general(totals), beside_a_database(nodes)
    asked: dict[str, tuple[Any, Any, int, tuple[tuple[str, ...], ...]]] = {
        USUAL: (usual, usual, items, faults_of(nodes)),
        SECOND: (second, second, min(items, SECOND_ITEMS), faults_of(nodes + 1, but=SLOW)),  # one is the database's
    }
    for name, mutant in MUTANTS.items():
        hours = min(items, mutant.most_items)
        asked[name] = mutant.handler, general(mutant.function), hours, faults_of(nodes, but=SLOW)
    for number, (name, (one, right, hours, faults)) in enumerate(asked.items(), 1):
        print(f"{number} of {len(asked)}, {name}: ", end="", flush=True)
        found[name] = findings(one, right, nodes, hours, faults)
        hold = sum(finding.holds for finding in found[name].values())
        print(f"{hold} of {len(found[name])} checks hold", flush=True)
    return Claims(found, time.perf_counter() - begun)


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

"""The table of claims: what each check finds of the handler, of a second one, and of the mutants."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ..explore.bounds import KINDS
from ..lockfree.general import general
from ..node.node import Handler
from . import properties  # noqa: F401 - it enters the claims into their table
from .claim import CLAIMS
from .found import SECOND, USUAL, Claims, Finding
from .mutants import ITEMS, beside_a_database, totals
from .schedules import Schedules, explored, ideal_of

NODES = 2
SLOW = ("pauses", "late_requests")  # kinds of fault that only the usual handler is asked with
MUTANTS = {mutant.name: mutant for claim in CLAIMS.values() for mutant in claim.mutants}


def faults_of(nodes: int, but: Sequence[str] = ()) -> tuple[tuple[str, ...], ...]:
    """Return the faults that the checks look at: each kind once, and as many crashes as there are nodes."""
    return tuple((kind,) * (nodes if kind == "crashes" else 1) for kind in KINDS if kind not in but)


def claims() -> Claims:
    """Check every claim of the lock-free handler on two nodes and two hours of input. Returns `Claims`.

    The usual handler is asked, which adds up the readings and sends each total; over one hour a second one, which has
    two outputs and the database beside it; and every mutant. Each kind of fault strikes once, and as many crashes as
    there are nodes; pauses and late requests strike the usual handler alone. A line is printed for each handler.

    Raises `CourseError` where there are too many states.
    """
    begun, found, few = time.perf_counter(), {}, faults_of(NODES, but=SLOW)
    usual, second = general(totals), beside_a_database(NODES)
    asked: dict[str, tuple[Any, Any, int, tuple[tuple[str, ...], ...]]] = {
        USUAL: (usual, usual, ITEMS, faults_of(NODES)),
        SECOND: (second, second, 1, faults_of(NODES + 1, but=SLOW)),  # one is the database's
        **{one.name: (one.handler, general(one.function), one.items, few) for one in MUTANTS.values()},
    }
    for number, (name, (handler, right, items, faults)) in enumerate(asked.items(), 1):
        print(f"{number} of {len(asked)}, {name}: ", end="", flush=True)
        found[name] = findings(handler, right, NODES, items, faults)
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
        return {name: CLAIMS[name].found(schedules) for name in only}

    return explored(ask, handlers, len(handlers) if len(handlers) > 1 else nodes, items, faults)

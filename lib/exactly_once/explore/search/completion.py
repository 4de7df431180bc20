"""Going on from a schedule to the end of the run, with no more faults, so that the whole damage is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import CourseError
from ...simulate.decision import Decision
from ..model.transitions import GOING
from .lasso import Path

if TYPE_CHECKING:
    from ..model.states import StoreState
    from ..model.transitions import Transitions

LONGEST = 5_000


def to_the_end(transitions: Transitions, schedule: list[Decision]) -> tuple[list[Decision], StoreState] | None:
    """Return (schedule to the end, store state), or None when the nodes do not finish that way.

    The last actor goes first, as long as it need not wait; then each node in turn. Sleepers stay asleep.
    """
    path, schedule, nodes = Path(transitions), list(schedule), transitions.automaton.nodes
    for decision in schedule:
        if not path.take(decision):
            raise CourseError(f"{decision} is no way to go on there.")
    actor = schedule[-1].actor if schedule else 0
    for _ in range(LONGEST):
        store_state, locals_ = path.moments[-1]
        enabled = {node: transitions.fault_free(store_state, locals_[node], node) for node in range(nodes)}
        going = {node: found[0] for node, found in enabled.items() if found}
        if not going:
            ended = all(transitions.automaton.states[local].kind not in GOING for local in locals_[:nodes])
            return (schedule, store_state) if ended else None
        actor = actor if actor in going else next(iter(going))
        schedule.append(Decision(actor, going[actor].kind, going[actor].option))
        path.take(schedule[-1])
    return None

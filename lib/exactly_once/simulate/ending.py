"""Going on from a schedule to the end of the run, with no more misfortune, so that the whole damage is seen."""

from ..errors import CourseError
from .bounds import OPTION, STEP, Decision

LONGEST = 5_000


def to_the_end(ways, nodes, schedule):
    """Return (schedule to the end, world), or None when the nodes do not come to an end that way.

    Whoever went last goes on first; then each node in turn. Sleepers stay asleep.
    """
    automaton = ways.automaton
    held, world = [automaton.starts[node % len(automaton.starts)] for node in range(nodes)], 0
    actor, schedule = 0, list(schedule)
    for decision in schedule:
        actor = decision.actor
        world = _take(ways, held, world, decision, nodes)
    for _ in range(LONGEST):
        going = [
            node for node in range(nodes) if automaton.states[held[node]].kind not in ("ended", "raised", "endless")
        ]
        if not going:
            return schedule, world
        actor = actor if actor in going else going[0]
        kind = OPTION if automaton.states[held[actor]].kind == "choose" else STEP
        schedule.append(Decision(actor, kind))
        world = _take(ways, held, world, schedule[-1], nodes)
    return None


def _take(ways, held, world, decision, nodes):
    """Carry out one decision on the actors' local states; return the world after it."""
    for way in ways.of(world, held[decision.actor], decision.actor >= nodes):
        if (way.kind, way.option) == decision[1:]:
            held[decision.actor] = way.local
            if way.sleeper >= 0:
                held.append(way.sleeper)
            return way.world
    raise CourseError(f"{decision} is no way to go on there.")

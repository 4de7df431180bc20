"""What is seen in the stores: at the end, at every moment, and after all nodes have died at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...node.words import describe
from ...simulate.decision import Decision
from ...stores.codec import decode
from ..schedules import Moment, Schedules
from .checked import Checked


@dataclass(frozen=True)
class Ideal:
    """What runs of one node without faults show: each queue and the machine at some moment, and all at the end."""

    queues: tuple[frozenset, ...]
    machines: frozenset
    ends: frozenset

    @classmethod
    def of(cls, handler: Any, items: int) -> Ideal:
        """Return what a handler shows that runs alone."""
        alone = Schedules(handler, nodes=1, items=items)
        try:
            moments = {alone.moment(core[0]) for core in alone.graph.edges}
            ends = frozenset(alone.moment(store_state) for store_state in alone.within().found.outcomes)
        finally:
            alone.close()
        queues = zip(*(one.queues for one in moments), strict=True)
        return cls(tuple(map(frozenset, queues)), frozenset(one.machine for one in moments), ends)

    def complaint(self, moment: Moment) -> str:
        """Return in words what is wrong at the end; an empty text for a right end."""
        if moment in self.ends:
            return ""
        right = next(iter(self.ends))
        if moment.queues == right.queues:
            return f"the machine ends with {_machine(moment)}, where a right run leaves {_machine(right)}"
        return f"the output is {_queues(moment)} in the end, where a right run leaves {_queues(right)}"

    def surprise(self, moment: Moment) -> str:
        """Return in words what an observer of one store sees that no right run shows; or an empty text."""
        if any(queue not in seen for queue, seen in zip(moment.queues, self.queues, strict=True)):
            return f"the output shows {_queues(moment)}, which no right run shows"
        if moment.machine not in self.machines:
            return f"the machine shows {_machine(moment)}, which no right run shows"
        return ""


def _machine(moment):
    return f"the state {moment.machine[0]} and the positions {moment.machine[1]}"


def _queues(moment):
    return " and ".join(describe([decode(text) for text in queue]) for queue in moment.queues)


def exactly_once(schedules: Schedules, ideal: Ideal) -> Checked:
    """At the end of every run, output, state and positions together are those of a run of one node without faults."""

    def complaint(state):
        return schedules.ended(state[3]) and ideal.complaint(schedules.moment(state[0]))

    for faults, search in schedules.searches():
        if any(ideal.complaint(schedules.moment(one)) for one in search.found.outcomes):
            return _found(schedules, faults, complaint)
    return Checked(True, "Every run ends as one of a single node without faults.")


def atomic(schedules: Schedules, ideal: Ideal) -> Checked:
    """At every moment each queue, by itself, and the machine, by itself, are as at some moment of such a run."""

    def complaint(state):
        return ideal.surprise(schedules.moment(state[0]))

    for faults, search in schedules.searches():
        if any(ideal.surprise(schedules.moment(one)) for one in {state[0] for state in search.states}):
            return _found(schedules, faults, complaint)
    return Checked(True, "Whoever reads one store alone, at any moment, sees the beginning of such a run.")


def _found(schedules, faults, complaint):
    """Return what was found: the simplest schedule to a state that there is a complaint about."""
    found = schedules.simplest(complaint, faults)
    said = complaint(found.state)
    return Checked(
        False,
        f"{said[0].upper()}{said[1:]}.",
        lambda: schedules.counterexample(found.violation.schedule, f"After this schedule {said}."),
    )


def hard_stop(schedules: Schedules, ideal: Ideal) -> Checked:
    """All nodes die at once, at any moment: whatever their next lives do then ends, and ends right."""
    edges, roots = schedules.after_a_hard_stop()
    ends = {core for core in edges if schedules.ended(core[2])}
    wrong = {core for core in ends if ideal.complaint(schedules.moment(core[0]))}
    bad = wrong | (edges.keys() - _leading_to(ends, edges))
    stops = {"stops": len(roots)}
    if not bad:
        said = f"After each of {len(roots):,} different hard stops the next lives finish, and all is right."
        return Checked(True, said, None, stops, len(edges))

    def example():
        before, tail, last = _shortest(edges, roots, bad)
        said = ideal.complaint(schedules.moment(last[0])) if last in wrong else "the next lives never finish"
        return schedules.counterexample([*schedules.hard_stop(before), *tail], f"After this schedule {said}.")

    return Checked(
        False, "All nodes die at once, and what their next lives leave is wrong.", example, stops, len(edges)
    )


def _leading_to(ends, edges):
    """Return the states from which steps can lead to one of some ends."""
    before: dict = {}
    for core, steps in edges.items():
        for _, _, after in steps:
            before.setdefault(after, []).append(core)
    found, waiting = set(ends), list(ends)
    while waiting:
        for core in before.get(waiting.pop(), ()):
            if core not in found:
                found.add(core)
                waiting.append(core)
    return found


def _shortest(edges, roots, bad):
    """Return (the state before the hard stop, the decisions after it, the state that they lead to): the fewest."""
    parents: dict = dict.fromkeys(roots)
    waiting = list(roots)
    for core in waiting:
        if core in bad:
            last, tail = core, []
            while parents[core] is not None:
                core, decision = parents[core]
                tail.append(decision)
            return roots[core], tail[::-1], last
        for actor, transition, after in edges[core]:
            if after not in parents:
                parents[after] = core, Decision(actor, transition.kind, transition.option)
                waiting.append(after)
    raise AssertionError("every bad state was reached from a hard stop")

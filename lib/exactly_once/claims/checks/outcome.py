"""Check the contents of the stores: at the end, at every moment, and after all nodes have died at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...simulate.decision import Decision
from ...stores.codec import decode, describe
from ..schedules import Moment, Schedules
from .checked import Checked


@dataclass(frozen=True)
class Ideal:
    """The contents in runs of one node without faults. `ends` are the contents at the end of a run.

    `later` has, for each store, {its content at some moment: its possible contents then or at any later moment}.
    """

    ends: frozenset[Moment]
    later: tuple[dict, ...]

    @classmethod
    def of(cls, handler: Any, items: int) -> Ideal:
        """Return the `Ideal` of a handler that runs alone; for a list, of one twin beside all other handlers."""
        alone = Schedules(_alone(handler), nodes=1, items=items)
        try:
            ends = frozenset(alone.moment(store_state) for store_state in alone.within().found.outcomes)
            steps = {
                (alone.moment(core[0]), alone.moment(after[0]))
                for core, further in alone.graph.edges.items()
                for _, _, after in [*further, (None, None, core)]
            }
        finally:
            alone.close()
        stores = range(len(Moment._fields))
        return cls(ends, tuple(_later({(one[store], other[store]) for one, other in steps}) for store in stores))

    def complaint(self, moment: Moment) -> str:
        """Return the error at the end in words; an empty text for a right end."""
        if moment in self.ends:
            return ""
        right = next(iter(self.ends))
        where = next((at for at, one in enumerate(moment) if one != right[at]), 0)
        found, wanted = _shown(where, moment), _shown(where, right)
        ends = f"is {found} in the end" if where == 0 else f"ends with {found}"
        return f"{STORES[where]} {ends}, where a right run leaves {wanted}"

    def surprise(self, before: Moment, after: Moment) -> str:
        """Return in words the change of one store in a step that no right run shows; or an empty text."""
        for store, later in enumerate(self.later):
            if after[store] not in later:
                return f"{STORES[store]} shows {_shown(store, after)}, which no right run shows"
            if after[store] not in later.get(before[store], later):
                return (
                    f"{STORES[store]} shows {_shown(store, after)} where it has shown {_shown(store, before)}: what "
                    "an observer has seen is taken back"
                )
        return ""


STORES = ("the output", "the machine", "the database")


def _alone(handler):
    """Return a handler, or of a list for several nodes one twin and all that are no twins."""
    if not isinstance(handler, (list, tuple)):
        return handler
    return [one for number, one in enumerate(handler) if one not in handler[:number]]


def _later(steps):
    """Return {a content: it and all to which steps lead from it}, given (content, the next one) of all steps."""
    found = {one: {one} for step in steps for one in step}
    growing = True
    while growing:
        growing = False
        for one, other in steps:
            if not found[other] <= found[one]:
                found[one] |= found[other]
                growing = True
    return found


def _shown(store, moment):
    """Return the contents of one store in words."""
    if store == 0:
        return " and ".join(describe([decode(text) for text in queue]) for queue in moment.queues)
    if store == 1:
        return f"the state {moment.machine[0]} and the positions {moment.machine[1]}"
    return ", ".join(f"{part} {text}" for part, text in moment.database) or "nothing"


def exactly_once(schedules: Schedules, ideal: Ideal) -> Checked:
    """At the end of every run, output, state, positions and database together are those of a run of one node."""

    def complaint(state):
        return schedules.ended(state[3]) and ideal.complaint(schedules.moment(state[0]))

    for faults, search in schedules.searches():
        if any(ideal.complaint(schedules.moment(one)) for one in search.found.outcomes):
            found = schedules.simplest(complaint, faults)
            return _found(schedules, found.violation.schedule, complaint(found.state))
    return Checked(True, "Every run ends as one of a single node without faults.")


def atomic(schedules: Schedules, ideal: Ideal) -> Checked:
    """Each store, as a whole, goes only through contents of such a run, and only forward in their order."""

    def surprise(before, after):
        return ideal.surprise(schedules.moment(before), schedules.moment(after))

    for faults, _ in schedules.searches():
        if any(surprise(*change) for change in schedules.changes(faults)):
            schedule, change = schedules.simplest_change(surprise, faults)
            return _found(schedules, schedule, surprise(*change))
    return Checked(True, "Whoever reads one store, again and again, sees such a run grow.")


def _found(schedules, schedule, said):
    """Return the finding: the simplest schedule with a complaint."""
    return Checked(
        False,
        f"{said[0].upper()}{said[1:]}.",
        lambda: schedules.counterexample(schedule, f"After this schedule {said}."),
    )


def hard_stop(schedules: Schedules, ideal: Ideal) -> Checked:
    """All nodes die at once, at any moment: every run of their next incarnations ends, and ends right."""
    edges, roots = schedules.after_a_hard_stop()
    ends = {core for core in edges if schedules.ended(core[2])}
    wrong = {core for core in ends if ideal.complaint(schedules.moment(core[0]))}
    bad = wrong | (edges.keys() - _leading_to(ends, edges))
    stops = {"stops": len(roots)}
    if not bad:
        said = f"After each of {len(roots):,} different hard stops the next incarnations finish, and all is right."
        return Checked(True, said, None, stops, len(edges))

    def example():
        before, tail, last = _shortest(edges, roots, bad)
        said = ideal.complaint(schedules.moment(last[0])) if last in wrong else "the next incarnations never finish"
        return schedules.counterexample([*schedules.hard_stop(before), *tail], f"After this schedule {said}.")

    return Checked(
        False, "All nodes die at once, and what their next incarnations leave is wrong.", example, stops, len(edges)
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

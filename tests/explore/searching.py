"""Searching for tests: all outcomes and the cheapest violation, with merging and without, and by brute force."""

from exactly_once import Job
from exactly_once.explore.bounds import Bounds
from exactly_once.explore.model.automaton import Automaton, NumberAsked
from exactly_once.explore.model.store_contents import Contents
from exactly_once.explore.search.properties import outcome_of
from exactly_once.explore.search.search import Limits, Search
from exactly_once.pipeline.job import programs_of
from exactly_once.simulate.decision import Decision
from exactly_once.simulate.replay import ReplayDiverged, Replayer

BUDGETS = {
    "crashes": "c",
    "lost_replies": "r",
    "lost_requests": "q",
    "duplicates": "d",
    "pauses": "p",
    "late_requests": "l",
}


class Lenient:
    """A specification that finds everything right, but for outcomes that a test names."""

    def __init__(self, contents, wrong=()):
        self.contents, self.wrong = contents, wrong

    def right(self, world):
        return outcome_of(self.contents, world) not in self.wrong

    def explains(self, world):
        return True


def outcomes(handler, merge, items=1, **bounds):
    """Return (the set of outcomes, the states) of all schedules."""
    found, contents = searched(handler, merge, False, (), items, **bounds)
    assert found.exhausted
    return {outcome_of(contents, world) for world in found.outcomes}, found.states


def cheapest(handler, merge, wrong, items=1, **bounds):
    """Return the (faults, preemptions, steps) of the simplest schedule to one of the wrong outcomes."""
    found, _ = searched(handler, merge, True, wrong, items, **bounds)
    return found.cost


def cheapest_schedule(handler, wrong, items=1, **bounds):
    """Return the simplest schedule to a wrong outcome."""
    return searched(handler, True, True, {wrong}, items, **bounds)[0].violation.schedule


def searched(handler, merge, in_order, wrong, items, **bounds):
    job = Job(items=items)
    handlers = handler if isinstance(handler, list) else [handler]
    nodes = bounds["nodes"] = max(bounds.get("nodes", 1), len(handlers))
    symmetric = nodes > 1 and merge and len(handlers) == 1
    programs = programs_of(handlers, job, nodes)
    contents = Contents(*programs)
    try:
        automaton = Automaton(programs, contents, symmetric, merge)
        return _searched(automaton, in_order, merge, wrong, items, bounds), contents
    except NumberAsked:
        automaton = Automaton(programs, contents, False, merge)
        return _searched(automaton, in_order, merge, wrong, items, bounds), contents


def _searched(automaton, in_order, merge, wrong, items, bounds):
    contents = automaton.contents
    try:
        search = Search(
            automaton,
            Lenient(contents, wrong),
            Bounds(**{"crashes": 0, "items": items, **bounds}),
            merge,
            first=in_order,
        )
        limits = Limits(200_000, 60)
        return search.in_order(limits) if in_order else search.in_any_order(limits)
    finally:
        automaton.close()


def by_brute_force(handler, items=1, nodes=1, **faults):
    """Return the set of outcomes of all schedules, each performed from its beginning in a world with real stores.

    Nothing of the explorer's is used: no automaton, no contents, no states that were seen before. `faults` are
    named as in `prove`; with `late_requests` the second copy of a duplicate may be late, too.
    """
    job, found = Job(items=items), set()
    budgets = {kind: faults.pop(name, 0) for name, kind in BUDGETS.items()}
    assert not faults, f"no fault is called {faults}"
    handlers, can_be_late = handler if isinstance(handler, list) else [handler], budgets["l"] > 0
    nodes, waiting = max(nodes, len(handlers)), [((), budgets)]
    while waiting:
        schedule, left = waiting.pop()
        replayer = Replayer(programs_of(handlers, job, nodes))
        try:
            run = replayer.replay(schedule).run
        except ReplayDiverged:  # an option that is not there, or a fault that cannot strike there
            continue
        if all(actor.found != "step" for actor in replayer.actors[:nodes]):
            found.add(run.outcome)
        for number, posted in enumerate(replayer.posted):
            if not posted.arrived:
                anybody = posted.request.verb == "take" and posted.request.arguments == (None,)
                senders = range(1, nodes + 1) if anybody else [0]
                waiting += [((*schedule, Decision(sender, "a", number)), left) for sender in senders]
        for number, actor in enumerate(replayer.actors):
            if actor.found != "step":
                continue
            event = actor.world.event
            anybody = event.verb == "receive" and event.detail["sender"] is None
            options = range(1, nodes + 1) if anybody else [0]
            kinds = [("o", option) for option in range(4)] if event.verb == "choose" else []
            waiting += [
                ((*schedule, Decision(number, *kind)), left)
                for kind in kinds or [("s", option) for option in options]
            ]
            for kind in "cerqdplw" if number < nodes else "rqdlw":
                budget = {"e": "c", "w": "d"}.get(kind, kind)
                if left[budget] and (kind != "w" or can_be_late):
                    less = {**left, budget: left[budget] - 1}
                    given = options if kind in "erdw" else [0]
                    waiting += [((*schedule, Decision(number, kind, option)), less) for option in given]
    return found

"""Searching for tests: all outcomes and the cheapest violation, with merging and without, and by brute force."""

import contextlib
from dataclasses import replace

from exactly_once import Job
from exactly_once.explore import Bounds, Case, Limits, Prover, exploring
from exactly_once.simulate import Decision, ReplayDiverged, Replayer

BUDGETS = {
    "crashes": "c",
    "lost_replies": "r",
    "lost_requests": "q",
    "duplicates": "d",
    "pauses": "p",
    "late_requests": "l",
}
LIMITS = 200_000, 1_000.0  # states, seconds


class Lenient:
    """A specification that finds everything right, but for outcomes that a test names."""

    def __init__(self, contents, wrong=()):
        self.contents, self.wrong = contents, wrong

    def right(self, world):
        return self.contents.outcome(world) not in self.wrong

    def explains(self, world):
        return True


def outcomes(handler, merge, items=1, **bounds):
    """Return (the set of outcomes, the states) of all schedules."""
    found, ends = searched(handler, merge, False, (), items, **bounds)
    assert found.exhausted
    return ends, found.states


def cheapest(handler, merge, wrong, items=1, **bounds):
    """Return faults, preemptions and steps, as one number, of the simplest schedule to one of the wrong outcomes."""
    return searched(handler, merge, True, wrong, items, **bounds)[0].cost


def case_of(handler, items, bounds):
    """Return the case of a handler, or of a list of them, in which everything is right."""
    handlers = handler if isinstance(handler, list) else [handler]
    nodes = max(bounds.get("nodes", 1), len(handlers))
    limits = Bounds(**{"crashes": 0, "items": items, **bounds, "nodes": nodes})
    return Case.within(handlers, Job(items=items), limits, invariant=lambda view: True)


def searched(handler, merge=True, in_order=False, wrong=(), items=1, limits=LIMITS, plain=False, **bounds):
    """Return (what a search found, the set of outcomes), in order up to a wrong outcome, or of all schedules.

    Without `merge` each local state and each node is for itself; with `plain` no property of operations is relied on.
    """
    case = case_of(handler, items, bounds)

    def explore(symmetric, broken):
        prover = Prover(case, Limits(*limits), symmetric=symmetric, merge=merge, broken=broken)
        prover.contents.reliances.plain = plain
        prover.specification = Lenient(prover.contents, wrong)
        with contextlib.closing(prover):
            search = prover.search(first=in_order)
            found = search.in_order(prover.limits) if in_order else search.in_any_order(prover.limits)
            found.cost = search.costs.get(found.state)
            return found, {prover.contents.outcome(world) for world in found.outcomes}

    return exploring(explore, case.symmetric and merge)


def proved_in_any_order(handler, invariant=lambda view: True, merge=True, **bounds):
    """Return a proof whose search takes shortcuts from its start: else most mistakes are found before them."""
    case = replace(case_of(handler, 1, bounds), invariant=invariant)

    def explore(symmetric, broken):
        prover = Prover(case, Limits(*LIMITS), symmetric=symmetric, merge=merge, broken=broken)
        prover.first_look = 1
        return prover.prove(lock_free=False)

    return exploring(explore, case.symmetric and merge)


def by_brute_force(handler, items=1, nodes=1, **faults):
    """Return the set of outcomes of all schedules, each performed from its beginning in a world with real stores.

    Nothing of the explorer's is used: no automaton, no contents, no states that were seen before. `faults` are
    named as in `prove`; with `late_requests` the second copy of a duplicate may be late, too.
    """
    budgets = {kind: faults.pop(name, 0) for name, kind in BUDGETS.items()}
    assert not faults, f"no fault is called {faults}"
    case, can_be_late = case_of(handler, items, {"nodes": nodes}), budgets["l"] > 0
    nodes, waiting, found = case.bounds.nodes, [((), budgets)], set()
    while waiting:
        schedule, left = waiting.pop()
        replayer = Replayer(case.programs)
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
            for kind in "cerqdplwfgh" if number < nodes else "rqdlw":
                spent = {"e": "c", "w": "d", "f": "dc", "g": "lc", "h": "dc"}.get(kind, kind)
                if all(left[budget] for budget in spent) and (kind not in "wh" or can_be_late):
                    less = {budget: count - (budget in spent) for budget, count in left.items()}
                    given = options if kind in "erdwfh" else [0]
                    waiting += [((*schedule, Decision(number, kind, option)), less) for option in given]
    return found

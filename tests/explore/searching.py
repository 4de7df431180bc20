"""Searching for tests: all outcomes and the cheapest violation, with merging and without, and by brute force."""

from exactly_once.node import Job
from exactly_once.simulate.automaton import Automaton, NumberAsked
from exactly_once.simulate.bounds import Bounds, Decision
from exactly_once.simulate.contents import Contents
from exactly_once.simulate.schedule import Diverged, Theatre
from exactly_once.simulate.search import Limits, Search
from exactly_once.simulate.specification import outcome_of


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
    """Return the (misfortunes, preemptions, steps) of the simplest schedule to one of the wrong outcomes."""
    found, _ = searched(handler, merge, True, wrong, items, **bounds)
    return found.cost


def searched(handler, merge, in_order, wrong, items, **bounds):
    job = Job(items=items)
    contents = Contents(job)
    handlers = handler if isinstance(handler, list) else [handler]
    nodes = bounds.get("nodes", 1)
    numbered = nodes == 1 or not merge
    try:
        automaton = Automaton(handlers, job, contents, nodes, numbered, merge)
        return _searched(automaton, in_order, merge, wrong, items, bounds), contents
    except NumberAsked:
        automaton = Automaton(handlers, job, contents, nodes, True, merge)
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


def by_brute_force(handler, items=1, nodes=1, crashes=0, lost_replies=0, lost_requests=0, duplicates=0, pauses=0):
    """Return the set of outcomes of all schedules, each performed from its beginning in a world with real stores.

    Nothing of the explorer's is used: no automaton, no contents, no states that were seen before.
    """
    job, found = Job(items=items), set()
    waiting = [((), {"c": crashes, "r": lost_replies, "q": lost_requests, "d": duplicates, "p": pauses})]
    while waiting:
        schedule, left = waiting.pop()
        theatre = Theatre([handler], job, nodes)
        try:
            run = theatre.perform(schedule).run
        except Diverged:  # an option that is not there, or a misfortune that cannot strike there
            continue
        if all(actor.found != "step" for actor in theatre.actors[:nodes]):
            found.add(run.outcome)
        for number, actor in enumerate(theatre.actors):
            if actor.found != "step":
                continue
            event = actor.world.event
            anybody = event.verb == "receive" and event.detail["sender"] is None
            options = range(1, nodes + 1) if anybody else [0]
            kinds = [("o", option) for option in range(4)] if event.verb == "choose" else []
            waiting += [
                ((*schedule, Decision(number, *kind)), left) for kind in kinds or [("s", option) for option in options]
            ]
            for kind in "cerqdp" if number < nodes else "rqd":
                purse = "c" if kind == "e" else kind
                if left[purse]:
                    less = {**left, purse: left[purse] - 1}
                    given = options if kind in "erd" else [0]
                    waiting += [((*schedule, Decision(number, kind, option)), less) for option in given]
    return found

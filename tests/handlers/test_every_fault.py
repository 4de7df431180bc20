"""Each strategy that is right in the database as well: each fault at each step, a kill at each letter."""

from dataclasses import replace

import pytest

from exactly_once.faults import KILLS, POINTS, SURE, Fault, FaultPlan
from exactly_once.handlers import at_least_once, lock_free, offset_in_sink, structured_streaming, two_phase
from exactly_once.node.program import deployment_of
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.simulate.places import places
from exactly_once.verdict import ideal_outcomes, judge

SMALL = Job(3, 2, 2)  # an hour below or at the threshold, an hour above, and an hour that leaves the window
TWINS = replace(deployment_of(lock_free), twins=2)
NODES = {"two-phase": (two_phase, [1]), "offset in sink": (offset_in_sink, [1, 2]), "lock-free": (lock_free, [1, 2])}
STEPS = {  # (the handler, its nodes, the steps that are struck among others)
    "two-phase": (two_phase, [1], {"engine.fence", "engine.commit", "input.read"}),
    "offset in sink": (offset_in_sink, [1, 2], {"engine.fence", "engine.commit", "input.read"}),
    "lock-free": (lock_free, [1, 2], {"store.read", "store.cas", "input.read", "database.transact"}),
    "lock-free twins": (TWINS, [1, 2, 3], {"store.read", "store.cas", "input.read", "database.transact"}),
    "micro-batches": (structured_streaming, [1], {"store.read", "store.cas", "input.read", "database.transact"}),
}


@pytest.mark.parametrize("kill", KILLS)
@pytest.mark.parametrize("name", NODES)
@pytest.mark.some(day=2)
def test_every_letter_is_right_the_counter_included(name, kill):
    handler, nodes = NODES[name]
    reached = {1: set(), 2: set()}
    for node in nodes:
        for point in POINTS:
            for item in range(1, 7):
                run = simulate(handler, FaultPlan((Fault(point, item, kill=kill, node=node),)))
                verdict = judge(run, at_least_once)
                assert verdict.consistent, verdict.sentence
                assert verdict.reached == (len(run.trace.deaths()) == 1)
                reached[node] |= {point} if verdict.reached else set()
                assert verdict.reached or (point == "B" and item < 3) or node == 2
    assert reached == {1: set(POINTS), 2: {"A", "E"} if 2 in nodes else set()}


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.some(day=1)
def test_every_fault_at_every_step_of_every_hour(name):
    (handler, nodes, steps), struck = STEPS[name], set()
    ideals = ideal_outcomes(at_least_once, SMALL)
    for node in nodes:
        for kind, several in places(handler, SMALL, node).items():
            for place in several:
                if place.at in SURE and not place.kind.startswith("crash") and kind != "pause":
                    continue
                plan = FaultPlan((Fault(place.at, place.item, place.kind, node=node),))
                verdict = judge(simulate(handler, plan, SMALL), at_least_once, ideals)
                assert (verdict.reached, verdict.consistent) == (True, True), (place, verdict.sentence)
                struck.add((node, place.at, place.kind))
    assert len(struck) > 20
    assert {at for _, at, _ in struck} >= steps

"""Each strategy that is right in the database as well stands a kill at each letter."""

import pytest

from exactly_once import judge, simulate
from exactly_once.faults import KILLS, POINTS, Fault, FaultPlan
from exactly_once.handlers import at_least_once, lock_free, offset_in_sink, two_phase

NODES = {"two-phase": (two_phase, [1]), "offset in sink": (offset_in_sink, [1, 2]), "lock-free": (lock_free, [1, 2])}


@pytest.mark.parametrize("kill", KILLS)
@pytest.mark.parametrize("name", NODES)
@pytest.mark.some(day=1, ci=3)
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

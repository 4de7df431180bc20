"""The lock-free machine as a delivery strategy: right at every step, with one node and with twins."""

from dataclasses import replace

import pytest

from exactly_once import Job, deployment_of, judge, prove, simulate
from exactly_once.faults import POINTS, Fault, FaultPlan
from exactly_once.handlers import at_least_once, lock_free

SMALL = Job(3, 2, 2)  # an hour below or at the threshold, an hour above, and an hour that leaves the window


def twins(number):
    return replace(deployment_of(lock_free), twins=number)


def test_the_letters_stand_where_they_should():
    """A before HANDLING's cas, B before the counter's message, C before the last cas, D after it, E in HANDLING."""
    trace = simulate(lock_free, job=Job(1, 2, 1)).trace
    steps = [event for event in trace.of_life(1) if event.kind in ("send", "local")]
    said = [event.detail.get("point") or f"{event.verb} {event.detail.get('part')}" for event in steps[1:]]
    assert said[:2] == ["read machines.handler", "read input"]
    letters = {point: said.index(point) for point in POINTS}
    assert [point for point in said if point in POINTS] == list(POINTS)
    assert said[letters["A"] + 1] == "cas machines.handler"
    assert said[letters["B"] + 1] == "cas queues.increments.0"
    assert (said[letters["C"] - 1], said[letters["C"] + 1]) == ("cas queues.increments.0", "cas machines.handler")
    assert letters["D"] == letters["C"] + 2
    assert letters["E"] == letters["D"] + 1


def test_a_twin_that_is_gone_for_good_is_not_missed():
    """Alone, the handler leaves the work undone; of two, nobody waits for the one that is gone."""
    for at in ("A", "B", "C", "D", "E"):
        plan = FaultPlan((Fault(at, 2, "crash-stop", node=1),))
        alone = judge(simulate(lock_free, plan, SMALL), at_least_once)
        assert not alone.consistent
        both = judge(simulate(twins(2), plan, SMALL), at_least_once)
        assert (both.consistent, both.blocked) == (True, False), (at, both.sentence)


@pytest.mark.parametrize(
    ("hours", "faults"),
    [
        (2, {"crashes": 2}),
        (2, {"crashes": 1, "lost_replies": 1}),
        (2, {"crashes": 1, "late_requests": 1}),
        (2, {"crashes": 0, "late_requests": 2}),
        (2, {"crashes": 0, "duplicates": 1}),
        (1, {"crashes": 1, "pauses": 1}),
        pytest.param(2, {"crashes": 0, "pauses": 1}, marks=pytest.mark.slow),
    ],
)
@pytest.mark.some(day=1, ci=2)
def test_proved_with_one_node_and_its_sink(hours, faults):
    proof = prove(lock_free, job=Job(hours, 2, 1), **faults)
    assert proof.ok, str(proof)


def test_the_run_tells_who_pushed_what_and_the_state_in_the_machine():
    run = simulate(lock_free, job=SMALL)
    ideal = simulate(at_least_once, job=SMALL)
    assert run.outcome == ideal.outcome
    assert [(push.value, push.item, push.inputs) for push in run.pushes] == [
        (push.value, push.item, push.inputs) for push in ideal.pushes
    ]
    assert run.state_count == ideal.state_count
    assert [entry.part for entry in run.writes if entry.item == 3].count("state") == 1

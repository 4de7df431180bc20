"""The simulated world passes the conformance suite, and keeps its own promises besides."""

import random

import pytest

from exactly_once import CourseError, Job, OutcomeUnknown, simulate
from exactly_once.faults import CONNECTED, KINDS, LASTING, POINTS, STEPS, SURE, Fault, FaultPlan
from exactly_once.handlers import ORDERS, at_least_once, handler_in_order
from tests.node import fault_table
from tests.node.conformance_handlers import writer, written
from tests.node.world_conformance import CASES, mismatches, project, untruths

TWO = Job(items=2)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_conformance(case):
    run = simulate(case.handler, case.plan, case.job)
    assert mismatches(case, run) == {}
    assert untruths(run) == []


@pytest.mark.parametrize("row", fault_table.ROWS, ids=lambda row: row.name)
def test_every_kind_of_fault_leaves_what_the_table_says(row):
    run = simulate(row.programs, row.plan, fault_table.JOB)
    assert fault_table.wrongs(row, run) == {}
    assert untruths(run) == []
    again = simulate(row.programs, FaultPlan.parse(row.plan.token), fault_table.JOB)
    assert list(again.trace) == list(run.trace), "the token says it all"


def fault(chance):
    """Return a random fault."""
    item = chance.choice([None, 1, 2, 3, 4])
    if chance.random() < 0.5:
        return Fault(chance.choice(POINTS), item, lives=chance.choice([None, (1, 2), (2,)]))
    step, kind = (
        chance.choice(list(STEPS)),
        chance.choice([kind for kind in KINDS if kind not in ("crash", "crash-stop")]),
    )
    return Fault("output.push" if step in (*SURE, *CONNECTED) else step, item, kind)


@pytest.mark.parametrize("seed", range(60))
def test_under_any_plan_the_run_ends_and_its_trace_is_in_causal_order(seed):
    chance = random.Random(seed)
    plan = FaultPlan(tuple(fault(chance) for _ in range(chance.randint(1, 4))))
    handler = chance.choice([handler_in_order(chance.choice(ORDERS)), writer(1), writer()])
    job = Job(items=4, arrival=chance.choice(["together", "as it comes"]))
    run = simulate(handler, plan, job, seed=seed)
    assert untruths(run) == []
    assert run.error is None
    if not any(fault.kind in LASTING for fault in plan.faults):  # those may move the positions back in the end
        assert project(run)["positions"] == job.end()
    again = simulate(handler, plan, job, seed=seed)
    assert project(again) == project(run)
    assert list(again.trace) == list(run.trace), "the same plan and seed is the same run, event for event"


def test_an_intention_stands_where_a_kill_left_no_effect():
    plan = FaultPlan((Fault("output.push", 1, "crash before"), Fault("output.push", 2, "crash after")))
    run = simulate(writer(), plan, TWO)
    arrivals = [event.life for event in run.trace if event.process == "output" and event.verb == "append"]
    sends = [event.life for event in run.trace if event.kind == "send" and event.detail.get("part") == "output"]
    replies = [event.life for event in run.trace if event.verb == "reply" and event.process.startswith("incarnation")]
    assert (sends, arrivals) == ([2, 2, 3], [2, 2, 3]), "incarnation 1 was killed before its request left"
    assert replies.count(2) < sum(event.life == 2 for event in run.trace if event.verb == "reply") - replies.count(2)


def test_the_trace_names_the_line_that_was_running():
    lines = {event.text: event.line for event in simulate(at_least_once, job=TWO).trace if event.line}
    assert lines["crash point A"] == 9
    assert lines["save positions"] == 17


def test_the_traceback_is_the_handlers_own():
    error = simulate(written("division"), job=TWO).error
    assert error.startswith("Traceback (most recent call last):")
    assert ", in handler" in error
    assert ", in deeper" in error
    assert "exactly_once/" not in error, "none of our frames is around it"


def for_ever(node):
    while True:
        node.crash_point("A")


def saves_nothing(node):
    positions = node.positions.load()
    while node.running():
        node.read(positions)


def stubborn(node):
    while True:
        try:
            node.crash_point("A")
        except BaseException:  # noqa: BLE001 - the bad habit is what is tested
            node.output.push("still here")


@pytest.mark.parametrize("handler", [for_ever, saves_nothing, stubborn])
def test_a_handler_that_never_ends_is_told_so(handler):
    with pytest.raises(CourseError, match="its inputs had not ended"):
        simulate(handler, job=TWO)


def test_lives_that_all_give_up_come_to_an_end():
    def never(node):
        raise OutcomeUnknown("so it says")

    with pytest.raises(CourseError, match="50 incarnations"):
        simulate(never)

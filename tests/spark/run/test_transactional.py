"""The handler in one transaction and its coordinator as two tasks: real kills leave the results of the table."""

import pytest

from exactly_once import Deployment, Fault, FaultPlan, judge
from exactly_once.handlers import at_least_once, coordinator, transactional
from exactly_once.spark import run_many
from tests.node.world_conformance import untruths

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(300)]
DEPLOYED = Deployment(transactional, coordinator, at_least_once)
ABOVE, BELOW = 4, 2  # an hour whose window is above the threshold, and one whose window is not
TABLE = {  # (crash point, hour): how much too high the counter ends
    **{(letter, ABOVE): int(letter in "CD") for letter in "ABCDE"},
    **{(letter, BELOW): 0 for letter in "ACDE"},  # B is not reached
}
DECISION = {  # around the last write
    ("transaction.offsets", "crash before"): 1,
    ("transaction.offsets", "crash after"): 1,
    ("transaction.end", "crash before"): 1,
    ("transaction.end", "crash after"): 0,
}
OF_COORDINATOR = ("coordinator.recover", "coordinator.due", "coordinator.marker", "coordinator.complete")
MESSAGES = ("crash before", "crash after", "lost request", "lost reply", "late request", "duplicated request")


def surplus(run):
    """Return how much too high the counter is; everything else has to be right."""
    verdict = judge(run, at_least_once)
    found = verdict.damage
    assert verdict.run.error is None, verdict.sentence
    assert verdict.reached, verdict.sentence
    wrong = found.outputs, found.state_differs, found.positions_differ, bool(found.others)
    assert not any(wrong), verdict.sentence
    assert verdict.consistent == (found.counter == found.expected_counter), verdict.sentence
    return found.counter - found.expected_counter


def performed(plans):
    """Carry out a plan after the other, and return {plan's token: surplus}."""
    runs = run_many([(DEPLOYED, plan, None) for plan in plans], patience=90)
    for plan, run in zip(plans, runs, strict=True):
        assert len(run.trace.deaths()) >= sum(fault.deadly for fault in plan.faults), plan.token
        assert untruths(run) == [], plan.token
    return {plan.token: surplus(run) for plan, run in zip(plans, runs, strict=True)}


def table_of(kill):
    return {FaultPlan.crash(*place, kill).token: many for place, many in TABLE.items()}


def test_the_table_says_what_a_dead_worker_leaves(shared_cluster):
    expected = table_of("worker")
    assert performed(list(map(FaultPlan.parse, expected))) == expected


@pytest.mark.parametrize("step", DECISION)
@pytest.mark.some(ci=2)
def test_the_decision_to_commit_is_where_the_counter_becomes_right(shared_cluster, step):
    plan = FaultPlan([Fault(step[0], ABOVE, step[1], node=1)])
    assert performed([plan]) == {plan.token: DECISION[step]}


def test_the_coordinator_dies_alone_and_comes_back(shared_cluster):
    kinds = "crash before", "crash after"
    plans = [FaultPlan([Fault(step, None, kind, node=2)]) for step in OF_COORDINATOR for kind in kinds]
    assert set(performed(plans).values()) == {0}


@pytest.mark.slow
def test_a_dead_executor_leaves_the_same(shared_cluster):
    of_coordinator = Fault("coordinator.marker", None, "crash after", "executor", node=2)
    plans = [FaultPlan.crash("C", ABOVE, "executor"), FaultPlan([of_coordinator])]
    assert list(performed(plans).values()) == [1, 0]


def test_each_life_that_dies_adds_one(shared_cluster):
    plan = FaultPlan([Fault("transaction.end", ABOVE, "crash before", node=1), Fault("D", ABOVE), Fault("C", ABOVE)])
    assert performed([plan]) == {plan.token: 3}

"""The handler in one transaction and its coordinator as two tasks: what real kills leave is what the table says."""

import random

import pytest

from exactly_once.errors import BadInput
from exactly_once.faults import STEPS, Fault, FaultPlan
from exactly_once.handlers.at_least_once import at_least_once
from exactly_once.handlers.transactional import coordinator, transactional
from exactly_once.node.program import Deployment
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.spark.run.tasks import run_many
from exactly_once.verdict import judge
from tests.node.world_conformance import untruths

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(300)]
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
OF_COORDINATOR = [
    (step, kind)
    for step in ("coordinator.recover", "coordinator.due", "coordinator.marker", "coordinator.complete")
    for kind in ("crash before", "crash after")
]
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


def test_the_table_says_what_a_dead_worker_leaves(own_lease):
    expected = table_of("worker")
    assert performed(list(map(FaultPlan.parse, expected))) == expected


@pytest.mark.parametrize("step", DECISION)
def test_the_decision_to_commit_is_where_the_counter_becomes_right(own_lease, step):
    plan = FaultPlan([Fault(step[0], ABOVE, step[1], node=1)])
    assert performed([plan]) == {plan.token: DECISION[step]}


def test_the_coordinator_dies_alone_and_comes_back(own_lease):
    plans = [FaultPlan([Fault(step, None, kind, node=2)]) for step, kind in OF_COORDINATOR]
    assert set(performed(plans).values()) == {0}


def test_a_dead_executor_leaves_the_same(own_lease):
    of_coordinator = Fault("coordinator.marker", None, "crash after", "executor", node=2)
    plans = [FaultPlan.crash("C", ABOVE, "executor"), FaultPlan([of_coordinator])]
    assert list(performed(plans).values()) == [1, 0]


def test_each_life_that_dies_adds_one(own_lease):
    plan = FaultPlan([Fault("transaction.end", ABOVE, "crash before", node=1), Fault("D", ABOVE), Fault("C", ABOVE)])
    assert performed([plan]) == {plan.token: 3}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_whole_table_with_executors(own_lease):
    expected = table_of("executor")
    assert performed(list(map(FaultPlan.parse, expected))) == expected


def single_faults():
    """Return the plans of all single faults at the steps that a calm run takes: each step, kind and hour."""
    calm = simulate(DEPLOYED)
    steps = {f".{event.verb}": event for event in calm.trace if event.process.startswith("life")}
    taken = [step for step in STEPS if any(step.endswith(verb) for verb in steps)]
    places = [(step, item, 1) for step in taken for item in range(1, Job().items + 1)]
    places += [(step, None, node) for step in taken for node in (1, 2)]
    found = []
    for step, item, node in places:
        for kind in MESSAGES:
            try:
                found.append(FaultPlan([Fault(step, item, kind, node=node)]))
            except BadInput:
                continue  # no message gets lost there
    return found


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_tenth_of_all_single_faults_leaves_what_the_simulated_one_does(own_lease):
    rng, plans = random.Random(14), single_faults()
    simulated = {plan.token: run for plan in plans if (run := simulate(DEPLOYED, plan)).reached}
    assert len(simulated) > 200
    chosen = rng.sample(sorted(simulated), len(simulated) // 10)
    found = performed([FaultPlan.parse(token) for token in chosen])
    for token, many in found.items():
        assert many in (0, 1), token
        if "crash" in FaultPlan.parse(token).faults[0].kind:  # what is late may come at another time
            assert many == surplus(simulated[token]), token

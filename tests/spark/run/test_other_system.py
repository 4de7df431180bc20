"""Exactly once into another system, for real: killed at every letter, at drawn steps and at random."""

from itertools import product

import pytest

from exactly_once import Job, judge, simulate
from exactly_once.faults import KILLS, FaultPlan
from exactly_once.handlers import lock_free, offset_in_sink, two_phase
from exactly_once.simulate.places import places
from exactly_once.spark import run_many
from tests.node.world_conformance import untruths
from tests.spark.run.killing import killed_at_random

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(300)]
HANDLERS = (two_phase, offset_in_sink, lock_free)
LETTERS = [
    (two_phase, 1, "ABCDE"), (offset_in_sink, 1, "ABCDE"), (offset_in_sink, 2, "AE"),
    (lock_free, 1, "ABCDE"), (lock_free, 2, "AE"),
]  # fmt: skip
ABOVE = 4  # an hour whose window is above the threshold, so that no letter is left out
RIGHT = {handler: simulate(handler).outcome for handler in HANDLERS}


def at_letters(hours, kill):
    """Return [(handler, plan)] of one kill at each letter of each node, in each of these hours."""
    return [
        (handler, FaultPlan.crash(letter, hour, kill, node=node))
        for (handler, node, letters), hour in product(LETTERS, hours)
        for letter in letters
    ]


def all_right(cases):
    """Carry out each plan, and compare the result, with transactions in doubt, to the simulation."""
    for (handler, plan), run in zip(cases, run_many([(*case, None) for case in cases], patience=90), strict=True):
        simulated, verdict = simulate(handler, plan), judge(run, handler)
        assert verdict.exactly_once, (plan.token, verdict.sentence)
        assert run.outcome == simulated.outcome == RIGHT[handler], (plan.token, verdict.sentence)
        assert run.outcome.in_doubt == (), plan.token
        assert run.reached == simulated.reached, plan.token
        if run.reached:
            assert len(run.trace.deaths()) >= sum(fault.deadly for fault in plan.faults), plan.token
        assert untruths(run) == [], plan.token


@pytest.mark.slow
def test_a_dead_worker_at_each_letter_of_both_nodes_leaves_what_the_simulation_says(shared_cluster):
    cases = at_letters([ABOVE], "worker")
    assert len(cases) == 19
    all_right(cases)
    assert all(simulate(*case).reached for case in cases)


@pytest.mark.slow
def test_a_dead_executor_takes_both_nodes_with_it(shared_cluster):
    all_right([
        (two_phase, FaultPlan.crash("D", ABOVE, "executor")),
        (offset_in_sink, FaultPlan.crash("E", ABOVE, "executor", node=2)),
        (lock_free, FaultPlan.crash("C", ABOVE, "executor")),
    ])  # fmt: skip


def test_in_doubt_when_it_died_and_ended_by_its_successor(shared_cluster):
    for at, ended in (("before", "commit_prepared"), ("D", "rollback_prepared")):
        plan = FaultPlan.crash("D", ABOVE)
        if at == "before":
            (place,) = (one for one in places(two_phase)["crash"] if one.words == "before commit prepared of hour 4")
            plan = place.plan()
        (run,) = run_many([(two_phase, plan, None)])
        first, second = run.trace.lives()
        by = {(event.life, event.verb) for event in run.trace if event.item is None}
        assert (second.life, ended) in by, "whoever comes finds it prepared, and ends it as it was decided"
        assert run.outcome == RIGHT[two_phase]
        assert first.life != second.life


def killed(handler, runs, kills, items, seed):
    """Kill at random moments, and return how many processes were killed; what is left must be right."""
    job = Job(items=items)
    right, deaths = simulate(handler, None, job).outcome, 0
    for run in killed_at_random([(handler, None, job)] * runs, kills, seed):
        assert run.error is None
        assert run.outcome == right, judge(run, handler).sentence
        assert run.outcome.in_doubt == ()
        assert untruths(run) == []
        deaths += len(run.trace.deaths())
    return deaths


def killed_until(least, handler, runs, kills, items, most=20):
    """Kill at random moments, in run after run: one that got through before it was looked at is killed less often."""
    deaths = 0
    for seed in range(most):
        deaths += killed(handler, runs, kills, items, seed)
        if deaths >= least:
            return
    raise AssertionError(f"The kills do not hit: {deaths} in {most} runs.")


@pytest.mark.parametrize("handler", HANDLERS)
@pytest.mark.some(ci=1)
def test_kills_at_random_moments_leave_everything_once(shared_cluster, handler):
    killed_until(2, handler, runs=1, kills=3, items=60)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("handler", HANDLERS)
def test_a_hundred_kills_at_random_moments_leave_everything_once(shared_cluster, handler):
    killed_until(100, handler, runs=6, kills=5, items=200)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kill", KILLS)
def test_every_letter_of_every_hour(shared_cluster, kill):
    all_right(at_letters(range(1, 7), kill))

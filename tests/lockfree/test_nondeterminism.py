"""Twins whose inputs are not the same for both: the stateless form breaks, the general form does not."""

from dataclasses import replace

import pytest

from exactly_once import Job, Window, deployment_of, ideal_outcomes, judge, prove, simulate
from exactly_once.faults import POINTS, FaultPlan
from exactly_once.handlers import average, lock_free
from exactly_once.lockfree import general, mean, stateless

AS_IT_COMES, LATE = {"arrival": "as it comes"}, {"time": "processing"}


def windowed(duration):
    return general(average(duration), Window())


def when_read(readings):
    """The hour in which the readings were read, and their mean."""
    return [readings[0].read, mean(readings)]


@pytest.mark.parametrize(
    "bounds", [{"nodes": 2, "crashes": 0}, {"crashes": 1}], ids=["a twin", "a second incarnation"]
)
@pytest.mark.parametrize(("function", "job"), [(mean, Job(1, **AS_IT_COMES)), (when_read, Job(1, **LATE))])
def test_the_stateless_form_breaks_where_who_comes_second_reads_something_else(function, job, bounds):
    proof = prove(stateless(function), job=job, **bounds)
    assert proof.counterexample is not None
    assert "in the output more than once" in proof.counterexample.sentence


def test_where_nothing_is_left_to_chance_it_does_not():
    assert prove(stateless(mean), nodes=2, job=Job(1)).ok


@pytest.mark.parametrize(
    ("job", "outcomes"), [(Job(1, 1, **AS_IT_COMES), 2), (Job(2, 1, **LATE), 3), (Job(2, 2, **LATE), 4)], ids=str
)
@pytest.mark.some(day=1)
def test_the_general_form_comes_to_one_of_several_right_outcomes(job, outcomes):
    assert len({ideal.outcome for ideal in ideal_outcomes(windowed(job.duration), job)}) == outcomes
    proof = prove(windowed(job.duration), nodes=2, job=job, crashes=1)
    assert proof.ok, str(proof)
    assert proof.lock_free
    assert proof.runs >= outcomes, "each of the right outcomes is reached"


SLOW = pytest.param("pauses", marks=pytest.mark.slow)


@pytest.mark.some(day=1, ci=2)
@pytest.mark.parametrize("fault", ["lost_replies", SLOW, "late_requests", "duplicates", "lost_requests"])
def test_it_stands_every_other_kind_of_fault(fault):
    proof = prove(windowed(1), nodes=2, job=Job(1, **AS_IT_COMES), crashes=0, **{fault: 1})
    assert proof.ok, str(proof)


@pytest.mark.parametrize("letter", POINTS)
@pytest.mark.parametrize("job", [Job(2, 2, 2, **AS_IT_COMES), Job(2, 2, 2, **LATE)], ids=["as it comes", "late"])
def test_the_strategy_ends_in_a_right_outcome_wherever_a_twin_dies(letter, job):
    ideals = ideal_outcomes(lock_free, job)
    assert len(ideals) > 1
    for hour in (1, 2):
        run = simulate(replace(deployment_of(lock_free), twins=2), FaultPlan.crash(letter, hour), job)
        verdict = judge(run, lock_free, ideals)
        assert verdict.consistent, verdict.sentences

"""Where the world has something to choose, several outcomes are right, and the verdict knows them all."""

import itertools
import math

import pytest

from exactly_once import FaultPlan, Job, Window, ideal_outcomes, judge, prove, simulate
from exactly_once.explore import replay
from exactly_once.handlers import at_least_once

AS_IT_COMES = Job(items=2, duration=2, threshold=3, arrival="as it comes")
IN_PROCESSING_TIME = Job(items=4, duration=2, threshold=3, time="processing")
BOTH = Job(items=1, duration=1, arrival="as it comes", time="processing")
CHOOSING = pytest.mark.parametrize("job", [AS_IT_COMES, IN_PROCESSING_TIME, BOTH], ids=["order", "time", "both"])


def windows_in_processing_time(job):
    """Return the multisets of hours in the last window of each way to be late, by a model of its own."""
    found = set()
    for late in itertools.product((0, 1), repeat=job.items):
        read = {hour: hour + one for hour, one in enumerate(late, start=1)}
        found.add(tuple((hour, at) for hour, at in read.items() if at > read[job.items] - job.duration))
    return found


def test_the_right_outcomes_are_those_of_every_order_of_the_streams():
    ideals = ideal_outcomes(at_least_once, AS_IT_COMES)
    orders = {tuple(push.inputs[-1][1] for push in ideal.pushes) for ideal in ideals}
    assert orders == set(itertools.permutations(["seattle", "san_francisco"] * 2))
    assert len({ideal.outcome for ideal in ideals}) == math.comb(4, 2) == 6


def test_the_right_outcomes_are_those_of_every_way_to_be_late():
    ideals = ideal_outcomes(at_least_once, IN_PROCESSING_TIME)
    states = {ideal.outcome.state for ideal in ideals}
    assert len(states) == len(windows_in_processing_time(IN_PROCESSING_TIME))
    outputs = {tuple(len(push.inputs) for push in ideal.pushes) for ideal in ideals}
    assert (2, 4, 4, 4) in outputs, "never late: two hours in a window, of two readings each"
    assert (2, 2, 4, 2) in outputs, "hours 2 and 4 late: the hour before has left the window"


@CHOOSING
def test_a_crash_at_a_or_e_is_harmless_and_one_elsewhere_is_still_recognised(job):
    ideals = ideal_outcomes(at_least_once, job)
    right = len({ideal.outcome for ideal in ideals})
    assert right > 1
    for seed, point in itertools.product(range(5), "ACDE"):
        verdict = judge(simulate(at_least_once, FaultPlan.crash(point, 1), job, seed), at_least_once, ideals)
        assert verdict.consistent == (point in "AE") == (not verdict.damage.any)
        assert verdict.right_outcomes == verdict.json()["right_outcomes"] == right
        of_so_many = f"one of the {right} right outcomes" if point in "AE" else f"none of the {right} right outcomes."
        assert of_so_many in verdict.sentence


@CHOOSING
def test_the_explorer_makes_every_choice(job):
    calm = prove(at_least_once, crashes=0, job=job)
    assert calm.ok
    found = prove(at_least_once, crashes=1, job=job).counterexample
    assert found.verdict.right_outcomes > 1
    assert replay(found.token, at_least_once).run.outcome == found.run.outcome


def decided(node):
    """Save the items, the average and its place in one write, before the average is written to this place."""
    saved = node.state.load()
    held = saved if isinstance(saved, dict) else {"at": node.start, "window": Window(), "place": -1}
    while True:
        if held["place"] >= 0:
            node.registers.cas(f"output.{held['place']}", 0, held["average"])
        if not node.running(held["at"]):
            return
        items, after = node.read(held["at"])
        window = Window(held["window"].readings)
        window.push(items)
        window.trim(node.duration)
        held = {"at": after, "window": window, "place": held["place"] + 1, "average": window.average()}
        node.state.save(held)


@CHOOSING
def test_a_handler_that_saves_what_was_chosen_before_it_acts_on_it_is_proved(job):
    proof = prove(decided, crashes=1, job=job)
    assert proof.ok
    assert not proof.silent


def nothing(node):
    pass


def test_a_handler_that_writes_nothing_is_exactly_once_of_nothing_and_a_reference_says_what_is_missing():
    run = simulate(nothing, job=Job(items=2))
    alone = judge(run, nothing)
    assert (alone.silent, alone.sentence) == (
        True, "No output: even without any fault this handler writes nothing: it is exactly once of nothing.",
    )  # fmt: skip
    verdict = judge(run, nothing, reference=at_least_once)
    assert (verdict.consistent, verdict.silent, verdict.damage.missing) == (False, False, (1, 2))
    assert judge(simulate(at_least_once), nothing, reference=at_least_once).exactly_once

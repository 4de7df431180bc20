"""The micro-batch engine: right with the batch id beside the rows, doubled at D without it, wrong in each mutant."""

import random

import pytest

from exactly_once import Job, judge, prove, simulate
from exactly_once.explore import replay
from exactly_once.faults import POINTS, Fault, FaultPlan
from exactly_once.handlers import at_least_once, structured_streaming, structured_streaming_appending

SMALL = Job(3, 2, 2)  # an hour below or at the threshold, an hour above, and an hour that leaves the window
AS_IT_COMES = Job(2, 2, 1, "as it comes")
BOTH = pytest.mark.parametrize("handler", [structured_streaming, structured_streaming_appending])


@BOTH
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("item", [1, 3, 6])
def test_every_letter_is_reached_and_the_appending_sink_is_doubled_at_d_alone(handler, point, item):
    run = simulate(handler, FaultPlan.crash(point, item))
    verdict = judge(run, at_least_once)
    assert verdict.reached
    assert verdict.consistent == (handler is structured_streaming or point != "D"), verdict.sentence
    assert verdict.damage.duplicated == (() if verdict.consistent else (item,))
    again = [event for event in run.trace if (event.life, event.text) == (2, f"read hour {item}")]
    # A replay reads the batch for its tasks alone; a batch that is planned anew is asked for before that, too.
    assert len([event for event in again if event.kind == "send"]) == {"A": 2, "E": 0}.get(point, 1)


def test_a_replay_has_the_same_id_and_the_same_rows():
    run = simulate(structured_streaming, FaultPlan.crash("C", 2), SMALL)
    first, second = ([one.text for one in run.trace if one.life == life and one.kind == "send"] for life in (1, 2))
    planned = [text for text in first if text.startswith("cas offsets")]
    assert planned[-1] == "cas offsets, version 1: [offset 1, offset 2]"
    assert not [text for text in second if text.startswith("cas offsets, version 1")]
    assert "cas state, version 1: [window of hour 1, window of hours 1–2]" in second
    assert [push.item for push in run.pushes] == [1, 2, 3]
    assert [len(push.inputs) for push in run.pushes] == [2, 4, 4], "the readings of its window are behind each row"


@pytest.mark.parametrize(
    "faults",
    [{"crashes": 2, "pauses": 1}, {"crashes": 1, "lost_replies": 1}, {"crashes": 1, "late_requests": 1},
     {"crashes": 0, "duplicates": 1}, {"crashes": 1, "job": AS_IT_COMES},
     {"crashes": 0, "pauses": 1, "job": AS_IT_COMES}],
)  # fmt: skip
@pytest.mark.some(day=2, ci=4)
def test_proved(faults):
    proof = prove(structured_streaming, **{"job": SMALL, **faults})
    assert proof.ok, str(proof)


def test_without_the_batch_id_the_simplest_schedule_is_a_crash_at_d():
    proof = prove(structured_streaming_appending, crashes=1)
    (death,) = proof.counterexample.run.trace.deaths()
    assert (proof.ok, death.detail["at"], death.item) == (False, "D", 1)
    assert replay(proof.counterexample.token, structured_streaming_appending).run.outcome.outputs[:2] == (
        proof.counterexample.run.outcome.outputs[:1] * 2
    )


@pytest.mark.slow
def test_random_plans_of_crashes_do_what_is_predicted():
    dice, met = random.Random("micro-batches"), set()
    for _ in range(150):
        faults = [Fault(dice.choice(POINTS), dice.randint(1, 6)) for _ in range(dice.randint(1, 4))]
        for handler in (structured_streaming, structured_streaming_appending):
            run = simulate(handler, FaultPlan(faults))
            doubled = {one.item for one in run.trace.deaths() if one.detail["at"] == "D"}
            verdict = judge(run, handler)
            wanted = doubled if handler is structured_streaming_appending else set()
            assert set(verdict.damage.duplicated) == wanted, verdict.sentence
            assert verdict.consistent == (not wanted)
            met.add((handler, bool(doubled)))
    assert len(met) == 4

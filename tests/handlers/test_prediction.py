"""Counts of faults on both sides of a log: what is predicted is what a simulation leaves."""

import itertools

import pytest

from exactly_once import Fault, FaultPlan, simulate
from exactly_once.errors import BadInput
from exactly_once.handlers.logs.both_sides import both_plans, both_sides, effects_of
from exactly_once.handlers.logs.prediction import predict, predict_log, sender
from exactly_once.spark import SENDERS, draw_appends, draw_faults

PRODUCERS, POSITIONS = ("retry", "give up"), ("last", "first")
KINDS = ("lost request", "lost reply", "crash before", "crash after")


def at_push(kind, number=3):
    return FaultPlan([Fault("output.push", number, kind)] if kind else [])


def at_effect(kind, number=3, step="database.increment"):
    return FaultPlan([Fault(step, number, kind)] if kind else [])


@pytest.mark.parametrize(("retry", "position"), [*itertools.product(PRODUCERS, POSITIONS)])
@pytest.mark.parametrize("batch", [1, 2, 3, 4])
@pytest.mark.some(day=2, ci=6)
def test_every_pair_of_faults_comes_to_what_was_predicted(retry, position, batch):
    for sent, received in itertools.product((None, *KINDS), (None, "crash before", "crash after")):
        for number in (2, None):  # without an item, a fault strikes at the first record
            plans = at_push(sent), at_effect(received, number)
            run = simulate(both_sides(retry, position, "add", 7, batch), both_plans(*plans))
            foretold = predict(*plans, retry, position, 7, batch)
            assert tuple(push.value for push in run.pushes) == foretold.log, (sent, received, number)
            assert tuple(item for item, *_ in effects_of(run)) == foretold.applied, (sent, received, number)


def test_a_replay_brings_an_old_value_back_for_a_moment():
    dies = at_effect("crash after", 3, "register.cas")
    effects = effects_of(simulate(both_sides(update="overwrite"), both_plans(None, dies)))
    assert [value for _, key, value in effects if key == "north"] == [1, 3, 1, 3, 5]
    assert {key: value for _, key, value in effects} == {"north": 5, "south": 6}


@pytest.mark.parametrize("name", SENDERS)
def test_what_a_sender_leaves_is_predicted(name):
    plan = draw_appends(40, seed=2, requests=3, replies=3, deaths=4)
    run = simulate(sender(name, 40), plan)
    assert tuple(push.value for push in run.pushes) == predict_log(name, plan, 40)


def test_drawn_faults_come_from_the_seed_and_fit():
    plans = draw_faults(500, seed=3, requests=7, replies=5, deaths=4)
    assert plans == draw_faults(500, seed=3, requests=7, replies=5, deaths=4)
    assert plans != draw_faults(500, seed=4, requests=7, replies=5, deaths=4)
    struck = [fault.item for fault in plans[0].faults]
    assert len(set(struck)) == 16
    assert [fault.kind for fault in plans[1].faults] == ["crash after", "crash before"] * 2


UNCOUNTED = "cannot be counted beforehand"
REFUSED = [
    *((lambda counts=counts: draw_faults(**counts), None) for counts in (
        {"records": 9}, {"requests": -1}, {"deaths": 1.5}, {"records": 20, "replies": 21},
    )),
    *((lambda settings=settings: both_sides(**settings), None) for settings in (
        {"retry": "never"}, {"position": "middle"}, {"update": "delete"}, {"records": -1}, {"batch": 0},
    )),
    *((lambda plans=plans: predict(*plans, "retry", "last", 6, 3), UNCOUNTED) for plans in (
        (at_push("late request"), None), (at_push("pause"), None),
        (FaultPlan([Fault("output.push", 3, "lost reply"), Fault("output.push", 3, "lost request")]), None),
        (FaultPlan([Fault("output.push", 3, "crash after", lives=(1, 3))]), None),
        (None, FaultPlan([Fault("positions.save", 3, "lost reply")])),
    )),
    (lambda: predict_log("Kafka's rule", at_push("lost reply"), 40), UNCOUNTED),
]  # fmt: skip


def test_what_makes_no_sense_or_cannot_be_counted_is_refused():
    for ask, said in REFUSED:
        with pytest.raises(BadInput, match=said):
            ask()

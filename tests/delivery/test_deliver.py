"""Producer and consumer of a log, step by step: the contents of each moment, and the predicted counts."""

import itertools

import pytest

from exactly_once.delivery.prediction import draw_faults, predict
from exactly_once.delivery.run import backward, both_sides, deliver, key_of, right
from exactly_once.errors import BadInput
from exactly_once.faults import KINDS as ALL_KINDS
from exactly_once.faults import LASTING, SURE, Fault, FaultPlan
from exactly_once.simulate import simulate

PRODUCERS, POSITIONS = ("retry", "give up"), ("last", "first")
KINDS = ("lost request", "lost reply", "crash before", "crash after")
STEPS = {"add": "database.increment", "overwrite": "register.cas"}
STEPS_OF = (
    ("positions.load", "positions.save", "input.read", "output.push", "log.close"),
    ("positions.load", "positions.save", "input.read", "database.increment", "register.read", "register.cas"),
)


def at_push(kind, number=3):
    return FaultPlan([Fault("output.push", number, kind)] if kind else [])


def at_effect(kind, number=3, update="add"):
    return FaultPlan([Fault(STEPS[update], number, kind)] if kind else [])


def test_a_calm_run_is_right():
    for retry, position, update in itertools.product(PRODUCERS, POSITIONS, STEPS):
        run = deliver(retry, position, update)
        assert run.end.log == run.end.applied == (1, 2, 3, 4, 5, 6)
        assert dict(run.end.held) == right(update, 6)
        assert not run.struck
        assert not any(moment.lost or moment.doubled or moment.faulty for moment in run.moments)


@pytest.mark.parametrize(("retry", "position"), [*itertools.product(PRODUCERS, POSITIONS)])
@pytest.mark.parametrize("batch", [1, 2, 3, 4])
@pytest.mark.some(day=6)
def test_every_pair_of_faults_comes_to_what_was_predicted(retry, position, batch):
    for sent, received in itertools.product((None, *KINDS), (None, "crash before", "crash after")):
        for number in (2, None):  # without an item, a fault strikes at the first record
            plans = at_push(sent), at_effect(received, number)
            run = deliver(retry, position, "add", *plans, records=7, batch=batch)
            foretold = predict(*plans, retry, position, 7, batch)
            assert (run.end.log, run.end.applied) == (foretold.log, foretold.applied), (sent, received, number)
            assert len(run.end.lost) == foretold.lost
            assert sum(foretold.times.values()) - 7 == foretold.doubled - foretold.lost


def test_an_answer_to_the_save_of_a_position_can_be_lost():
    def saving(kind):
        return FaultPlan([Fault("positions.save", 2, kind)])

    assert deliver("retry", "last", receiving=saving("lost request")).end.doubled == (1, 2, 3)
    assert deliver("retry", "last", receiving=saving("lost reply")).end.doubled == ()
    assert deliver("retry", "first", receiving=saving("lost reply")).end.lost == (1, 2, 3)
    assert deliver("retry", "first", receiving=saving("lost request")).end.lost == ()


def test_a_replay_brings_an_old_value_back_for_a_moment():
    run = deliver(update="overwrite", receiving=at_effect("crash after", 3, "overwrite"))
    north, south = key_of(1), key_of(2)
    assert backward([(number, key_of(number)) for number in run.end.applied]) == ((north, 3, 1),)
    assert any(dict(moment.held) == {north: 1, south: 2} for moment in run.moments[-15:])
    assert dict(run.end.held) == right("overwrite", 6)


def test_drawn_faults_come_from_the_seed_and_fit():
    plans = draw_faults(500, seed=3, requests=7, replies=5, deaths=4)
    assert plans == draw_faults(500, seed=3, requests=7, replies=5, deaths=4)
    assert plans != draw_faults(500, seed=4, requests=7, replies=5, deaths=4)
    struck = [fault.item for fault in plans[0].faults]
    assert len(set(struck)) == 16
    assert [fault.kind for fault in plans[1].faults] == ["crash after", "crash before"] * 2


@pytest.mark.parametrize("retry", PRODUCERS)
def test_the_same_producer_and_plan_leave_the_same_log_in_every_runner(retry):
    for kind, item in itertools.product(sorted(ALL_KINDS.keys() - {"crash"}), (None, 3)):
        plan = FaultPlan([Fault("output.push", item, kind)])
        alone, run = simulate(both_sides(retry)[0], plan), deliver(retry, sending=plan)
        assert run.end.log == tuple(push.value for push in alone.pushes), (kind, item)
        assert len(run.struck) == len(alone.fired) == 1, (kind, item)


@pytest.mark.not_by_day
def test_every_fault_strikes_and_is_told():
    for number, steps in enumerate(STEPS_OF):
        for at, kind in itertools.product(steps, [kind for kind in ALL_KINDS if kind != "crash"]):
            for until in (None, 3) if kind in LASTING else (None,):
                if at in SURE and kind not in ("crash before", "crash after", "pause"):
                    continue
                update = "overwrite" if at.startswith("register") else "add"
                plans = [None, None]
                plans[number] = FaultPlan([Fault(at, None, kind, until=until)])
                run = deliver("retry", "last", update, *plans)
                assert len(run.struck) == 1, (at, kind)
                assert not run.run.plan.unreached(run.run.fired)
                found = run.run.outcome.outputs if number == 0 else run.end.log
                assert run.end.log == tuple(map(int, found))
                assert update == "overwrite" or sum(dict(run.end.held).values()) == len(run.end.applied), (at, kind)


def test_a_late_record_is_not_lost_until_nobody_reads_it_any_more():
    late = FaultPlan([Fault("output.push", 3, "late request", until=12)])
    run = deliver("give up", sending=late)
    assert dict(run.end.held) == right("add", 6)
    assert sorted(run.end.log) == [1, 2, 3, 4, 5, 6] != list(run.end.log)
    assert not any(moment.lost for moment in run.moments)
    assert any(moment.text.startswith("The late request with record 3 arrives.") for moment in run.moments)
    last = deliver("give up", sending=at_push("late request"))
    assert last.end.log == (1, 2, 4, 5, 6, 3)
    assert last.end.lost == (3,)


NEVER = r"never strikes the (producer, which is node 1|consumer, which is node 2)"
UNCOUNTED = "cannot be counted beforehand"
REFUSED = [
    *((lambda counts=counts: draw_faults(**counts), None) for counts in (
        {"records": 9}, {"requests": -1}, {"deaths": 1.5}, {"records": 20, "replies": 21},
    )),
    *((lambda settings=settings: deliver(**settings), None) for settings in (
        {"retry": "never"}, {"position": "middle"}, {"update": "delete"}, {"records": 0}, {"batch": 0},
    )),
    *((lambda fault=fault: deliver(sending=FaultPlan([fault])), NEVER) for fault in (
        Fault("B"), Fault("database.increment", 3, "crash after"),
    )),
    *((lambda fault=fault: deliver(receiving=FaultPlan([fault])), NEVER) for fault in (
        Fault("output.push", 3, "lost reply"), Fault("register.cas", 3, "lost reply"),
        Fault("database.increment", 3, "crash after", node=1),
    )),
    *((lambda plans=plans: predict(*plans, "retry", "last", 6, 3), UNCOUNTED) for plans in (
        (at_push("late request"), None), (at_push("pause"), None),
        (FaultPlan([Fault("output.push", 3, "lost reply"), Fault("output.push", 3, "lost request")]), None),
        (FaultPlan([Fault("output.push", 3, "crash after", lives=(1, 3))]), None),
        (None, FaultPlan([Fault("positions.save", 3, "lost reply")])),
    )),
]  # fmt: skip


def test_what_makes_no_sense_or_cannot_be_counted_is_refused():
    for ask, said in REFUSED:
        with pytest.raises(BadInput, match=said):
            ask()

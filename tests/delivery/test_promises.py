"""What producers and consumers promise, proved by the explorer; and broken where nothing was promised."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers.consumer import consumer
from exactly_once.handlers.producer import PRODUCERS
from exactly_once.simulate import prove, simulate

HOURS = 3
EVERYTHING = {"crashes": 2, "lost_requests": 1, "lost_replies": 1}


def none_lost(view):
    return not view.done or set(view.outputs) == set(range(1, HOURS + 1))


def none_doubled(view):
    return len(view.outputs) == len(set(view.outputs))


def all_counted(view):
    return not view.done or view.counter >= 2 * HOURS  # two readings an hour


def none_counted_twice(view):
    return view.counter <= 2 * HOURS


def newest(view):
    return not view.done or {key: value[0] for key, value in view.registers.items()} == {
        "seattle": HOURS,
        "san_francisco": HOURS,
    }


def proved(handler, rule, **bounds):
    proof = prove(handler, items=HOURS, invariant=rule, **({"crashes": 0} | bounds))
    assert proof.ok or proof.counterexample is not None
    return proof.ok


TABLE = [
    ("retry", "lost_requests", True, True),
    ("retry", "lost_replies", True, False),
    ("retry", "crashes", True, False),
    ("give up", "lost_requests", False, True),
    ("give up", "lost_replies", True, True),
    ("give up", "crashes", False, True),
]


@pytest.mark.parametrize(("retry", "kind", "complete", "single"), TABLE)
def test_the_table_of_the_producers(retry, kind, complete, single):
    assert proved(PRODUCERS[retry], none_lost, **{kind: 1}) == complete
    assert proved(PRODUCERS[retry], none_doubled, **{kind: 1}) == single


def test_what_the_producers_promise_holds_whatever_happens():
    assert proved(PRODUCERS["retry"], none_lost, **EVERYTHING)
    assert proved(PRODUCERS["give up"], none_doubled, **EVERYTHING)


@pytest.mark.parametrize("batch", [1, 2])
def test_what_the_consumers_promise_holds_whatever_happens(batch):
    assert proved(consumer("last", "add", batch), all_counted, **EVERYTHING)
    assert not proved(consumer("last", "add", batch), none_counted_twice, crashes=1)
    assert proved(consumer("first", "add", batch), none_counted_twice, **EVERYTHING)
    assert not proved(consumer("first", "add", batch), all_counted, crashes=1)


def test_overwriting_by_key_is_right_in_the_end():
    assert proved(consumer("last", "overwrite", 2), newest, **EVERYTHING)
    assert not proved(consumer("first", "overwrite", 2), newest, crashes=1)


def test_a_producer_sends_what_it_should():
    for handler in PRODUCERS.values():
        assert [push.value for push in simulate(handler).pushes] == [1, 2, 3, 4, 5, 6]
    plan = FaultPlan([Fault("output.push", 3, "lost reply")])
    assert [push.value for push in simulate(PRODUCERS["retry"], plan).pushes] == [1, 2, 3, 3, 4, 5, 6]


@pytest.mark.parametrize("settings", [{"position": "middle"}, {"update": "delete"}, {"batch": 0}])
def test_a_consumer_of_nonsense_is_refused(settings):
    with pytest.raises(BadInput):
        consumer(**settings)

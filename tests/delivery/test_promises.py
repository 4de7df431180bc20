"""What producers and consumers promise, proved by the explorer; and broken where nothing was promised."""

import pytest

from exactly_once.delivery.run import KEYS, READINGS, both_sides
from exactly_once.errors import BadInput
from exactly_once.explore import prove
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers.logs.consumer import consumer
from exactly_once.handlers.logs.producer import PRODUCERS
from exactly_once.node.program import Program
from exactly_once.node.source import Numbers
from exactly_once.simulate import simulate

RECORDS = 3
EVERYTHING = {"crashes": 2, "lost_requests": 1, "lost_replies": 1}


def sends(retry):
    return Program(PRODUCERS[retry], Numbers(RECORDS), READINGS)


def both(position, update, batch):
    return both_sides("retry", position, update, RECORDS, batch)


def none_lost(view):
    return not view.done or set(view.outputs) == set(range(1, RECORDS + 1))


def none_doubled(view):
    return len(view.outputs) == len(set(view.outputs))


def counted(view):
    return sum(view.look("database", f"counter.{key}", "table") for key in KEYS)


def all_counted(view):
    return not view.done or counted(view) >= len(view.outputs)


def none_counted_twice(view):
    return counted(view) <= len(view.outputs)


def newest(view):
    return not view.done or view.registers == {"north": 3, "south": 2}


def proved(handler, rule, **bounds):
    proof = prove(handler, invariant=rule, **({"crashes": 0} | bounds))
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
    assert proved(sends(retry), none_lost, **{kind: 1}) == complete
    assert proved(sends(retry), none_doubled, **{kind: 1}) == single


def test_what_the_producers_promise_holds_whatever_happens():
    assert proved(sends("retry"), none_lost, **EVERYTHING)
    assert proved(sends("give up"), none_doubled, **EVERYTHING)


@pytest.mark.parametrize("batch", [1, 2])
def test_what_the_consumers_promise_holds_whatever_happens(batch):
    assert proved(both("last", "add", batch), all_counted, **EVERYTHING)
    assert not proved(both("last", "add", batch), none_counted_twice, crashes=1)
    assert proved(both("first", "add", batch), none_counted_twice, **EVERYTHING)
    assert not proved(both("first", "add", batch), all_counted, crashes=1)


def test_overwriting_by_key_is_right_in_the_end():
    assert proved(both("last", "overwrite", 2), newest, **EVERYTHING)
    assert not proved(both("first", "overwrite", 2), newest, crashes=1)


def test_a_producer_sends_what_it_should():
    for retry in PRODUCERS:
        assert [(push.value, push.item) for push in simulate(sends(retry)).pushes] == [(1, 1), (2, 2), (3, 3)]
    plan = FaultPlan([Fault("output.push", 2, "lost reply")])
    assert [push.value for push in simulate(sends("retry"), plan).pushes] == [1, 2, 2, 3]


@pytest.mark.parametrize("settings", [{"position": "middle"}, {"update": "delete"}, {"batch": 0}])
def test_a_consumer_of_nonsense_is_refused(settings):
    with pytest.raises(BadInput):
        consumer(**settings)

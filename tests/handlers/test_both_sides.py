"""What producers and consumers promise, proved by the explorer; and broken where nothing was promised."""

import pytest

from exactly_once import Fault, FaultPlan, Numbers, Program, prove, simulate
from exactly_once.explore import KINDS
from exactly_once.handlers.logs.both_sides import KEYS, READINGS, both_sides
from exactly_once.handlers.logs.prediction import KAFKA, sender

RECORDS = 3
EVERYTHING = {"crashes": 2, "lost_requests": 1, "lost_replies": 1}


def sends(retry):
    return both_sides(retry, records=RECORDS)[0]


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


def test_the_table_of_the_producers():
    for retry, kind, complete, single in TABLE:
        assert proved(sends(retry), none_lost, **{kind: 1}) == complete, (retry, kind)
        assert proved(sends(retry), none_doubled, **{kind: 1}) == single, (retry, kind)


def test_what_the_producers_promise_holds_whatever_happens():
    assert proved(sends("retry"), none_lost, **EVERYTHING)
    assert proved(sends("give up"), none_doubled, **EVERYTHING)


@pytest.mark.parametrize("batch", [2, 1])
@pytest.mark.some(day=0, ci=1)
def test_what_the_consumers_promise_holds_whatever_happens(batch):
    assert proved(both("last", "add", batch), all_counted, **EVERYTHING)
    assert not proved(both("last", "add", batch), none_counted_twice, crashes=1)
    assert proved(both("first", "add", batch), none_counted_twice, **EVERYTHING)
    assert not proved(both("first", "add", batch), all_counted, crashes=1)


@pytest.mark.not_by_day
def test_overwriting_by_key_is_right_in_the_end():
    assert proved(both("last", "overwrite", 2), newest, **EVERYTHING)
    assert not proved(both("first", "overwrite", 2), newest, crashes=1)


def test_a_producer_sends_what_it_should():
    for retry in ("retry", "give up"):
        assert [(push.value, push.item) for push in simulate(sends(retry)).pushes] == [(1, 1), (2, 2), (3, 3)]
    plan = FaultPlan([Fault("output.push", 2, "lost reply")])
    assert [push.value for push in simulate(sends("retry"), plan).pushes] == [1, 2, 2, 3]


def each_once(view):
    found = [value for _, _, value, _ in view.look("log", "readings", "partition")]
    right = found == [1, 2] if view.done else len(found) == len(set(found))
    return right or f"the log holds {found}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.some(day=2, ci=4)
def test_numbers_hold(kind):
    proof = prove(sender(KAFKA, 2), invariant=each_once, **({"crashes": 0} | {kind: 1}))
    assert proof.ok
    assert proof.exhausted


def test_a_record_that_the_application_sends_again_is_a_new_one():
    def sends_twice(node):
        items, _ = node.read(node.positions.load())
        for number in (0, 1):  # a second call of `send` gets a number of its own
            node.log.append(READINGS.name, [(items[0].key, items[0].value)], "all", 1, 0, number)

    found = simulate(Program(sends_twice, Numbers(1), READINGS))
    assert [push.value for push in found.pushes] == [1, 1]

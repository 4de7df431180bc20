"""Producers that ask the log before a retry: the faults that asking repairs, and the other faults."""

import pytest

from exactly_once.delivery.run import READINGS
from exactly_once.errors import OutcomeUnknown
from exactly_once.explore import prove, replay
from exactly_once.explore.bounds import KINDS
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers.logs.producer import insist, producer_that_asks, producer_that_asks_first
from exactly_once.node.program import Program
from exactly_once.node.source import Numbers
from exactly_once.simulate import simulate

ASKING = (producer_that_asks, producer_that_asks_first)


def sends(handler):
    return Program(handler, Numbers(2), READINGS)


def each_once(view):
    found = [value for _, _, value, _ in view.look("log", "readings", "partition")]
    right = found == [1, 2] if view.done else len(found) == len(set(found))
    return right or f"the log holds {found}"


def proved(handler, **bounds):
    return prove(sends(handler), invariant=each_once, **({"crashes": 0} | bounds))


@pytest.mark.parametrize("handler", ASKING)
@pytest.mark.parametrize("most", [1, 2])
def test_asking_is_right_whatever_messages_get_lost(handler, most):
    proof = proved(handler, lost_requests=most, lost_replies=most)
    assert proof.ok
    assert proof.exhausted


@pytest.mark.parametrize("handler", ASKING)
@pytest.mark.parametrize("kind", ["late_requests", "duplicates", "pauses"])
def test_a_late_request_a_duplicate_and_a_pause_each_break_it(handler, kind):
    found = proved(handler, **{kind: 1}).counterexample
    assert "the log holds" in found.sentence
    again = replay(found.token, sends(handler)).run
    values = [push.value for push in again.pushes]
    assert len(values) > len(set(values))


def test_the_simplest_late_request_arrives_after_the_question():
    told = proved(producer_that_asks, late_requests=1).counterexample
    assert [push.value for push in told.run.pushes] == [1, 1]
    steps = [event.verb for event in told.run.trace.of_life(1) if event.kind == "send"]
    assert steps == ["load", "read", "push", "read", "push"]  # asked in between, and the answer was no


def test_a_question_in_an_except_dies_with_who_asks():
    proof = proved(producer_that_asks, crashes=1)
    assert [push.value for push in proof.counterexample.run.pushes] == [1, 1]
    assert "dies" in str(proof)
    assert proved(producer_that_asks_first, crashes=1).ok
    assert proved(producer_that_asks_first, crashes=2, lost_requests=1, lost_replies=1).ok


@pytest.mark.parametrize("handler", ASKING)
@pytest.mark.parametrize("kind", ["lost request", "lost reply"])
def test_they_send_again_only_what_is_not_there(handler, kind):
    run = simulate(sends(handler), FaultPlan([Fault("output.push", 2, kind)]))
    assert [push.value for push in run.pushes] == [1, 2]
    assert run.reached


def test_the_question_can_get_lost_as_well():
    plan = FaultPlan([Fault("output.push", 2, "lost reply"), Fault("output.read", None, "lost reply")])
    for handler in ASKING:
        run = simulate(sends(handler), plan)
        assert [push.value for push in run.pushes] == [1, 2]
        assert run.reached
        assert OutcomeUnknown.__name__ not in (run.error or "")


def numbering(node):
    """Send again until there is an answer, and number the records, so that the log recognises a repetition."""
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        record = (items[0].key, items[0].value)
        insist(node.log.append, READINGS.name, [record], "all", 1, 0, items[0].value - 1)
        insist(node.positions.save, next_positions)
        positions = next_positions


@pytest.mark.parametrize("kind", [*KINDS])
def test_numbers_hold_where_asking_does_not(kind):
    proof = proved(numbering, **{kind: 1})
    assert proof.ok
    assert proof.exhausted


def test_a_record_that_the_application_sends_again_is_a_new_one():
    def sends_twice(node):
        items, _ = node.read(node.positions.load())
        for number in (0, 1):  # a second call of `send` gets a number of its own
            node.log.append(READINGS.name, [(items[0].key, items[0].value)], "all", 1, 0, number)

    found = simulate(Program(sends_twice, Numbers(1), READINGS))
    assert [push.value for push in found.pushes] == [1, 1]

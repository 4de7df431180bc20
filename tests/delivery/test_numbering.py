"""A producer that numbers its records and sends again: every fault, and what the numbers do not repair."""

import pytest

from exactly_once.delivery.run import READINGS
from exactly_once.explore import prove
from exactly_once.explore.bounds import KINDS
from exactly_once.handlers.logs.producer import insist
from exactly_once.node.program import Program
from exactly_once.node.source import Numbers
from exactly_once.simulate import simulate


def sends(handler):
    return Program(handler, Numbers(2), READINGS)


def each_once(view):
    found = [value for _, _, value, _ in view.look("log", "readings", "partition")]
    right = found == [1, 2] if view.done else len(found) == len(set(found))
    return right or f"the log holds {found}"


def proved(handler, **bounds):
    return prove(sends(handler), invariant=each_once, **({"crashes": 0} | bounds))


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
def test_numbers_hold(kind):
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

"""Histories and the orders that explain them: those of Herlihy and Wing, section 2, and calls without a response."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.explore import History, linearization


class Fifo:
    """A queue, for one process alone: "enq x", and "deq", which returns the oldest, or None."""

    initial = ()

    def apply(self, held, call):
        kind, _, value = call.partition(" ")
        if kind == "enq":
            return (*held, value), "ok"
        return held[1:], held[0] if held else None


def order_of(*lines):
    """Return (the calls of the longest order, whether it is whole); a line is (process, call), or from `ok`."""
    history = History()
    for process, *told in lines:
        history.invoke(process, *told) if len(told) == 1 else history.respond(process, told[1])
    result = linearization(history, Fifo())
    return [f"{one.call} {one.process}" for one in result.order], result.whole


def ok(process, said="ok"):
    return process, "", said


H1 = [
    *[("A", "enq x"), ("B", "enq y"), ok("B"), ok("A")],
    *[("B", "deq"), ok("B", "x"), ("A", "deq"), ok("A", "y"), ("A", "enq z")],
]
H2 = [("A", "enq x"), ok("A"), ("B", "enq y"), ("A", "deq"), ok("B"), ok("A", "y")]
H3 = [("A", "enq x"), ("B", "deq"), ok("B", "x")]
H4 = [
    *[("A", "enq x"), ("B", "enq y"), ok("A"), ok("B")],
    *[("A", "deq"), ("C", "deq"), ok("A", "y"), ok("C", "y")],
]


@pytest.mark.parametrize(
    ("lines", "order", "whole"),
    [
        (H1, ["enq x A", "enq y B", "deq B", "deq A"], True),
        (H2, ["enq x A", "enq y B"], False),  # x was there before y, and nobody took it
        (H3, ["enq x A", "deq B"], True),  # the enq has no response, and has taken place
        (H4, ["enq y B", "enq x A", "deq A"], False),  # y was taken twice
        ([("A", "enq x"), ("B", "deq"), ok("B", None)], ["deq B"], True),  # or it has not
        ([("B", "deq"), ok("B", "x"), ("A", "enq x")], [], False),  # but not before it began
        ([*H3, ("B", "deq"), ok("B", "x")], ["enq x A", "deq B"], False),  # and once at most
        (
            [("A", "enq x"), ("A", "enq y"), ok("A"), ("B", "deq"), ok("B", "x")],
            ["enq x A", "enq y A", "deq B"],
            True,
        ),
        ([("A", "deq"), ok("A", False)], [], False),
    ],
)
def test_an_order_that_explains_a_history_is_found_if_there_is_one(lines, order, whole):
    assert order_of(*lines) == (order, whole)


def test_equal_answers_of_other_types_are_others():
    class One:
        initial = None

        def apply(self, state, call):
            return state, True

    history = History()
    history.invoke("A", "call")
    history.respond("A", 1)
    assert not linearization(history, One()).whole


def test_a_response_belongs_to_a_call():
    with pytest.raises(BadInput, match="has not called"):
        History().respond("A", "ok")

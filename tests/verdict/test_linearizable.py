"""Histories and the orders that explain them: those of Herlihy and Wing, section 2, and calls without a response."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.verdict.linearizable import History, is_linearizable


def fifo(held, call):
    """A queue, for one process alone: "enq x", and "deq", which returns the oldest, or None."""
    kind, _, value = call.partition(" ")
    if kind == "enq":
        return (*held, value), "ok"
    return held[1:], held[0] if held else None


def explained(*lines):
    """Tell whether an order explains these lines: each is (process, call), or from `ok`."""
    history = History()
    for process, *told in lines:
        history.invoke(process, *told) if len(told) == 1 else history.respond(process, told[1])
    return is_linearizable(history, (), fifo)


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
    ("lines", "whole"),
    [
        (H1, True),
        (H2, False),  # x was there before y, and nobody took it
        (H3, True),  # the enq has no response, and has taken place
        (H4, False),  # y was taken twice
        ([("A", "enq x"), ("B", "deq"), ok("B", None)], True),  # or it has not
        ([("B", "deq"), ok("B", "x"), ("A", "enq x")], False),  # but not before it began
        ([*H3, ("B", "deq"), ok("B", "x")], False),  # and once at most
        ([("A", "enq x"), ("A", "enq y"), ok("A"), ("B", "deq"), ok("B", "x")], True),
        ([("A", "deq"), ok("A", False)], False),
    ],
)
def test_an_order_that_explains_a_history_is_found_if_there_is_one(lines, whole):
    assert explained(*lines) == whole


def test_equal_answers_of_other_types_are_others():
    history = History()
    history.invoke("A", "call")
    history.respond("A", 1)
    assert not is_linearizable(history, None, lambda state, call: (state, True))


def test_a_response_belongs_to_a_call():
    with pytest.raises(BadInput, match="has not called"):
        History().respond("A", "ok")

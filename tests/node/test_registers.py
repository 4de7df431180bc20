"""Registers and sendings in a trace: what only they have; what they answer is in the conformance suite."""

from fractions import Fraction

import pytest

from exactly_once import Job, Numbers, Partition, Program, prove, simulate
from exactly_once.errors import BadInput
from exactly_once.trace import Event


def two_cells(node):
    node.registers.cas("one", 0, ["WRITING", node.start, 4])
    node.registers.cas("one", 0, "late")
    node.registers.read("two")


def test_each_register_is_a_process_line_of_its_own():
    trace = simulate(two_cells, job=Job(items=1)).trace
    assert {event.process for event in trace} == {"incarnation 1", "register.one", "register.two"}
    texts = [event.text for event in trace if event.process == "register.one" and event.kind == "receive"]
    assert texts == ["[WRITING, offset 0, 4]", "refused"]
    answers = [event.text for event in trace if event.process == "incarnation 1" and event.verb == "reply"]
    assert answers == ["done", "refused", "nothing yet"]


def test_a_value_may_be_compared_in_place_of_the_version():
    def handler(node):
        tried = (None, "a"), (None, "b"), ("a", "b"), ("b", "a"), ("a", "c")
        node.output.push([node.registers.cas_value("one", *each) for each in tried])
        for nonsense in (node.registers.cas, node.registers.cas_value):
            with pytest.raises(BadInput, match="given None"):
                nonsense("one", 0, None)
        with pytest.raises(BadInput, match="version"):
            node.registers.cas("one", ["c"], "d")

    run = simulate(handler, job=Job(items=1))
    assert run.error is None
    assert run.pushes[0].value == [True, False, True, True, True], "a came back"
    assert [event.text for event in run.trace if event.verb == "cas" and event.kind == "send"][:2] == [
        "cas one, value nothing yet: a", "cas one, value nothing yet: b",
    ]  # fmt: skip


def test_a_compared_value_is_never_refused_for_good():
    """The explorer lets a compare-and-swap that is past its version go first; by value it may still fit later."""

    def late(node):
        if node.number == 1:
            node.registers.cas_value("one", "a", "taken")
        else:
            for expected, value in ((None, "b"), ("b", "a"), ("a", "c")):
                node.registers.cas_value("one", expected, value)

    merged, plain = (
        prove(late, nodes=2, items=1, crashes=0, merge=merge, invariant=lambda view: seen(view) != "taken")
        for merge in (True, False)
    )
    assert merged.counterexample
    assert plain.counterexample


def seen(view):
    return view.registers.get("one")


def sends(node):
    node.log.send("readings", [("key", "text"), Fraction(1, 2)])
    node.log.send("readings", [3], "all", 7, 0, 0)


def test_each_sending_says_which_records_it_carries_and_under_which_number():
    trace = simulate(Program(sends, Numbers(1), Partition("readings"), "producer")).trace
    sent = [Event.parse(event.json()).detail for event in trace if event.verb == "send" and event.kind == "send"]
    assert sent == [
        {"part": "log.readings", "values": ["text", "0.5"], "acks": "all"},
        {"part": "log.readings", "values": ["3"], "acks": "all", "producer": 7, "producer_epoch": 0, "sequence": 0},
    ]

"""Queues that are filled beforehand, and the general form without PREPARING over them."""

from dataclasses import replace

from exactly_once.explore import prove
from exactly_once.lockfree import Given
from exactly_once.lockfree.general import general
from exactly_once.node.program import program_of
from exactly_once.simulate import simulate
from exactly_once.verdict import judge

FILLED = Given(("a", "b"), ((1, 2, 3), (10,)))


def add(state, inputs):
    state += sum(value for value in inputs if value is not None)
    return state, [state]


def over(handler, source=FILLED):
    return replace(program_of(handler, source), source=source)


def reads_one(node):
    node.read(node.start)
    node.output.push(1)


def test_each_read_gives_the_next_of_every_queue_that_has_one():
    program = over(general(add, first=0, inputs=FILLED.queues))
    run = simulate(program)
    assert run.outcome.outputs == ("11", "13", "16")
    verdict = judge(run, program)
    assert verdict.exactly_once
    assert "unread" not in verdict.sentence


def test_what_is_left_unread_is_said():
    program = over(reads_one)
    assert "leaves some of its inputs unread" in judge(simulate(program), program).sentence
    (warning,) = prove(program, crashes=0).warnings
    assert warning == "When nothing goes wrong the handler leaves input of a unread."


def test_a_value_may_be_a_list_or_a_dictionary():
    source = Given(("orders",), (([1, 2], {"left": [3]}),))
    handler = general(lambda state, inputs: (state, [inputs[0]]), inputs=source.queues)
    proof = prove(over(handler, source), nodes=2, crashes=0)
    assert proof.ok
    assert simulate(over(handler, source)).outcome.outputs == ("[1,2]", '{"left":[3]}')

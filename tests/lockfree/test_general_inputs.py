"""The general form and what it reads: retention on its inputs, batches, queues that are filled beforehand."""

from dataclasses import replace

import pytest

from exactly_once import CellSource
from exactly_once.articles import broken
from exactly_once.errors import BadInput
from exactly_once.explore import prove
from exactly_once.lockfree import Given, Queue
from exactly_once.lockfree.general import general
from exactly_once.lockfree.queue import is_emptied
from exactly_once.node import Program
from exactly_once.node.program import program_of
from exactly_once.node.world import QUEUES
from exactly_once.simulate import simulate
from exactly_once.verdict.verdict import IdealFailed

TWIN = broken.machine(broken.twice_as_much, messages=broken.MESSAGES)


def test_retention_behind_the_machine_does_no_harm_to_a_stalled_twin():
    sweeper = broken.sweeper(broken.sweeps_handled, broken.MESSAGES)
    proof = prove([TWIN, TWIN, sweeper], crashes=0, invariant=broken.outputs(2, 4))
    assert proof.ok, str(proof)
    assert proof.lock_free


def test_retention_before_the_machine_is_an_error_that_says_what_is_lost():
    def sweeps_everything(node):
        Queue(node.store(QUEUES), broken.INPUT).sweep(lambda value: True)

    proof = prove([TWIN, broken.sweeper(sweeps_everything)], crashes=0, invariant=lambda view: True)
    assert "The handler 'handler' has come to index 0 of the queue 'input'" in proof.counterexample.sentence
    assert "the message is lost. Let retention empty only what all readers have handled." in (
        proof.counterexample.sentence
    )


def test_nobody_takes_a_mark_for_a_message():
    seen = []

    def remembers(state, inputs):
        seen.extend(inputs)
        return state, [2 * inputs[0]]

    twin = broken.machine(remembers)
    assert prove([twin, twin, broken.sweeper(broken.sweeps_handled)], invariant=broken.outputs(2)).ok
    assert not any(map(is_emptied, seen))


def test_no_message_looks_like_a_mark():
    """What reads it would say that retention has emptied its cell."""
    with pytest.raises(IdealFailed, match="readers would pass over it"):
        prove(general(lambda state, readings: (state, [{"emptied": "x"}])), items=1)
    with pytest.raises(BadInput, match="readers would pass over it"):
        Given(("q",), (({"emptied": "x"},),))
    held = {"emptied": "x", "more": 1}
    source = Given(("q",), ((held,),))
    echo = program_of(general(lambda state, inputs: (state, inputs), inputs=("q",)), source)
    run = simulate(replace(echo, source=source))
    assert [push.value for push in run.pushes] == [held]


def growing(state, readings):
    """Push the state itself, which the next call changes in place."""
    hours = state or []
    hours.append(readings[0].hour)
    return hours, [hours]


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_outputs_are_what_they_were_when_the_function_returned_them(batch):
    run = simulate(general(growing, batch=batch))
    assert [push.value for push in run.pushes] == [list(range(1, hour + 1)) for hour in range(1, 7)]
    assert prove(general(growing, batch=batch), nodes=2, items=2, reference=general(growing)).ok


def test_queues_that_are_filled_beforehand_are_read_to_their_end():
    source = Given(("a", "b"), [[1, 2], [1, 2]])
    read = []

    def reads(node):
        positions = node.start
        while node.running():
            rows, positions = node.read(positions)
            node.output.push(rows[0])

    run = simulate(Program(reads, source))
    read = [push.value for push in run.pushes]
    assert read == [[1, 1], [2, 2]]
    assert (source.hours(), source.start()) == ({1, 2}, {"a": 0, "b": 0})


@pytest.mark.parametrize("queues", [(), "a", ("a", ""), ("a", "a")])
def test_what_is_no_queue_is_refused(queues):
    with pytest.raises(BadInput, match="The queues to read are"):
        CellSource(queues)


def test_two_handlers_that_share_a_machine_by_mistake_are_refused():
    chain = [general(growing, outputs=("mid",)), general(growing, inputs=("mid",))]
    with pytest.raises(BadInput, match="Two handlers that read or fill different queues are both called 'handler'"):
        prove(chain, items=1)
    with pytest.raises(BadInput, match="give each a name of its own"):
        simulate(chain)

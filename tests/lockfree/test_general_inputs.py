"""The general form and what it reads: retention on its inputs, batches, queues that are filled beforehand."""

from dataclasses import replace

import pytest

from exactly_once.errors import BadInput
from exactly_once.explore import prove
from exactly_once.lockfree import Given
from exactly_once.lockfree.general import general
from exactly_once.node.program import program_of
from exactly_once.simulate import simulate
from exactly_once.verdict import IdealFailed


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


def test_two_handlers_that_share_a_machine_by_mistake_are_refused():
    chain = [general(growing, outputs=("mid",)), general(growing, inputs=("mid",))]
    with pytest.raises(BadInput, match="Two handlers that read or fill different queues are both called 'handler'"):
        prove(chain, items=1)
    with pytest.raises(BadInput, match="give each a name of its own"):
        simulate(chain)

"""The readings of an hour come in the same order in every world, so that a list of them is the same state."""

import pytest

from exactly_once.explore import prove
from exactly_once.pipeline import Job
from exactly_once.pipeline.series import STREAMS
from exactly_once.simulate import simulate


def keeps_what_it_read(node):
    items, positions = node.read(node.start)
    node.state.save([item.stream for item in items])
    node.positions.save(positions)


@pytest.mark.parametrize("explored", [False, True])
def test_the_order_is_that_of_the_streams(explored):
    if explored:
        proof = prove(keeps_what_it_read, job=Job(items=1), crashes=0, invariant=lambda view: view.state is None)
        state = proof.counterexample.run.outcome.state
    else:
        state = simulate(keeps_what_it_read, job=Job(items=1)).outcome.state
    assert state == '["' + '","'.join(STREAMS) + '"]'

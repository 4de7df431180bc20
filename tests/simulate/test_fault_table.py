"""Every kind of fault in the simulated world: the events in the trace, and the result."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.faults import KINDS, Fault, FaultPlan
from exactly_once.simulate import simulate
from tests.node.fault_table import JOB, PAIR, ROWS, diary, wrongs
from tests.node.world_conformance import untruths


def test_every_kind_is_in_the_table():
    assert {row.fault.kind for row in ROWS} == set(KINDS) - {"crash-stop"}
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_simulate_carries_it_out(row):
    run = simulate(row.programs, row.plan, JOB)
    assert wrongs(row, run) == {}
    assert untruths(run) == []
    again = simulate(row.programs, FaultPlan.parse(row.plan.token), JOB)
    assert list(again.trace) == list(run.trace), "the token says it all"


@pytest.mark.parametrize(("programs", "node"), [(diary, 2), (PAIR, 3)])
def test_a_node_that_is_not_there_is_refused(programs, node):
    with pytest.raises(BadInput, match=f"strikes node {node}, and the nodes are 1 to"):
        simulate(programs, FaultPlan((Fault("output.push", 1, "lost reply", node=node),)), JOB)

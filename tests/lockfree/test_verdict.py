"""The verdict on a queue of registers: its cells are the output, in the order of their indices."""

from dataclasses import replace

import pytest

from exactly_once import Fault, FaultPlan, Job, simulate
from exactly_once.lockfree import hourly_means
from exactly_once.stores import decode
from exactly_once.verdict import Outcome


def cells(*indices):
    """Return a handler that puts the index itself into each of these cells."""

    def handler(node):
        for index in indices:
            node.registers.cas(f"output.{index}", 0, index)

    return handler


def outputs(run):
    return [decode(text) for text in run.outcome.outputs]


@pytest.mark.parametrize(
    ("indices", "seen"),
    [((2, 0, 1), [0, 1, 2]), ((0, 2), [0]), ((1,), []), (tuple(range(12)), list(range(12))), ((), [])],
)
def test_cells_are_read_by_index_up_to_the_first_empty_one(indices, seen):
    run = simulate(cells(*indices), job=Job(items=1))
    assert outputs(run) == [push.value for push in run.pushes] == seen
    assert Outcome.after(run.writes) == replace(run.outcome, others=()), "but for the registers of nodes that differ"


def test_a_record_carries_who_pushed_it_for_which_hour_from_which_readings():
    plan = FaultPlan((Fault("register.cas", 2, "crash after"),))
    run = simulate(hourly_means, plan, Job(items=3))
    assert [(push.item, push.life) for push in run.pushes] == [(1, 1), (2, 2), (3, 2)]
    assert [push.inputs for push in run.pushes] == [
        ((hour, "seattle"), (hour, "san_francisco")) for hour in (1, 2, 3)
    ]

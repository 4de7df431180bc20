"""The verdict on a queue of registers: its cells are the output, in the order of their indices."""

from dataclasses import replace

import pytest

from exactly_once.faults import Fault, FaultPlan
from exactly_once.lockfree import flawed, hourly_means
from exactly_once.simulate import simulate
from exactly_once.stores.codec import decode
from exactly_once.verdict import Outcome, judge
from tests.lockfree.nodes import ONE, THREE, TWO, Nodes, at_random


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
    run = simulate(cells(*indices), job=ONE)
    assert outputs(run) == [push.value for push in run.pushes] == seen
    assert Outcome.after(run.writes) == replace(run.outcome, others=()), "but for the registers of nodes that differ"


def test_a_record_carries_who_pushed_it_for_which_hour_from_which_readings():
    plan = FaultPlan((Fault("register.cas", 2, "crash after"),))
    run = simulate(hourly_means, plan, THREE)
    assert [(push.item, push.life) for push in run.pushes] == [(1, 1), (2, 2), (3, 2)]
    assert [push.inputs for push in run.pushes] == [
        ((hour, "seattle"), (hour, "san_francisco")) for hour in (1, 2, 3)
    ]


def test_a_duplicate_is_named_with_the_death_that_led_to_it():
    verdict = judge(
        Nodes(flawed.without_preparing, TWO, hurts={(1, 6): "crash before"}).run, flawed.without_preparing
    )
    assert verdict.damage.duplicated == (1,)
    assert (verdict.damage.missing, verdict.damage.wrong, verdict.consistent) == ((), (), False)
    assert verdict.sentence == (
        "Not exactly once: the average of hour 1 is in the output more than once. "
        "Incarnation 1 was killed before register.cas, in the pass of hour 1, when it had pushed the average."
    )


def test_a_death_is_told_with_all_that_it_had_done_for_its_hour():
    verdict = judge(Nodes(hourly_means, TWO, hurts={(1, 7): "crash after"}).run, hourly_means)
    assert verdict.sentence.endswith(
        "Incarnation 1 was killed after register.cas, in the pass of hour 1, "
        "when it had written the register machine and pushed the average."
    )


def test_the_journal_tells_the_same_outcome_as_the_stores():
    for seed in range(20):
        run = at_random([hourly_means, flawed.without_preparing], TWO, seed).run
        assert Outcome.after(run.writes) == replace(run.outcome, others=()), "but for registers of nodes that differ"
        assert outputs(run) == [push.value for push in run.pushes]

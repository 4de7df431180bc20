"""The verdict on a queue of registers: its cells are the output, in the order of their indices."""

from dataclasses import replace

import pytest

from exactly_once.faults import Fault, FaultPlan
from exactly_once.lockfree import Queue, flawed, hourly_means
from exactly_once.node.program import Program
from exactly_once.pipeline import Job
from exactly_once.pipeline.series import STREAMS
from exactly_once.simulate import simulate
from exactly_once.stores import MemoryStore, Origin, SQLiteStore
from exactly_once.stores.codec import decode
from exactly_once.verdict import Outcome, judge
from exactly_once.verdict.prefix import Beginning
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


def test_other_registers_and_other_queues_are_no_output():
    def handler(node):
        Queue(node.registers, "other").push("no")
        node.registers.cas("output", 0, "no")
        node.registers.cas("output.hint", 0, 0)
        Queue(node.registers, "output").push("yes")

    assert outputs(simulate(handler, job=ONE)) == ["yes"]


def test_a_cell_that_was_overwritten_holds_what_was_written_last():
    def handler(node):
        for version in range(3):
            node.registers.cas("output.0", version, f"version {version + 1}")
        node.registers.cas("output.0", 1, "refused")

    run = simulate(handler, job=ONE)
    assert outputs(run) == [push.value for push in run.pushes] == ["version 3"]
    assert Outcome.after(run.writes) == replace(run.outcome, others=()), "but for the registers of nodes that differ"


def test_a_handler_that_uses_both_has_both_in_its_output():
    def handler(node):
        Queue(node.registers, "output").push("queued")
        node.output.push("logged")

    assert outputs(simulate(handler, job=ONE)) == ["logged", "queued"]


def test_a_record_carries_who_pushed_it_for_which_hour_from_which_readings():
    plan = FaultPlan((Fault("register.cas", 2, "crash after"),))
    run = simulate(hourly_means, plan, THREE)
    assert [(push.item, push.life) for push in run.pushes] == [(1, 1), (2, 2), (3, 2)]
    assert [push.inputs for push in run.pushes] == [tuple((hour, one) for one in STREAMS) for hour in (1, 2, 3)]


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


@pytest.mark.parametrize("seed", range(20))
def test_the_journal_tells_the_same_outcome_as_the_stores(seed):
    run = at_random([hourly_means, flawed.without_preparing], TWO, seed).run
    assert Outcome.after(run.writes) == replace(run.outcome, others=()), "but for the registers of nodes that differ"
    assert outputs(run) == [push.value for push in run.pushes]


def test_a_sqlite_store_has_the_same_output(tmp_path):
    stores = [MemoryStore("engine"), SQLiteStore(tmp_path / "engine.sqlite")]
    for store in stores:
        for index in (1, 0, 3):
            store.do(f"register.output.{index}", "cas", 0, f"value {index}", origin=Origin(1, index + 1))
    told = [
        Outcome.of({"engine": store, "database": MemoryStore("database")}, [Program(hourly_means, TWO)])
        for store in stores
    ]
    assert told[0] == told[1]
    assert [decode(text) for text in told[0].outputs] == ["value 0", "value 1"]
    stores[1].close()


def test_a_run_that_goes_on_is_judged_as_a_beginning():
    beginning = Beginning(hourly_means, Job(items=None))
    assert beginning.judge(simulate(hourly_means, job=THREE)).consistent
    assert not beginning.judge(Nodes(flawed.without_preparing, TWO, hurts={(1, 6): "crash before"}).run).consistent
    turns = iter([0] * 13)
    cut = Nodes(hourly_means, THREE, schedule=lambda left: next(turns, None)).run
    assert len(cut.pushes) == 1
    assert beginning.judge(cut).consistent, "the pass of hour 2 is half done"

"""A driver, its tasks and their zombies: one sink is right, and each of the others is broken in its own way."""

import pytest

from exactly_once import Fault, FaultPlan, prove, show, simulate
from exactly_once.handlers import micro_batch, rows_once

AS_IT_GOES, COMMITS, ONCE = SINKS = "writes as it goes", "commits messages", "commits messages once"


@pytest.mark.parametrize("sink", SINKS)
def test_without_faults_each_sink_is_right(sink):
    proof = prove(micro_batch(sink, 2, 1), invariant=rows_once(2, 1), crashes=0)
    assert proof.ok, str(proof)


@pytest.mark.parametrize(
    ("tasks", "batches", "faults"),
    [(1, 1, {"crashes": 2}), (1, 1, {"crashes": 1, "pauses": 1}), (2, 1, {"crashes": 1}), (1, 2, {"crashes": 1})],
)
@pytest.mark.some(day=2)
def test_messages_that_are_committed_once_are_right(tasks, batches, faults):
    proof = prove(micro_batch(ONCE, tasks, batches), invariant=rows_once(tasks, batches), **faults)
    assert proof.ok, str(proof)


@pytest.mark.parametrize(
    ("sink", "node", "faults"),
    [
        (AS_IT_GOES, 2, {"crashes": 1}),
        (AS_IT_GOES, 2, {"crashes": 0, "pauses": 1}),
        (COMMITS, 1, {"crashes": 1}),
        (COMMITS, 1, {"crashes": 0, "pauses": 1}),
    ],
)
def test_the_others_are_broken_by_a_retry_or_a_zombie_of_the_task_or_by_one_of_the_driver(sink, node, faults):
    proof = prove(micro_batch(sink), invariant=rows_once(), **faults)
    assert not proof.ok
    assert "the row of batch 0, task 0, is in the sink twice" in str(proof)
    struck = [event for event in proof.counterexample.run.trace if event.verb in ("dies", "fault", "pause")]
    starts = {one.life: one.detail.get("node", 0) + 1 for one in proof.counterexample.run.trace.lives()}
    assert {starts[event.life] for event in struck} <= {node}
    assert "is in the sink twice" in show.proof(proof)._repr_html_()


@pytest.mark.parametrize("sink", SINKS)
def test_a_zombie_that_writes_when_its_copy_has_won_is_harmless_for_messages(sink):
    at = "store.append" if sink == AS_IT_GOES else "output.push"
    run = simulate(micro_batch(sink), FaultPlan((Fault(at, None, "pause", node=2, until=30),)))
    assert run.reached
    zombie = next(one.life for one in run.trace if one.verb == "wakes")
    part = "sink.rows" if sink == AS_IT_GOES else "log.messages"
    writers = [one.life for one in run.trace if one.process == part and one.verb in ("append", "produce")]
    assert writers == [zombie + 1, zombie], "the copy wrote, and then the zombie"
    rows = dict(run.outcome.others)["sink.rows"].count("batch 0, task 0")
    assert rows == (2 if sink == AS_IT_GOES else 1)

"""Several nodes on the cluster: processes that are killed and stopped for real leave what simulated ones leave."""

import os
import time

import psutil
import pytest

from exactly_once.faults import Fault, FaultPlan
from exactly_once.simulate import simulate
from exactly_once.spark.run.tasks import run_many, run_on_cluster
from tests.node.fault_table import JOB, PAIR
from tests.node.world_conformance import untruths
from tests.spark.run.waiting import gone, is_stopped

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(300)]
STEPS = ("input.read", "output.push", "positions.save")


def one(at, item, kind, node, kill="worker"):
    """Return the plan of one fault at a node."""
    return Fault(at, item, kind, kill=kill, node=node)


def test_a_producer_and_a_consumer_that_are_killed_agree_with_the_simulation_record_for_record(shared_cluster):
    plans = [
        FaultPlan((one(step, 2, kind, node),))
        for step in STEPS
        for kind in ("crash before", "crash after")
        for node in (1, 2)
        if (step, node) != ("input.read", 1)  # which record comes next a consumer knows when it has read it
    ]
    plans.append(FaultPlan((one("output.push", 1, "crash after", 1), one("output.push", 2, "crash after", 2))))
    runs = run_many([(PAIR, plan, JOB) for plan in plans])
    for plan, run in zip(plans, runs, strict=True):
        simulated = simulate(PAIR, plan, JOB)
        assert run.reached, plan.token
        assert run.outcome == simulated.outcome, plan.token
        assert untruths(run) == []
        killed = {death.life for death in run.trace.deaths()}
        assert len(killed) == len(plan.faults)
        assert all(gone(start.detail["pid"]) for start in run.trace.lives() if start.life in killed)


def watcher(node):
    """Note the process, and wait until those of earlier lives are stopped; push each hour."""
    processes = node.store("diary").scan("processes")
    for pid in processes:
        deadline = time.monotonic() + 20
        while psutil.Process(pid).status() != psutil.STATUS_STOPPED and time.monotonic() < deadline:
            time.sleep(0.01)
        node.store("diary").append("seen", psutil.Process(pid).status())
    node.store("diary").append("processes", os.getpid())
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.output.push([len(processes), items[0].hour])
        node.positions.save(positions)


@pytest.mark.parametrize("until", [None, 7])
def test_a_process_that_pauses_is_stopped_while_the_next_life_goes_on_and_writes_on_waking(shared_cluster, until):
    run = run_on_cluster(watcher, FaultPlan((Fault("output.push", 1, "pause", until=until),)), JOB)
    others = dict(run.outcome.others)
    first, second = (start.detail["pid"] for start in run.trace.lives())
    assert others["diary.processes"] == f"[{first},{second}]"
    assert others["diary.seen"] == '["stopped"]'
    assert sorted(run.outcome.outputs) == ["[0,1]", "[0,2]", "[1,1]", "[1,2]"]
    if until is None:
        assert run.outcome.outputs == ("[1,1]", "[1,2]", "[0,1]", "[0,2]"), "it wrote after its successor had ended"
    (wakes,) = (event for event in run.trace if event.verb == "wakes")
    assert wakes.life == 1
    assert not is_stopped(first), "nothing stays stopped"

"""A process that is put to sleep on the cluster is stopped for real, and writes when it wakes up."""

import os
import time

import psutil
import pytest

from exactly_once import Fault, FaultPlan, run_on_cluster
from tests.node.fault_table import JOB
from tests.spark.run.waiting import is_stopped

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(300)]


def watcher(node):
    """Note the process, and wait until those of earlier lives are stopped; push each hour."""
    processes = node.store("diary").scan("processes")
    for pid in processes:
        deadline = time.monotonic() + 60
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

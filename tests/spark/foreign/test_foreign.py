"""Runs on a cluster that somebody else started: its workers share no folder with the notebook, and no process."""

import os
from pathlib import Path

import psutil
import pytest

from exactly_once import replay_on_cluster
from exactly_once.explore import prove
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import at_least_once, average, lock_free
from exactly_once.lockfree.general import general
from exactly_once.pipeline import Job, Window
from exactly_once.simulate import simulate
from exactly_once.spark import LiveRun, deliver_on_cluster
from exactly_once.spark.run.tasks import run_on_cluster
from exactly_once.spark.run.twins import Twins
from exactly_once.verdict import judge
from tests.spark.foreign.standalone import HOSTS
from tests.spark.run.killing import killed_at_random, struck_at_random
from tests.spark.run.test_twins import until

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(600)]


def sentences(handler, plan, run):
    """Return the verdict of a run on the cluster and that of the same run in the simulation."""
    return judge(run, handler).sentence, judge(simulate(handler, plan, run.job), handler).sentence


@pytest.mark.slow
def test_workers_have_the_library_that_spark_has_brought_them(foreign, standalone):
    def where(numbers):
        import exactly_once

        list(numbers)
        yield exactly_once.__file__, os.getcwd()

    for library, folder in foreign.sparkContext.parallelize(range(4), 4).mapPartitions(where).collect():
        assert Path(library).is_relative_to(folder), "not the one that is installed"
        assert Path(folder).is_relative_to(standalone.folder)


@pytest.mark.parametrize("kill", ["worker", "executor"])
def test_each_kill_is_made_by_the_task_itself(foreign, standalone, kill):
    plan = FaultPlan.crash("B", 3, kill=kill)
    run = run_on_cluster(at_least_once, plan)
    real, simulated = sentences(at_least_once, plan, run)
    assert real == simulated
    first, second = (event.detail for event in run.trace.lives())
    assert first["pid"] != second["pid"]
    assert (first["jvm"] != second["jvm"]) >= (kill == "executor")
    assert psutil.Process(second["jvm"]) in standalone.executors()


@pytest.mark.parametrize("kind", ["pause", "late request"])
def test_faults_that_last_are_the_same_there(foreign, kind):
    plan = FaultPlan((Fault("B" if kind == "pause" else "output.push", 3, kind, until=30),))
    run = run_on_cluster(at_least_once, plan)
    assert run.fired, kind
    assert "fell asleep" in judge(run, at_least_once).sentence or kind != "pause"


def test_a_counterexample_is_replayed_step_for_step(foreign):
    proof = prove(at_least_once)
    run = replay_on_cluster(proof.counterexample.token, at_least_once)
    assert run.outcome == proof.counterexample.run.outcome


def test_a_live_run_is_struck_from_the_notebook(foreign):
    live = LiveRun(at_least_once, pace=0.02)
    live.start()
    live.wait(lambda shot: shot.last_line)
    live.arm("B")
    live.wait(lambda shot: shot.current_life == 2)
    assert live.kill_now()
    live.wait(lambda shot: shot.current_life == 3 and shot.last_line)
    assert live.kill_now("executor")
    live.wait(lambda shot: shot.current_life == 4 and shot.last_line)
    verdict = live.stop()
    deaths = [death.text for death in verdict.run.trace.deaths()]
    assert len(deaths) == 3
    assert "SIGKILL" in deaths[0]
    assert deaths[1:] == ["killed from outside"] * 2


@pytest.mark.slow
def test_twins_are_killed_and_stopped_from_the_notebook(foreign):
    with Twins(lock_free, pace=5) as twins:
        done = struck_at_random(twins, 15)
        result = twins.end()
    assert result.exactly_once, result
    assert {"killed", "stopped", "executor killed"} == set(done)


@pytest.mark.slow
def test_a_worker_is_lost_as_a_whole_and_the_run_ends_right(foreign, standalone):
    """The machine of some incarnations is gone: worker, executor and Python; the other worker goes on."""
    with Twins(lock_free, pace=2) as twins:
        until(twins, lambda state: len(state.tape) > 3)
        lives, lost = nodes(twins.state()), HOSTS[1]
        assert standalone.executors(lost)
        standalone.kill(lost)
        until(twins, lambda state: nodes(state) != lives and all_run(state), 120)
        arrived = twins.state().arrived
        until(twins, lambda state: len(state.tape) > arrived)
        result = twins.end()
    assert result.exactly_once, result
    assert not standalone.processes(lost)
    plan = FaultPlan.crash("B", 3, kill="executor")
    real, simulated = sentences(at_least_once, plan, run_on_cluster(at_least_once, plan))
    assert real == simulated, "the other worker alone"
    standalone.begin(lost)


def nodes(state):
    """Return {node: its newest incarnation}."""
    return {node.number: node.life for node in (*state.twins, state.database)}


def all_run(state):
    """Tell whether all nodes are at work."""
    return all(node.status == "running" for node in (*state.twins, state.database))


@pytest.mark.slow
def test_kills_at_random_moments_and_a_log(foreign):
    handler = general(average(24), Window())
    (run,) = killed_at_random([(handler, None, Job(items=48))], 5, seed=1)  # on a loaded machine some come too late
    assert judge(run, handler).exactly_once
    assert run.trace.deaths()
    delivered = deliver_on_cluster(records=60)
    assert delivered.found == delivered.predicted

"""Runs on a cluster that somebody else started on this machine: its workers belong to no process of the course."""

import os

import psutil
import pytest

from exactly_once import CourseError, FaultPlan, judge, run_on_cluster, simulate
from exactly_once.handlers import at_least_once
from exactly_once.paths import temporary
from exactly_once.spark import LiveRun, cluster, stop_cluster
from tests.spark.foreign.standalone import HOSTS, Standalone, owns

pytestmark = [pytest.mark.slow, pytest.mark.cluster, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def standalone(shared_cluster):
    """A master and two workers, of four cores and 2 GB each."""
    if not all(map(owns, HOSTS)):
        pytest.skip("This machine has one loopback address.")
    found = Standalone()
    variables = {"EXACTLY_ONCE_SPARK": found.url, "SPARK_CONF_DIR": str(found.conf)}
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    yield found
    stop_cluster()
    found.stop()
    assert list(temporary("runs").iterdir()) == []
    for name, value in before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


@pytest.fixture
def foreign(standalone):
    """The course's session there, with four slots."""
    return cluster(slots=4, take_over=True)


@pytest.mark.parametrize("kill", ["worker", "executor"])
def test_each_kill_is_made_by_the_task_itself(foreign, standalone, kill):
    plan = FaultPlan.crash("B", 3, kill=kill)
    run = run_on_cluster(at_least_once, plan)
    simulated = simulate(at_least_once, plan, run.job)
    assert judge(run, at_least_once).sentence == judge(simulated, at_least_once).sentence
    first, second = (event.detail for event in run.trace.lives())
    assert first["pid"] != second["pid"]
    assert (first["jvm"] != second["jvm"]) >= (kill == "executor")
    assert psutil.Process(second["jvm"]) in standalone.executors()


def test_a_live_run_is_struck_from_the_notebook(foreign):
    live = LiveRun(at_least_once, pace=0.02)
    live.start()
    live.wait(lambda shot: shot.last_line)
    assert live.kill_now()
    live.wait(lambda shot: shot.current_life == 2 and shot.last_line)
    assert live.kill_now("executor")
    live.wait(lambda shot: shot.current_life == 3 and shot.last_line)
    deaths = [death.text for death in live.stop().run.trace.deaths()]
    assert deaths == ["killed from outside"] * 2


def test_a_master_that_is_not_there_is_told_before_java_starts():
    with pytest.raises(CourseError, match=r"No Spark master answers at spark://127\.0\.0\.1:9\."):
        cluster("spark://127.0.0.1:9", take_over=True)

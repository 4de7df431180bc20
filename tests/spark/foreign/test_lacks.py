"""What a cluster that is not ours lacks is said in a sentence, before anything is run; and nobody is left there."""

import os
import signal
import sys
import time

import pytest

from exactly_once.clocks import exchange_messages
from exactly_once.errors import CourseError
from exactly_once.spark import cluster, kill_in_the_sink, kill_the_leader
from exactly_once.spark.cluster import processes
from tests.spark.run.actor import Actor

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(600)]


@pytest.fixture
def notebook(tmp_path, standalone):
    """Start processes that are notebooks on the cluster, each under a lease of its own."""
    started = []

    def start(**variables):
        (folder := tmp_path / f"notebook-{len(started)}").mkdir()
        lease = f"tests-foreign-{os.getpid()}-{len(started)}"
        started.append(Actor(folder, **{"EXACTLY_ONCE_LEASE": lease} | variables))
        return started[-1]

    yield start
    for actor in started:
        actor.process.kill()
        processes.kill(processes.our_processes(actor.pid))
        actor.leave()


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_master_that_is_not_there_is_told_before_java_starts():
    with pytest.raises(CourseError, match=r"No Spark master answers at 127\.0\.0\.1:9\..*firewall"):
        cluster("spark://127.0.0.1:9", take_over=True)


@pytest.mark.slow  # Spark itself gives up after a minute
def test_a_secret_that_is_missing(notebook, tmp_path):
    (tmp_path / "none").mkdir()
    kind, said = notebook(SPARK_CONF_DIR=str(tmp_path / "none")).fails("cluster()")
    assert (kind, "spark.authenticate.secret into a spark-defaults.conf" in said) == ("CourseError", True), said


@pytest.mark.slow
def test_a_python_that_is_not_there(notebook, standalone):
    kind, said = notebook(PYSPARK_PYTHON="/nowhere/python").fails("cluster()")
    assert (kind, "The workers have no Python '/nowhere/python'. Set" in said) == ("CourseError", True), said
    gone_from(standalone)


@pytest.mark.slow
def test_a_python_without_a_package(notebook, tmp_path, standalone):
    bare = script(tmp_path / "bare", f'exec {sys.executable} -S "$@"')
    kind, said = notebook(PYSPARK_PYTHON=bare).fails("cluster()")
    assert (kind, f"({bare} on " in said) == ("CourseError", True), said
    assert "lacks greenlet, psutil, " in said
    assert "pip install greenlet psutil" in said


@pytest.mark.slow
def test_two_notebooks_have_an_application_each(notebook, standalone):
    both = notebook(), notebook()
    for one in both:
        one.begin("cluster().sparkContext.applicationId")
    names = {one.value() for one in both}
    assert len(names) == 2
    for one in both:
        one.ask("from exactly_once import FaultPlan, judge, run_on_cluster")
        one.ask("from exactly_once.handlers import at_least_once")
        one.begin("judge(run_on_cluster(at_least_once, FaultPlan.crash('B', 3)), at_least_once).damage.duplicated")
    assert [one.value() for one in both] == [[3], [3]]


@pytest.mark.slow
def test_what_a_killed_notebook_leaves_ends_by_itself(notebook, standalone):
    one = notebook()
    one.ask("from exactly_once.spark.run.twins import Twins")
    one.ask("twins = Twins(pace=5)")
    one.ask("cluster(slots=4) and twins.start() and None")
    assert one.ask("twins.stop(1)") is True, "a process that is stopped, and that nobody will wake"
    assert standalone.executors()
    os.kill(one.pid, signal.SIGKILL)
    gone_from(standalone)


def gone_from(standalone, seconds=90):
    """Wait until no process of any application is there."""
    deadline = time.monotonic() + seconds
    while left := standalone.executors():
        assert time.monotonic() < deadline, [processes.command_line(one) for one in left]
        time.sleep(0.1)


@pytest.mark.parametrize("work", [kill_the_leader, lambda: kill_in_the_sink(spark=cluster())])
def test_what_needs_one_machine_says_so(foreign, work):
    with pytest.raises(
        CourseError, match=r"need the tasks on this machine, and the executors of spark://.* elsewhere"
    ):
        work()


def test_processes_talk_between_machines(foreign):
    talk = exchange_messages(rounds=5)
    assert tuple(talk.table["stamp"]) == talk.history.lamport

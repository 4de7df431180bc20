"""The cluster: quiet, used again, stopped, started again, taken over, cleaned up, and at home on loopback."""

import http.client
import os
import signal
import stat
import subprocess
import sys
import time

import psutil
import pytest

from exactly_once import CourseError
from exactly_once.java.finder import jars
from exactly_once.spark import cluster
from exactly_once.spark.cluster import processes
from exactly_once.spark.cluster.processes import (
    command_line,
    executor_of_worker,
    kill_executor,
    kill_worker,
    our_processes,
)

from ..run.waiting import sockets

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]
LOOPBACK = ("127.", "::1", "::ffff:127.")


def gone(found, wait=10):
    """Tell whether all these processes end within `wait` seconds."""
    deadline = time.monotonic() + wait
    while any(map(processes.is_running, found)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(processes.is_running, found))


def once(folder, kill):
    """Return a task that kills its worker or executor the first time, and tells where it ran."""

    def task(numbers):
        mark = os.path.join(folder, f"{next(iter(numbers))}-struck")
        if not os.path.exists(mark):
            open(mark, "w").close()
            kill()
        return [tuple(executor_of_worker())]

    return task


def test_two_executors_with_a_java_and_a_python_process_each(spark):
    found = (
        spark.sparkContext.parallelize(range(2), 2).mapPartitions(lambda _: [tuple(executor_of_worker())]).collect()
    )
    executors, javas, workers = zip(*found, strict=True)
    assert cluster() is spark
    assert len(set(executors)) == len(set(javas)) == len(set(workers)) == 2
    assert {*javas, *workers} <= {process.pid for process in our_processes()}


def test_every_listening_socket_is_on_loopback(spark):
    spark.sparkContext.parallelize(range(2), 2).map(abs).collect()
    listening = [
        (process.name(), connection.laddr.ip)
        for process in [psutil.Process(), *our_processes()]
        for connection in sockets(process)
        if connection.status == psutil.CONN_LISTEN or (connection.type == 2 and connection.laddr)
    ]
    assert len(listening) >= 6  # gateway, driver, block manager, master, workers, executors, daemons
    assert [place for place in listening if not place[1].startswith(LOOPBACK)] == []


def test_a_job_needs_the_secret_of_this_start_which_is_on_no_command_line(spark):
    secret = spark.conf.get("spark.authenticate.secret")
    executors = [one for one in our_processes() if "--executor-id" in command_line(one)]
    assert {one.environ()["_SPARK_AUTH_SECRET"] for one in executors} == {secret}
    assert len(secret) == 64
    shown = [word for process in psutil.process_iter() for word in command_line(process)]
    assert any(word.startswith(processes.OWNER) for word in shown)
    assert not any(secret in word for word in shown)


def test_the_pages_of_masters_and_workers_answer_nobody(spark):
    pages = []
    for process in our_processes():
        for connection in sockets(process) if "java" in "".join(command_line(process)[:1]) else ():
            if connection.status == psutil.CONN_LISTEN:
                pages += answers(connection.laddr)
    assert len(pages) >= 3 * len(PAGES), "a master's and two workers'"
    assert {status for _, status in pages} == {403}


PAGES = ("/json/", "/environment/", "/logPage/?appId=app&executorId=0&logType=stderr", "/")


def answers(address):
    """Return (page, status) of what answers by HTTP at an address, nothing if that speaks another language."""
    try:
        found = []
        for page in PAGES:
            connection = http.client.HTTPConnection(address.ip.removeprefix("::ffff:"), address.port, timeout=10)
            connection.request("GET", page)
            found.append((page, connection.getresponse().status))
            connection.close()
        return found
    except (OSError, http.client.HTTPException):
        return []


def test_only_this_user_reaches_what_forks_python_workers(spark):
    spark.sparkContext.parallelize(range(2), 2).map(abs).collect()
    daemons = [process for process in our_processes() if processes.DAEMONS.intersection(command_line(process))]
    assert len(daemons) >= 2
    for process in daemons:
        assert [one for one in sockets(process) if one.status == psutil.CONN_LISTEN] == []
    place = spark.conf.get("spark.python.unix.domain.socket.dir")
    paths = {one.laddr for process in daemons for one in sockets(process, "unix") if one.laddr}
    assert paths
    assert {os.path.dirname(path) for path in paths} == {place}
    assert stat.S_IMODE(os.stat(place).st_mode) == 0o700
    if os.getuid() == 0:
        another = "import os, socket; os.setgroups([]); os.setgid(65534); os.setuid(65534)"
        tried = subprocess.run(
            [sys.executable, "-c", f"{another}; socket.socket(socket.AF_UNIX).connect({min(paths)!r})"],
            capture_output=True,
            text=True,
        )
        assert "PermissionError" in tried.stderr


def test_a_killed_executor_leaves_no_process_behind(spark, tmp_path):
    javas = [process for process in our_processes() if "--executor-id" in command_line(process)]
    with_workers = {java.pid: [java, *java.children(recursive=True)] for java in javas}
    assert all(len(family) > 1 for family in with_workers.values())
    spark.sparkContext.parallelize(range(1), 1).mapPartitions(once(str(tmp_path), kill_executor)).collect()
    dead = [family for family in with_workers.values() if not processes.is_running(family[0])]
    assert len(dead) == 1
    assert gone(dead[0], 30)


@pytest.mark.slow
def test_without_a_wish_the_cluster_that_runs_is_returned_whatever_its_shape(actor):
    kernel = actor(JDK_JAVA_OPTIONS="-XX:+UseParallelGC", JAVA_TOOL_OPTIONS="-Dexactly_once.test=1")
    kernel.ask("one = cluster('local[2]')")
    kernel.ask("from exactly_once.faults import FaultPlan; from exactly_once.handlers import handler_for")
    kernel.ask("from exactly_once.spark.run.tasks import run_on_cluster")
    assert kernel.ask("len(run_on_cluster(handler_for('at_least_once'), FaultPlan()).pushes)") == 6
    assert kernel.ask("cluster() is one and running() is one")
    assert kernel.ask("cluster('local[1]').sparkContext.master") == "local[1]"
    assert kernel.ask("cluster('local[2]').sparkContext.master") == "local[2]"
    (java,) = [one.pid for one in our_processes(kernel.pid) if "deploy.SparkSubmit" in " ".join(command_line(one))]
    os.kill(java, signal.SIGKILL)
    assert "killed by signal 9" in kernel.fails("running()")[1]
    assert kernel.ask("cluster().sparkContext.master") == "local[2]"
    assert kernel.noise == ""


def test_outside_a_task_nothing_is_killed():
    with pytest.raises(CourseError, match="does not run a task of Spark"):
        kill_worker()
    with pytest.raises(CourseError, match="does not run a task of Spark"):
        kill_executor()


@pytest.mark.slow
def test_a_notebook_hears_nothing_of_deaths_stops_and_starts_and_nothing_stays(actor, tmp_path):
    """One kernel's whole life, on a home and a temporary folder of its own so that strays are seen."""
    home, stray, ours = (tmp_path / name for name in ("home", "stray", "ours"))
    for folder in (home, stray):
        folder.mkdir()
    installed = {path.name for path in jars().parent.iterdir()}
    kernel = actor(HOME=str(home), TMPDIR=str(stray), EXACTLY_ONCE_TMP=str(ours))

    kernel.ask("from exactly_once.java import memory\nreal, memory.available = memory.available, lambda: 300 * 2**20")
    name, said = kernel.fails("cluster()")
    assert name == "CourseError"
    assert "300 MiB are free" in said
    assert "Close other notebooks" in said

    kernel.ask("memory.available = real; spark = cluster()")
    kernel.ask(
        "def strike(kill, mark):\n"
        "    def task(numbers):\n"
        "        from pathlib import Path\n"
        "        from exactly_once.spark.cluster import processes\n"
        "        if not Path(mark).exists():\n"
        "            Path(mark).touch()\n"
        "            getattr(processes, kill)()\n"
        "        return [processes.executor_of_worker().worker_pid]\n"
        "    return spark.sparkContext.parallelize(range(1), 1).mapPartitions(task).collect()\n"
    )
    for kill in ("kill_worker", "kill_executor"):
        assert kernel.ask(f"strike({kill!r}, {str(ours / kill)!r})")
    deadline = time.monotonic() + 60
    while len(first := our_processes(kernel.pid)) < 5:  # the executor after the killed one may still be on its way
        assert time.monotonic() < deadline, first
        time.sleep(0.05)

    kernel.ask("stop_cluster()")
    assert gone(first, 1)
    assert "Call cluster()" in kernel.fails("running()")[1]

    assert kernel.ask("(spark := cluster()).range(10).count()") == 10
    kernel.ask("spark.stop()")
    assert "was stopped" in kernel.fails("running()")[1]
    assert kernel.ask("(spark := cluster()).range(10).count()") == 10
    (java,) = [one.pid for one in our_processes(kernel.pid) if "deploy.SparkSubmit" in " ".join(command_line(one))]
    os.kill(java, signal.SIGKILL)
    said = kernel.fails("running()")[1]
    assert "killed by signal 9" in said
    assert "log" in said
    assert kernel.ask("(spark := cluster()).range(10).count()") == 10

    last = our_processes(kernel.pid)
    kernel.leave()
    assert gone(last, 5)
    assert kernel.process.returncode == 0
    assert kernel.noise == ""
    assert list(home.iterdir()) == []
    assert list(stray.iterdir()) == []
    assert list((ours / "spark" / "runs").iterdir()) == []
    assert {path.name for path in jars().parent.iterdir()} - installed <= {"__pycache__"}
    assert {path.name for path in tmp_path.iterdir()} == {"home", "stray", "ours", kernel.output.name}


@pytest.mark.slow
def test_another_notebook_is_offered_the_cluster_and_what_a_dead_one_left_is_cleared(actor):
    first, second = actor(JPY_SESSION_NAME="/course/04-crash-points.ipynb"), actor()
    first.ask("spark = cluster('local[1]')")
    robbed = our_processes(first.pid)

    name, said = second.fails("cluster('local[1]')")
    assert name == "ClusterBusy"
    assert f"the notebook 04-crash-points.ipynb (process {first.pid})" in said
    assert "cluster(take_over=True)" in said
    second.ask("spark = cluster('local[1]', take_over=True)")
    assert gone(robbed, 0.1)

    assert "another notebook takes the cluster over" in first.fails("running()")[1]
    name, said = first.fails("cluster('local[1]')")
    assert name == "ClusterBusy"
    assert f"belongs to process {second.pid}" in said

    orphans = our_processes(second.pid)
    for orphan in orphans:
        orphan.send_signal(signal.SIGSTOP)  # so that they cannot notice their kernel's death
    second.process.kill()
    second.process.wait()
    assert first.ask("cluster('local[1]').range(3).count()") == 3
    assert gone(orphans, 0.1)
    assert first.noise == second.noise == ""


@pytest.mark.slow
def test_of_two_starts_at_the_same_moment_one_wins(actor):
    kernels = [actor(), actor()]
    for kernel in kernels:
        kernel.begin("cluster('local[1]').range(3).count()")
    answers = sorted((kernel.answer() for kernel in kernels), key=lambda answer: "error" in answer)
    assert answers[0] == {"value": 3}
    assert answers[1]["error"] == "ClusterBusy"


@pytest.mark.slow
def test_other_settings_start_the_cluster_anew_and_a_spark_of_ones_own_is_left_alone(actor):
    kernel = actor()
    kernel.ask("one = cluster()")
    assert kernel.ask("cluster(slots=4).sparkContext.master") == "local-cluster[2,2,512]"
    assert kernel.ask("cluster(slots=4).sparkContext.parallelize(range(8), 4).count()") == 8
    kernel.ask("stop_cluster()")
    kernel.ask("from pyspark.sql import SparkSession; own = SparkSession.builder.master('local[1]').getOrCreate()")
    assert "A Spark session of your own" in kernel.fails("cluster()")[1]
    assert kernel.ask("own.range(3).count()") == 3
    kernel.ask("own.stop()")
    assert kernel.ask("cluster('local[1]').range(3).count()") == 3

"""A streaming query in a driver that is killed at exact places, and that leaves nothing behind whatever happens."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter

import psutil
import pytest

from exactly_once import show
from exactly_once.errors import CourseError
from exactly_once.handlers import at_least_once
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.spark import run_query
from exactly_once.spark.cluster import processes

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.usefixtures("shared_cluster")]
GONE_LIMIT = 20  # s within which a driver must be gone whose parent died


def test_killed_after_the_sinks_commit():
    seen = []
    run = run_query("append", kill=[("D", 2)], hours=4, progress=seen.append)
    assert seen == list(run.marks)
    assert [mark.letter for mark in seen if mark.life == 1] == ["start", *"ABCDE" * 2, *"ABCD", "killed"]
    assert [mark.letter for mark in seen if mark.life == 2] == ["start", *"BCDE", *"ABCDE", "end"]
    first, second = run.lives
    assert (first.killed_at, second.killed_at) == (("D", 2), None)
    assert first.pid != second.pid
    assert (sorted(first.checkpoint.offsets), first.checkpoint.commits) == ([0, 1, 2], (0, 1))
    assert "runs batch 2 again" in show.checkpoint(first.checkpoint).html
    assert run.checkpoint.commits == (0, 1, 2, 3)
    assert run.checkpoint.query == first.checkpoint.query
    # What the handler of chapter 04 pushes, without a fault, is right; hour 3, of batch 2, is there twice, alike.
    handled = simulate(at_least_once, job=Job(items=4))
    pushed = [float(push.value) for push in handled.pushes]
    assert run.expected["average"].tolist() == pushed
    assert run.rows["average"].tolist() == [*pushed[:3], *pushed[2:]]
    assert (run.doubled, run.lost, run.wrong) == ([3], [], [])
    assert (run.counter, run.expected_counter, run.exactly_once) == (3, handled.outcome.counter, False)
    assert run.sentence.endswith("The sink 'append' has hour 3 doubled and the counter is 3 and should be 2.")
    assert processes.our_processes(first.pid) == processes.our_processes(second.pid) == []


@pytest.mark.slow
def test_the_batch_id_beside_the_rows():
    run = run_query("batch id", kill=[("D", 0)], hours=2)
    assert run.exactly_once, run.sentence
    assert [mark.letter for mark in run.marks if mark.batch == 0] == [*"ABCD", "killed", *"BCDE"]


@pytest.mark.slow
def test_a_sink_that_fails():
    def save(rows, batch_id, database):
        if batch_id == 1:
            raise KeyError(f"no place for hour {rows[0].hour}")

    started, before = [], below()
    with pytest.raises(CourseError) as told:
        run_query(save, hours=2, progress=started.append)
    assert str(told.value).startswith("The sink raised KeyError: 'no place for hour 2'")
    assert len(str(told.value)) < 400
    assert [mark.letter for mark in started if mark.batch == 0] == list("ABCDE")
    assert below() <= before


@pytest.mark.slow
def test_a_stop_in_the_middle():
    def stop(mark):
        if mark.letter == "A":
            raise KeyboardInterrupt

    before = below()
    with pytest.raises(KeyboardInterrupt):
        run_query(hours=2, progress=stop)
    assert below() <= before


@pytest.mark.slow
def test_the_kernel_dies():
    """The process that runs the query is killed while its driver works: the driver, its Java and its workers end."""
    code = (
        "from exactly_once.spark import run_query\n"
        "run_query(hours=200, progress=lambda mark: print(mark.letter, flush=True))"
    )
    own = os.environ | {"EXACTLY_ONCE_LEASE": f"tests-query-{os.getpid()}"}
    with subprocess.Popen([sys.executable, "-c", code], env=own, stdout=subprocess.PIPE, text=True) as kernel:
        assert kernel.stdout is not None
        for line in kernel.stdout:
            if line.strip() == "C":
                break
        tree = psutil.Process(kernel.pid).children(recursive=True)
        assert len(tree) > 3
        os.kill(kernel.pid, signal.SIGKILL)
    deadline = time.monotonic() + GONE_LIMIT
    while (left := [one for one in tree if processes.is_running(one)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


def below():
    """Return the running processes below this one, among them those of a query and of what its driver started."""
    return {one for one in psutil.Process().children(recursive=True) if processes.is_running(one)}


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("sink", ["append", "batch id"])
def test_fifteen_killed_drivers(sink):
    kills = [(letter, batch) for batch in range(3) for letter in "ABCDE"]
    run = run_query(sink, kill=kills, hours=4)
    assert [life.killed_at for life in run.lives] == [*kills, None]
    times = Counter(run.rows["hour"].tolist())
    twice = 2 if sink == "append" else 1
    assert times == {1: twice, 2: twice, 3: twice, 4: 1}  # each D doubles the batch, and no other place does
    assert run.counter == twice + 1
    assert not run.wrong
    assert run.exactly_once == (sink == "batch id")

"""A streaming query in a driver that is killed at exact places, and that leaves nothing behind whatever happens."""

import _thread
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import psutil
import pytest

from exactly_once import CourseError, owned, show
from exactly_once.paths import temporary
from exactly_once.spark import run_query
from exactly_once.spark.cluster import processes

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.usefixtures("shared_cluster")]
GONE_LIMIT = 60  # s within which a driver must be gone whose parent died


@pytest.mark.slow
def test_killed_after_the_sinks_commit():
    run = run_query("append", kill=[("D", 2)], hours=4)
    assert [mark.letter for mark in run.marks if mark.life == 1] == ["start", *"ABCDE" * 2, *"ABCD", "killed"]
    assert [mark.letter for mark in run.marks if mark.life == 2] == ["start", *"BCDE", *"ABCDE", "end"]
    first, second = run.lives
    assert (first.killed_at, second.killed_at) == (("D", 2), None)
    assert first.pid != second.pid
    assert (sorted(first.checkpoint.offsets), first.checkpoint.commits) == ([0, 1, 2], (0, 1))
    assert "runs batch 2 again" in show.checkpoint(first.checkpoint).html
    assert run.checkpoint.commits == (0, 1, 2, 3)
    assert run.checkpoint.query == first.checkpoint.query
    # What the handler of chapter 04 pushes, without a fault, is right; hour 3, of batch 2, is there twice, alike.
    pushed = list(run.expected.values())
    assert run.rows["average"].tolist() == [*pushed[:3], *pushed[2:]]
    assert (run.doubled, run.lost, run.wrong) == ([3], [], [])
    assert (run.counter, run.calm.outcome.counter, run.exactly_once) == (3, 2, False)
    assert run.sentence.endswith("The sink 'append' has hour 3 doubled, and the counter is 3 and should be 2.")
    assert processes.our_processes(first.pid) == processes.our_processes(second.pid) == []


@pytest.mark.slow
def test_a_sink_that_fails():
    def save(rows, batch_id, database):
        if batch_id == 1:
            raise KeyError(f"no place for hour {rows[0].hour}")

    before = below()
    with pytest.raises(CourseError) as told:
        run_query(save, hours=2)
    assert str(told.value).startswith("The sink raised KeyError: 'no place for hour 2'")
    assert len(str(told.value)) < 400
    assert below() <= before


def passes(letter, owner, process=None):
    """Wait until the query of a process has passed a place."""
    while not any(
        f'"{letter}"' in marks.read_text() for marks in temporary(owned.RUNS).glob(f"stream-{owner}-*/marks")
    ):
        assert process is None or process.poll() is None
        time.sleep(0.02)


@pytest.mark.slow
def test_a_stop_in_the_middle():
    def stop():
        passes("A", os.getpid())
        _thread.interrupt_main()

    before = below()
    threading.Thread(target=stop, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        run_query(hours=100)
    assert below() <= before


@pytest.mark.slow
def test_the_kernel_dies():
    """The process that runs the query is killed while its driver works: the driver, its Java and its workers end."""
    own = os.environ | {"EXACTLY_ONCE_LEASE": f"tests-query-{os.getpid()}"}
    code = "from exactly_once.spark import run_query; run_query(hours=200)"
    with subprocess.Popen([sys.executable, "-c", code], env=own) as kernel:
        passes("C", kernel.pid, kernel)
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

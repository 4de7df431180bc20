"""Real processes at one queue, one of them stopped by SIGSTOP: who goes on is counted in pushes, not in seconds."""

import contextlib
import subprocess
import sys

import psutil
import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.lockfree import contend, contention
from exactly_once.lockfree.contention import Contention

PUSHES = 40
LEFT = PUSHES - PUSHES // contention.QUARTER  # that each of the others has at least, when one is stopped


def children():
    return {child.pid for child in psutil.Process().children()}


@pytest.fixture(autouse=True)
def nothing_left_behind():
    before = children()
    yield
    assert children() <= before, "stopped or not, each process has ended"


@pytest.mark.parametrize("queue", contention.KINDS)
@pytest.mark.parametrize("processes", [1, 4])
def test_each_value_is_in_the_queue_once_whoever_pushes(queue, processes):
    found = contend(queue, processes, pushes=PUSHES)
    assert (found.processes, found.count) == (processes, processes * PUSHES)
    assert all(begun <= ended for pushes in found.pushes for begun, ended in pushes)
    assert (found.still, found.meanwhile, found.goes_on) == (None, None, None)


@pytest.mark.parametrize("processes", [2, 3])
def test_stopped_at_a_step_of_the_lock_free_queue_the_others_make_all_their_pushes(processes):
    found = contend("cas", processes, stopped="step", pushes=PUSHES)
    assert found.goes_on
    assert found.meanwhile >= LEFT * (processes - 1)
    assert found.count == processes * PUSHES, "and the first one as well, once it goes on"


@pytest.mark.parametrize(("queue", "stopped"), [("lock", "step"), ("lock", "transaction"), ("cas", "transaction")])
def test_stopped_with_a_lock_everybody_stands_still(queue, stopped):
    found = contend(queue, 3, stopped=stopped, pushes=PUSHES)
    assert found.meanwhile == 0
    assert not found.goes_on
    assert found.count == 3 * PUSHES, "and goes on when the first one does"
    assert "the others made no push at all" in str(found)


def test_a_process_that_dies_is_told_and_the_others_are_ended(monkeypatch):
    made = subprocess.Popen

    def killed(command, **settings):
        process = made(command, **settings)
        process.kill()
        return process

    monkeypatch.setattr(contention.subprocess, "Popen", killed)
    with pytest.raises(CourseError, match="ended in an error"):
        contend(pushes=PUSHES)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills a process when its parent dies")
def test_one_that_stands_still_dies_with_its_parent():
    script = (
        "import os, signal\n"
        "from exactly_once.lockfree import contention\n"
        "waits = contention._Process.wait_until_it_stands\n"
        "def dies(process):\n"
        "    waits(process)\n"
        "    print(process.process.pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "contention._Process.wait_until_it_stands = dies\n"
        "contention.contend(processes=2, stopped='step', pushes=4)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    pid = int(done.stdout)
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(pid).wait(60)
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_value_that_is_missing_is_told(tmp_path):
    contention.SQLiteStore(tmp_path / "engine.sqlite").close()
    with pytest.raises(CourseError, match="0 values are in the queue, and 2 were pushed"):
        contention._each_once(tmp_path / "engine.sqlite", 1, 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"queue": "stack"},
        {"processes": 5},
        {"processes": 1, "stopped": "step"},
        {"stopped": "anywhere"},
        {"pushes": 2, "stopped": "step"},
        {"pushes": 0},
    ],
)
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(BadInput):
        contend(**wrong)


def test_what_it_says_is_what_it_counts():
    found = Contention("cas", "step", (((0.0, 0.1), (0.2, 1.0)), ((0.1, 0.2), (0.3, 0.4), (0.4, 1.2))), (0.25, 1.0))
    assert (found.meanwhile, found.seconds, found.count) == (1, 1.2, 5)
    assert str(found) == (
        "2 at the lock-free queue, one of them stopped between two steps: while it stood still, for 0.75 s, the "
        "others made 1 push."
    )


def test_from_a_script_without_a_guard_it_works_as_well(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from exactly_once.lockfree.contention import contend\nprint(contend('cas', 2, pushes=4).count)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("8\n", "")

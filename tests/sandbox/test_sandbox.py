"""The sandbox ends the processes that code starts, checks its arguments and answers, and can be interrupted."""

import contextlib
import os
import subprocess
import threading
import time

import psutil
import pytest

from exactly_once import Job
from exactly_once.errors import BadInput, HandlerStuck
from exactly_once.handlers import at_least_once
from exactly_once.sandbox import pool as sandbox
from tests.sandbox import sandboxed
from tests.spark.run.waiting import gone

HOURS = Job(items=2)


def buried(pid, seconds=60.0):
    """Tell whether a process has no zombies among its children; wait for it as long as the slowest machine needs."""
    deadline = time.monotonic() + seconds
    while any(one.status() == psutil.STATUS_ZOMBIE for one in psutil.Process(pid).children()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def appears(path):
    """Wait until there is a file."""
    while not path.exists():
        time.sleep(0.02)


def noting(path, start, after=lambda: None):
    """Return a handler that calls `start`, writes the process id that it returns to `path`, and calls `after`."""

    def handler(node):
        with open(path, "w") as file:
            file.write(str(start()))
        after()
        while node.running():
            node.output.push(1)
            node.read(node.positions.load())
            break

    return handler


def sleeper():
    return subprocess.Popen(["sleep", "1000"]).pid


def sleeper_of_its_own_session():
    return subprocess.Popen(["sleep", "1000"], start_new_session=True).pid


def orphan():
    done = subprocess.run(["sh", "-c", "sleep 1000 >&- 2>&- & echo $!"], capture_output=True, text=True, check=True)
    return int(done.stdout)


def fork_that_sleeps():
    if (pid := os.fork()) == 0:
        time.sleep(1000)
    return pid


@pytest.mark.parametrize("start", [sleeper, sleeper_of_its_own_session, orphan, fork_that_sleeps])
def test_what_a_handler_starts_ends_with_the_call_and_the_child_stays(start, tmp_path):
    sandbox.warm_up()
    child = sandbox.call(os.getppid)
    sandboxed(noting(tmp_path / "pid", start), job=HOURS)
    assert gone(int((tmp_path / "pid").read_text()))
    sandboxed(noting(tmp_path / "pid", os.getppid), job=HOURS)
    assert int((tmp_path / "pid").read_text()) == child == sandbox.call(os.getppid)
    assert buried(child)


def stuck():
    time.sleep(1000)


def dead():
    os._exit(3)


@pytest.mark.parametrize(
    ("start", "after"),
    [
        (sleeper_of_its_own_session, stuck),
        (fork_that_sleeps, stuck),
        (orphan, dead),
    ],
)
@pytest.mark.some(day=1, ci=2)
def test_it_ends_with_a_call_that_is_stopped_or_dies(start, after, tmp_path):
    with pytest.raises(HandlerStuck):
        sandboxed(noting(tmp_path / "pid", start, after), job=HOURS, seconds=3)
    assert gone(int((tmp_path / "pid").read_text()))


def test_a_fork_does_not_answer_and_does_not_hide_the_death_of_the_child(tmp_path):
    def forked(number):
        os.fork()
        return number, os.getppid()

    for number in range(5):
        assert sandbox.call(forked, number) == (number, sandbox.call(os.getppid))
    with pytest.raises(HandlerStuck, match="with exit status 3"):  # and not "stopped after"
        sandboxed(noting(tmp_path / "pid", fork_that_sleeps, dead), job=HOURS, seconds=60)
    assert gone(int((tmp_path / "pid").read_text()))


def test_a_limit_of_time_that_is_none_is_refused():
    for seconds in ("x", None, True, -1, 0, float("nan"), float("inf"), 10**400, 4000):
        with pytest.raises(BadInput, match="give a number of seconds"):
            sandboxed(noting("never", os.getpid), job=HOURS, seconds=seconds)


def long(path):
    """Return a call that says by a file that it is under way, and does not end."""

    def sleeps():
        path.touch()
        time.sleep(1000)

    return sleeps


def test_a_second_call_need_not_wait_for_a_long_one_and_each_is_interrupted_by_itself(tmp_path):
    raised, long_ones = [], []

    def run(path):
        try:
            sandbox.call(long(path), seconds=300)
        except HandlerStuck as why:
            raised.append(why)

    for path in (tmp_path / "one", tmp_path / "two"):
        long_ones.append(threading.Thread(target=run, args=(path,)))
        long_ones[-1].start()
        appears(path)
        if path.name == "one":
            assert sandbox.call(abs, -3) == 3
            assert long_ones[0].is_alive()
    sandbox.interrupt(long_ones[1].ident)
    long_ones[1].join(60)
    assert not long_ones[1].is_alive()
    assert long_ones[0].is_alive()
    assert sandbox.call(abs, -5) == 5
    sandbox.interrupt(long_ones[0].ident)
    long_ones[0].join(60)
    assert ["by signal 9" in str(one) for one in raised] == [True, True]


@pytest.mark.parametrize("what", [b"x", b"\0\0\0\1x", b"\xff\xff\xff\xff" * 4, b"\0" * 70_000])
@pytest.mark.some(day=1, ci=2)
def test_bytes_in_the_pipe_of_the_child_get_a_sentence(what):
    def handler(node):
        for number in range(3, 4096):  # the pipe has the number that it had in the parent
            with contextlib.suppress(OSError):
                os.write(number, what)
        node.output.push(1)

    with pytest.raises(HandlerStuck, match="wrote to a file that it had not opened"):
        sandboxed(handler)
    assert sandboxed(at_least_once).exactly_once, "the next call works"


def test_a_pipe_that_is_closed_gets_a_sentence():
    def handler(node):
        os.closerange(3, 4096)

    with pytest.raises(HandlerStuck, match="ended"):
        sandboxed(handler)
    assert sandboxed(at_least_once).exactly_once

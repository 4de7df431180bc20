"""The processes of a cluster: find ours, and kill one for good.

Every Java process that we start carries marks on its command line; every Python worker inherits
the same marks in its environment. Nothing here imports PySpark: it also runs inside tasks.
"""

import contextlib
import functools
import os
import signal
import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import psutil

from ...errors import CourseError
from ...owned import Owner

OWNER = "-Dexactly_once.owner="  # the kernel that started it, as <pid>:<start>
LEASE = "-Dexactly_once.lease="  # the name under which there is one cluster a machine
OWNER_VARIABLE = "EXACTLY_ONCE_OWNER"  # the same mark, for Python workers
DAEMON = "exactly_once.spark.cluster.daemon"  # what our executors' Python daemons run
DAEMONS = {DAEMON, "pyspark.daemon"}  # workers are forks of it, with the same command line


class Executor(NamedTuple):
    """Where a task runs: its executor's number as Spark prints it, that executor's Java process, its own process."""

    executor_id: str
    jvm_pid: int
    worker_pid: int


def mark(process: psutil.Process, name: str) -> str | None:
    """Return the value of the mark `name` on a process's command line, or None."""
    return next((word[len(name) :] for word in command_line(process) if word.startswith(name)), None)


def command_line(process: psutil.Process) -> list[str]:
    """Return the words of a process's command line, or none if the process has ended."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def marked() -> dict[Owner, list[psutil.Process]]:
    """Return {owner: [processes]} of every cluster process of this user, Java and Python alike.

    Other users' are none of ours: they hand nothing over, and nobody but them and root can end what they left behind.
    """
    found, user = {}, os.getuid()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.uids().real != user:
                continue
            words = process.cmdline()
            if any(word.startswith(OWNER) for word in words):
                owner = Owner.parse(mark(process, OWNER) or "")
            elif DAEMONS.intersection(words):
                owner = Owner.parse(process.environ().get(OWNER_VARIABLE, ""))
            else:
                continue
            if owner:
                found.setdefault(owner, []).append(process)
    return found


def our_processes(owner_pid: int | None = None) -> list[psutil.Process]:
    """Return the cluster processes that process `owner_pid` started (default: this one), itself not among them."""
    pid = os.getpid() if owner_pid is None else owner_pid
    return [process for owner, processes in marked().items() if owner.pid == pid for process in processes]


def kill(processes: Iterable[psutil.Process], wait: float = 5) -> list[psutil.Process]:
    """Kill processes at once (SIGKILL), the Java ones first, and wait up to `wait` seconds until they are gone.

    Returns the processes that are still there. A dead process counts as gone even if its parent has not noticed its
    death.
    """
    for process in sorted(processes, key=lambda process: mark(process, OWNER) is None):
        with contextlib.suppress(psutil.Error):
            process.kill()
    deadline = time.monotonic() + wait
    while (remain := [process for process in processes if is_running(process)]) and time.monotonic() < deadline:
        time.sleep(0.01)
    return remain


def is_running(process: psutil.Process) -> bool:
    """Tell whether a process still does anything: a zombie does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def executor_of_worker() -> Executor:
    """Tell, inside a task, where it runs: an `Executor`.

    Raises `CourseError` outside a task of Spark.
    """
    return _executor_of(os.getpid())


@functools.lru_cache(maxsize=4)
def _executor_of(pid: int) -> Executor:  # by process id: a forked process must not believe what its parent found
    parents = psutil.Process(pid).parents()
    for parent in parents:
        words = parent.cmdline()
        if "--executor-id" in words:
            return Executor(words[words.index("--executor-id") + 1], parent.pid, pid)
    for parent in parents:
        if mark(parent, OWNER) is not None:  # master local[…]: the driver runs the tasks itself
            return Executor("driver", parent.pid, pid)
    raise CourseError(
        f"Process {pid} does not run a task of Spark, so it has no executor. Call this inside a "
        f"handler on the cluster."
    )


def kill_worker() -> None:
    """End this task's own Python process by SIGKILL. Does not return; Spark starts the task again elsewhere."""
    executor_of_worker()  # refuses to kill a process that is no worker
    os.kill(os.getpid(), signal.SIGKILL)


def kill_executor() -> None:
    """End this task's whole executor by SIGKILL: Java process, Python daemon, every worker. Does not return.

    Daemon and workers are one process group, so that one signal reaches all of them, this process
    included, and none goes on as an orphan. Raises `CourseError` where the executor is the driver itself.
    """
    executor = executor_of_worker()
    if executor.executor_id == "driver":
        raise CourseError(
            "The master runs its tasks inside the driver, so there is no executor to kill. "
            "Kill the worker instead, or start cluster() with its default master."
        )
    group, daemon = os.getpgrp(), os.getppid()
    os.kill(executor.jvm_pid, signal.SIGKILL)
    if group != daemon or group == executor.jvm_pid:  # not the daemon's group: then never kill by group
        os.kill(executor.worker_pid, signal.SIGKILL)
    else:
        os.killpg(group, signal.SIGKILL)


def signal_worker(pid: int, number: int) -> bool:
    """Send a signal to the process `pid` if it is a Python worker of Spark; tell whether it was."""
    try:
        process = psutil.Process(pid)
        if not DAEMONS.intersection(process.cmdline()):
            return False
        process.send_signal(number)
        return True
    except psutil.Error:
        return False


def wake_worker(pid: int, seconds: float = 5.0) -> bool:
    """SIGCONT a Python worker once it has stopped, which takes it a moment; tell whether it was there.

    A signal that comes before it stops would be lost. Who has not stopped after so many seconds is sent it anyway.
    """
    deadline = time.monotonic() + seconds
    with contextlib.suppress(psutil.Error):
        while psutil.Process(pid).status() != psutil.STATUS_STOPPED and time.monotonic() < deadline:
            time.sleep(0.001)
    return signal_worker(pid, signal.SIGCONT)


def kill_from_outside(where: Mapping[str, Any], executor: bool) -> bool:
    """SIGKILL a worker, or its executor's Java process with all that it started; tell whether it was there."""
    try:
        worker = psutil.Process(where["pid"])
        jvm = psutil.Process(where["jvm"])
        if jvm not in worker.parents():
            return False
        doomed = [jvm, *jvm.children(recursive=True)] if executor else [worker]
    except psutil.Error:
        return False
    kill(doomed)
    return True

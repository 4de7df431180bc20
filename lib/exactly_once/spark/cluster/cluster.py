"""`cluster()`: the course's Spark cluster, started when it is needed, used again while it runs, stopped for good.

One cluster a kernel, one a machine (see `lease`); an idle notebook hands its cluster over (see `handover`), and a
chapter's first cell has it started in the background (`start_early`). `running()` is for code that runs jobs on the
cluster: it returns the session, or says in a sentence why there is none.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import os
import threading
import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...errors import BadInput, CourseError
from ...java import memory
from . import handover, lease, processes, session
from .settings import shape_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession  # at run time it is imported when a cluster is needed

WARMING, EARLY = "exactly-once warming", "exactly-once early start"
EARLY_SPARE = 700  # MiB that must be left beside a cluster that nobody has asked for yet
_lock = threading.RLock()
_now: session.Running | None = None  # of this process
_given = ""  # to whom this process gave its cluster up when it was idle, in a sentence
_users: weakref.WeakSet[threading.Thread] = weakref.WeakSet()  # the threads that asked for the cluster
_pid = os.getpid()


def cluster(
    master: str | None = None,
    slots: int | None = None,
    take_over: bool = False,
    progress: Callable[[str], object] | None = None,
) -> SparkSession:
    """Return the session of the course's cluster; start it, or start it again, when it does not run.

    A second call returns the same session within milliseconds. If the running cluster has another master or another
    number of slots than these arguments, it is stopped, and a new one starts with them. Without arguments the call
    returns the running cluster in its present shape (or starts it again in that shape, if it died).

    master: a local master of Spark's, such as "local[2]". Default: two executors, 512 MiB each.
    slots: how many tasks run at once, shared by those two executors: 2 (the default) or 4. With a local master, that
        one decides.
    take_over: stop the cluster of another notebook on this machine, at once, and start one here.
    progress: a function that is called with a sentence as the start goes on.

    A cluster that an idle notebook of this copy of the course has is handed over; a start in the background is waited
    for. Raises `CourseError` (no Java, memory or ports short, a start that takes too long; the message says what to
    do), `ClusterBusy` when another notebook is at work with this machine's cluster. Source: PySpark
    4.3, "Cluster Mode Overview" and "Spark Configuration".
    """
    global _now, _given
    with _lock:
        _users.add(threading.current_thread())
        shape = shape_of(master, slots) if _now is None or not (master is slots is None) else _now.driver.shape
        if _now is not None and session.alive(_now) and _now.driver.shape == shape:
            return _now.session
        if _now is not None:
            stop_cluster()
        handover.listen(_give_up)
        _now, _given = session.start(shape, take_over, progress), ""
        if progress:
            progress(f"The cluster is ready, after {_now.started:.1f} s.")
        return _now.session


def start_early(slots: int | None = None) -> None:
    """Begin to start the cluster in the background, and return at once. `slots` is as in `cluster`.

    Only if memory allows it and no other process has this machine's cluster. A call of `cluster` waits for this
    start. Errors here are not reported: that call tries again, and reports them.
    """

    def work() -> None:
        with contextlib.suppress(Exception), _lock:
            enough = memory.available() // memory.MIB >= shape_of(slots=slots).memory + EARLY_SPARE
            if _now is None and enough and lease.holder(lease.lease_name()) is None:
                cluster(slots=slots)

    threading.Thread(target=work, name=EARLY, daemon=True).start()


def stop_cluster() -> None:
    """Stop this notebook's cluster and all its processes; takes about a second. Without a cluster it does nothing."""
    global _now, _given
    with _lock:
        gone, _now, _given = _now, None, ""
        if gone is not None:
            session.end(gone)


def running() -> SparkSession:
    """Return the session of the cluster that runs.

    Raises `CourseError` saying what became of it: given up to another notebook, died, never started.
    """
    with _lock:  # not while the cluster is being given up
        _users.add(threading.current_thread())
        if (loss := lost()) is not None:
            raise loss
        assert _now is not None, "nothing is lost, so there is one"
        return _now.session


def lost() -> CourseError | None:
    """Return the `CourseError` that says why there is no usable cluster here, or None when there is one.

    For code that ran a job and caught an exception: did the cluster go away?
    """
    now = _now
    if now is None:
        return CourseError(f"{_given or 'No cluster runs in this notebook.'} Call cluster().")
    if session.alive(now):
        return None
    driver = now.driver
    if now.context._jsc is not None:  # nobody stopped it, so Java is ending, or has ended
        driver.wait(1)
    if driver.running():
        return CourseError("The cluster's session was stopped. Call cluster() to start it again.")
    status = driver.process.returncode
    how = f"ended with status {status}"
    if status < 0:
        how = f"was killed by signal {-status}, as when another notebook takes the cluster over"
    return CourseError(f"The cluster's driver {how}. Call cluster() again. Spark's log: {driver.folder.log}")


def warm_again() -> None:
    """Let executors that replace killed ones do a first bit of work, in a thread, so that no later crash waits for
    it.

    A new executor is there when its Java is (some 1.3 s on two idle cores), and starts its Python with its first task
    (0.5 s more).
    """
    now = _now
    if now is None or any(one.name == WARMING for one in threading.enumerate()):
        return

    def work() -> None:
        # Should the cluster be stopped or lost meanwhile, nothing is to be warmed.
        with contextlib.suppress(Exception):
            session.first_job(now, math.inf)

    threading.Thread(target=work, name=WARMING, daemon=True).start()


def check_executors() -> None:
    """Raise `BadInput` when the cluster has no executor processes that tasks could kill."""
    master = str(running().sparkContext.master)
    if master.partition("[")[0] == "local":
        raise BadInput(
            f"The master {master!r} runs its tasks inside the driver, so there is no executor to kill. Kill the "
            "worker instead, or start cluster() with its default master."
        )


def _give_up(by: str) -> str:
    """Stop this kernel's cluster, if it is idle, for `by`, another notebook in words; return "", or why not.

    `handover` calls it on the main thread, between two messages.
    """
    global _given
    if not _lock.acquire(blocking=False):
        return handover.STARTING
    try:
        if _now is None:
            return ""
        main = threading.main_thread()
        if any(thread.is_alive() for thread in _users if thread is not main):
            return "a console or a thread there is at work with it"
        if session.alive(_now) and _now.context.statusTracker().getActiveJobsIds():
            return "a Spark job runs there"
        stop_cluster()
        _given = f"At {time.strftime('%H:%M:%S')}, while this notebook was idle, its cluster went to {by}."
        handover.tell(f"{_given} A cell that needs one gets it back in the same way.")
        return ""
    finally:
        _lock.release()


@atexit.register
def _stop_at_exit() -> None:
    if os.getpid() != _pid:  # a forked child must not stop its parent's cluster
        return
    if not _lock.acquire(timeout=0.5):  # a start in the background: without its Java it ends at once
        processes.kill(processes.our_processes())
    else:
        _lock.release()
    stop_cluster()

"""One cluster a machine: its owner, taking it over, and removing the processes that a dead kernel left behind.

There is no register to go stale: the clusters' own processes carry the lease and their owner as marks (`processes`),
so the running processes are the truth. A cluster under another lease name is none of our business.
"""

import contextlib
import fcntl
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

from ...errors import BadInput, CourseError
from ...owned import Owner, me
from ...paths import temporary
from . import handover, processes

LOCK_LIMIT = 60  # s that a start waits for another start to have shown itself


class ClusterBusy(CourseError):
    """Another live process has this machine's cluster; the message names it and how to take over."""


def lease_name() -> str:
    """Return the lease's name: `EXACTLY_ONCE_LEASE`, or "course". Raises `BadInput` for a name with odd
    characters.
    """
    name = os.environ.get("EXACTLY_ONCE_LEASE") or "course"
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,60}", name):
        raise BadInput(f"EXACTLY_ONCE_LEASE is {name!r}; it can be up to 60 letters, digits and -_. signs.")
    return name


def notebook_of(pid: int) -> str | None:
    """Return the notebook (a path) that process `pid` is the kernel of, or None where that cannot be known."""
    try:
        return psutil.Process(pid).environ().get("JPY_SESSION_NAME")
    except psutil.Error:
        return None


def describe(pid: int) -> str:
    """Return words for a process: its notebook if it is a kernel, and its id."""
    notebook = notebook_of(pid)
    return f"the notebook {Path(notebook).name} (process {pid})" if notebook else f"process {pid}"


@contextlib.contextmanager
def one_start_at_a_time(lease: str) -> Iterator[None]:
    """Hold a file lock, so that of two starts at the same moment the second sees the first.

    Raises `CourseError` when another start holds it for a minute. The lock ends with the process.
    """
    path = temporary("spark") / f"start-{lease}.lock"
    with open(path, "w") as file:
        deadline = time.monotonic() + LOCK_LIMIT
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise CourseError(
                        f"Another cluster has been starting for {LOCK_LIMIT} s (lock {path}). "
                        "Stop that notebook's kernel, then try again."
                    ) from None
                time.sleep(0.05)
        yield


def clear_the_way(lease: str, take_over: bool = False, tell: Callable[[str], object] = handover.tell) -> None:
    """Make room for a cluster of this process: remove orphans, and with `take_over` another's cluster, at once.

    A notebook that is idle (see `handover`) gives its cluster up; `tell` is called with a sentence then. Raises
    `ClusterBusy` when a live process keeps a cluster of this lease and `take_over` is false.
    """
    mine = me()
    for owner, found in processes.marked().items():
        left = not owner.alive() or owner.is_same(mine)  # by nobody now, or by an earlier cluster of ours
        if not left and lease not in {processes.mark(process, processes.LEASE) for process in found}:
            continue
        if not left and not take_over:
            why = handover.ask(owner, describe(os.getpid()))
            if why != "":
                raise ClusterBusy(
                    f"This machine's cluster belongs to {describe(owner.pid)}{f', and {why}' if why else ''}. "
                    "Stop it there with stop_cluster(), or take it over from here with cluster(take_over=True)."
                )
            tell(f"The cluster of {describe(owner.pid)}, which was idle, was stopped there, and one starts here.")
        if remain := processes.kill(found):
            numbers = ", ".join(str(process.pid) for process in remain)
            raise CourseError(f"An older cluster's processes do not end ({numbers}). By hand: kill -9 {numbers}")


def holder(lease: str) -> Owner | None:
    """Return the other living process that has a cluster of this lease, as its owner, or None."""
    mine = me()
    for owner, found in processes.marked().items():
        if (
            owner.alive()
            and not owner.is_same(mine)
            and lease in {processes.mark(process, processes.LEASE) for process in found}
        ):
            return owner
    return None

"""A hand beside a task on another machine: a process that sends the task's process the signals that are ordered.

The notebook cannot signal a process of another machine, and a process that is stopped cannot wake itself up. So each
incarnation there has a hand: a fork that ends with it. The incarnation holds one end of a pipe; however it ends, the
system closes that end. The hand's own connection is how the others see that the process is there: when it breaks,
the process that serves the run makes the file `gone-<life>`.
"""

import contextlib
import os
import select
import signal

from ...errors import CourseError
from ...stores.served import FILES, Link
from ..cluster.processes import end_executor, executor_of_worker

LOOK_SECONDS = 0.02  # between two looks for orders


class Hand:
    """The hand of one incarnation, as that one sees it."""

    def __init__(self, folder, life):
        """Start the process."""
        executor, group = executor_of_worker(), os.getpgrp()
        reading, self._writing = os.pipe()
        folder.files.close()  # a fork must not hold the connection of this process
        child = os.fork()
        if child:
            os.close(reading)
            os.waitpid(child, 0)
            return
        try:  # a fork of a fork: its parent is the system's first process, which sees it end
            os.setsid()
            if not os.fork():
                _only(reading)
                _obey(Link(*folder.reach), life, executor, group, reading)
        finally:
            os._exit(0)

    def close(self):
        """End the process: the incarnation is over."""
        os.close(self._writing)


def _only(handle):
    """Close all files but one: the worker's sockets to Spark, above all, and its end of the pipe."""
    os.closerange(3, handle)
    os.closerange(handle + 1, os.sysconf("SC_OPEN_MAX"))


def _obey(link, life, executor, group, pipe):
    """Carry out orders until the worker has ended. Without the notebook nobody would wake it up: it ends, too."""
    try:
        link.ask(FILES, "at the end", f"gone-{life}")
        while not _ended(pipe, LOOK_SECONDS):
            for order in link.ask(FILES, "sizes", f"order-{life}-*"):
                _, _, number, whole, *_ = order.split("-")
                link.ask(FILES, "remove", order)
                if not _ended(pipe, 0):
                    _strike(executor, group, int(number), whole == "1")
    except CourseError:
        if not _ended(pipe, 0):
            _strike(executor, group, signal.SIGKILL, False)


def _ended(pipe, seconds):
    return bool(select.select([pipe], [], [], seconds)[0])


def _strike(executor, group, number, whole):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if whole:
            end_executor(executor, group)
        else:
            os.kill(executor.worker_pid, number)

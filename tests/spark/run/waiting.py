"""The state and the sockets of processes, of which some end meanwhile; and waiting for them to be gone."""

import contextlib
import time

import psutil

from exactly_once.spark.cluster.processes import is_running


def is_stopped(pid):
    """Tell whether a process is there, and stopped."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() == psutil.STATUS_STOPPED
    return False


def sockets(process, kind="inet"):
    """Return the sockets of a process; one that ended meanwhile has none."""
    with contextlib.suppress(psutil.Error):
        return process.net_connections(kind=kind)
    return []


def gone(pid, seconds=60.0):
    """Tell whether a process is gone, or a zombie, within some seconds."""
    deadline = time.monotonic() + seconds
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        while is_running(process):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
    return True

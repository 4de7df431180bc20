"""Waiting for processes to be gone: whoever reaps a killed process may take a moment."""

import time

import psutil

from exactly_once.spark.cluster.processes import is_running


def gone(pid, seconds=5.0):
    """Tell whether a process is gone, or a zombie, within some seconds."""
    deadline = time.monotonic() + seconds
    while psutil.pid_exists(pid) and is_running(psutil.Process(pid)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True

"""The process between a kernel and a server that the kernel has asked for: it ends the server when the kernel ends.

Run as `python -m exactly_once.servers.guard FOLDER SIGNAL SECONDS`. A line of JSON on standard input,
`[name, command, environment, folder to work in]`, starts a process whose output goes to `FOLDER/name.log`, and a line
of JSON answers: `[its id, null]`, or `[null, why not]`. When standard input ends, or the parent dies, each process
gets the signal, and after the seconds SIGKILL; then the folder is removed.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from ..owned import heard_from_parent

LOOK_SECONDS = 0.01  # between two looks at whether a process is gone


def everyone(pid: int) -> list[psutil.Process]:
    """Return a process and all that it has started, itself first; none when it is gone."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []


def send(pid: int, number: int) -> None:
    """Send a signal to a process and to all that it has started."""
    for process in everyone(pid):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)


def end(pids: list[int], number: int, seconds: float) -> None:
    """End processes by a signal, and by SIGKILL what they leave, or those that are there after so many seconds.

    One that is stopped is woken before.
    """
    families = [everyone(pid) for pid in pids]
    everybody = [process for family in families for process in family]
    if number != signal.SIGKILL:
        for pid in pids:
            send(pid, signal.SIGCONT)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        _wait(_lives, [process for family in families for process in family[:1]], seconds)
    for process in everybody:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    _wait(_lives, everybody, seconds)


def stop(pid: int, seconds: float) -> None:
    """Stop a process and all that it has started by SIGSTOP, and wait until none of them does anything."""
    send(pid, signal.SIGSTOP)
    _wait(_goes_on, everyone(pid), seconds)


def _wait(still: Callable[[psutil.Process], bool], processes: list[psutil.Process], seconds: float) -> None:
    """Wait until something is true of no process any more, but no longer than so many seconds."""
    deadline = time.monotonic() + seconds
    while any(map(still, processes)) and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)


def _lives(process: psutil.Process) -> bool:
    """Tell whether a process lives, or still has its sockets; one that is dead and not yet reaped does neither.

    A killed process is a zombie as soon as its first thread has ended; its sockets are closed with its last one.
    """
    try:
        return process.is_running() and (process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1)
    except psutil.NoSuchProcess:
        return False


def _goes_on(process: psutil.Process) -> bool:
    """Tell whether a process does anything: one that is stopped does not."""
    with contextlib.suppress(psutil.NoSuchProcess):  # it ends meanwhile
        return _lives(process) and process.status() != psutil.STATUS_STOPPED
    return False


def start(folder: Path, processes: list[subprocess.Popen[bytes]], request: bytes) -> str:
    """Start a process that a kernel has asked for, beside these, and return the answer to the kernel."""
    name, command, environment, cwd = json.loads(request)
    processes[:] = [one for one in processes if one.poll() is None]  # what was killed leaves no trace to the next
    try:
        with (folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command, env=os.environ | environment, cwd=cwd, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
    except OSError as why:
        return json.dumps([None, f"{command[0]} cannot be started ({why.strerror})"])
    processes.append(process)
    return json.dumps([process.pid, None])


def main(folder: str, number: str, seconds: str) -> None:
    """Start what the kernel asks for, until it is gone; then end all of it, and remove the folder."""
    place = Path(folder)
    processes: list[subprocess.Popen[bytes]] = []
    for request in heard_from_parent():
        with contextlib.suppress(BrokenPipeError):  # the kernel has died meanwhile
            os.write(1, f"{start(place, processes, request)}\n".encode())
    end([process.pid for process in processes if process.poll() is None], int(number), float(seconds))
    deadline = time.monotonic() + float(seconds)
    while place.exists() and time.monotonic() < deadline:  # a file may come while the folder is being emptied
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

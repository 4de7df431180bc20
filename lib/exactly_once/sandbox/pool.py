"""Running learners' code where it can do no harm: a warm child process, with limits of time, memory and output.

The parent can always kill the child, and the child ends by itself when the parent is gone. Processes that the code
started end with the call: all that have the child among their parents, or are of its session.

`multiprocessing`'s fork server was tried: it runs a script without a `__main__` guard a second time, and a call that
does not end outlives a notebook that is killed.
"""

import atexit
import contextlib
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from multiprocessing import Pipe
from typing import Any

from ..errors import BadInput, HandlerStuck, is_number
from ..faults import FaultPlan
from ..node.program import pickle_handler
from ..paths import temporary
from ..simulate.simulated_world import simulate
from ..verdict import Verdict, ideal_outcomes, judge
from ..verdict.run import Ideal
from . import plain_values

GRACE_SECONDS = 2.0
GIGABYTES = 2  # of memory that the code gets
MARK, MOST_BYTES = 16, 2**29  # bytes by which an answer is known, and of an answer
MOST_WORDS = 20_000  # bytes of what a process that died left to say
MOST_SECONDS = 3600
IMPORT, IMPORT_SECONDS = b"import ", 60.0
SECONDS = struct.Struct("d")  # how long a call may take
wanted_modules = set()
HASH_SEEDS = ("24", "31")  # of the child processes: under these two, sets of a few words mostly differ in their order
MORE_SEEDS = tuple("2 3 5 7 11 13 17 19 23 29".split())  # of further ones, for code that makes sets
ROUNDS = 5  # of looking for processes that were left, each killing what it finds


SAID = {  # of code that gave no answer, by what the process told, or was seen of it
    "spoiled": "The code wrote to a file that it had not opened: to the pipe on which its process answers, so its "
    "result is lost. Give os.write and os.fdopen the number of a file that the code has opened itself.",
    "stuck": "The code was stopped after {seconds:g} seconds: it had not come to an end. Look for a loop that never "
    "leaves, or for work that takes this long.",
    "full": f"The code was stopped: it held over a quarter of the {GIGABYTES} GB of memory that it gets, and did not "
    "come to an end. Look for a list, a dictionary or a text that grows in a loop.",
    "busy": "The run was stopped, not in the code but in the course's own work on what it had asked for: that took "
    "too long. Look for very large values; let the code write less at once.",
}


def ideals(handler: Any, job: Any, seconds: float = 10.0) -> list[Ideal]:
    """Return the `Ideal`s of a learner's handler, computed in the child process."""
    return call(ideal_outcomes, handler, job, seconds=seconds)


def verdicts_on(handler: Any, plans: Iterable[FaultPlan], job: Any) -> list[Verdict]:
    """Return the verdicts on simulated runs of a handler under several fault plans, here."""
    right, verdicts = None, []
    for plan in plans:
        run = simulate(handler, plan, job)
        right = right or (None if run.error else ideal_outcomes(handler, job))
        verdicts.append(judge(run, handler, right))
    return verdicts


def call(function: Callable[..., Any], *arguments: Any, seconds: float = 5.0, seed: str | None = None) -> Any:
    """Call a function in the child process. Return its result, or raise its error.

    The function and its arguments may be a learner's, or hold handlers: the child gets fresh copies. The result holds
    plain values and the course's own objects, up to 64 MB: no code of the learner runs here. Raises `HandlerStuck`
    when it takes more than `seconds` or when the process died, and `BadInput` for a number of seconds that is none. A
    call during another thread's call gets a second process; a third call waits. With `seed` the call gets the process
    with this hash seed, one of `HASH_SEEDS` or `MORE_SEEDS`.
    """
    if not is_number(seconds) or not 0 < seconds <= MOST_SECONDS:
        raise BadInput(
            f"The limit of time is {seconds!r}; give a number of seconds, above 0 and up to {MOST_SECONDS}."
        )
    wanted = pickle_handler((function, arguments))
    child = _take(seed)
    try:
        return child.call(wanted, seconds)
    finally:
        try:
            child.clear_up()
        finally:
            _give_back(child)


def preload(module: str) -> None:
    """Have each child process import a module of the course's own ahead of its next call."""
    wanted_modules.add(module)


class Child:
    """The child process, warm: it has imported its modules and waits for work on a pipe."""

    def __init__(self, seed: str) -> None:
        self.user, self.seed, self.loaded = None, seed, set()
        self.pipe, theirs = Pipe()
        with socket.socket(
            fileno=os.dup(self.pipe.fileno())
        ) as reading:  # what announces more than comes is no answer
            reading.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", int(GRACE_SECONDS), 0))
        self.last_output = tempfile.TemporaryFile(dir=temporary("sandbox"))  # noqa: SIM115 - it lives as long as the child
        self.process = subprocess.Popen(
            # -P: a file of the learner's, such as json.py, in the working folder must not stand for Python's own
            [sys.executable, "-P", "-m", "exactly_once.sandbox.worker", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.last_output,
            env={**os.environ, "PYTHONHASHSEED": seed},
            start_new_session=True,
        )
        theirs.close()

    def load(self) -> None:
        """Have the process import what was asked for, once and for all calls; that is no part of any call's time."""
        for module in wanted_modules - self.loaded:
            self.loaded.add(module)
            self.pipe.send_bytes(IMPORT + module.encode())
            if not self.pipe.poll(IMPORT_SECONDS):
                raise EOFError
            self.pipe.recv_bytes()

    def call(self, wanted: bytes, seconds: float) -> Any:
        """Send one call, (function, arguments) as bytes, and wait for its answer; kill it when none comes."""
        value: Any
        mark = os.urandom(MARK)  # by which the child's own answer is known
        try:
            self.load()
            self.pipe.send_bytes(mark + SECONDS.pack(seconds) + wanted)
            kind, value = self._answer(mark) if self.pipe.poll(seconds + GRACE_SECONDS) else ("late", None)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            kind, value = "silent", None
        except BaseException:  # somebody pressed Stop: the answer would be taken for that of the next call
            self.kill()
            raise
        if kind == "returned":
            return value
        if kind == "raised":
            raise value
        self.kill(0 if kind in SAID else 0.2)
        if kind in SAID:
            raise HandlerStuck(SAID[kind].format(seconds=seconds), value or "")
        self.last_output.seek(0)
        words = self.last_output.read(MOST_WORDS).decode(errors="replace").strip()
        if kind == "late" or "Timeout" in words:
            raise HandlerStuck(SAID["stuck"].format(seconds=seconds), words)
        code = self.process.returncode
        how = f"by signal {-code}" if code < 0 else f"with exit status {code}"
        raise HandlerStuck(
            f"The process that ran this code ended {how} before it was done; nothing else is touched. Look for what "
            "ends a process, such as os._exit(), or a library written in C that crashes.",
            words,
        )

    def _answer(self, mark: bytes) -> tuple[str, Any]:
        """Return (kind, value) of the next message on the pipe; "spoiled" when that is nobody's answer."""
        try:
            answer = self.pipe.recv_bytes(MOST_BYTES)
        except ConnectionError:
            raise
        except (OSError, OverflowError):  # too long, or longer than what comes
            return "spoiled", None
        return plain_values.read(answer[len(mark) :]) if answer.startswith(mark) else ("spoiled", None)

    def kill(self, patience: float = 0) -> None:
        """Kill the process and its child processes, if it does not end by itself within `patience` seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(patience)
        self.clear_up()
        self.process.kill()
        self.process.wait()
        self.clear_up()

    def clear_up(self) -> None:
        """End the processes that learner's code started and left, and the child itself if there is no end to them."""
        import psutil  # here, so that who calls nothing needs no package

        for _ in range(ROUNDS):
            left = self._left()
            for process in left:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            if not left:
                return
            _wait_for_the_end_of(left)
        self.process.kill()

    def _left(self) -> list[Any]:
        """Return the processes that stem from the child: by their parents, and, of orphans, by their session."""
        import psutil

        found = set()
        with contextlib.suppress(psutil.Error):
            if self.process.poll() is None:
                found.update(psutil.Process(self.process.pid).children(recursive=True))
        for pid in psutil.pids():
            with contextlib.suppress(OSError, psutil.Error):
                if os.getsid(pid) == self.process.pid != pid:
                    found.add(psutil.Process(pid))
        return [process for process in found if _runs(process)]

    def close(self) -> None:
        """End the process and close its open resources."""
        self.kill()
        self.pipe.close()
        self.last_output.close()


def _wait_for_the_end_of(processes: Iterable[Any]) -> None:
    """Wait until killed processes run no more: on a busy machine that takes a moment."""
    deadline = time.monotonic() + GRACE_SECONDS
    while any(map(_runs, processes)) and time.monotonic() < deadline:
        time.sleep(0.001)


def _runs(process: Any) -> bool:
    import psutil

    try:
        return process.status() != "zombie"
    except psutil.Error:  # it is gone
        return False


_children = []  # each is idle, or busy for the thread in `user`
_change = threading.Condition()


def _take(seed: str | None = None) -> Child:
    """Return an idle child for this thread, a new one if there is none, and wait where there are enough of them.

    There is one child for each hash seed; with `seed` it is that one, or another one for once while that is busy.
    """
    with _change:
        while True:
            seeds, known = HASH_SEEDS if seed is None else (seed,), {one.seed for one in _children}
            child = next((one for one in _children if one.user is None and one.seed in seeds), None)
            missing = [one for one in seeds if one not in known]
            if child is None and missing:
                child = Child(missing[0])
                _children.append(child)
            elif child is None and seed is not None:
                child = Child(seed)
            if child is not None and child.process.poll() is None:
                child.user = threading.get_ident()
                return child
            if child is not None:
                _children.remove(child)
                child.close()
            else:
                _change.wait()


def _give_back(child: Child) -> None:
    with _change:
        child.user = None
        if child not in _children:
            child.close()
        elif child.process.poll() is not None:
            _children.remove(child)
            child.close()
        _change.notify_all()


def warm_up(seeds: Iterable[str] = HASH_SEEDS) -> None:
    """Start the child processes with these hash seeds ahead of their first call."""
    with _change:
        running = {child.seed for child in _children}
        _children.extend(Child(seed) for seed in seeds if seed not in running)


def interrupt(thread: int | None = None) -> None:
    """End the call that is under way in a thread, given as `threading.get_ident()` has it; None: in every other
    thread.

    It raises `HandlerStuck` there, and the next one works. Only the process is ended here: the thread that talks to
    it closes what it held open for it.
    """
    for child in tuple(_children):
        if child.user is not None and thread in (None, child.user):
            child.kill()


@atexit.register
def close() -> None:
    """End the child processes. Not while another thread calls one: that is what `interrupt` is for."""
    while _children:
        _children.pop().close()

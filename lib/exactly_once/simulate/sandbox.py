"""Running learners' code where it can do no harm: a warm child process with limits of time, memory and output.

The parent can always kill the child, and the child ends by itself when the parent is gone.
"""

import atexit
import contextlib
import subprocess
import sys
import tempfile
import threading
from multiprocessing import Pipe

import cloudpickle

from ..errors import CourseError
from ..faults import FaultPlan
from ..node import Job
from ..node.parcel import pack, unpack
from ..paths import temporary
from ..verdict import Verdict, ideal_outcomes, judge
from .world import simulate

GRACE_SECONDS = 2.0


class HandlerStuck(CourseError):
    """Learner's code that did not come to an end. `traceback` shows where it was."""

    def __init__(self, message, traceback=""):
        super().__init__(message)
        self.traceback = traceback


def sandboxed(handler, plan=None, job=None, seed=0, seconds=5.0) -> Verdict:
    """Simulate and judge a handler in the child process. Returns a `Verdict`.

    Raises `HandlerStuck` when it takes more than `seconds`, or when its process died.
    """
    return call(_simulate_and_judge, pack(handler), plan or FaultPlan(), job or Job(), seed, seconds=seconds)


def judged(run, handler, seconds=5.0) -> Verdict:
    """Judge a run that took place elsewhere: learners' handlers in the child process, the library's own here."""
    if getattr(handler, "__module__", "").startswith("exactly_once."):
        return judge(run, handler)
    return call(_judge, run, pack(handler), seconds=seconds)


def ideals(handler, job, seconds=10.0):
    """Return the `Ideal`s of a learner's handler, computed in the child process."""
    return call(_ideals, pack(handler), job, seconds=seconds)


def _simulate_and_judge(parcel, plan, job, seed):
    handler = unpack(parcel)
    return judge(simulate(handler, plan, job, seed), handler)


def _judge(run, parcel):
    return judge(run, unpack(parcel))


def _ideals(parcel, job):
    return ideal_outcomes(unpack(parcel), job)


def call(function, *arguments, seconds=5.0):
    """Call a function in the child process and return what it returns, or raise what it raises.

    Raises `HandlerStuck` when it takes more than `seconds`, and `CourseError` when the process died. Calls from
    several threads take turns.
    """
    with _lock:
        child = _child()
        try:
            return child.call(function, arguments, seconds)
        finally:
            if child.process.poll() is not None:
                child.close()


class Child:
    """The child process, warm: it has imported what it needs and waits for work on a pipe."""

    def __init__(self):
        self.pipe, theirs = Pipe()
        self.last_words = tempfile.TemporaryFile(dir=temporary("sandbox"))  # noqa: SIM115 - it lives as long as the child
        self.process = subprocess.Popen(
            [sys.executable, "-m", "exactly_once.simulate.child", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.last_words,
        )
        theirs.close()

    def call(self, function, arguments, seconds):
        """Send one call and wait for its answer, killing the process when none comes."""
        try:
            self.pipe.send_bytes(cloudpickle.dumps((function, arguments, seconds)))
            answered = self.pipe.poll(seconds + GRACE_SECONDS)
            kind, value = cloudpickle.loads(self.pipe.recv_bytes()) if answered else ("silent", None)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            kind, value = "silent", None
        if kind == "returned":
            return value
        if kind == "raised":
            raise value
        self.kill()
        if kind == "stuck":
            raise HandlerStuck(_stuck(seconds), value)
        self.last_words.seek(0)
        words = self.last_words.read().decode(errors="replace").strip()
        if "Timeout" in words:
            raise HandlerStuck(_stuck(seconds), words)
        code = self.process.returncode
        how = f"by signal {-code}" if code < 0 else f"with exit status {code}"
        raise HandlerStuck(
            f"The process that ran this code ended {how} before it was done; the notebook is not touched.", words
        )

    def kill(self):
        """End the process now."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.2)
        self.process.kill()
        self.process.wait()

    def close(self):
        """End the process and close what was held open for it."""
        self.kill()
        self.pipe.close()
        self.last_words.close()


def _stuck(seconds):
    return (
        f"The code was stopped after {seconds:g} seconds: it had not come to an end. Look for a loop that never leaves."
    )


_lock = threading.RLock()
_current = None


def _child():
    global _current
    if _current is None or _current.process.poll() is not None or _current.pipe.closed:
        _current = Child()
    return _current


def warm_up():
    """Start the child process ahead of the first call."""
    with _lock:
        _child()


@atexit.register
def close():
    """End the child process, if there is one."""
    global _current
    if _current is not None:
        _current.close()
        _current = None

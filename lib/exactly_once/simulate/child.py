"""The child process of the sandbox: it takes one call after the other from a pipe, under limits."""

import contextlib
import faulthandler
import os
import resource
import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection

import cloudpickle
from greenlet import GreenletExit

from . import sandbox  # imported ahead of the first call, so that the process is warm
from .puppet import Puppet
from .schedule import Stage
from .world import SimulatedWorld

MEMORY_BYTES = 2 * 1024**3
OUTPUT_CHARACTERS = 100_000


class TooMuchPrinted(Exception):
    """Learner's code printed more than anybody would read."""


class Printer:
    """Standard output for learner's code: it counts, and refuses when there is no end to it."""

    def __init__(self):
        self.left = OUTPUT_CHARACTERS

    def write(self, text):
        """Swallow `text`."""
        self.left -= len(text)
        if self.left < 0:
            raise TooMuchPrinted(f"The code printed over {OUTPUT_CHARACTERS:,} characters; print less.")
        return len(text)

    def flush(self):
        """Do nothing: nothing is kept."""


def serve(pipe):
    """Answer calls until the parent closes its end."""
    here = os.getpid()
    os.set_inheritable(pipe.fileno(), False)
    os.register_at_fork(after_in_child=pipe.close)  # a fork must not answer, nor hold the pipe open for a dead child
    while True:
        try:
            function, arguments, seconds = cloudpickle.loads(pipe.recv_bytes())
        except EOFError:
            leave()
        _reap()
        answer = _limited(pipe, function, arguments, seconds)
        if os.getpid() != here:
            os._exit(0)
        try:
            parcel = cloudpickle.dumps(answer)
        except Exception as why:  # noqa: BLE001 - what cannot be sent back is said instead
            parcel = cloudpickle.dumps(("raised", RuntimeError(f"{type(why).__name__}: {why}")))
        pipe.send_bytes(parcel)


def leave():
    """End this process, and with it all that learner's code started in its group."""
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _reap():
    """Forget the processes that learner's code left and the parent has ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _limited(pipe, function, arguments, seconds):
    def too_long(number, frame):
        try:
            pipe.send_bytes(cloudpickle.dumps(("stuck", _own_stack(frame))))
            time.sleep(sandbox.GRACE_SECONDS)  # the parent ends us, and first whatever has us for its parent
        finally:
            leave()

    signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    faulthandler.dump_traceback_later(seconds + 1, exit=True)
    sys.stdout = sys.stderr = Printer()
    try:
        return "returned", function(*arguments)
    except BaseException as why:  # noqa: BLE001 - the parent raises it
        return "raised", why
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


def _own_stack(frame):
    """Return where learner's code was, without the frames of this package around it."""
    package = os.path.dirname(os.path.dirname(__file__))
    frames = [found for found in traceback.extract_stack(frame) if not found.filename.startswith((package, "<frozen"))]
    return "Stopped here (most recent call last):\n" + "".join(traceback.StackSummary.from_list(frames).format())


if __name__ == "__main__":
    faulthandler.enable()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, hard))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nobody presses Ctrl-C here: a KeyboardInterrupt is the handler's own.
    SimulatedWorld.signals, Stage.signals, Puppet.signals = (GreenletExit,), (), ()
    serve(Connection(int(sys.argv[1])))

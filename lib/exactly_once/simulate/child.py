"""The child process of the sandbox: it takes one call after the other from a pipe, under limits."""

import faulthandler
import os
import resource
import signal
import sys
import traceback
from multiprocessing.connection import Connection

import cloudpickle

from . import sandbox  # noqa: F401 - imported ahead of the first call, so that the process is warm

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
    while True:
        try:
            function, arguments, seconds = cloudpickle.loads(pipe.recv_bytes())
        except EOFError:
            return
        answer = _limited(pipe, function, arguments, seconds)
        try:
            parcel = cloudpickle.dumps(answer)
        except Exception as why:  # noqa: BLE001 - what cannot be sent back is said instead
            parcel = cloudpickle.dumps(("raised", RuntimeError(f"{type(why).__name__}: {why}")))
        pipe.send_bytes(parcel)


def _limited(pipe, function, arguments, seconds):
    def too_long(number, frame):
        pipe.send_bytes(cloudpickle.dumps(("stuck", _own_stack(frame))))
        os._exit(1)

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
    serve(Connection(int(sys.argv[1])))

"""The child process of the sandbox: it takes one call after the other from a pipe, under limits."""

import contextlib
import faulthandler
import importlib
import os
import resource
import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import NoReturn

from ..errors import in_one_line
from ..explore.prove import prove
from ..handlers import at_least_once
from ..node.program import is_learners, unpickle_handler
from ..simulate.simulated_world import interrupts
from ..stores import codec
from . import plain_values, pool  # imported ahead of the first call, so that the process is warm

MEMORY_BYTES = pool.GIGABYTES * 1024**3
OUTPUT_CHARACTERS = 100_000


class TooMuchPrinted(Exception):
    """Learner's code printed more than anybody would read."""


class Printer:
    """Standard output for learner's code: it counts, and refuses when there is no end to it."""

    def __init__(self) -> None:
        self.left = OUTPUT_CHARACTERS

    def write(self, text: str) -> int:
        """Swallow `text`."""
        self.left -= len(text)
        if self.left < 0:
            raise TooMuchPrinted(f"The code printed over {OUTPUT_CHARACTERS:,} characters; print less.")
        return len(text)

    def flush(self) -> None:
        """Do nothing: nothing is kept."""


def serve(pipe: Connection) -> NoReturn:
    """Answer calls until the parent closes its end, each in a copy of this process that ends with the call.

    So nothing that learner's code changed is there for the next one: no module, no class, no signal handler.
    """
    os.set_inheritable(pipe.fileno(), False)
    while True:
        try:
            request = pipe.recv_bytes()
        except EOFError:
            leave()
        if request.startswith(pool.IMPORT):
            importlib.import_module(request.removeprefix(pool.IMPORT).decode())
            pipe.send_bytes(request)
            continue
        news, answer_end = os.pipe()
        worker = os.fork()
        if worker == 0:
            os.close(news)
            _work(pipe, answer_end, request)
        os.close(answer_end)
        answered = _wait_for(news, pipe)
        os.close(news)
        _, status = os.waitpid(worker, 0)
        if not answered or not os.WIFSIGNALED(status):  # the parent kills what has answered
            _die_alike(status)


def _work(pipe: Connection, answer_end: int, request: bytes) -> NoReturn:
    """Answer one call, and wait for the parent: it ends this process, and all that have it for their parent."""
    here, ends = os.getpid(), [pipe.close, lambda: os.close(answer_end)]

    def close() -> None:
        while ends:  # in a fork of a fork another file may have that number
            ends.pop()()

    os.register_at_fork(after_in_child=close)  # a fork must not answer, nor pass for this process
    try:
        mark = request[: pool.MARK]
        (seconds,) = pool.SECONDS.unpack_from(request, pool.MARK)
        pickled = _limited(pipe, mark, request[pool.MARK + pool.SECONDS.size :], seconds)
        if os.getpid() != here:
            os._exit(0)
        os.write(answer_end, b"!")
        pipe.send_bytes(mark + pickled)
        while True:
            signal.pause()
    except BaseException:  # noqa: BLE001 - a copy of this process must never go on to serve
        with contextlib.suppress(BaseException):
            traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(1)


def _wait_for(news: int, pipe: Connection) -> bool:
    """Wait for the end of the process at the other end of `news`; tell whether it had an answer.

    The parent sends nothing meanwhile: a message on the pipe means that the parent is gone.
    """
    answered = False
    while True:
        ready = wait([news, pipe])
        if news not in ready and not (answered and wait([news], pool.GRACE_SECONDS)):
            leave()
        if not os.read(news, 1):
            return answered
        answered = True


def _die_alike(status: int) -> NoReturn:
    """End this process as another one ended, for the parent to see."""
    if os.WIFSIGNALED(status):
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL) if os.WTERMSIG(status) != signal.SIGKILL else None
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


def leave() -> NoReturn:
    """End this process, and with it all that learner's code started in its group."""
    if os.getpgrp() in (os.getpid(), os.getppid()):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _limited(pipe: Connection, mark: bytes, wanted: bytes, seconds: float) -> bytes:
    def too_long(number: int, frame: FrameType | None) -> None:
        try:
            kind = "busy" if _is_ours(frame) else "full" if _peak() > MEMORY_BYTES / 4 else "stuck"
            pipe.send_bytes(mark + plain_values.write((kind, _own_stack(frame))))
            time.sleep(pool.GRACE_SECONDS)  # the parent ends us, and first whatever has us for its parent
        finally:
            leave()

    signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    faulthandler.dump_traceback_later(seconds + 1, exit=True)
    sys.stdout = sys.stderr = Printer()
    try:  # to make the copies and to write what the code returns may take its time, too
        function, arguments = unpickle_handler(wanted)
        return plain_values.write(("returned", function(*arguments)))
    except BaseException as why:  # noqa: BLE001 - the parent raises it
        return _raised(why)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


def _raised(why: BaseException) -> bytes:
    """Return the error of the code as bytes; of an exception that is not plain, its message."""
    try:
        return plain_values.write(("raised", why))
    except Exception:  # noqa: BLE001 - a learner's exception may fail in any way
        return plain_values.write(("raised", RuntimeError(in_one_line(why))))


def _peak() -> int:
    """Return the most bytes of memory that this process had at once."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _is_ours(frame: FrameType | None) -> bool:
    """Tell whether the course's own work takes so long: on a value for a store, or between two steps."""
    stores = os.path.dirname(codec.__file__)
    while frame is not None and not is_learners(frame.f_code.co_filename):
        if frame.f_code.co_filename.startswith(stores):
            return True
        frame = frame.f_back
    return frame is None


def _own_stack(frame: FrameType | None) -> str:
    """Return where learner's code was, without the frames of this package around it."""
    package = os.path.dirname(os.path.dirname(__file__))
    frames = [
        found for found in traceback.extract_stack(frame) if not found.filename.startswith((package, "<frozen"))
    ]
    return "Stopped here (most recent call last):\n" + "".join(traceback.StackSummary.from_list(frames).format())


if __name__ == "__main__":
    faulthandler.enable()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, hard))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nobody presses Ctrl-C here: a KeyboardInterrupt is the handler's own.
    interrupts.clear()
    sys.path.append(os.getcwd())  # where modules of the learner's own are, behind Python's and the course's
    prove(at_least_once, items=1)  # what the first search of a process has to read and to compile is there for all
    serve(Connection(int(sys.argv[1])))

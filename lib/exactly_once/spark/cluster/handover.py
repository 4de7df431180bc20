"""Handing an idle cluster over: a notebook asks for it, and the one that has it answers, and gives it up itself.

Idle means that the main thread of its kernel is between two messages, that no cell runs and none has ended within
the last second (so it is not between two cells of *Run All*), that no Spark job runs, and that no other thread that
asked for the cluster still runs. This is decided on that main thread, which then stops the cluster before it takes
the next message: neither a cell nor a job can begin in between.

Requests come as lines of JSON through a named pipe in the course's temporary folder, so notebooks of one copy of the
course find each other, and answers as files beside it.
"""

import atexit
import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from ...owned import Owner
from ...paths import replaced, temporary

SETTLED = 1.0  # s since the last cell
PATIENCE = 3.0  # s that the kernel that is asked waits for a moment at which it is idle
ROUND = 0.2  # s between two looks
CALL_LIMIT = 0.5  # s within which a main thread that has nothing to do takes a call
ANSWER_LIMIT = 30  # s, in which a stubborn cluster is stopped, too
START_LIMIT = 60  # s that a start in the background is waited for
CELL, STARTING = "a cell runs there", "it is starting there"
_cells: Any = None  # the `Cells` of this kernel, once it listens


class Cells:
    """Whether a cell of this kernel runs, and when the last one ended."""

    def __init__(self, shell: Any) -> None:
        self.kernel = shell.kernel
        self.running = threading.current_thread() is threading.main_thread()  # a notebook's own request
        self.ended = time.monotonic()
        shell.events.register("pre_execute", lambda: self._note(True))
        shell.events.register("post_execute", lambda: self._note(False))

    def _note(self, running: bool) -> None:
        self.running, self.ended = running, time.monotonic()

    def settled(self) -> bool:
        """Tell whether no cell runs and none has ended a moment ago."""
        return not self.running and time.monotonic() - self.ended >= SETTLED

    def call(self, work: Callable[[], str]) -> str:
        """Return the result of `work()`, called on the main thread between two messages, or `CELL` in a cell."""
        result = Future()

        def run() -> None:
            if result.set_running_or_notify_cancel():
                try:
                    result.set_result(work() if self.settled() else CELL)
                except BaseException as why:  # noqa: BLE001 - handed to the thread that waits for it
                    result.set_exception(why)

        self.kernel.io_loop.add_callback(run)
        try:
            return result.result(CALL_LIMIT)
        except TimeoutError:
            return CELL if result.cancel() else result.result()


def listen(give_up: Callable[[str], str]) -> None:
    """Answer requests for this kernel's cluster from now on, in a thread. Outside a notebook's kernel: nothing.

    `give_up(by)` stops the cluster for another notebook, described by `by`, and returns "", or says why it must not.
    """
    global _cells
    shell = _shell()
    if _cells is not None or shell is None:
        return
    pipe = _pipe(os.getpid())
    with contextlib.suppress(OSError):  # a disk that knows no named pipes; without, the cluster is taken over by hand
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe, 0o600)
        requests = os.fdopen(os.open(pipe, os.O_RDWR), "rb", buffering=0)  # for writing, too: so it never ends
        _cells = Cells(shell)
        threading.Thread(target=_answer, args=(requests, give_up), name="exactly-once handover", daemon=True).start()
        atexit.register(_remove, pipe, os.getpid())


def tell(sentence: str) -> None:
    """Print a sentence: below the cell, or, in a program, whose output may be data, on the standard error."""
    print(sentence, file=sys.stdout if _shell() else sys.stderr, flush=True)


def ask(owner: Owner, by: str) -> str | None:
    """Ask the kernel `owner` to give up its cluster to `by`, words for this process. Returns "" when it did.

    Else it returns why not, or None where nobody listens.
    """
    deadline = time.monotonic() + START_LIMIT
    while (answer := _ask_once(owner, by)) == STARTING and time.monotonic() < deadline:
        time.sleep(ROUND)
    return answer


def listens(owner: Owner) -> bool:
    """Tell whether the kernel `owner` hears requests."""
    with contextlib.suppress(OSError):
        os.close(_open(owner))
        return True
    return False


def _open(owner: Owner) -> int:
    """Return the file descriptor to write requests to. Raises `OSError` when there is no pipe, or nobody reads it."""
    return os.open(_pipe(owner.pid), os.O_WRONLY | os.O_NONBLOCK)


def _shell() -> Any:
    """Return IPython's shell in a notebook's kernel, else None."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell if hasattr(getattr(shell, "kernel", None), "io_loop") else None


def _ask_once(owner: Owner, by: str) -> str | None:
    reply = temporary("spark", "handover") / f"{os.getpid()}-{threading.get_ident()}.json"
    reply.unlink(missing_ok=True)
    try:
        pipe = _open(owner)
    except OSError:
        return None
    try:
        os.write(pipe, json.dumps({"by": by, "reply": str(reply)}).encode() + b"\n")
        deadline = time.monotonic() + ANSWER_LIMIT
        while not reply.exists():
            if time.monotonic() > deadline or not owner.alive():
                return None
            time.sleep(0.02)
        return json.loads(reply.read_text())
    finally:
        os.close(pipe)
        reply.unlink(missing_ok=True)


def _answer(requests: Iterable[bytes], give_up: Callable[[str], str]) -> None:
    for line in requests:
        with contextlib.suppress(Exception):  # one that cannot be read or answered must not end the listening
            request = json.loads(line)
            deadline = time.monotonic() + PATIENCE
            while True:
                answer = _cells.call(lambda by=request["by"]: give_up(by))
                if answer in ("", STARTING) or time.monotonic() > deadline:
                    break
                time.sleep(ROUND)
            replaced(Path(request["reply"]), json.dumps(answer))


def _pipe(pid: int) -> Path:
    return temporary("spark", "handover") / f"{pid}.pipe"


def _remove(pipe: Path, pid: int) -> None:
    if os.getpid() == pid:  # a forked child must not close its parent's
        pipe.unlink(missing_ok=True)

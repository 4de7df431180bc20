"""Processes that push to one queue in one SQLite file, for real; one of them may be stopped by SIGSTOP on its way.

Two queues: the lock-free one, `cas`, and one behind a spinlock, `lock`, over the same registers. Each process takes
its steps on a connection of its own. One of them can be stopped between two steps, or inside a transaction of the
store: SQLite's write lock is itself a lock, and a process that stops with this lock stops all writers of the file.
"""

import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TypeAlias

from ..errors import CourseError, one_of, whole
from ..node.access import part_of
from ..owned import RUNS, new_folder
from ..stores import Origin, SQLiteStore
from .progress import LOCK, QUEUE, locked
from .queue import HINT, Queue

CAS, LOCKED = KINDS = "cas", "lock"
STEP, TRANSACTION = "step", "transaction"
MOST_PROCESSES, MOST_PUSHES = 4, 1000
QUARTER = 4  # a process is stopped after this part of its pushes
PAUSE_SECONDS = 0.0005  # between two looks at a lock that is held, so that its holder gets a processor
STILL_SECONDS = 2.0  # that a process stands still at most
BUSY_MS = 20  # that SQLite waits for another process's transaction before it answers "locked"
PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>
SECONDS = 120.0  # a guard for all of it; it takes a second or a few
Span: TypeAlias = tuple[float, float]  # from when to when, in seconds


@dataclass(frozen=True)
class Contention:
    """The result of some processes. `queue` is "cas" or "lock", `stopped` None, "step" or "transaction".

    `pushes` are for each process its pushes, as (begun, ended) in seconds since the first process was let go; `still`
    is when the first process stood still, as (from, until), or None.
    """

    queue: str
    stopped: str | None
    pushes: tuple[tuple[Span, ...], ...]
    still: Span | None = None

    @property
    def processes(self) -> int:
        """How many processes there were."""
        return len(self.pushes)

    @property
    def count(self) -> int:
        """How many pushes there were in all."""
        return sum(map(len, self.pushes))

    @property
    def seconds(self) -> float:
        """How long it took, from the first process's beginning to the last one's end."""
        return max(ended for pushes in self.pushes for _, ended in pushes)

    @property
    def per_second(self) -> float:
        """How many pushes there were in a second, all processes together."""
        return self.count / self.seconds

    @property
    def meanwhile(self) -> int | None:
        """How many pushes of the others began and ended while the first process stood still; None if it never did."""
        if self.still is None:
            return None
        since, until = self.still
        return sum(since <= begun and ended <= until for pushes in self.pushes[1:] for begun, ended in pushes)

    @property
    def goes_on(self) -> bool | None:
        """True when the others got on while the first process stood still; None if it never did."""
        return None if self.meanwhile is None else self.meanwhile > 0

    def __str__(self) -> str:
        what = {CAS: "the lock-free queue", LOCKED: "the queue behind a lock"}[self.queue]
        if self.still is None:
            return f"{self.processes} at {what}: {self.count} pushes in {self.seconds:.2f} s."
        where = "between two steps" if self.stopped == STEP else "inside a transaction of the store"
        lasted = self.still[1] - self.still[0]
        count = self.meanwhile
        done = f"made {count} {'push' if count == 1 else 'pushes'}" if count else "made no push at all"
        return (
            f"{self.processes} at {what}, one of them stopped {where}: while it stood still, for {lasted:.2f} s, the "
            f"others {done}."
        )


def contend(queue: str = CAS, processes: int = 3, stopped: str | None = None, pushes: int = 200) -> Contention:
    """Let processes push to one queue at once, and return the result, as a `Contention`.

    queue: "cas", the lock-free queue, or "lock", the same behind a spinlock; processes: how many, 1 to 4; pushes: how
    many each makes. stopped: None, or where the first process is stopped by SIGSTOP after a quarter of its pushes:
    "step", between two steps of a push (at the spinlock: while it has it; else with its value in its cell and the
    hint not moved), or "transaction", inside a transaction of SQLite. The others wait for that moment after a quarter
    of theirs. It stands still until each of them has made all its pushes, and no longer than two seconds; then it is
    woken up, and all end.

    They are processes of this machine, each with a Python of its own. Raises `BadInput` for arguments that make no
    sense, `CourseError` when a process fails, or when a value is not in the queue once.
    """
    one_of("the queue", queue, KINDS)
    one_of("where a process is stopped", stopped, (None, STEP, TRANSACTION))
    whole("the number of processes", processes, 1 if stopped is None else 2, MOST_PROCESSES)
    whole("the number of pushes", pushes, 1 if stopped is None else QUARTER, MOST_PUSHES)
    folder = new_folder(RUNS, "queue")
    path = folder / "engine.sqlite"
    SQLiteStore(path).close()
    found = []
    try:
        found += (_Process(path, queue, number, pushes, stopped) for number in range(processes))
        done = _run(found)
        _each_once(path, processes, pushes)
    finally:
        for one in found:
            one.end()
        shutil.rmtree(folder, ignore_errors=True)
    return Contention(queue, stopped, *done)


class _Process:
    """One process, as its parent sees it: its messages, and its state as far as known."""

    def __init__(self, path, *arguments):
        self.pushes, self.stops, self._rest = [], None, b""
        self.ready = self.over = False
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, str(path), json.dumps(arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # an interrupted cell interrupts the kernel, which ends them
        )

    def fileno(self):
        """Where it speaks, for `select`."""
        return self.process.stdout.fileno()

    def hear(self):
        """Take its new messages. Raises `CourseError` when it has ended in an error."""
        heard = os.read(self.fileno(), 1 << 16)
        if not heard:
            self.over = True
            if self.process.wait():
                said = self.process.stderr.read().decode(errors="replace").strip().splitlines() or ["nothing"]
                raise CourseError(f"A process that pushes ended in an error; its last words: {said[-1]}")
        *lines, self._rest = (self._rest + heard).split(b"\n")
        for word, *values in map(json.loads, lines):
            if word == "pushed":
                self.pushes.append(tuple(values))
            elif word == "stops":
                self.stops = values[0]
            else:
                self.ready = True

    def go(self):
        """Let it begin, or go on from where it waits."""
        self.process.stdin.write(b"go\n")
        self.process.stdin.flush()

    def wait_until_it_stands(self):
        """Wait until it is stopped indeed, and not about to be."""
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOWAIT)

    def wake(self):
        """Let it go on."""
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        """Kill it if it still runs, stopped or not, and close its pipes."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()


def _run(processes):
    """Return (pushes of each process, when the first one stood still or None), in seconds since they began.

    Raises `CourseError` when it takes too long.
    """
    deadline = time.monotonic() + SECONDS

    def hear(done, whom=processes, until=deadline):
        """Listen to all processes until `done` of each of some, or until a time."""
        while not all(map(done, whom)) and (left := until - time.monotonic()) > 0:
            for one in select.select([one for one in processes if not one.over], [], [], left)[0]:
                one.hear()

    hear(lambda one: one.ready)
    begun, still, (first, *others) = time.monotonic(), None, processes
    for one in processes:
        one.go()
    hear(lambda one: one.over or first.stops is not None)
    if first.stops is not None:
        first.wait_until_it_stands()
        for one in others:
            one.go()
        hear(lambda one: one.over, others, time.monotonic() + STILL_SECONDS)
        still = first.stops - begun, time.monotonic() - begun
        first.wake()
    hear(lambda one: one.over)
    if not all(one.over for one in processes):
        raise CourseError(f"The processes have not come to an end within {SECONDS:g} seconds. Try fewer pushes.")
    return tuple(tuple((a - begun, b - begun) for a, b in one.pushes) for one in processes), still


def _each_once(path, processes, pushes):
    """Raise `CourseError` unless each value is in the queue, once."""
    store = SQLiteStore(path)
    try:
        values = Queue(_Registers(store, 0), QUEUE).read_from(0)
    finally:
        store.close()
    wanted = sorted([number, push] for number in range(processes) for push in range(pushes))
    if sorted(values) != wanted:
        raise CourseError(f"{len(values)} values are in the queue, and {len(wanted)} were pushed, each once.")


class _Registers:
    """Versioned registers in a store, for a process that is no node. `before(verb, name)` is called at each step."""

    def __init__(self, store, number, before=lambda verb, name: None):
        self.store, self.origin, self.before = store, Origin(number + 1), before

    def read(self, name):
        """Return (version, value)."""
        self.before("read", name)
        return tuple(self.store.do(part_of(name), "read", origin=self.origin).value)

    def cas(self, name, expected_version, value):
        """Write if the version is the expected one; return whether it was."""
        self.before("cas", name)
        return self.store.do(part_of(name), "cas", expected_version, value, origin=self.origin).value


class _Store(SQLiteStore):
    """A store that may be stopped inside a transaction: `stop`, if there is one, is called in the next one, once."""

    stop = None

    def __init__(self, path):
        super().__init__(path)
        self.connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")

    def _note(self, entry):
        super()._note(entry)
        if self.stop is not None:
            stop, self.stop = self.stop, None
            stop()


def _die_with_parent():
    """Have Linux kill this process when its parent dies: one that stands still would notice nothing."""
    with contextlib.suppress(AttributeError, OSError):  # other systems have no such call
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _push_all(path, queue, number, pushes, stopped):
    """Push this process's values; it tells its parent on its standard output, line by line."""

    _die_with_parent()

    def say(*words):
        os.write(1, f"{json.dumps(words)}\n".encode())

    def stop():
        say("stops", time.monotonic())
        os.kill(os.getpid(), signal.SIGSTOP)

    store, quarter = _Store(path), pushes // QUARTER
    where, armed, looks = {("read" if queue == LOCKED else "cas", f"{QUEUE}{HINT}")}, None, 0

    def before(verb, name):
        nonlocal looks
        if armed == STEP and (verb, name) in where:
            where.clear()  # once
            stop()
        looks = looks + (verb == "read") if name == LOCK else 0
        if looks > 1:  # at a lock that another holds
            time.sleep(PAUSE_SECONDS)

    registers = _Registers(store, number, before)
    say("ready")
    sys.stdin.readline()
    for push in range(pushes):
        armed = stopped if (push, number) == (quarter, 0) else None
        if armed == TRANSACTION:
            store.stop = stop
        if stopped and number and push == quarter:
            sys.stdin.readline()
        begun = time.monotonic()
        if queue == CAS:
            Queue(registers, QUEUE).push([number, push])
        else:
            locked(SimpleNamespace(registers=registers, number=[number, push]))
        say("pushed", begun, time.monotonic())


if __name__ == "__main__":
    _push_all(sys.argv[1], *json.loads(sys.argv[2]))

"""Twins on the cluster: two or three nodes run one lock-free handler at once; any is killed or stopped while they do.

Each node is a task, on executors of their own as far as there are enough. Inputs arrive one by one at a pace, and how
long each record waits, from its arrival until its output is in the queue, is measured by the machine's clock. The
stores are served by a process of their own, so that a node that is stopped wherever it is stops nobody else.
"""

import contextlib
import signal
import threading
import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...errors import BadInput, CourseError, is_number, one_of, whole
from ...faults import POINTS, Fault
from ...handlers.stream.lock_free import lock_free
from ...node.program import deployment_of, program_of
from ...node.world import ENGINE
from ...pipeline import Job, checked_case
from ...sandbox.pool import ideals
from ...stores.codec import decode, describe
from ...verdict.outcome import Outcome
from ...verdict.prefix import shortened
from ..cluster.processes import kill_from_outside, signal_worker
from ..task.feed import FASTEST, SLOWEST, Feed, Feeder
from .history import STRIKE, History
from .tasks import Prepared, SparkTask, slots_of, with_slots

MOST, HOURS = 3, 500
BEGIN_SECONDS = 60.0  # for all nodes to begin
CATCH_UP_SECONDS = 30.0  # at the end, until all that arrived is handled
STOP_SECONDS = 8.0
LOOK_SECONDS = 0.01
KINDS = {"stop": "pause", "kill": "crash"}  # the kinds of faults at a crash point


class Twin(NamedTuple):
    """One node as it stands.

    `status` is "starting", "running", "stopped", "killed" (until Spark's retry begins its next incarnation), "ended"
    or "failed", `since` how long it has been that, in seconds. `life` counts all incarnations of the run, `lives` are
    how many this node had. `won` and `lost` are its compare-and-swaps of the machine, `version` the newest one that
    it knows. `armed` is its next fault, ("stop" or "kill", the crash point), or None.
    """

    number: int
    status: str
    since: float
    life: int
    lives: int
    pid: int
    executor: str
    won: int
    lost: int
    version: int
    armed: tuple | None = None


class Tape(NamedTuple):
    """One value of the output: its hour, itself and in words, the node that wrote it, if it is right, and how long
    the hour waited, in seconds.
    """

    hour: int
    value: object
    text: str
    node: int
    right: bool
    wait: float


@dataclass(frozen=True)
class TwinsState:
    """All that there is to see of twins at one moment.

    `arrived` is how many hours have come, `waiting` how long those wait, in seconds, whose output is not there yet.
    `versions`, `losses`, `happenings` and `tape` are as in `history`, all of them, oldest first. `counter` is the
    counter in the database, `counter_due` its correct value for the outputs that are there. `sentence` says whether
    all is right so far.
    """

    seconds: float
    running: bool
    pace: float
    arrived: int
    twins: tuple
    versions: tuple
    losses: tuple
    happenings: tuple
    tape: tuple
    waiting: tuple
    counter: int
    counter_due: int
    right: bool
    sentence: str
    error: str | None = None


@dataclass(frozen=True)
class TwinsResult:
    """The result of twins, counted in the stores, and the last `state`.

    `wrong` names what is not as one node without any fault would leave it: the outputs, the counter, the state, the
    positions. `shares` is {node: its part of all transitions}.
    """

    state: TwinsState
    hours: int
    wrong: tuple
    shares: dict

    @property
    def exactly_once(self):
        """True when the outcome is right in every part."""
        return not self.wrong

    def happened(self, kind):
        """Return how often nodes were "killed" or "stopped"."""
        return sum(one.kind == kind for one in self.state.happenings)

    def __str__(self):
        done = f"{self.hours} hours arrived, with {_many(self.happened('killed'), 'kill')} and "
        done += f"{_many(self.happened('stopped'), 'stop')}:"
        if self.exactly_once:
            return (
                f"Exactly once: {done} each is in the output once, in order, and the counter is {self.state.counter}."
            )
        return f"Not exactly once: {done} one node without faults would not leave such {', '.join(self.wrong)}."


class Twins:
    """Two or three nodes of one lock-free handler, at work on the cluster until `end`; for any thread.

    `handler` is a function of a node that many may run at once: `lock_free` (the default), whose counter a node of
    its own keeps in the database, or what `general` or `stateless` return. `nodes` is how many begin. One node is no
    twin, and has Spark's retry alone; it may also run another handler that needs no node beside it, such as
    `two_phase`. `pace` is how many hours arrive in a second, 0.1 to 100; `hours` how many there are. `job` says
    window and threshold.

    A `with` block leaves nothing behind, even after an error. Raises `BadInput` for what makes no sense, and when the
    cluster has too few slots.
    """

    def __init__(self, handler=lock_free, nodes=2, pace=2.0, hours=HOURS, job=None, spark=None):
        self.nodes = whole("the number of twins", nodes, least=1, most=MOST)
        job = replace(Job() if job is None else job, items=whole("the number of hours", hours, least=2, most=8760))
        checked_case(handler, None, job)
        if job.arrival != "together" or job.time != "event":
            raise BadInput("Twins here need inputs that arrive together, in event time: both must compute the same.")
        self._pace = checked_pace(pace)
        self.handler, self.job, self._spark = handler, job, spark
        self._feed = Feed(**vars(job))
        self._programs, self.beside = _programs(handler, self._feed, nodes)
        self.began = None  # when the first hour arrived, in seconds since the epoch
        self._run, self._feeder, self._history = None, None, None
        self._tasks, self._result, self._asked = [], None, 0
        self._strikes = {}  # {key: (number, point, fault)} of the faults planned at crash points
        self._lock = threading.RLock()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.abandon()

    def start(self):
        """Start the nodes, and the arrival of hours once all nodes have begun. Returns itself."""
        if self._run is not None:
            raise CourseError("These twins were started before; make new ones.")
        (self._ideal,) = ideals(self.handler, self.job)
        if (count := len(self._ideal.outcome.outputs)) != self.job.items:
            raise BadInput(
                f"This handler has {count} outputs for {self.job.items} hours; twins here show one for each hour. "
                "Give a handler whose first queue gets one value an hour."
            )
        self._spark = with_slots(self._spark, self.slots)
        self._run = Prepared(self._programs, served=True)
        try:
            stores = self._run.folder.stores
            self._history = History(self._run.folder, self._programs[0])
            self._feeder = Feeder(self._feed, stores()[ENGINE], self._pace)
            inputs = self._run.inputs
            self._submit([*inputs[: self.nodes], *inputs[MOST:]])
            starts = self._history.starts

            def begun():
                return {start.detail.get("node", 0) for start in starts.values()}

            self._until(lambda: len(begun()) >= self.slots, BEGIN_SECONDS, lambda: "not all nodes have begun")
            self.began = time.time()
            self._feeder.start()
        except BaseException:
            self.abandon()
            raise
        return self

    def _submit(self, inputs):
        self._tasks.append(SparkTask(self._spark, inputs, runs=[self._run]))

    def _until(self, done, seconds, what):
        """Wait until `done()`. Raises `CourseError`, with what `what()` says, when nothing has come for so long."""
        deadline, seen = time.monotonic() + seconds, None
        while True:
            self._history.read()
            if done():
                return
            if failure := self._failure():
                raise CourseError(failure)
            now = len(self._history.tape), len(self._history.counts)
            if now != seen:
                deadline, seen = time.monotonic() + seconds, now
            if time.monotonic() > deadline:
                raise CourseError(f"Nothing has happened for {seconds:g} seconds, and {what()}. Make new twins.")
            time.sleep(LOOK_SECONDS)

    def _failure(self):
        """Return the error of the handler, the job or the feeder, in a sentence, or None."""
        for task in self._tasks:
            if task.join(0):
                try:
                    raised = next((text for kind, text in task.result() if kind == "raised"), None)
                except CourseError as why:
                    return str(why)
                if raised:
                    return f"A node failed by itself:\n{raised}"
        for life, last in self._history.last.items():
            if last.verb == "raised":
                return f"Node {self._history.node_of(life)} failed by itself: {last.text}"
        failure = self._feeder.failure
        return None if failure is None else str(failure)

    @property
    def pace(self):
        """How many hours arrive in a second."""
        return self._pace

    @pace.setter
    def pace(self, pace):
        self._pace = checked_pace(pace)
        if self._feeder is not None:
            self._feeder.set_pace(self._pace)

    @property
    def slots(self):
        """How many slots of the cluster they take: one for each node."""
        return self.nodes + self.beside

    @property
    def arrivals(self):
        """{hour: when it arrived, in seconds since the epoch}."""
        return dict(self._feeder.arrivals)

    def add(self):
        """Start a third node, or a second. Raises `BadInput` when there are three, or no slot is free."""
        with self._lock:
            self._check_running()
            if self.nodes == MOST:
                raise BadInput(f"There are {MOST} nodes already; that is as many as there can be.")
            needed = self.slots + 1
            if slots_of(self._spark) < needed:
                raise BadInput(
                    f"One more node needs {needed} slots in all, and the cluster has {slots_of(self._spark)}; end "
                    "these twins, start the cluster with cluster(slots=4), and start them again."
                )
            self.nodes += 1
            self._submit([self._run.inputs[self.nodes - 1]])

    def kill(self, number):
        """SIGKILL a node's Python worker; Spark's retry is the node's next incarnation.

        Returns whether there was a process to kill. Raises `BadInput` for a node that is not there.
        """
        return self._signal(number, "killed", signal.SIGKILL, "SIGKILL to its worker")

    def stop(self, number):
        """SIGSTOP a node's Python worker wherever it is; returns whether there was one that ran."""
        return self._signal(number, "stopped", signal.SIGSTOP, "SIGSTOP to its worker")

    def resume(self, number):
        """SIGCONT a node that is stopped; returns whether there was one."""
        return self._signal(number, "resumed", signal.SIGCONT, "SIGCONT: it goes on")

    def _signal(self, number, what, sign, text):
        with self._lock:
            self._check_running()
            whole("the number of a node", number, least=1, most=self.nodes)
            self._history.read()
            start, now = self._history.newest(number), time.time()  # what it does when it is resumed comes after this
            stopped = start is not None and self._history.done_to(start.life)[0] == "stopped"
            if start is None or (what != "killed" and stopped == (what == "stopped")) or not sent(start, 0):
                return False
            if what == "killed":
                self._run.recorder.fire(f"outside-{start.life}")  # so that it counts as a death that was meant
            if not (kill_from_outside(start.detail, False) if what == "killed" else sent(start, sign)):
                return False
            self._history.note(start.life, what, text, now)
            return True

    def strike_at(self, number, point, what):
        """Have a node stop or kill itself when it next gets to a crash point, once. `what` is "stop" or "kill".

        Of each node the newest of such orders is kept. Raises `BadInput` for what makes no sense, and for a handler
        that passes no crash points.
        """
        with self._lock:
            self._check_running()
            whole("the number of a node", number, least=1, most=self.nodes)
            one_of("the crash point", point, POINTS)
            one_of("what is to strike", what, KINDS)
            if deployment_of(self.handler) is None:
                raise BadInput("This handler passes no crash points; kill or stop the node at once.")
            self.disarm(number)
            self._asked += 1
            self._strikes[f"{STRIKE}{self._asked}-{point}"] = number, point, what
            self._tell_strikes()

    def disarm(self, number):
        """Disarm the fault of a node at a crash point; returns whether there was something."""
        with self._lock:
            self._check_running()
            was = self._armed(number)
            self._strikes = {key: order for key, order in self._strikes.items() if order[0] != number}
            self._tell_strikes()
            return was is not None

    def _tell_strikes(self):
        faults = {
            key: Fault(point, kind=KINDS[what], node=number).code()
            for key, (number, point, what) in self._strikes.items()
        }
        self._run.folder.ask({"strikes": faults})

    def _armed(self, number):
        left = [order for key, order in self._strikes.items() if key not in self._history.struck]
        return next((order[1:] for order in left if order[0] == number), None)

    def _check_running(self):
        if self._run is None:
            raise CourseError("These twins were not started; call start() first.")
        if not self._run.folder.exists():
            raise CourseError("These twins have ended; make new ones.")

    def state(self):
        """Return a `TwinsState`."""
        with self._lock:
            if self._result is not None:
                return self._result.state
            self._check_running()
            self._history.read()
            error = self._failure()
            return self._state(running=error is None, error=error)

    def _state(self, running, error=None):
        history, now = self._history, time.time()
        tape = self._tape()
        right, arrived = all(cell.right for cell in tape), dict(self._feeder.arrivals)
        there = {cell.hour for cell in tape}
        counted = [hour for hour, _, _ in history.counts]
        due = self._counted_until(max([0, *there, *counted]))
        counter = history.counts[-1][1] if history.counts else 0
        right = right and counted == due[: len(counted)] and counter == len(counted)
        sentence = f"Exactly once so far: {len(tape)} hours, each once, in order."
        if not right:
            sentence = "Not exactly once: output or counter is not what one node without faults would leave."
        return TwinsState(
            now - self.began, running, self._pace, len(arrived),
            tuple(self._twin(number, now) for number in range(1, self.nodes + 1)),
            tuple(history.versions), tuple(history.losses),
            tuple(sorted(history.happenings, key=lambda one: (one.stamp, one.wall))), tape,
            tuple((hour, now - then) for hour, then in arrived.items() if hour not in there),
            counter, len(due), right, sentence, error,
        )  # fmt: skip

    def _tape(self):
        """Return the output as it is, in the order of the cells."""
        found, wanted = [], self._ideal.outcome.outputs
        for cell in sorted(self._history.tape):
            for text in cell.values:
                right = len(found) < len(wanted) and text == wanted[len(found)]
                arrived = self._feeder.arrivals.get(cell.hour, cell.wall)
                value = decode(text)
                found.append(Tape(cell.hour, value, describe(value), cell.node, right, cell.wall - arrived))
        return tuple(found)

    def _counted_until(self, last):
        """Return the hours up to `last` that are to be counted."""
        return [one.item for one in self._ideal.writes if one.part == "counter" and one.item <= last]

    def _twin(self, number, now):
        history, start = self._history, self._history.newest(number)
        won = Counter(version.node for version in history.versions)[number]
        lost = Counter(loss.node for loss in history.losses)[number]
        if start is None:
            return Twin(number, "starting", now - self.began, 0, 0, 0, "", won, lost, 0)
        life, last = start.life, history.last.get(start.life, start)
        lives = sum(one.detail.get("node", 0) + 1 == number for one in history.starts.values())
        what, since = self._history.done_to(life)
        since = start.wall if since is None else since
        if last.verb in ("ends", "raised"):
            status, since = {"ends": "ended", "raised": "failed"}[last.verb], last.wall
        elif not sent(start, 0):
            status = "killed"
        else:
            status = "stopped" if what == "stopped" else "running"
        return Twin(
            number, status, now - since, life, lives, start.detail["pid"], start.detail["executor"], won, lost,
            history.learned.get(life, 0), self._armed(number),
        )  # fmt: skip

    def end(self):
        """End the arrival of records, let the nodes finish those that have arrived, and return a `TwinsResult`.

        Who is stopped is woken up. Raises `CourseError` when they do not finish; nothing is left behind then, either.
        """
        with self._lock:
            if self._result is not None:
                return self._result
            self._check_running()
            try:
                self._result = self._finish()
                return self._result
            finally:
                self.abandon()

    def _finish(self):
        self._feeder.stop()
        for number in range(1, self.nodes + 1):
            self.disarm(number)
        hours = len(self._feeder.arrivals)
        due = len(self._counted_until(max(self._feeder.arrivals, default=0)))
        history = self._history
        self._until(
            lambda: self._all_awake() and len(history.tape) >= hours and len(history.counts) >= due, CATCH_UP_SECONDS,
            lambda: f"{hours - len(history.tape)} hours have no output, {due - len(history.counts)} are not counted",
        )  # fmt: skip
        self._run.folder.ask({"stop": True})
        self._until(lambda: all(task.join(0) for task in self._tasks), BEGIN_SECONDS, lambda: "a node is still there")
        return self._counted_out(hours)

    def _all_awake(self):
        """Wake up who is stopped, perhaps by a fault that was taken back too late; always true."""
        for number in range(1, self.nodes + 1):
            self.resume(number)
        return True

    def _counted_out(self, hours):
        """Compare the contents of the stores with the outcome of a run of one node over the same hours."""
        found = Outcome.of(self._run.folder.stores(), self._run.programs)
        right = shortened(self._ideal, max(self._feeder.arrivals, default=0)).outcome
        parts = "outputs", "counter", "state", "positions"
        wrong = tuple(part for part in parts if getattr(found, part) != getattr(right, part))
        self._history.read()
        state = self._state(running=False)
        won, all_won = Counter(version.node for version in state.versions), max(len(state.versions), 1)
        return TwinsResult(state, hours, wrong, {twin.number: won[twin.number] / all_won for twin in state.twins})

    def abandon(self):
        """End all at once, even nodes at work, without a result; ended runs stay as they are."""
        with self._lock:
            if self._run is None or not self._run.folder.exists():
                return
            if self._feeder is not None:
                self._feeder.stop()
            with contextlib.suppress(CourseError):
                self._run.folder.ask({"stop": True})
            for start in self._history.starts.values() if self._history else ():
                sent(start, signal.SIGCONT)  # of those that are stopped; the others do not mind
            for task in self._tasks:
                if not task.join(STOP_SECONDS):
                    task.cancel()
            if self._history is not None:
                self._history.close()
            self._run.remove()


def _programs(handler, feed, nodes):
    """Return (the programs of three twins and of what runs beside them, whether something does)."""
    deployment = deployment_of(handler)
    if deployment is None:
        return [program_of(handler, feed)] * MOST, False
    if deployment.machine is None and nodes == 1 and deployment.beside is None:
        return deployment.programs(feed) * MOST, False
    if deployment.machine is None:
        raise BadInput(
            f"The handler {getattr(handler, '__name__', handler)!r} is not lock-free; twins would undo each other. "
            "Give lock_free, or what general() or stateless() returns."
        )
    return replace(deployment, twins=MOST).programs(feed), deployment.beside is not None


def sent(start, sign):
    """Send the process of an incarnation a signal, 0 for none; tell whether the process is there."""
    return signal_worker(start.detail["pid"], sign)


def _many(number, word):
    return f"{number} {word}{'' if number == 1 else 's'}"


def checked_pace(pace):
    """Return a pace in hours a second. Raises `BadInput` for a value that is no pace, and for one out of bounds."""
    if not is_number(pace) or not SLOWEST <= pace <= FASTEST:
        raise BadInput(f"The pace is {pace!r}; give how many hours arrive in a second, {SLOWEST:g} to {FASTEST:g}.")
    return pace

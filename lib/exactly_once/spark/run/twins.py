"""Twins on the cluster: two or three nodes run one lock-free handler at once; any is killed or stopped while they do.

Each node is a task, on executors of their own as far as there are enough. Inputs arrive one by one at a pace; how
long each waits for its output in the queue is measured by the machine's clock. A process of its own serves the
stores, so that a node that is stopped wherever it is stops nobody else.
"""

import json
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partialmethod
from pathlib import Path
from typing import Any, NamedTuple, Self

from ...errors import BadInput, CourseError, one_of, whole
from ...faults import POINTS, Fault, FaultKind, Point
from ...handlers.stream.lock_free import lock_free
from ...lockfree.general import HANDLING
from ...lockfree.queue import index_in
from ...node.program import OUTPUT, Program, deployment_of, program_of
from ...node.source import values_of
from ...node.world import DATABASE, ENGINE, QUEUES
from ...pipeline import Job, checked_case
from ...sandbox.pool import ideals
from ...stores.codec import describe, encode
from ...trace import Event
from ...verdict.outcome import Outcome
from ...verdict.verdict import shortened
from ..cluster.processes import kill_from_outside, signal_worker, wake_worker
from ..task.feed import Feed, Feeder, checked_pace
from .tasks import Prepared, SparkTask, slots_of, with_slots

STRIKE = "strike-"  # how the key of a fault begins that was asked for at a crash point
STATUS = {"began": "running", "resumed": "running", "died": "killed"}  # where it is not the word for what happened
STATUS |= {word: word for word in ("stopped", "killed", "ended", "failed")}


class Happening(NamedTuple):
    """An action of a node, or a fault that struck it, and the line that tells it; in Lamport's order.

    `kind` is "began", "read", "won", "lost", "written", "found" (the cell was not empty), "counted", "stopped",
    "resumed", "killed", "died" (as the next incarnation found), "ended" or "failed". `wall` is the time in seconds
    since the epoch. A compare-and-swap of the machine's register that was "won" led to this `version`, to a `stage`
    that is about this `hour`; one that was "lost" found this `version`, and had expected another.
    """

    stamp: int
    node: int
    kind: str
    text: str
    wall: float
    life: int
    version: int = 0
    stage: str = ""
    hour: int = 0


class Cell(NamedTuple):
    """One value of the output: its hour, the value in words, the node that wrote it, and whether it is right.

    `arrived` is when the hour came, in seconds since the epoch, `wait` how long it waited for the value, in seconds.
    """

    hour: int
    text: str
    node: int
    right: bool
    arrived: float
    wait: float


@dataclass
class Twin:
    """One node as it stands.

    `status` is "starting", "running", "stopped", "killed" (until Spark's retry begins its next incarnation), "ended"
    or "failed", `since` the moment when it became that, in seconds since the epoch. `life` is the number of its
    incarnation, of all of the run, `lives` how many it had; `where` are its "executor", "pid" and "jvm". `won` and
    `lost` count its compare-and-swaps of the machine, of which it knows `version`. `armed` is its next fault: (crash
    point, "stop" or "kill", key).
    """

    number: int
    status: str = "starting"
    since: float = 0.0
    life: int = 0
    lives: int = 0
    where: dict = field(default_factory=dict)
    won: int = 0
    lost: int = 0
    version: int = 0
    armed: tuple | None = None


class History:
    """The history so far of nodes that run `programs`, whose incarnations' events are in `folder`.

    `stores` are those to look at; `right` are the right values of the output as text, `arrivals` is {hour: moment}.
    """

    def __init__(
        self, programs: Sequence[Program], folder: Path, stores: Mapping[str, Any], right: Sequence[str],
        arrivals: Mapping[int, float],
    ) -> None:  # fmt: skip
        self._program, self._folder, self._stores = programs[0], folder, stores
        self._right, self._arrivals = right, arrivals
        self.failure: str | None = None
        self.happenings, self.tape = [], []
        self.counts = []  # (hour, total) of each increment of the counter
        self.nodes = {number: Twin(number) for number in range(1, len(programs) + 1)}
        self._lives, self._stage = {}, (0, "the first stage")  # {incarnation: its `Twin`}, (the version, what it is)
        self._read, self._seen = defaultdict(int), defaultdict(int)  # bytes of a file, entries of a store

    def read(self) -> None:
        """Read the new entries.

        Events come before journals: what an incarnation did before the newest event that is read is then there, too.
        """
        self._read_events()
        for name, store in self._stores.items():
            new = store.journal(self._seen[name])
            self._seen[name] += len(new)
            for entry in new:
                if entry.life:  # the feeder has none
                    self._take(name, entry)
        for node in self.nodes.values():
            if node.status in ("running", "stopped") and not signal_worker(node.where["pid"], 0):
                node.status, node.since = "killed", time.time()

    def strike(self, node: Twin, kind: str, text: str, wall: float) -> None:
        """Note a fault from outside, after all that the node is seen to have done."""
        self.read()
        last = max((one for one in self.happenings if one.life == node.life), key=lambda one: one.stamp)
        self._note(last._replace(wall=wall), last.stamp, kind, text)

    def _note(self, one: Any, stamp: int, kind: str, text: str, **more: Any) -> None:
        """Note what the incarnation of an event or of a journal's entry did, or suffered."""
        node = self._node_of(one.life)
        self.happenings.append(Happening(stamp, node.number, kind, text, one.wall, one.life, **more))
        if one.life == node.life and STATUS.get(kind, node.status) != node.status:
            node.status, node.since = STATUS[kind], one.wall

    def _node_of(self, life: int) -> Twin:
        """Return the node of an incarnation; one that began after the events were read, and acted, is read now."""
        if life not in self._lives:
            self._read_events(life)
        return self._lives[life]

    def _read_events(self, life: int | str = "*") -> None:
        for path in self._folder.glob(f"life-{life}.jsonl"):
            with open(path, "rb") as file:
                file.seek(self._read[path.name])
                *lines, _ = file.read().split(b"\n")
            self._read[path.name] += sum(len(line) + 1 for line in lines)
            for line in lines:
                self._take_event(Event(**json.loads(line)))

    def _take_event(self, event: Event) -> None:
        key = event.detail.get("key", "")
        kind, text = {"ends": "ended", "raised": "failed", "dies": "died"}.get(event.verb), event.text
        if event.verb == "start":
            kind, text = "began", f"begins, executor {event.detail['executor']}"
            node = self._lives[event.life] = self.nodes[event.detail.get("node", 0) + 1]
            node.lives += 1
            if event.life > node.life:
                node.life, node.status, node.where = event.life, "starting", event.detail
        elif key.startswith(STRIKE) and event.verb in ("fault", "dies"):  # a stop or a kill at a crash point
            node = self._lives[event.life]
            node.armed = node.armed if node.armed and node.armed[2] != key else None
            kind, sign = ("killed", "SIGKILL") if event.verb == "dies" else ("stopped", "SIGSTOP")
            text = f"{sign} to its worker at {key.rpartition('-')[2]}, hour {event.item}"
        if kind:
            self._note(event, event.stamp, kind, text)
        self.failure = text if kind == "failed" else self.failure

    def _take(self, store: str, entry: Any) -> None:
        if (store, entry.part) == self._program.machine:
            self._take_transition(entry)
        elif (store, entry.part) == (DATABASE, "counter") and entry.operation.wrote(entry.value):
            self.counts.append((entry.item, entry.value))
            self._note(entry, entry.received, "counted", f"counter {entry.value}")
        elif (store, entry.part, entry.verb) == (ENGINE, OUTPUT, "append"):  # of a handler that is not lock-free
            self._take_push(entry, len(self.tape))
        elif (store, entry.verb) == (QUEUES, "cas"):
            self._take_push(entry, index_in(self._program.output, entry.part))

    def _take_push(self, entry: Any, index: int | None) -> None:
        if index is None:
            return  # it is no cell of the output
        at = f"push hour {entry.item} at index {index}"
        if entry.value is None:
            self._note(entry, entry.received, "found", f"{at}: the cell is not empty")
            return
        node, arrived = self._node_of(entry.life).number, self._arrivals.get(entry.item, entry.wall)
        for value in values_of(entry.value):
            right = self._right[len(self.tape) :][:1] == (encode(value),)
            self.tape.append(Cell(entry.item, describe(value), node, right, arrived, entry.wall - arrived))
        self._note(entry, entry.received, "written", f"{at}, written")

    def _take_transition(self, entry: Any) -> None:
        node, (version, at) = self._node_of(entry.life), self._stage
        if entry.verb == "read":
            self._note(entry, entry.received, "read", f"reads version {version}, {at}")
        elif entry.value is None:
            node.lost += 1
            text = f"cas of hour {entry.item}, lost: {node.version} ≠ {version}"
            self._note(entry, entry.received, "lost", text, version=version)
            return  # it knows no other version by that
        else:
            version, stage, node.won = version + 1, entry.value[0], node.won + 1
            hour = entry.item + (stage == HANDLING)  # once this hour is done, it is about the next one
            self._stage, more = (version, f"{stage} hour {hour}"), {"version": version, "stage": stage, "hour": hour}
            self._note(entry, entry.received, "won", f"cas {at} → {self._stage[1]}, won", **more)
        node.version = version


MOST, HOURS = 3, 500
BEGIN_SECONDS = 60.0  # for all nodes to begin
CATCH_UP_SECONDS = 30.0  # at the end, until all that arrived is handled
STOP_SECONDS = 8.0
LOOK_SECONDS = 0.01
KINDS: dict[str, FaultKind] = {"stop": "pause", "kill": "crash"}  # the kinds of faults at a crash point
SIGNALS = {  # {order: (the statuses in which it makes sense, what has happened then, how it is sent, in words)}
    "kill": (("running", "stopped"), "killed", lambda at: kill_from_outside(at, False), "SIGKILL to its worker"),
    "stop": (("running",), "stopped", lambda at: signal_worker(at["pid"], signal.SIGSTOP), "SIGSTOP to its worker"),
    "resume": (("stopped",), "resumed", lambda at: wake_worker(at["pid"]), "SIGCONT: it goes on"),
}


@dataclass(frozen=True)
class TwinsState:
    """All that there is to see of twins at one moment, `now`; moments are in seconds since the epoch.

    `arrived` is how many hours have come, `waiting` how long those wait, in seconds, whose output is not there yet.
    `twins`, `happenings` and `tape` are as in `history`, oldest first. `counter` is the counter in the database, and
    `counter_due` its right value for the outputs that are there. `right` tells whether all is right so far. In the
    end `wrong` names what in the stores is not as one node without faults would leave it.
    """

    now: float
    pace: float
    arrived: int
    twins: tuple
    happenings: tuple
    tape: tuple
    waiting: tuple
    counter: int
    counter_due: int
    right: bool
    wrong: tuple | None = None

    def happened(self, kind: str) -> list[Happening]:
        """Return the happenings of a kind, such as "killed"."""
        return [one for one in self.happenings if one.kind == kind]

    @cached_property
    def versions(self) -> list[Happening]:
        """The transitions of the machine, in order."""
        return self.happened("won")

    @property
    def sentence(self) -> str:
        """Whether all is exactly once, so far or in the end, in a sentence."""
        if self.wrong is None and self.right:
            done = len(self.tape)
            return f"Exactly once so far: {done} hour{'s' * (done != 1)}, each once, in order."
        if self.wrong is None:
            return "Not exactly once: output or counter is not what one node without faults would leave."
        kills, stops = len(self.happened("killed")), len(self.happened("stopped"))
        came = f"{self.arrived} hours arrived, with {kills} kill{'s' * (kills != 1)} and {stops} stop"
        came += f"{'s' * (stops != 1)}:"
        if self.right:
            return f"Exactly once: {came} each is in the output once, in order, and the counter is {self.counter}."
        return f"Not exactly once: {came} one node without faults would not leave such {', '.join(self.wrong)}."


class Twins:
    """Two or three nodes of one lock-free handler, at work on the cluster in a `with` block. For one thread.

    `handler` is a function of a node that many may run at once: `lock_free` (the default), whose counter a node of
    its own keeps in the database, or what `general` returns. `nodes` is how many begin. One node is no twin, and has
    Spark's retry alone; it may run any handler that needs no node beside it, such as `two_phase`. `pace` is how many
    hours arrive in a second, 0.1 to 100; `hours` how many there are. `job` says window and threshold. `slots` is how
    many slots of the cluster they take, `began` when the first hour arrived, in seconds since the epoch.

    The block ends all at once, even nodes at work. Raises `BadInput` for what makes no sense, and when the cluster
    has too few slots.
    """

    def __init__(
        self, handler: Any = lock_free, nodes: int = 2, pace: float = 2.0, hours: int = HOURS,
        job: Job | None = None,
    ) -> None:  # fmt: skip
        self.nodes = whole("the number of twins", nodes, least=1, most=MOST)
        job = replace(Job() if job is None else job, items=whole("the number of hours", hours, least=2, most=8760))
        checked_case(handler, None, job)
        if job.arrival != "together" or job.time != "event":
            raise BadInput("Twins here need inputs that arrive together, in event time: both must compute the same.")
        self.pace = checked_pace(pace)
        self._handler, self._job = handler, job
        source, deployed = Feed(**vars(job)), deployment_of(handler)
        first, *beside = replace(deployed, twins=1).programs(source) if deployed else [program_of(handler, source)]
        if first.machine is None and (nodes > 1 or beside):
            raise BadInput(
                f"The handler {getattr(handler, '__name__', handler)!r} is not lock-free; twins would undo each "
                "other. Give lock_free, or what general() returns."
            )
        self._programs, self.slots = [first] * MOST + beside, nodes + len(beside)
        self._run: Any = None
        self.began: Any = None
        self._open = ExitStack()

    def __enter__(self) -> Self:
        """Start the nodes, and the arrival of hours once all nodes have begun."""
        (self._ideal,) = ideals(self._handler, self._job)
        right = self._ideal.outcome.outputs
        if len(right) != self._job.items:
            raise BadInput(
                f"This handler has {len(right)} outputs for {self._job.items} hours; twins here show one for each "
                "hour. Give a handler whose first queue gets one value an hour."
            )
        self._spark = with_slots(self.slots)
        run = self._run = Prepared(self._programs, served=True)
        with ExitStack() as opened:
            opened.callback(run.remove)
            first, *_ = self._programs
            assert isinstance(first.source, Feed)
            self._feeder = Feeder(first.source, run.engine, self.pace)
            names = {DATABASE, QUEUES, first.machine[0] if first.machine else ENGINE}
            stores = {name: opened.enter_context(closing(run.folder.watched(name))) for name in names}
            self._history = History(self._programs, run.folder.path, stores, right, self._feeder.arrivals)
            self._tasks = [SparkTask(self._spark, [*run.inputs[: self.nodes], *run.inputs[MOST:]], runs=[run])]
            opened.callback(self._stop)
            seen = self._history.happenings
            self._until(lambda: len({one.node for one in seen}) >= self.slots, BEGIN_SECONDS, "not all have begun")
            self.began = time.time()
            self._feeder.start()
            self._open = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _stop(self) -> None:
        self._feeder.stop()
        with suppress(CourseError):
            self._run.folder.ask({"stop": True})
        for pid in [node.where["pid"] for node in self._history.nodes.values() if node.where]:
            signal_worker(pid, signal.SIGCONT)  # who is not stopped does not mind
        for task in self._tasks:
            if not task.join(STOP_SECONDS):
                task.cancel()

    def _until(self, done: Callable[[], bool], seconds: float, what: str) -> None:
        """Wait until `done()`. Raises `CourseError`, with `what`, when nothing has come for so long."""
        deadline, seen = time.monotonic() + seconds, None
        while True:
            self._look()
            if done():
                return
            if (now := len(self._history.tape) + len(self._history.counts)) != seen:
                deadline, seen = time.monotonic() + seconds, now
            if time.monotonic() > deadline:
                raise CourseError(f"Nothing has happened for {seconds:g} seconds, and {what}. Make new twins.")
            time.sleep(LOOK_SECONDS)

    def _look(self) -> None:
        """Read what is new. Raises `CourseError` with the error of the job, a handler or the feeder."""
        self._history.read()
        raised = next(filter(None, (task.raised() for task in self._tasks)), self._history.failure)
        if raised:
            raise CourseError(f"A node failed by itself:\n{raised}")
        if self._feeder.failure:
            raise self._feeder.failure

    def set_pace(self, pace: float) -> None:
        """Have so many hours arrive in a second from now on."""
        self.pace = checked_pace(pace)
        self._feeder.set_pace(self.pace)

    def add(self) -> None:
        """Start a third node, or a second. Raises `BadInput` when there are three, or no slot is free."""
        self._check()
        if self.nodes == MOST:
            raise BadInput(f"There are {MOST} nodes already; that is as many as there can be.")
        needed, there = self.slots + 1, slots_of(self._spark)
        if there < needed:
            raise BadInput(
                f"One more node needs {needed} slots in all, and the cluster has {there}; end these twins, start the "
                "cluster with cluster(slots=4), and start them again."
            )
        self.nodes, self.slots = self.nodes + 1, needed
        self._tasks.append(SparkTask(self._spark, [self._run.inputs[self.nodes - 1]], runs=[self._run]))

    def strike(self, what: str, number: int) -> bool:
        """Send the Python worker of a node SIGKILL, SIGSTOP wherever it is, or SIGCONT: "kill", "stop" or "resume".

        After a kill Spark's retry is the node's next incarnation. Returns whether there was a process in a state for
        this. Raises `BadInput` for a node that is not there.
        """
        self._check(number)
        self._history.read()
        node, now = self._history.nodes[number], time.time()  # what it does when it is resumed comes after this
        statuses, kind, send, text = SIGNALS[what]
        struck = node.status in statuses and send(node.where)
        if struck:
            self._history.strike(node, kind, text, now)
        return struck

    kill = partialmethod(strike, "kill")
    stop = partialmethod(strike, "stop")
    resume = partialmethod(strike, "resume")

    def strike_at(self, number: int, point: Point, what: str) -> None:
        """Have a node stop or kill itself when it next gets to a crash point, once. `what` is "stop" or "kill".

        Of each node the newest of such orders is kept. Raises `BadInput` for what makes no sense, and for a handler
        that passes no crash points.
        """
        one_of("the crash point", point, POINTS)
        one_of("what is to strike", what, KINDS)
        if deployment_of(self._handler) is None:
            raise BadInput("This handler passes no crash points; kill or stop the node at once.")
        self._arm(number, (point, what, f"{STRIKE}{time.time_ns()}-{point}"))

    def disarm(self, number: int) -> bool:
        """Disarm the fault of a node at a crash point; returns whether there was something."""
        return self._arm(number, None) is not None

    def _arm(self, number: int, armed: tuple[str, str, str] | None) -> Any:
        """Arm a node, or disarm it, and return what was armed before."""
        self._check(number)
        node = self._history.nodes[number]
        node.armed, before = armed, node.armed
        orders = [(one.number, *one.armed) for one in self._history.nodes.values() if one.armed]
        strikes = {key: Fault(at, kind=KINDS[what], node=number).code() for number, at, what, key in orders}
        self._run.folder.ask({"strikes": strikes})
        return before

    def _check(self, number: int = 1) -> None:
        """Raise `CourseError` unless they are at work, `BadInput` for a node that is not there."""
        if self._run is None or not self._run.folder.exists():
            raise CourseError("These twins have not begun, or have ended; make new ones, in a with block.")
        whole("the number of a node", number, least=1, most=self.nodes)

    def state(self) -> TwinsState:
        """Return a `TwinsState`. Raises `CourseError` when a node, the job or the feeder has failed."""
        self._check()
        self._look()
        return self._state()

    def _state(self, wrong: tuple[str, ...] | None = None) -> TwinsState:
        history, now, arrivals = self._history, time.time(), dict(self._feeder.arrivals)
        there = {cell.hour for cell in history.tape}
        due = self._due(max([0, *there, *(hour for hour, _ in history.counts)]))
        right = all(cell.right for cell in history.tape) and history.counts == due[: len(history.counts)]
        return TwinsState(
            now, self.pace, len(arrivals),
            tuple(replace(history.nodes[number]) for number in range(1, self.nodes + 1)),
            tuple(sorted(history.happenings, key=lambda one: (one.stamp, one.wall))), tuple(history.tape),
            tuple((hour, now - then) for hour, then in arrivals.items() if hour not in there),
            history.counts[-1][1] if history.counts else 0, len(due), right if wrong is None else not wrong, wrong,
        )  # fmt: skip

    def _due(self, last: int) -> list[tuple[int, int]]:
        """Return (hour, total) of all increments of the counter that are due for the hours up to `last`."""
        hours = [one.item for one in self._ideal.writes if one.part == "counter" and one.item and one.item <= last]
        return [(hour, total) for total, hour in enumerate(hours, 1)]

    def end(self) -> TwinsState:
        """End the arrival of hours, let the nodes finish those that have arrived, and return the last `TwinsState`.

        Who is stopped is woken up. Raises `CourseError` when they do not finish; nothing is left behind then, either.
        """
        self._check()
        history, arrived, numbers = self._history, self._feeder.arrivals, range(1, self.nodes + 1)
        with self._open:
            self._feeder.stop()
            for number in numbers:
                self.disarm(number)
            last = max(arrived, default=0)
            due = len(arrived) + len(self._due(last))
            self._until(  # a fault that was disarmed too late may stop one of them yet
                lambda: not any(map(self.resume, numbers)) and len(history.tape) + len(history.counts) >= due,
                CATCH_UP_SECONDS, "not all hours that arrived are in the output and counted",
            )  # fmt: skip
            self._run.folder.ask({"stop": True})
            self._until(lambda: all(task.join(0) for task in self._tasks), BEGIN_SECONDS, "a node is still there")
            history.read()
            found = Outcome.of(self._run.folder.stores(), self._run.programs)
            right = shortened(self._ideal, last).outcome
            parts = "outputs", "counter", "state", "positions"
            return self._state(tuple(part for part in parts if getattr(found, part) != getattr(right, part)))

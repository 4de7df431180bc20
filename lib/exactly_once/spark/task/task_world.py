"""The Spark world as a task sees it: SQLite stores and a flight recorder in the run's folder, and real signals."""

import faulthandler
import os
import random
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import CourseError, OutcomeUnknown
from ...faults import LASTING, Fault
from ...node import World, live
from ...node.access import awaited
from ...node.program import Program, unpickle_handler
from ...node.world import Chosen, InputsEnded, Request, deliver
from ...stores import Blocked, Origin, Reply, Store, Value
from ...trace import Event, FileRecorder
from ...verdict.verdict import step_limit
from ..cluster.processes import executor_of_worker, kill_executor, kill_worker, signal_worker
from .feed import fed
from .folder import RunFolder, found_here

WAIT_SECONDS = 20.0  # for a lock, a message or a record, while nothing at all happens in the run
STILL_SECONDS = 2.0  # without a step of anybody, after which all seem to wait, and what is late or asleep is due
POLL_SECONDS = 0.005
OVER = ("dies", "ends", "raised")  # how the last event of an incarnation reads that is over


@dataclass(frozen=True)
class TaskInput:
    """The input of one task: the run's folder, the nodes' pickled handlers, the programs without them, the plan.

    `node` is the one that it lives for, from 1 on; or None for a task that stands by, and goes on for a node whose
    incarnation is put to sleep. `task` is its number.
    """

    folder: RunFolder
    handlers: tuple
    programs: tuple
    plan: object
    path: list
    task: int = 0
    node: int | None = 1


class NodesFileRecorder(FileRecorder):
    """A recorder for several nodes: an incarnation inherits from the last one on its node, unless that one sleeps."""

    def __init__(self, folder: RunFolder) -> None:
        super().__init__(folder.files)
        self._run = folder

    def _predecessor(self, life: int, detail: Any) -> Event | None:
        asleep = self._run.sleepers()
        for earlier in range(life - 1, 0, -1):
            ends = self.ends_of(earlier)
            if ends and ends[0].detail.get("node", 0) == detail.get("node", 0):
                return None if earlier in asleep else ends[1]
        return None


class TaskWorld(World):
    """The world of one incarnation on the cluster.

    `folder` holds the run's stores, its flight recorder and, for a live run, the notebook's requests: crash points
    that are armed, the pace, to stop the run.
    """

    recorder: FileRecorder

    def __init__(
        self, folder: RunFolder, plan: Any, programs: Sequence[Program], number: int = 1, task: int = 0
    ) -> None:
        self.folder, self.task, self.life = found_here(folder), task, 0
        super().__init__(self.folder.stores(), NodesFileRecorder(self.folder), plan, programs, number)
        self._lasts = any(fault.kind in LASTING for fault in plan.faults)  # then steps are counted
        self.step_limit = step_limit(programs)
        self._fed = fed(programs)  # then nobody can wait too long
        self._stack = self.folder.open_stack()
        faulthandler.register(signal.SIGUSR1, self._stack, all_threads=False)

    def turn(self, event: Event) -> None:
        """Keep the pace of a live run, so that a person can follow, and hold a handler that never ends.

        Late requests that are due come before the step.
        """
        if event.step > self.step_limit:
            self.folder.create("endless")
            while True:  # the notebook sees the file and ends this process; until then no step is taken
                time.sleep(1)
        if self._lasts:
            self._comes_due()
            self.folder.count_step()
        pace = self.folder.asked().get("pace", 0)
        if pace and not self.stopped():
            time.sleep(pace)

    def begins(self, life: int) -> None:
        """Release the locks of the node's earlier incarnations, after a kill from outside. Sleepers keep theirs."""
        self.life, asleep = life, self.folder.sleepers()
        for earlier in range(1, life):
            if earlier not in asleep and (self.nodes == 1 or self._is_mine(self.recorder.ends_of(earlier))):
                self.free(earlier)

    def _is_mine(self, ends: Any) -> bool:
        return ends is not None and ends[0].detail.get("node", 0) == self.number - 1

    def carry_out(self, store: Store, part: str, verb: str, arguments: tuple[Value, ...], origin: Origin) -> Reply:
        """Have a store do an operation; try one that has to wait again and again, until it is done or the run stops.

        Raises `CourseError` when nothing has happened in the run for `WAIT_SECONDS`, while all other nodes are there.
        """
        began = time.monotonic()
        deadline, seen = began + WAIT_SECONDS, None
        while True:
            try:
                return super().carry_out(store, part, verb, arguments, origin)
            except Blocked as why:
                if self.stopped():
                    raise InputsEnded from None
                if self._fed:
                    time.sleep(POLL_SECONDS)
                    continue
                now = self.folder.activity()
                if now != seen or (time.monotonic() > deadline and self._someone_is_missing()):
                    began = time.monotonic()
                    deadline, seen = began + WAIT_SECONDS, now
                if self._lasts and time.monotonic() - began > STILL_SECONDS:
                    self._goes_on()
                    began = time.monotonic()
                if time.monotonic() > deadline:
                    raise CourseError(
                        f"The handler waited {WAIT_SECONDS:g} seconds for {awaited(verb, part, *arguments)}. "
                        f"{why} Is there another node, and does it get there?"
                    ) from None
                time.sleep(POLL_SECONDS)

    def _someone_is_missing(self) -> bool:
        """Tell whether another node has no process and has not ended: an executor that was killed takes its time."""
        starts = [event for event in self.recorder.events() if event.verb == "start" and self.nodes > 1]
        newest = {start.detail["node"] + 1: start for start in starts}
        here = {node for node, start in newest.items() if signal_worker(start.detail["pid"], 0)}
        nodes = set(range(1, self.nodes + 1)) - here - {self.number}
        return not all(map(self.folder.node_ended, nodes))

    def post(self, request: Request) -> None:
        """Leave a late request to the network."""
        self.folder.post(request)

    def pause(self, fault: Fault, life: Any) -> None:
        """SIGSTOP this process until it is woken up. The task that stands by begins the node's next incarnation.

        No task stands by for a pause that is in no plan: the notebook asked for it, and wakes the process itself.
        """
        if fault not in self.plan.faults:
            os.kill(os.getpid(), signal.SIGSTOP)
            return
        until = None if fault.until is None else self.folder.steps_begun() + fault.until
        self.folder.put_to_sleep(life, {"pid": os.getpid(), "node": self.number, "task": self.task, "until": until})
        if self.folder.all_ended(self.nodes):  # it slept before: nobody else may be left to wake it up
            self.folder.create(f"woken-{life}")
            return
        os.kill(os.getpid(), signal.SIGSTOP)
        self.folder.create(f"woken-{life}")

    def _comes_due(self) -> None:
        """Deliver the late requests, and wake the sleepers, whose time has come."""
        while (request := self.folder.take()) is not None:
            self.arrive(request)
        steps = self.folder.steps_begun()
        for life, facts in self.folder.sleepers().items():
            if facts["until"] is not None and steps >= facts["until"]:
                self._wake(life, facts)

    def _goes_on(self) -> None:
        """Deliver the next late request, or wake the next sleeper, because all that could go on wait."""
        request = self.folder.take(every=True)
        if request is not None:
            self.arrive(request)
        else:
            self._wake_one()

    def comes_last(self) -> None:
        """Once all nodes have ended: deliver the late requests, and wake the first that still sleeps."""
        if self.folder.all_ended(self.nodes):
            deliver_all(self.folder, self)
            self._wake_one()

    def _wake_one(self) -> None:
        """Wake the first incarnation that still sleeps; one whose process is gone will not wake up any more."""
        for life, facts in self.folder.sleepers().items():
            if not self.folder.woken(life):
                self._wake(life, facts)
                if self.folder.woken(life):
                    return
                self.folder.create(f"woken-{life}")

    def _wake(self, life: int, facts: Mapping[str, Any]) -> None:
        """Wake a sleeper: the signal is repeated, for it may come before the process has stopped."""
        while not self.folder.woken(life) and signal_worker(facts["pid"], signal.SIGCONT):
            time.sleep(POLL_SECONDS)

    def arrive(self, request: Request) -> None:
        """Deliver a late request. A request that would have to wait, or whose incarnation is over, is dropped."""
        events = self.recorder.events_of(request.origin.life)
        deliver(request, self.stores, alive=bool(events) and events[-1].verb not in OVER)

    def stopped(self) -> bool:
        """Tell whether the notebook asked the run to stop."""
        return bool(self.folder.asked().get("stop"))

    def striking(self, at: str, kind: Any, items: Any, life: Any) -> Iterator[tuple[str, Fault]]:
        """Yield the faults of the plan that apply here, then those that the notebook has armed."""
        yield from super().striking(at, kind, items, life)
        for key, code in self.folder.asked().get("strikes", {}).items():
            fault = Fault.parse(code)
            if fault.strikes(at, kind, items, life, self.number):
                yield key, fault

    def placement(self) -> dict[str, Any]:
        """Return this incarnation's executor and processes, and, among several nodes, its node and program."""
        executor = executor_of_worker()
        node: dict[str, Any] = {"node": self.number - 1} if self.nodes > 1 else {}
        node |= {"program": self.program.name} if node and self.program.name else {}
        return {**node, "executor": executor.executor_id, "pid": executor.worker_pid, "jvm": executor.jvm_pid}

    def choose(self, options: Sequence[Chosen]) -> Chosen:
        """Pick at random: here the world is not deterministic for real."""
        return random.SystemRandom().choice(options)

    def die(self, fault: Fault, life: Any) -> None:
        """SIGKILL this Python worker, or the whole executor with it."""
        if fault.kill == "executor":
            kill_executor()
        kill_worker()

    def close(self) -> None:
        """Close the files of an incarnation that ended in good order."""
        self.stores.close()
        self.recorder.close()
        faulthandler.unregister(signal.SIGUSR1)
        self._stack.close()


def deliver_all(folder: RunFolder, world: Any) -> None:
    """Deliver all late requests."""
    while (request := folder.take(every=True)) is not None:
        world.arrive(request)


def live_one(inputs: Iterable[Any]) -> Iterator[tuple[str, str | None]]:
    """Run one incarnation for each input, in a worker. After a give-up the task fails, and Spark tries again."""
    for task_input in inputs:
        folder = found_here(task_input.folder)
        sys.path += [place for place in task_input.path if place not in sys.path]
        node = task_input.node or _stand_by(folder, task_input)
        ending = ("ended", None) if node is None else live_node(folder, task_input, node)
        if ending[0] == "gave up":
            raise OutcomeUnknown(ending[1])
        folder.end(task_input.task)
        yield ending


def live_node(folder: RunFolder, task_input: TaskInput, node: int) -> tuple[str, str | None]:
    """Live one incarnation of a node, and return how it ended."""
    if not fed(task_input.programs):
        _wait_for_first_lives(folder, node, len(task_input.programs))
    world = TaskWorld(task_input.folder, task_input.plan, task_input.programs, node, task_input.task)
    try:
        if any(facts["task"] == task_input.task for facts in folder.sleepers().values()):
            world.comes_last()  # the incarnation of this task slept, and died: another task goes on for the node
            return "ended", None
        ending = live(world, unpickle_handler(task_input.handlers[node - 1]))
        if ending[0] != "gave up" and world.life not in folder.sleepers():
            folder.create(f"node-{node}")
        if ending[0] == "ended":
            world.comes_last()
        return ending
    except (ImportError, AttributeError) as why:
        return "raised", f"The handler cannot be loaded in a worker: {type(why).__name__}: {why}"
    finally:
        world.close()


def _wait_for_first_lives(folder: RunFolder, node: int, nodes: int) -> None:
    """Start the nodes' first incarnations in the order of the nodes, before any second one, as in a simulation."""
    starts = [event for event in FileRecorder(folder.files).events() if event.verb == "start"] if nodes > 1 else []
    before = nodes if any(start.detail["node"] == node - 1 for start in starts) else node - 1
    while folder.lives() < before and not folder.asked().get("stop"):
        time.sleep(POLL_SECONDS)


def _stand_by(folder: RunFolder, task_input: TaskInput) -> int | None:
    """Wait for a node whose incarnation is put to sleep, and return it; None when all nodes end before there is one.

    After a SIGKILL Spark's retry comes here again, and goes on for the same node.
    """
    nodes = len(task_input.programs)
    while True:
        for life, facts in folder.sleepers().items():
            mine = f"taken-{life}-by-{task_input.task}"
            if folder.files.exists(mine) or folder.create(f"taken-{life}"):
                folder.create(mine)
                return facts["node"]
        if folder.all_ended(nodes) or folder.asked().get("stop"):
            return None
        time.sleep(POLL_SECONDS)

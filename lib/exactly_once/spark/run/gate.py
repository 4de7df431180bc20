"""The gate: incarnations in several processes take their steps in the order of a schedule, and meet its faults.

A file in the run's folder grows by one byte for each decision that was carried out, so its size says whose turn it
is. The file survives any SIGKILL. Only one incarnation may write it at a time, the one whose turn it is.
"""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import OutcomeUnknown
from ...faults import Fault
from ...node.program import live, unpickle_handler
from ...node.world import Chosen
from ...stores import Origin, Reply, Store, Value
from ...trace import Event, FileRecorder
from ..cluster.processes import kill_worker
from ..task.folder import RunFolder
from ..task.task_world import TaskInput, TaskWorld

LIMIT = 20.0  # s in which no decision at all is carried out, though one is waited for
POLL = 0.001  # s


@dataclass(frozen=True)
class ScheduledStep:
    """One decision of a schedule, as the cluster carries it out.

    `life` takes a step, which says `text` ("" where that is not known); `fault` strikes there, under `key`, if there
    is one. `option` is the number of the choice, None for a step; `sender` is the node whose message is received,
    where any would do, else 0. With `arrival` no incarnation takes a step: the late request of this number, from 0
    on, arrives.
    """

    life: int
    text: str = ""
    option: int | None = None
    sender: int = 0
    arrival: int | None = None
    key: str = ""
    fault: Fault | None = None


@dataclass(frozen=True)
class NodeScript:
    """One task's incarnations of a node, in turn. A node whose incarnation sleeps goes on in another task.

    `lives` holds (life, the incarnation before it that died on this node or None, the decisions that come before its
    start).
    """

    number: int
    node: int
    steps: tuple
    lives: tuple
    nodes: int = 1


class ScheduleGate(RunFolder):
    """The steps of a schedule, seen by one process."""

    def __init__(self, folder: RunFolder, steps: Sequence[ScheduledStep]) -> None:
        super().__init__(folder.path)
        self.steps = steps

    def over(self) -> bool:
        """Tell whether all decisions were carried out."""
        return self.passed() >= len(self.steps)

    def wait_for(self, wanted: int, who: str) -> None:
        """Wait until `wanted` decisions were carried out; leave when no decision is, for too long."""
        seen, since = self.passed(), time.monotonic()
        while seen < wanted:
            time.sleep(POLL)
            if self.why_diverged():
                kill_worker()
            now = self.passed()
            if now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > LIMIT:
                step = self.steps[seen] if seen < len(self.steps) else None
                due = f"the step of incarnation {step.life} ({step.text or 'its next'})" if step else "the end"
                self.diverged(
                    f"{who} waited {LIMIT:g} seconds at the gate for {due}, decision {seen + 1} of "
                    f"{len(self.steps)}, which nobody took: its process may be gone, or found no free slot."
                )

    def diverged(self, sentence: str) -> None:
        """Note that the schedule cannot be followed, and end this process, whatever its handler catches."""
        self.note_divergence(sentence)
        kill_worker()


class ScriptRecorder(FileRecorder):
    """The flight recorder of a run of several nodes: incarnations have the schedule's numbers."""

    def __init__(self, folder: RunFolder, life: int, predecessor: int | None) -> None:
        super().__init__(folder.files)
        self._life, self._inherits_from = life, predecessor

    def _claim(self) -> int:
        self._create(f"life-{self._life}.jsonl")
        return self._life

    def _predecessor(self, life: int, detail: Any) -> Event | None:
        events = self.events_of(self._inherits_from) if self._inherits_from else ()
        return events[-1] if events else None


class ScheduledWorld(TaskWorld):
    """The world of one incarnation on the cluster whose every step waits for its turn."""

    def __init__(
        self, folder: RunFolder, task_input: TaskInput, script: NodeScript, life: int, predecessor: int | None
    ) -> None:
        super().__init__(folder, task_input.plan, task_input.programs, task_input.node or 1, task_input.task)
        self.recorder = ScriptRecorder(self.folder, life, predecessor)
        self.gate, self.script, self.life = ScheduleGate(folder, script.steps), script, life
        self.predecessor = predecessor
        self._mine = [number for number, step in enumerate(script.steps) if step.life == life]
        self._now: Any = None
        self._due: Any = None  # the turn that this incarnation has; its fault, until it struck
        self._chosen = False  # whether it was a choice that is made: one read can ask for two

    def placement(self) -> dict[str, Any]:
        """Note the node besides the processes."""
        return {**super().placement(), "node": self.script.node}

    def turn(self, event: Event) -> None:
        """Wait for this incarnation's next turn, which must be for this step."""
        self._wait()
        step = self._now
        if step.text and step.text != event.text:
            self.gate.diverged(
                f"Incarnation {self.life} does not follow the schedule on the cluster: its step {event.step} "
                f"is {event.text!r}, and was {step.text!r}. A handler that is not deterministic cannot be replayed."
            )

    def begins(self, life: int) -> None:
        """Release the locks of the incarnation that this one inherits from; others may sleep, and keep theirs."""
        if self.predecessor:
            self.free(self.predecessor)

    def carry_out(self, store: Store, part: str, verb: str, arguments: tuple[Value, ...], origin: Origin) -> Reply:
        """Have a store do an operation; of messages that any node may have sent the schedule names the sender."""
        if verb == "take" and arguments == (None,):
            arguments = (self._now.sender or None,)
        return super().carry_out(store, part, verb, arguments, origin)

    def choose(self, options: Sequence[Chosen]) -> Chosen:
        """Take the option of the schedule."""
        if self._now is None or self._now.option is None or self._chosen:
            self._wait()
        option, self._chosen = self._now.option, True
        if option is None or option >= len(options):
            self.gate.diverged(
                f"Incarnation {self.life} chose among {len(options)} options where the schedule has none."
            )
        return options[option]

    def striking(self, at: str, kind: Any, items: Any, life: Any) -> Iterator[tuple[str, Fault]]:
        """Yield the fault of this turn, at its place."""
        if self._due is not None and (self._due.at, self._due.kind) == (at, kind):
            fault, self._due = self._due, None
            yield self._now.key, fault

    def die(self, fault: Fault, life: Any) -> None:
        """Let the next turn come, and SIGKILL this worker."""
        self._pass_on()
        kill_worker()

    def pause(self, fault: Fault, life: Any) -> None:
        """Let the others go on, and wait for this incarnation's next turn: it goes on where it fell asleep."""
        self._wait()

    def comes_last(self) -> None:
        """Do nothing: the schedule decides the arrivals and the wake-ups."""

    def leave_turn(self) -> None:
        """Let the next turn come, when this incarnation has one: its step is done."""
        if self._due is not None:
            self.gate.diverged(f"The fault {self._due.place!r} never struck incarnation {self.life} on the cluster.")
        if self._now is not None:
            self._now = None
            self._pass_on()

    def _pass_on(self) -> None:
        """Let the next turn come; late requests whose arrival is next arrive now."""
        gate = self.gate
        gate.pass_on()
        # Asked once: another incarnation may take the last decision at any moment.
        while (passed := gate.passed()) < len(gate.steps) and (step := gate.steps[passed]).arrival is not None:
            request: Any = gate.take(number=step.arrival + 1)
            if request.verb == "take" and request.arguments == (None,):
                request = replace(request, arguments=(step.sender or None,))
            self.arrive(request)
            gate.pass_on()

    def _wait(self) -> None:
        """Let the others go first, as the schedule has it; leave for good after this incarnation's last step."""
        self.leave_turn()
        if self._mine:
            number = self._mine.pop(0)
            self.gate.wait_for(number, f"Incarnation {self.life}")
            self._now, self._chosen = self.gate.steps[number], False
            self._due = self._now.fault
            return
        self.gate.wait_for(len(self.gate.steps), f"Incarnation {self.life}")
        kill_worker()


def replay_script(inputs: Iterable[Any]) -> Iterator[Any]:
    """Live the next incarnation of a script, in a worker. After a SIGKILL Spark's retry comes here again."""
    for task_input, script in inputs:
        sys.path += [place for place in task_input.path if place not in sys.path]
        gate = ScheduleGate(task_input.folder, script.steps)
        yield _next_life(gate, task_input, script)
        gate.end(script.number)


def _next_life(gate: ScheduleGate, task_input: TaskInput, script: NodeScript) -> tuple[str, Any]:
    for life, predecessor, start in script.lives:
        if gate.files.exists(f"life-{life}.jsonl"):
            continue
        if predecessor and gate.passed() < start:
            gate.note_divergence(
                f"Incarnation {predecessor} was killed from outside before its turn in the schedule. Replay it again."
            )
        if sentence := gate.why_diverged():
            return "diverged", sentence
        gate.wait_for(start, f"The start of incarnation {life}")
        world = ScheduledWorld(gate, task_input, script, life, predecessor)
        try:
            ending = live(world, unpickle_handler(task_input.handlers[script.node]))
            world.leave_turn()
        finally:
            world.close()
        if ending[0] == "gave up":
            raise OutcomeUnknown(ending[1])
        return ending
    return "diverged" if gate.why_diverged() else "left", gate.why_diverged()

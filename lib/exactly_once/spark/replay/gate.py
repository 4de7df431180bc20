"""The gate: lives in several processes take their steps in the order of a schedule, and meet its faults.

A file in the run's folder grows by one byte for each decision that was carried out, so its size says whose turn it
is. It outlives any SIGKILL, and one life alone may write it at a time: the one whose turn it is.
"""

import sys
import time
from dataclasses import dataclass, replace
from typing import Any

from ...errors import OutcomeUnknown
from ...faults import Fault
from ...node.live import live
from ...node.parcel import unpack
from ...trace import FileRecorder
from ..cluster.processes import kill_worker
from ..task.folder import RunFolder
from ..task.world import TaskWorld

LIMIT = 20.0  # s in which no decision at all is carried out, though one is waited for
POLL = 0.001  # s


@dataclass(frozen=True)
class Turn:
    """One decision of a schedule, as the cluster carries it out.

    `life` takes a step, which says `text` ("" where that is not known); `fault` strikes there, under `key`, if there
    is one. `option` is the number of the choice, None for a step; `sender` is the node whose message is received,
    where any would do, else 0. With `arrival` no life takes a step: the late request of this number, from 0 on,
    arrives.
    """

    life: int
    text: str = ""
    option: int | None = None
    sender: int = 0
    arrival: int | None = None
    key: str = ""
    fault: Fault | None = None


@dataclass(frozen=True)
class Part:
    """What one task plays: the lives of a node, one after the other. A node whose life sleeps goes on in another
    task.

    `lives` holds (life, the life before it that died on this node or None, the decisions that come before its birth).
    """

    number: int
    node: int
    turns: tuple
    lives: tuple
    nodes: int = 1


class ScheduleGate(RunFolder):
    """The turns of a schedule, seen by one process."""

    def __init__(self, folder, turns):
        super().__init__(folder)
        self.turns = turns

    def over(self):
        """Tell whether all decisions were carried out."""
        return self.passed() >= len(self.turns)

    def wait_for(self, wanted, who):
        """Wait until `wanted` decisions were carried out; leave when no decision is, for too long."""
        seen, since = self.passed(), time.monotonic()
        while seen < wanted:
            time.sleep(POLL)
            if self.why_astray():
                kill_worker()
            now = self.passed()
            if now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > LIMIT:
                turn = self.turns[seen] if seen < len(self.turns) else None
                due = f"the step of life {turn.life} ({turn.text or 'its next'})" if turn else "the end"
                self.astray(
                    f"{who} waited {LIMIT:g} seconds at the gate for {due}, decision {seen + 1} of "
                    f"{len(self.turns)}, which nobody took: its process may be gone, or found no free slot."
                )

    def astray(self, sentence):
        """Note that the schedule cannot be followed, and end this process, whatever its handler catches."""
        self.note_astray(sentence)
        kill_worker()


class PartRecorder(FileRecorder):
    """The flight recorder of a run of several nodes: lives have the schedule's numbers, and inherit on their node."""

    def __init__(self, folder, life, heir_of):
        super().__init__(folder)
        self._life, self._heir_of = life, heir_of

    def _claim(self):
        self._create(f"life-{self._life}.jsonl")
        return self._life

    def _predecessor(self, life, detail):
        events = self.events_of(self._heir_of) if self._heir_of else ()
        return events[-1] if events else None


class ScheduledWorld(TaskWorld):
    """The world of one life on the cluster whose every step waits for its turn."""

    def __init__(self, folder, parcel, part, life, heir_of):
        super().__init__(folder, parcel.plan, parcel.programs, parcel.node, parcel.task)
        self.recorder = PartRecorder(self.folder, life, heir_of)
        self.gate, self.part, self.life = ScheduleGate(folder, part.turns), part, life
        self.heir_of = heir_of
        self._mine = [number for number, turn in enumerate(part.turns) if turn.life == life]
        self._now = self._due = None  # the turn that this life has; its fault, until it struck

    def placement(self):
        """Note the node besides the processes."""
        return {**super().placement(), "node": self.part.node}

    def turn(self, event):
        """Wait for this life's next turn, which must be for this step."""
        self._wait()
        turn = self._now
        if turn.text and turn.text != event.text:
            self.gate.astray(
                f"Life {self.life} took another way on the cluster than when it was explored: its step {event.step} "
                f"is {event.text!r}, and was {turn.text!r}. A handler that is not deterministic cannot be replayed."
            )

    def begins(self, life):
        """Release the locks of the life that this one inherits from; others may sleep, and keep theirs."""
        if self.heir_of:
            self.engine.free(self.heir_of)

    def carry_out(self, store, part, verb, arguments, origin):
        """Have a store do an operation; of messages that any node may have sent the schedule names the sender."""
        if verb == "take" and arguments == (None,):
            arguments = (self._now.sender or None,)
        return super().carry_out(store, part, verb, arguments, origin)

    def choose(self, options):
        """Take the option of the schedule."""
        if self._now is None or self._now.option is None:
            self._wait()
        option = self._now.option
        if option is None or option >= len(options):
            self.gate.astray(f"Life {self.life} chose among {len(options)} options where the schedule has none.")
        return options[option]

    def striking(self, at, kind, items, life):
        """Yield the fault of this turn, at its place."""
        if self._due is not None and (self._due.at, self._due.kind) == (at, kind):
            fault, self._due = self._due, None
            yield self._now.key, fault

    def die(self, fault, life):
        """Let the next turn come, and SIGKILL this worker."""
        self._pass_on()
        kill_worker()

    def pause(self, fault, life):
        """Let the others go on, and wait for this life's next turn: it goes on where it fell asleep."""
        self._wait()

    def comes_last(self):
        """Do nothing: what arrives and who wakes up is the schedule's business."""

    def leave_turn(self):
        """Let the next turn come, when this life has one: its step is done."""
        if self._due is not None:
            self.gate.astray(f"The fault {self._due.place!r} never struck life {self.life} on the cluster.")
        if self._now is not None:
            self._now = None
            self._pass_on()

    def _pass_on(self):
        """Let the next turn come; late requests whose arrival is next arrive now."""
        gate = self.gate
        gate.pass_on()
        while not gate.over() and (turn := gate.turns[gate.passed()]).arrival is not None:
            request = self.network.take(number=turn.arrival + 1)
            if request.verb == "take" and request.arguments == (None,):
                request = replace(request, arguments=(turn.sender or None,))
            self.arrive(request)
            gate.pass_on()

    def _wait(self):
        """Let the others go first, as the schedule has it; leave for good when this life takes no step any more."""
        self.leave_turn()
        if self._mine:
            number = self._mine.pop(0)
            self.gate.wait_for(number, f"Life {self.life}")
            self._now = self.gate.turns[number]
            self._due = self._now.fault
            return
        self.gate.wait_for(len(self.gate.turns), f"Life {self.life}")
        kill_worker()


def replay_part(parcels):
    """Live the next life of a part, in a worker. After a SIGKILL Spark's retry comes here again."""
    for parcel, part in parcels:
        sys.path += [place for place in parcel.path if place not in sys.path]
        gate = ScheduleGate(parcel.folder, part.turns)
        yield _next_life(gate, parcel, part)
        gate.end(part.number)


def _next_life(gate, parcel, part) -> tuple[str, Any]:
    for life, heir_of, birth in part.lives:
        if gate.begun(life):
            continue
        if heir_of and gate.passed() < birth:
            gate.note_astray(
                f"Life {heir_of} was killed from outside, before its turn in the schedule. Replay it again."
            )
        if sentence := gate.why_astray():
            return "astray", sentence
        gate.wait_for(birth, f"The birth of life {life}")
        world = ScheduledWorld(gate, parcel, part, life, heir_of)
        try:
            ending = live(world, unpack(parcel.handlers[part.node]))
            world.leave_turn()
        finally:
            world.close()
        if ending[0] == "gave up":
            raise OutcomeUnknown(ending[1])
        return ending
    return "astray" if gate.why_astray() else "left", gate.why_astray()

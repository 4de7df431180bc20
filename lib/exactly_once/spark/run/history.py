"""The history so far of nodes at work, read from the flight recorder and from the journals of their stores.

Both grow while the nodes work; each call reads only what is new.
"""

import json
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from ...lockfree.general import HANDLING
from ...lockfree.queue import index_in
from ...node.program import OUTPUT
from ...node.source import values_of
from ...node.world import DATABASE, ENGINE, QUEUES
from ...stores.codec import describe, encode
from ...trace import Event
from ..cluster.processes import signal_worker

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

    def __init__(self, programs, folder, stores, right, arrivals):
        self._program, self._folder, self._stores = programs[0], folder, stores
        self._right, self._arrivals, self.failure = right, arrivals, None
        self.happenings, self.tape = [], []
        self.counts = []  # (hour, total) of each increment of the counter
        self.nodes = {number: Twin(number) for number in range(1, len(programs) + 1)}
        self._lives, self._stage = {}, (0, "the first stage")  # {incarnation: its `Twin`}, (the version, what it is)
        self._read, self._seen = defaultdict(int), defaultdict(int)  # bytes of a file, entries of a store

    def read(self):
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

    def strike(self, node, kind, text, wall):
        """Note a fault from outside, after all that the node is seen to have done."""
        self.read()
        last = max((one for one in self.happenings if one.life == node.life), key=lambda one: one.stamp)
        self._note(last._replace(wall=wall), last.stamp, kind, text)

    def _note(self, one, stamp, kind, text, **more):
        """Note what the incarnation of an event or of a journal's entry did, or suffered."""
        node = self._node_of(one.life)
        self.happenings.append(Happening(stamp, node.number, kind, text, one.wall, one.life, **more))
        if one.life == node.life and STATUS.get(kind, node.status) != node.status:
            node.status, node.since = STATUS[kind], one.wall

    def _node_of(self, life):
        """Return the node of an incarnation; one that began after the events were read, and acted, is read now."""
        if life not in self._lives:
            self._read_events(life)
        return self._lives[life]

    def _read_events(self, life="*"):
        for path in self._folder.glob(f"life-{life}.jsonl"):
            with open(path, "rb") as file:
                file.seek(self._read[path.name])
                *lines, _ = file.read().split(b"\n")
            self._read[path.name] += sum(len(line) + 1 for line in lines)
            for line in lines:
                self._take_event(Event(**json.loads(line)))

    def _take_event(self, event):
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

    def _take(self, store, entry):
        if (store, entry.part) == self._program.machine:
            self._take_transition(entry)
        elif (store, entry.part) == (DATABASE, "counter") and entry.operation.wrote(entry.value):
            self.counts.append((entry.item, entry.value))
            self._note(entry, entry.received, "counted", f"counter {entry.value}")
        elif (store, entry.part, entry.verb) == (ENGINE, OUTPUT, "append"):  # of a handler that is not lock-free
            self._take_push(entry, len(self.tape))
        elif (store, entry.verb) == (QUEUES, "cas"):
            self._take_push(entry, index_in(self._program.output, entry.part))

    def _take_push(self, entry, index):
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

    def _take_transition(self, entry):
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

"""The history of lock-free nodes so far, read from the journals of their stores and from the flight recorder.

The journals and the recorder grow while the nodes work; each call reads only the new entries.
"""

import json
import threading
from typing import NamedTuple

from ...lockfree.queue import index_in
from ...lockfree.stateless import MACHINE
from ...node.access.handles import part_of
from ...node.program import OUTPUT
from ...node.sent import values_of
from ...node.world import DATABASE, ENGINE, QUEUES
from ...stores.codec import encode
from ...trace import Event

FAULTS = "stopped", "resumed", "killed"
STRIKE = "strike-"  # how the key of a fault begins that was asked for at a crash point


class Version(NamedTuple):
    """A transition: compare-and-swap number `number` of the machine's register, won by `node`.

    `stage` is the name of the stage that it led to, `hour` the one that this is about, `stamp` Lamport's, `wall` the
    time in seconds since the epoch.
    """

    number: int
    stage: str
    hour: int
    node: int
    life: int
    stamp: int
    wall: float


class Loss(NamedTuple):
    """A compare-and-swap of the machine's register that was refused: `node` expected one version and there was
    another.
    """

    expected: int
    found: int
    node: int
    life: int
    stamp: int
    wall: float


class Cell(NamedTuple):
    """One cell of the output queue: its place, the hour, the values as text, the writer, and the time."""

    at: int
    hour: int
    values: tuple
    node: int
    life: int
    wall: float


class Happening(NamedTuple):
    """A line for people: an action of a node, or a fault that struck it, in Lamport's order.

    `kind` is "began", "read", "won", "lost", "written", "found" (the cell was not empty), "counted", "stopped",
    "resumed", "killed", "died" (as the next incarnation found) or "ended".
    """

    stamp: int
    node: int
    kind: str
    text: str
    wall: float
    life: int


class History:
    """The history read so far; the first nodes run `program`. Any thread may call `read`."""

    def __init__(self, folder, program):
        self.folder, self.job = folder, program.source
        self.machine = program.machine or (ENGINE, part_of(MACHINE))
        self.queue = (QUEUES, OUTPUT) if program.machine else (ENGINE, part_of(OUTPUT))
        self.versions, self.losses, self.tape, self.happenings = [], [], [], []
        self.counts = []  # (hour, total, wall) of each increment of the counter
        self.starts, self.last = {}, {}  # {life: its start}, {life: its last event}
        self.struck = set()  # the keys of the requests at crash points that have struck
        self.learned = {}  # {life: the version of the machine that it knows of}
        names = dict.fromkeys((self.machine[0], self.queue[0], DATABASE))
        self._stores = {name: folder.watched(name) for name in names}
        self._lock = threading.RLock()
        self._seen, self._offsets = {}, {}

    def close(self):
        """Close the stores; the entries read so far stay."""
        with self._lock:
            for store in self._stores.values():
                store.close()
            self._stores = {}

    def read(self):
        """Read the new entries.

        Events come before journals: what an incarnation did before the newest event that is read is then there, too.
        """
        with self._lock:
            self._read_events()
            for name, store in self._stores.items():
                new = store.journal(self._seen.get(name, 0))
                self._seen[name] = self._seen.get(name, 0) + len(new)
                for entry in new:
                    self._take(name, entry)

    def node_of(self, life):
        """Return the node of an incarnation, from 1 on."""
        if life not in self.starts:
            self._read_events(life)  # it began since, and acted at once
        return self.starts[life].detail.get("node", 0) + 1

    def newest(self, node):
        """Return the start event of a node's newest incarnation that was read, or None."""
        with self._lock:
            mine = [start for start in self.starts.values() if start.detail.get("node", 0) + 1 == node]
        return max(mine, key=lambda start: start.life, default=None)

    def note(self, life, kind, text, wall):
        """Add a fault that struck an incarnation from outside."""
        with self._lock:
            self._read_events()
            self.happenings.append(Happening(self.last[life].stamp, self.node_of(life), kind, text, wall, life))

    def done_to(self, life):
        """Return (an incarnation's last fault, "stopped", "resumed" or "killed", its time), or ("", None)."""
        found = [one for one in self.happenings if one.life == life and one.kind in FAULTS]
        newest = max(found, key=lambda one: one.wall, default=None)
        return ("", None) if newest is None else (newest.kind, newest.wall)

    def _read_events(self, life="*"):
        for path in self.folder.path.glob(f"life-{life}.jsonl"):
            life = int(path.stem.removeprefix("life-"))
            with open(path, "rb") as file:
                file.seek(self._offsets.get(life, 0))
                *lines, _ = file.read().split(b"\n")
            self._offsets[life] = self._offsets.get(life, 0) + sum(len(line) + 1 for line in lines)
            for event in (Event(**json.loads(line)) for line in lines):
                self.last[life] = event
                if event.verb == "start":
                    self.starts[life] = event
                    self._happened(event, "began", f"begins, executor {event.detail['executor']}")
                elif event.verb in ("ends", "raised"):
                    self._happened(event, "ended", event.text)
                elif event.detail.get("key", "").startswith(STRIKE) and event.verb in ("fault", "dies"):
                    self._strikes(event)
                elif event.verb == "dies":
                    self._happened(event, "died", event.text)

    def _strikes(self, event):
        """Note a request at a crash point: a stop, or a kill."""
        kind, sign = ("killed", "SIGKILL") if event.verb == "dies" else ("stopped", "SIGSTOP")
        point = event.detail["key"].rpartition("-")[2]
        self.struck.add(event.detail["key"])
        self._happened(event, kind, f"{sign} to its worker at {point}, hour {event.item}")

    def _happened(self, event, kind, text):
        found = Happening(event.stamp, self.node_of(event.life), kind, text, event.wall, event.life)
        self.happenings.append(found)

    def _take(self, store, entry):
        if not entry.life:
            return  # the feeder's
        if (store, entry.part) == self.machine:
            self._take_transition(entry)
        elif store == DATABASE and entry.part == "counter" and entry.operation.wrote(entry.value):
            self.counts.append((entry.item, entry.value, entry.wall))
            self._add(entry, "counted", f"counter {entry.value}")
        elif store == self.queue[0] and entry.verb == "cas":
            self._take_push(entry)
        elif (store, entry.part, entry.verb) == (ENGINE, OUTPUT, "append"):  # of a handler that is not lock-free
            values, node = (encode(entry.value),), self.node_of(entry.life)
            self.tape.append(Cell(len(self.tape), entry.item, values, node, entry.life, entry.wall))

    def _take_push(self, entry):
        index = index_in(self.queue[1], entry.part)
        if index is None:
            return
        at = f"push hour {entry.item} at index {index}"
        if entry.value is None:
            self._add(entry, "found", f"{at}: the cell is not empty")
            return
        node, texts = self.node_of(entry.life), tuple(map(encode, values_of(entry.value)))
        self.tape.append(Cell(index, entry.item, texts, node, entry.life, entry.wall))
        self._add(entry, "written", f"{at}, written")

    def _take_transition(self, entry):
        number, node = len(self.versions), self.node_of(entry.life)
        at = f"{self.versions[-1].stage} hour {self.versions[-1].hour}" if number else "the first stage"
        if entry.verb == "read":
            self.learned[entry.life] = number
            self._add(entry, "read", f"reads version {number}, {at}")
        elif entry.value is None:
            expected = self.learned.get(entry.life, 0)
            self.losses.append(Loss(expected, number, node, entry.life, entry.received, entry.wall))
            self._add(entry, "lost", f"cas of hour {entry.item}, lost: {expected} ≠ {number}")
        else:
            self.learned[entry.life] = number + 1
            stage, hour = entry.value[0], self._hour(entry)
            found = Version(number + 1, stage, hour, node, entry.life, entry.received, entry.wall)
            self.versions.append(found)
            self._add(entry, "won", f"cas {at} → {stage} hour {hour}, won")

    def _hour(self, entry):
        """Return the hour that a stage is about: that which is being written, or the next one at its positions."""
        if self.machine[0] == ENGINE:  # the stateless form
            return self.job.hour_of(min(entry.value[1].values()))
        offset = min(entry.value[2].values())  # once HANDLING is left, these are the positions after the hour
        return self.job.hour_of(offset) if len(entry.value) == 3 else self.job.hour_at(offset)

    def _add(self, entry, kind, text):
        node = self.node_of(entry.life)
        self.happenings.append(Happening(entry.received, node, kind, text, entry.wall, entry.life))

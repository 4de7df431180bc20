"""The flight recorder: its events, the recorders that keep them, and the trace in which they are read.

Events carry Lamport stamps, and all readers read them in one total order. They are kept in memory for simulated
worlds, and in files that outlive a SIGKILL for real ones. A recorder also keeps the two facts that must be durable
before a process dies: the incarnations that began, and the faults that have struck. The recorder counts the
incarnations itself: Spark's attempt numbers are not the order of events.
"""

import contextlib
import errno
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias, get_args

from . import clocks
from .clocks import LamportClock, total_order
from .errors import BadInput, CourseError
from .paths import FileName, file_named, replaced


class Files:
    """The files of a folder of this machine; each of these is done whole, or not at all. Raises `OSError`."""

    def __init__(self, folder: FileName) -> None:
        self.folder = Path(folder)
        self._open: dict[str, int] = {}  # {name: the file that is appended to}

    def create(self, name: str) -> bool:
        """Make a file that must not be there yet, which one process alone can do; tell whether it was this one."""
        try:
            os.close(os.open(self.folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            return True
        except FileExistsError:
            return False

    def append(self, name: str, text: str) -> None:
        """Write text at the end of a file, by one `write`, so that a killed process leaves whole lines."""
        data = text.encode()
        handle = self._open.get(name)
        if handle is None:
            handle = self._open[name] = self._reopened(name, text.endswith("\n"))
        if os.write(handle, data) < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _reopened(self, name: str, lines: bool) -> int:
        """Open a file for appending, without a half line at its end: what is appended to it would be lost with it."""
        handle = os.open(self.folder / name, os.O_APPEND | os.O_RDWR | os.O_CREAT)
        size = os.fstat(handle).st_size
        if lines and size and os.pread(handle, 1, size - 1) != b"\n":
            os.ftruncate(handle, (self.folder / name).read_bytes().rfind(b"\n") + 1)
        return handle

    def read(self, name: str) -> str | None:
        """Return the text of a file, or None when it is not there."""
        try:
            return (self.folder / name).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return None

    def replace(self, name: str, text: str) -> None:
        """Replace a file by text in one go. Raises `CourseError` when it cannot be written."""
        replaced(self.folder / name, text)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        (self.folder / name).unlink(missing_ok=True)

    def sizes(self, pattern: str) -> dict[str, int]:
        """Return {name: its bytes} of the files whose names match a pattern with *."""
        found = {}
        for path in [self.folder / pattern] if "*" not in pattern else self.folder.glob(pattern):
            with contextlib.suppress(FileNotFoundError):  # it went away meanwhile
                found[path.name] = path.stat().st_size
        return found

    def exists(self, name: str) -> bool:
        """Tell whether a file is there."""
        return bool(self.sizes(name))

    def close(self) -> None:
        """Close the files that were appended to."""
        for handle in self._open.values():
            os.close(handle)
        self._open.clear()


EventKind: TypeAlias = Literal["local", "send", "receive"]
Detail: TypeAlias = dict[str, Any]  # the fields that go into JSON
KINDS: tuple[EventKind, ...] = get_args(EventKind)
OLD_NAME = re.compile(r'("process": )"life (?=\d)')  # as traces were written once


@dataclass(frozen=True)
class Event:
    """One event on one process line.

    `process` is an incarnation ("incarnation 2") or a part of a store ("output"); `kind` is local, send or receive;
    `stamp` is the Lamport stamp. `message` pairs a send with its receive. `verb` is machine-readable ("push", "crash
    point", "dies", "start", …), `text` is for people. `line` is the line of the handler that was running, counted
    from the handler's first line. `wall` is the time in seconds by the machine's own clock, in a run of real
    processes; `wall` orders nothing.
    """

    process: str
    kind: EventKind
    stamp: int
    verb: str
    text: str
    life: int = 0
    step: int = 0
    item: int | None = None
    message: str | None = None
    line: int | None = None
    detail: Detail = field(default_factory=dict)
    wall: float | None = field(default=None, compare=False, repr=False)

    def json(self) -> str:
        """Return the event as one line of JSON."""
        return json.dumps({name: value for name, value in asdict(self).items() if value not in (None, {})})

    @classmethod
    def parse(cls, line: str) -> Self:
        """Return the event that `json` wrote. Raises `BadInput` for anything else."""
        try:
            event = cls(**json.loads(OLD_NAME.sub(r'\1"incarnation ', line)))
        except (TypeError, ValueError) as why:
            raise BadInput(f"This line is no event of a trace ({why}): {str(line)[:80]!r}") from why
        if event.kind not in KINDS or not isinstance(event.stamp, int) or not isinstance(event.process, str):
            raise BadInput(f"This event has kind {event.kind!r} and stamp {event.stamp!r}: {line[:80]!r}")
        return event


class Trace:
    """All events of a run in Lamport's total order: by stamp, ties by process name."""

    def __init__(self, events: Iterable[Event]) -> None:
        events = list(events) if isinstance(events, Iterable) else [events]
        if odd := [event for event in events if not isinstance(event, Event)]:
            raise BadInput(f"A trace is made of events; {odd[0]!r} is none.")
        self.events = sorted(events, key=lambda event: total_order(event.stamp, event.process))

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def lives(self) -> list[Event]:
        """Return the start event of each incarnation, in the order of the incarnations."""
        return sorted((event for event in self if event.verb == "start"), key=lambda event: event.life)

    def deaths(self) -> list[Event]:
        """Return the last event of each incarnation that died, in the order of the incarnations."""
        return sorted((event for event in self if event.verb == "dies"), key=lambda event: event.life)

    def of_life(self, life: int) -> list[Event]:
        """Return the events on the line of one incarnation, in order."""
        return [event for event in self if event.process == life_name(life)]

    def save(self, path: FileName) -> None:
        """Write the trace as a file of JSON lines. Raises `CourseError` when the file cannot be written."""
        replaced(file_named("The file of a trace", path), "".join(event.json() + "\n" for event in self))

    @classmethod
    def load(cls, path: FileName) -> Self:
        """Read a trace that `save` wrote. Raises `BadInput` for a line that is no event and for a file that is no
        trace.
        """
        path = file_named("The file of a trace", path)
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError as why:
            raise BadInput(
                f"The trace {path} cannot be read ({why.strerror}). Name a file that a trace was saved to."
            ) from why
        return cls(Event.parse(line) for line in lines)


def life_name(life: int) -> str:
    """Return the name of the process line of an incarnation."""
    return f"incarnation {life}"


def name_with_node(life: int, nodes: Mapping[int, int]) -> str:
    """Return an incarnation's name by {incarnation: node}: "node 1, incarnation 3" where there are several nodes, and
    "node 2" for a node's only one; numbers of incarnations go through all nodes.
    """
    node, several = nodes.get(life, 0), len(set(nodes.values())) > 1
    alone = several and list(nodes.values()).count(node) == 1
    return f"node {node + 1}" + f", {life_name(life)}" * (not alone) if several else life_name(life)


def takeover(life: int) -> str:
    """Return the name of the message that passes from a dead incarnation to the next."""
    return f"takeover {life}>{life + 1}"


class Recorder:
    """The recorder of a simulated world, in memory. The start of an incarnation, which receives the death of the one
    before it, is the same for every recorder. One that is `silent` keeps no event: nobody need find words for it.
    """

    silent = False

    def __init__(self) -> None:
        self.lives: dict[int, list[Event]] = {}
        self.fired: list[str] = []

    def begin(self, clock: LamportClock, detail: Detail | None = None) -> int:
        """Count a new incarnation, tick `clock` for its start, record the start, and return its number (the first is
        1).

        The incarnation before it, if any, has died. A kill from outside leaves no event of the death; the successor
        then writes that event.
        """
        life = self._claim()
        last = self._predecessor(life, detail)
        if last is None:
            clock.local()
        else:
            if last.verb != "dies":
                last = replace(
                    last, kind="send", stamp=last.stamp + 1, verb="dies", text="killed from outside",
                    message=takeover(last.life), detail={},
                )  # fmt: skip
                self.record(last)
            clock.receive(last.stamp)
        kind: EventKind = "receive" if last else "local"
        message = last.message if last else None
        self.record(
            Event(life_name(life), kind, clock.time, "start", "start", life, message=message, detail=detail or {})
        )
        return life

    def _predecessor(self, life: int, detail: Detail | None) -> Event | None:
        """Return the last event of the nearest earlier incarnation that left any; a kill can come before an
        incarnation's first event.
        """
        for earlier in range(life - 1, 0, -1):
            if events := self.events_of(earlier):
                return events[-1]
        return None

    def _claim(self) -> int:
        life = len(self.lives) + 1
        self.lives[life] = []
        return life

    def record(self, event: Event) -> None:
        """Keep `event`."""
        self.lives[event.life].append(event)

    def fire(self, key: str) -> bool:
        """Note that the fault `key` strikes now. Returns False if it struck before."""
        if key in self.fired:
            return False
        self.fired.append(key)
        return True

    def fired_keys(self) -> list[str]:
        """Return the keys of the faults that have struck."""
        return list(self.fired)

    def events_of(self, life: int) -> list[Event]:
        """Return the events of one incarnation in the order in which it recorded them."""
        return list(self.lives.get(life, ()))

    def events(self) -> list[Event]:
        """Return the events of all incarnations."""
        return [event for events in self.lives.values() for event in events]


class FileRecorder(Recorder):
    """The recorder of a real world: a folder with one file of JSON lines for each incarnation.

    Each event is appended in one piece, so a killed process leaves whole lines. A recorder claims an incarnation or a
    fault by creating a file that must not exist yet. Of several processes only one can create it.
    """

    def __init__(self, folder: FileName | Files) -> None:
        self.files = folder if isinstance(folder, Files) else Files(folder)

    def _claim(self) -> int:
        life = 1
        while not self._create(f"life-{life}.jsonl"):
            life += 1
        return life

    def _create(self, name: str) -> bool:
        try:
            return self.files.create(name)
        except OSError as why:
            raise self._cannot(why) from why

    def _cannot(self, why: OSError) -> CourseError:
        return CourseError(
            f"The flight recorder cannot write in {self.files.folder}: {why.strerror}. "
            "Free some space there, or choose a folder that you may write."
        )

    def record(self, event: Event) -> None:
        """Append `event`, with the time, to the file of its incarnation.

        Raises `CourseError` when the event cannot be written whole.
        """
        try:
            self.files.append(f"life-{event.life}.jsonl", replace(event, wall=time.time()).json() + "\n")
        except OSError as why:
            raise self._cannot(why) from why

    def fire(self, key: str) -> bool:
        """Note durably that the fault `key` strikes now. Returns False if it struck before."""
        return self._create(f"fired-{key}")

    def fired_keys(self) -> list[str]:
        """Return the keys of the faults that have struck."""
        return sorted(name.removeprefix("fired-") for name in self.files.sizes("fired-*"))

    def events_of(self, life: int) -> list[Event]:
        """Return the events of one incarnation in the order in which it recorded them."""
        return [Event.parse(line) for line in self._whole_lines(life)]

    def ends_of(self, life: int) -> tuple[Event, Event] | None:
        """Return the first and the last event of an incarnation, or None if it has no event. The other events are not
        read.
        """
        lines = self._whole_lines(life)
        return (Event.parse(lines[0]), Event.parse(lines[-1])) if lines else None

    def _whole_lines(self, life: int) -> list[str]:
        return (self.files.read(f"life-{life}.jsonl") or "").split("\n")[:-1]

    def events(self) -> list[Event]:
        """Return the events of all incarnations."""
        names = self.files.sizes("life-*.jsonl")
        lives = sorted(int(name.removeprefix("life-").removesuffix(".jsonl")) for name in names)
        return [event for life in lives for event in self.events_of(life)]

    def close(self) -> None:
        """Close the files."""
        self.files.close()


def history_of(trace: Trace) -> clocks.History:
    """Return a `Trace` as a `History`: its events and messages, in the trace's order.

    A request that arrives twice was sent once. A received message without a send event in the trace counts as an
    event of its own.
    """
    sent = {event.message for event in trace if event.kind == "send" and event.message}
    received, made = set[str](), list[clocks.Event]()
    for event in trace:
        message, receives = event.message or "", event.kind == "receive"
        if receives:  # a request that arrives once more has a name of its own
            message = message.removesuffix("again")
        if event.kind == "local" or message not in sent:
            made.append(clocks.Event(event.process, "local", text=event.text))
        else:
            again = receives and message in received
            made.append(clocks.Event(event.process, event.kind, message, again, event.text))
        received |= {message} if receives else set()
    return clocks.History(made)

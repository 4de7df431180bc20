"""Recorders keep the events of the incarnations: in memory for simulated worlds, in files that outlive a SIGKILL for
real worlds.

A recorder also keeps the two facts that must be durable before a process dies: the incarnations that began, and the
faults that have struck. The recorder counts the incarnations itself: Spark's attempt numbers are not the order of
events.
"""

import time
from abc import ABC, abstractmethod
from dataclasses import replace

from ..clocks import LamportClock
from ..errors import CourseError
from ..paths import FileName
from .events import Detail, Event, EventKind, death_event, life_name
from .files import Files


class Recorder(ABC):
    """The common part of the two recorders: the start of an incarnation, which receives the death of the one before
    it.
    """

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
                last = death_event(last, "killed from outside")
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

    @abstractmethod
    def _claim(self) -> int:
        """Count a new incarnation, and return its number."""

    @abstractmethod
    def record(self, event: Event) -> None:
        """Keep `event`."""

    @abstractmethod
    def fire(self, key: str) -> bool:
        """Note that the fault `key` strikes now. Returns False if it struck before."""

    @abstractmethod
    def fired_keys(self) -> list[str]:
        """Return the keys of the faults that have struck."""

    @abstractmethod
    def events_of(self, life: int) -> list[Event]:
        """Return the events of one incarnation in the order in which it recorded them."""

    @abstractmethod
    def events(self) -> list[Event]:
        """Return the events of all incarnations."""


class MemoryRecorder(Recorder):
    """The recorder of a simulated world."""

    def __init__(self) -> None:
        self.lives: dict[int, list[Event]] = {}
        self.fired: list[str] = []

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

"""Inputs that arrive while a run goes on: a reader waits for the next hour until a feeder has brought it."""

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import CourseError, between
from ...node.program import Program
from ...node.source import Offsets
from ...node.world import InputsEnded, Life, Stores
from ...pipeline import STREAMS, HoursReader, Job, Reading, TimedReading
from ...stores.codec import Value
from ...stores.operations import OPERATIONS, Blocked, Content, Done, Fetch, register


class Arrived(Fetch):
    """Reads several logs of one store at once, when each of them has something at its offset; else it waits."""

    def carry_out(
        self, part: str, contents: Sequence[Content], arguments: Sequence[Value], origin: object = None
    ) -> Done:
        """Return up to so many values of each log. Raises `Blocked` while one of them has none there."""
        offsets, _ = arguments
        for (stream, offset), log in zip(offsets.items(), contents, strict=True):
            if offset >= len(log):
                raise Blocked(f"Nothing has arrived at offset {offset} of {stream}.")
        return super().carry_out(part, contents, arguments, origin)


@dataclass(frozen=True)
class Feed(Job):
    """A job whose hours arrive one by one: `bring` adds one, and a read waits for it."""

    def load_inputs(self, stores: Stores) -> None:
        """Put nothing there: the inputs arrive later."""

    def bring(self, store: Any, offset: int) -> int:
        """Add the hour at `offset` to a store's inputs, and return it."""
        for stream, readings in self.inputs().items():
            reading = readings[offset]
            store.fill(f"input.{stream}", [[reading.hour, reading.value]])
        return self.hour_of(offset)

    def reader(self, life: Life) -> "FeedReader":
        """Return a new reader."""
        return FeedReader(life, self)


def fed(programs: Iterable[Program]) -> bool:
    """Tell whether inputs of a run arrive while it goes on: nobody knows then who is to come, and when."""
    return any(isinstance(program.source, Feed) for program in programs)


class FeedReader(HoursReader):
    """Reads the next hour of all streams once it has arrived."""

    def read(self, positions: Offsets) -> tuple[list[Reading | TimedReading], Offsets]:
        """Return the readings at the positions, and the positions after them."""
        life, job = self.life, self.source
        if dict(positions) == job.end():
            raise InputsEnded
        life.item = job.hour_of(min(positions.values()))
        found = life.step(
            life.world.engine, "input", ARRIVED, dict(positions), 1, name="input.read", text=f"read hour {life.item}"
        )
        items: list[Reading | TimedReading] = [
            Reading(hour, stream, value) for stream in STREAMS for hour, value in found[stream]
        ]
        life.inputs = tuple((item.hour, item.stream) for item in items)
        self.at = {stream: offset + 1 for stream, offset in positions.items()}
        return items, dict(self.at)


ARRIVED = "arrived"
_fetch = OPERATIONS["fetch"]
register(
    Arrived(ARRIVED, _fetch.kind, _fetch.takes, "wait for values of logs at offsets, and read them", None,
            reads=True, blocks=True, answered=_fetch.answered)
)  # fmt: skip


SLOWEST, FASTEST = 0.1, 100.0  # hours a second


def checked_pace(pace: float) -> float:
    """Return a pace in hours a second. Raises `BadInput` for a value that is no pace, and for one out of bounds."""
    return between("the number of hours that arrive in a second", pace, SLOWEST, FASTEST)


class Feeder(threading.Thread):
    """Brings the hours of a `Feed` into the engine's store, one by one, `pace` of them a second.

    `arrivals` is {hour: the time in seconds since the epoch}, noted before the hour is there. `failure` is the error,
    if there was one.
    """

    def __init__(self, feed: Feed, store: Any, pace: float) -> None:
        super().__init__(name="exactly-once feeder", daemon=True)
        self.feed, self.store, self.pace = feed, store, pace
        self.arrivals: dict[int, float] = {}
        self.failure: CourseError | None = None
        self._changed, self._ended = threading.Condition(), False

    def set_pace(self, pace: float) -> None:
        """Bring so many hours a second from now on."""
        with self._changed:
            self.pace = pace
            self._changed.notify()

    def stop(self) -> None:
        """Bring nothing any more; return when that is so."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        if self.is_alive():
            self.join()

    def run(self) -> None:
        """Bring hours until there are none left, or `stop` is called."""
        due = time.monotonic()
        for offset in range(self.feed.items or 0):
            with self._changed:
                while not self._ended and (left := due - time.monotonic()) > 0:
                    pace = self.pace
                    self._changed.wait(left)
                    if pace != self.pace:  # the hour that is on its way comes sooner, or later
                        due = min(due, time.monotonic() + 1 / self.pace)
                if self._ended:
                    return
            due = max(due, time.monotonic()) + 1 / self.pace
            try:
                self.arrivals[self.feed.hour_of(offset)] = time.time()
                self.feed.bring(self.store, offset)
            except CourseError as why:
                self.failure = why
                return

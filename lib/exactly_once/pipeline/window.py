"""The window of the stream handler: the readings of the last hours, and their exact average.

The hours are those of event time, or, where the readings tell when they were read, of processing time (T. Akidau and
others, "The Dataflow Model", VLDB 8(12), 2015, tell the two apart).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from numbers import Real
from typing import Any, NamedTuple

from ..errors import BadInput, whole
from ..stores.codec import describe_as, register


class Reading(NamedTuple):
    """One number of one stream: `hour` is its event time, counted from 1 at the start of the series."""

    hour: int
    stream: str
    value: Fraction


class TimedReading(NamedTuple):
    """A reading of a stream, with the hour in which it was `read`: its processing time."""

    hour: int
    stream: str
    value: Fraction
    read: int


class Window:
    """Readings in the order in which they were pushed. A reading that is pushed twice is in it twice."""

    def __init__(self, readings: Iterable[Sequence[Any]] = ()) -> None:
        self.readings: list[Reading | TimedReading] = []
        self.push(readings)

    def push(self, items: Iterable[Sequence[Any]]) -> None:
        """Add readings at the end. Raises `BadInput` for anything that is no reading."""
        if not isinstance(items, Iterable):
            raise BadInput(f"A window takes a list of readings (hour, stream, value), not {items!r}.")
        self.readings.extend([_reading(item) for item in items])

    def trim(self, hours: int) -> None:
        """Drop the readings that are `hours` hours or more older than the newest one.

        The age of a reading counts from its own hour (event time), or from the hour of its read, if it has one.
        """
        whole("the length of a window in hours", hours, least=1)
        if self.readings:
            oldest = max(map(_moment, self.readings)) - hours
            self.readings = [reading for reading in self.readings if _moment(reading) > oldest]

    def average(self) -> Fraction:
        """Return the exact average as a fraction. Raises `BadInput` when the window is empty."""
        if not self.readings:
            raise BadInput("An empty window has no average; push some readings first.")
        return Fraction(sum(reading.value for reading in self.readings), len(self.readings))

    def __len__(self) -> int:
        return len(self.readings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Window) and self.readings == other.readings

    def __repr__(self) -> str:
        hours = [reading.hour for reading in self.readings]
        return f"Window({len(hours)} readings, hours {min(hours)}–{max(hours)})" if hours else "Window(empty)"


def _moment(reading: Reading | TimedReading) -> int:
    return reading.read if isinstance(reading, TimedReading) else reading.hour


def _reading(found: Sequence[Any]) -> Reading | TimedReading:
    try:
        timed = len(found) == len(TimedReading._fields)
        hour, stream, value = found[:3] if timed else found
    except (TypeError, ValueError):
        raise BadInput(f"A window holds readings (hour, stream, value), not {found!r}.") from None
    whole("the hour of a reading", hour, least=1)
    if not isinstance(stream, str) or isinstance(value, bool) or not isinstance(value, Real):
        raise BadInput(f"A reading is an hour, the name of a stream and a number; {found!r} is not.")
    if not timed:
        return Reading._make((hour, stream, value))
    return TimedReading._make((hour, stream, value, whole("the hour in which a reading was read", found[3], least=1)))


register("window", Window, lambda window: [list(reading) for reading in window.readings], Window)
describe_as(
    Window,
    lambda window: (
        f"window of {spans(one.hour for one in window.readings)}" if window.readings else "an empty window"
    ),
)


def spans(hours: Iterable[int]) -> str:
    """Return hours as text: "hour 3", "hours 1–4", "hours 1–2, 5"."""
    hours = sorted(set(hours))
    runs: list[list[int]] = []  # of hours without a gap: the first and the last
    for hour in hours:
        if runs and hour == runs[-1][1] + 1:
            runs[-1][1] = hour
        else:
            runs.append([hour, hour])
    text = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
    return f"hour{'s' if len(hours) != 1 else ''} {text}"

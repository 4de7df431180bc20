"""What a handler is to do: how many hours of input, how long a window, which threshold."""

from dataclasses import dataclass

from ..errors import one_of, whole
from .series import STREAMS, series

HOURS_OF_A_YEAR = 8760
ARRIVALS = ("together", "as it comes")
ENGINE_PARTS = {"input": "log", "positions": "cell", "state": "cell", "output": "log"}
DATABASE_PARTS = {"counter": "table"}


@dataclass(frozen=True)
class Job:
    """One job for a handler.

    `items` is the number of hours of input (None: all that there are), `duration` the length of the window in hours,
    `threshold` the count of numbers in the window above which the counter is incremented. `arrival` is "together"
    (one read gives the next hour from both streams) or "as it comes" (one read gives one reading of one stream,
    chosen by the world). Raises `BadInput` for anything else.
    """

    items: int | None = 6
    duration: int = 24
    threshold: int = 4
    arrival: str = "together"

    def __post_init__(self):
        if self.items is not None:
            whole("the number of items", self.items, least=1, most=len(series(STREAMS[0])))
        whole("the window's duration in hours", self.duration, least=1, most=HOURS_OF_A_YEAR)
        whole("the threshold", self.threshold)
        one_of("the arrival of inputs", self.arrival, ARRIVALS)

    def inputs(self):
        """Return the readings of each stream, in order."""
        return {stream: series(stream)[: self.items] for stream in STREAMS}

    def start(self):
        """Return the positions before the first item: an offset of 0 in each stream."""
        return dict.fromkeys(STREAMS, 0)

    def end(self):
        """Return the positions after the last item."""
        return {stream: len(readings) for stream, readings in self.inputs().items()}

    def hours(self):
        """Return the set of all hours of the inputs."""
        return {reading.hour for reading in self.inputs()[STREAMS[0]]}

    def hour_at(self, offset):
        """Return the hour of the last reading before `offset`: how far positions have come. 0 at the start."""
        readings = series(STREAMS[0])
        return readings[min(offset, len(readings)) - 1].hour if offset else 0

    def hour_of(self, offset):
        """Return the hour of the reading at `offset`; past the last reading, the hour after it."""
        readings = series(STREAMS[0])
        return readings[offset].hour if offset < len(readings) else readings[-1].hour + 1

    def furnish(self, engine):
        """Put the inputs into the engine's store, before a run begins."""
        for stream, readings in self.inputs().items():
            engine.fill(f"input.{stream}", [[reading.hour, reading.value] for reading in readings])

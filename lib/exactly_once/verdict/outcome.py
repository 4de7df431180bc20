"""The observable outcome of a run: output, counter, window and positions, without versions, hints and stamps."""

from collections import Counter
from dataclasses import dataclass

from ..node import Window
from ..stores.codec import encode


@dataclass(frozen=True)
class Outcome:
    """What remains in the stores after a run. Two outcomes are equal when nobody could tell them apart.

    `outputs` are the pushed values in order; `counter` is the counter; `state` is the window as a multiset of
    readings (another state is itself); `positions` are the saved offsets. All are text, so they compare exactly.
    """

    outputs: tuple
    counter: int
    state: str
    positions: str

    @classmethod
    def of(cls, engine, database):
        """Return the outcome that stands in the two stores."""
        return cls(
            tuple(encode(value) for value in engine.look("output", "log")),
            database.look("counter", "table"),
            multiset(engine.look("state", "cell")),
            encode(engine.look("positions", "cell")),
        )

    @classmethod
    def after(cls, writes):
        """Return the outcome that a sequence of a journal's writes leaves, without a look into the stores."""
        return cls(
            tuple(encode(entry.value) for entry in writes if entry.part == "output"),
            last(writes, "counter") or 0,
            multiset(last(writes, "state")),
            encode(last(writes, "positions")),
        )


def last(writes, part):
    """Return the value that was written last to a part, or None."""
    return next((entry.value for entry in reversed(writes) if entry.part == part), None)


def multiset(state):
    """Return a state as text in which the order of a window's readings does not count."""
    if isinstance(state, Window):
        return encode(sorted([list(reading) for reading in state.readings]))
    return encode(state)


def readings_in(state):
    """Return how often each (hour, stream) is in a state that is a window; an empty count for any other state."""
    readings = state.readings if isinstance(state, Window) else ()
    return Counter((reading.hour, reading.stream) for reading in readings)

"""Logical clocks: Lamport's, which orders events, and vector clocks, which also show concurrent events.

Lamport: "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978.
Vector clocks: F. Mattern, 1989, and C. Fidge, 1988.
"""

from collections.abc import Hashable, Mapping
from typing import TypeAlias

from ..errors import BadInput, whole

VectorStamp: TypeAlias = Mapping[Hashable, int]


class LamportClock:
    """One process's counter. It starts at 0 and only moves forward (Lamport 1978, rules IR1 and IR2)."""

    def __init__(self, time: int = 0) -> None:
        self.time = whole("a clock's time", time)

    def local(self) -> int:
        """Stamp a local event: one tick. Returns the stamp."""
        self.time += 1
        return self.time

    def send(self) -> int:
        """Stamp a send event: one tick. Returns the stamp, which travels with the message."""
        return self.local()

    def receive(self, stamp: int) -> int:
        """Stamp the receipt of a message that carries `stamp`: jump past both clocks. Returns the stamp.

        Raises `BadInput` for a stamp that is no whole number of at least 0.
        """
        self.time = max(self.time, whole("a message's stamp", stamp)) + 1
        return self.time


class VectorClock:
    """One process's row of counters, one for each process it has heard of (Mattern 1989, Fidge 1988)."""

    def __init__(self, process: Hashable) -> None:
        if not isinstance(process, Hashable):
            raise BadInput(f"The process of a vector clock is {process!r}; give its name, or a number.")
        self.process = process
        self.times = {process: 0}

    def local(self) -> dict[Hashable, int]:
        """Stamp a local event: one tick of this process's own entry. Returns a copy of the row."""
        self.times[self.process] += 1
        return dict(self.times)

    def send(self) -> dict[Hashable, int]:
        """Stamp a send event. Returns the row that travels with the message."""
        return self.local()

    def receive(self, stamp: VectorStamp) -> dict[Hashable, int]:
        """Stamp the receipt of a message that carries the row `stamp`: the larger of each entry, and one tick.

        Raises `BadInput` when `stamp` is not a mapping from processes to whole numbers.
        """
        for process, time in _checked(stamp).items():
            self.times[process] = max(self.times.get(process, 0), time)
        return self.local()


def total_order(stamp: int, process: Hashable) -> tuple[int, str]:
    """Return the sort key that gives every process the same order of all events: stamp first, then process.

    The order agrees with causality; between concurrent events it is a convention and says nothing (Lamport 1978).
    """
    return (stamp, str(process))


def _checked(stamp: VectorStamp) -> VectorStamp:
    if not isinstance(stamp, Mapping):
        raise BadInput(f"A vector stamp is {stamp!r}; it must map each process to a whole number.")
    return {process: whole(f"the entry of {process!r}", time) for process, time in stamp.items()}

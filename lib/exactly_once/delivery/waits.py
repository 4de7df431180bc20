"""The waiting times of records: two series side by side, and their statistics.

`spark.waits` measures them on the cluster; `show.waits_figure` draws them.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import one_of

KILL, STOP, SLOW = FAULTS = "kill", "stop", "slow"
DONE = {KILL: "killed", STOP: "stopped", SLOW: "slowed down"}
SIDES = "twins", "other"


class Wait(NamedTuple):
    """One record: its hour, when it arrived (s since the beginning), how long it waited (s), who wrote its output."""

    hour: int
    arrived: float
    seconds: float
    node: int

    @property
    def ended(self):
        """When its output was there, in seconds since the beginning."""
        return self.arrived + self.seconds


@dataclass(frozen=True)
class Waits:
    """Two series of `Wait`s, of `twins` and of the `other` one beside them, and the fault that struck node 1 of each.

    `struck` is when, in seconds since the beginning; `back` when (twins, the other) had that node back: the next
    incarnation's beginning after a kill, the last SIGCONT after a stop. Waits before `calm` are of nodes that warm
    up. `beside` names the other series.
    """

    fault: str
    beside: str
    pace: float
    calm: float
    struck: float
    back: tuple
    twins: tuple
    other: tuple

    @property
    def undisturbed(self):
        """The waits of the twins' records before the fault, in seconds, sorted."""
        return sorted(one.seconds for one in self.twins if one.arrived > self.calm and one.ended <= self.struck)

    @property
    def disturbed(self):
        """The waits of the twins' records with an output after the fault, in seconds, sorted."""
        return sorted(one.seconds for one in self.twins if one.ended > self.struck)

    @property
    def p99(self):
        """(undisturbed, disturbed): the 99th percentile of the waits of the twins' records, in seconds."""
        return percentile(self.undisturbed, 99), percentile(self.disturbed, 99)

    @property
    def longest(self):
        """(undisturbed, disturbed): the longest wait of a record of the twins, in seconds."""
        return self.undisturbed[-1], self.disturbed[-1]

    @property
    def gap(self):
        """The longest wait of a record of the other series from the fault on, in seconds."""
        return max(one.seconds for one in self.other if one.ended > self.struck)

    @property
    def away(self):
        """(twins, other): how long the struck node was away, in seconds."""
        return tuple(back - self.struck for back in self.back)

    def waiting(self, side):
        """Return [(time, how many records wait from then on), …] of a side, "twins" or "other"."""
        series = getattr(self, one_of("the side", side, SIDES))
        changes = sorted([(one.arrived, 1) for one in series] + [(one.ended, -1) for one in series])
        found, count = [], 0
        for moment, change in changes:
            count += change
            found.append((moment, count))
        return found

    @property
    def most_waiting(self):
        """(twins, other): how many records waited at once at most, from the fault on."""
        return tuple(
            max((count for moment, count in self.waiting(side) if moment > self.struck), default=0) for side in SIDES
        )

    def __str__(self):
        done = DONE[self.fault]
        before, after = (f"{1000 * seconds:,.0f} ms" for seconds in self.longest)
        one, other = self.most_waiting
        return (
            f"One twin was {done}: a record waited at most {after} from then on, and {before} before; at most {one} "
            f"waited at once. {self.beside[0].upper()}{self.beside[1:]}, {done} at the same moment: a record waited "
            f"up to {1000 * self.gap:,.0f} ms; at most {other} waited at once."
        )


def percentile(values, percent):
    """Return the smallest of sorted values that so many percent of them do not exceed."""
    return values[max(0, math.ceil(len(values) * percent / 100) - 1)]

"""How long each record waits when a node is killed, stopped or slow: twins, and another way of doing it beside them.

Both run at once, on the same cluster, over inputs that arrive at the same pace; the same fault strikes both at the
same moment. A record's wait is the time from its arrival until its output is there, by the machine's clock.
"""

import math
import time
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from ...costs.spread import quantile
from ...errors import CourseError, between, one_of
from ...handlers.stream.lock_free import average, lock_free
from ...handlers.stream.two_phase import two_phase
from ...lockfree.general import general
from ...pipeline import Window
from ..run.tasks import with_slots
from ..run.twins import Twins
from ..task.feed import SLOWEST, checked_pace

KILL, STOP, SLOW = FAULTS = "kill", "stop", "slow"
RETRY, TWO_PHASE = "one node with Spark's retry", "two-phase commit"
PACE = 12.0  # hours a second
SLOWER = 6.0  # the same with a counter in a database, which four nodes take twice as many steps for
SETTLE, CALM, AFTER = 1.5, 4.0, 3.0  # s: until all runs as usual, without a fault, and after it has struck
LATE, HALVED = 5.0, 2  # on a busy machine: s until the pace is halved, and how often
HALF = 0.5  # s that a slow node is stopped for, and then runs
LOOK_SECONDS = 0.1
FEW = 2  # records that wait as usual
DURATION = 24  # hours of the window


class Wait(NamedTuple):
    """One record: its hour, when it arrived (s since the beginning), how long it waited (s), who wrote its output."""

    hour: int
    arrived: float
    seconds: float
    node: int

    @property
    def ended(self) -> float:
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
    def undisturbed(self) -> list[float]:
        """The waits of the twins' records before the fault, in seconds, sorted."""
        return sorted(one.seconds for one in self.twins if one.arrived > self.calm and one.ended <= self.struck)

    @property
    def disturbed(self) -> list[float]:
        """The waits of the twins' records with an output after the fault, in seconds, sorted."""
        return sorted(one.seconds for one in self.twins if one.ended > self.struck)

    @property
    def p99(self) -> tuple[float, float]:
        """(undisturbed, disturbed): the 99th percentile of the waits of the twins' records, in seconds."""
        return quantile(self.undisturbed, 0.99), quantile(self.disturbed, 0.99)

    @property
    def longest(self) -> tuple[float, float]:
        """(undisturbed, disturbed): the longest wait of a record of the twins, in seconds."""
        return self.undisturbed[-1], self.disturbed[-1]

    @property
    def gap(self) -> float:
        """The longest wait of a record of the other series from the fault on, in seconds."""
        return max(one.seconds for one in self.other if one.ended > self.struck)

    @property
    def away(self) -> tuple[float, float]:
        """(twins, other): how long the struck node was away, in seconds."""
        return tuple(back - self.struck for back in self.back)

    @property
    def most_waiting(self) -> tuple[int, int]:
        """(twins, other): how many records waited at once at most, from the fault on."""
        return self._most(self.twins), self._most(self.other)

    def _most(self, series: tuple[Wait, ...]) -> int:
        changes = sorted([(one.arrived, 1) for one in series] + [(one.ended, -1) for one in series])
        waiting = zip((moment for moment, _ in changes), accumulate(change for _, change in changes), strict=True)
        return max((count for moment, count in waiting if moment > self.struck), default=0)


def waits(fault: str = KILL, seconds: float = 2.0, pace: float = PACE) -> Waits:
    """Run twins, and one node with Spark's retry beside them; strike node 1 of each at once. Returns `Waits`.

    fault: "kill", SIGKILL to a worker; "stop", SIGSTOP, and SIGCONT after `seconds`; "slow", for so many seconds the
    worker is stopped during the first half of each second. Spark notices neither of the last two.
    pace: how many hours arrive in a second; it is halved, twice at most, where the machine is too busy for it. It
    takes about twelve seconds, and three slots: cluster(slots=4). Raises `BadInput` for arguments that make no sense,
    `CourseError` when an output is not exactly once.
    """
    handler = general(average(DURATION), Window())
    return _side_by_side(handler, handler, RETRY, fault, seconds, pace)


def waits_of_two_phase(seconds: float = 2.0, pace: float = SLOWER) -> Waits:
    """Run twins, and two-phase commit beside them; stop a twin, and the node that decides, for so many seconds.

    Both have a counter in the database. It takes four slots: cluster(slots=4). Returns `Waits`, of which
    `most_waiting` tells how many records waited at once. Raises as `waits` does.
    """
    return _side_by_side(lock_free, two_phase, TWO_PHASE, STOP, seconds, pace)


def _side_by_side(handler: Any, other: Any, beside: str, fault: str, seconds: float, pace: float) -> Waits:
    one_of("the fault", fault, FAULTS)
    between("the length of the stop in seconds", seconds, 0.1, 60)
    checked_pace(pace)
    hours = math.ceil(pace * (SETTLE + CALM + (seconds + 1 if fault != KILL else 0) + AFTER + 2 * LATE))
    both = [Twins(one, nodes, pace, hours) for one, nodes in ((handler, 2), (other, 1))]
    with_slots(sum(runs.slots for runs in both))
    with both[0] as twins, both[1]:
        _settle(both)
        calm = time.time()
        time.sleep(CALM)
        struck = time.time()
        _strike(both, fault, seconds)
        time.sleep(AFTER)
        found = [runs.end() for runs in both]
    if wrong := next((result.sentence for result in found if not result.right), None):
        raise CourseError(wrong)
    back = tuple(_back(result, struck) - twins.began for result in found)
    series = (
        tuple(Wait(cell.hour, cell.arrived - twins.began, cell.wait, cell.node) for cell in result.tape)
        for result in found
    )
    return Waits(fault, beside, twins.pace, calm - twins.began, struck - twins.began, back, *series)


def _strike(both: Any, fault: str, seconds: float) -> None:
    """Kill node 1 of each, stop it for so many seconds, or let it run for the second half of each second only."""
    if fault == KILL:
        for runs in both:
            runs.kill(1)
        return
    for part in [HALF] * math.ceil(seconds) if fault == SLOW else [seconds]:
        for runs in both:
            runs.stop(1)
        time.sleep(part)
        for runs in both:
            runs.resume(1)
        time.sleep(part if fault == SLOW else 0)


def _settle(both: Any) -> None:
    """Wait until all nodes are warm, and the waiting records are done; halve the pace where it is not."""
    time.sleep(SETTLE)
    for _ in range(HALVED + 1):
        deadline = time.monotonic() + LATE
        while time.monotonic() < deadline:
            if all(len(runs.state().waiting) <= FEW for runs in both):
                return
            time.sleep(LOOK_SECONDS)
        for runs in both:
            runs.set_pace(max(SLOWEST, runs.pace / 2))
    raise CourseError(
        "Hours arrive faster than this machine handles them, so that records wait without any fault. Stop other work "
        "on it, or ask for a slower pace."
    )


def _back(result: Any, struck: float) -> float:
    """Return when node 1 went on for good after it was struck; now, if it has not."""
    again = [one.wall for one in result.happenings if one.node == 1 and one.kind in ("began", "resumed")]
    return max((wall for wall in again if wall > struck), default=time.time())

"""How long each record waits when a node is killed or stopped: twins, and one node with Spark's retry beside them.

Both run at once, on the same cluster, over inputs that arrive at the same pace; the same fault strikes both at the
same moment. A record's wait is the time from its arrival until its output is in the queue, by the machine's clock.
"""

import math
import time
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import BadInput, CourseError, one_of, whole
from ..lockfree.general import general
from ..pipeline import Window
from .run.tasks import with_slots
from .run.twins import Twins

KILL, STOP = FAULTS = "kill", "stop"
PACE = 20.0  # hours a second
SETTLE, CALM, AFTER = 1.5, 3.0, 3.0  # s: until all runs as usual, without a fault, and after it has struck
SLOTS = 3
FACTOR, MORE, GAP = 2, 0.1, 5  # p99 at most so many times the undisturbed one; so many s more for the longest
DURATION = 24  # hours of the window


class Wait(NamedTuple):
    """One record: its hour, when it arrived (s since the beginning), how long it waited (s), who wrote its output."""

    hour: int
    arrived: float
    seconds: float
    node: int


@dataclass(frozen=True)
class Waits:
    """Two series of waits, of `twins` and of `one` node with Spark's retry, and the fault that struck both.

    `struck` is when, in seconds since the beginning; `back` when the node of the twins, and the one node, went on:
    the next life's beginning after a kill, SIGCONT after a stop. Waits before `calm` are of nodes that warm up.
    """

    fault: str
    pace: float
    calm: float
    struck: float
    back: tuple
    twins: tuple
    one: tuple

    def _of(self, series, since, until=math.inf):
        return sorted(wait.seconds for wait in series if since <= wait.arrived < until)

    @property
    def undisturbed(self):
        """The waits of the twins before the fault, in seconds, sorted."""
        return self._of(self.twins, self.calm, self.struck)

    @property
    def disturbed(self):
        """The waits of the twins from the fault on, in seconds, sorted; also of what arrived shortly before it."""
        return self._of(self.twins, self.struck - 1 / self.pace)

    @property
    def p99(self):
        """(undisturbed, disturbed): what 99 of 100 records of the twins waited at most, in seconds."""
        return percentile(self.undisturbed, 99), percentile(self.disturbed, 99)

    @property
    def longest(self):
        """(undisturbed, disturbed): what the twins' record waited that waited longest, in seconds."""
        return self.undisturbed[-1], self.disturbed[-1]

    @property
    def gap(self):
        """What a record of the one node waited at most from the fault on, in seconds."""
        return self._of(self.one, self.struck - 1 / self.pace)[-1]

    @property
    def until_back(self):
        """(twins, one): how long the struck node was away, in seconds."""
        return tuple(back - self.struck for back in self.back)

    def __str__(self):
        done = {KILL: "killed", STOP: "stopped"}[self.fault]
        before, after = (f"{1000 * seconds:.0f} ms" for seconds in self.longest)
        return (
            f"One twin {done}: a record waited at most {after}, and at most {before} before that. The one node {done} "
            f"at the same moment: a record waited {1000 * self.gap:,.0f} ms."
        )


def percentile(values, percent):
    """Return the smallest of sorted values that so many percent of them do not exceed."""
    return values[max(0, math.ceil(len(values) * percent / 100) - 1)]


def waits(fault=KILL, seconds=2.0, pace=PACE, spark=None):
    """Run twins, and one node with Spark's retry beside them; kill or stop a node of each at once. Returns `Waits`.

    fault: "kill", SIGKILL to a worker, or "stop", SIGSTOP, and SIGCONT after `seconds`, which Spark does not notice;
    pace: how many hours arrive in a second. It takes about ten seconds, and three slots: cluster(slots=4). Raises
    `BadInput` for arguments that make no sense, `CourseError` when an output is not exactly once.
    """
    one_of("the fault", fault, FAULTS)
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0.1 <= seconds <= 60:
        raise BadInput(f"The length of the stop is {seconds!r}; give seconds, 0.1 to 60.")
    hours = whole("the number of hours", math.ceil(pace * (SETTLE + CALM + AFTER + seconds + 5)), least=2)
    spark = with_slots(spark, SLOTS)
    handler = general(average, Window())
    with Twins(handler, 2, pace, hours, spark=spark) as twins, Twins(handler, 1, pace, hours, spark=spark) as one:
        both = twins, one
        time.sleep(SETTLE)
        calm = time.time()
        time.sleep(CALM)
        struck = time.time()
        for runs in both:
            runs.kill(1) if fault == KILL else runs.stop(1)
        if fault == STOP:
            time.sleep(seconds)
            for runs in both:
                runs.resume(1)
        time.sleep(AFTER)
        found = [runs.end() for runs in both]
    if wrong := next((str(result) for result in found if not result.exactly_once), None):
        raise CourseError(wrong)
    began = twins.began
    back = tuple(_back(result, struck) - began for result in found)
    series = (_series(runs, result, began) for runs, result in zip(both, found, strict=True))
    return Waits(fault, pace, calm - began, struck - began, back, *series)


def average(window, readings):
    """Push the average of the last hours: a pure function for the lock-free handler."""
    window.push(readings)
    window.trim(DURATION)
    return window, [window.average()]


def _back(result, struck):
    """Return when node 1 went on after it was struck; now, if it has not."""
    again = [one.wall for one in result.state.happenings if one.node == 1 and one.kind in ("began", "resumed")]
    return min((wall for wall in again if wall > struck), default=time.time())


def _series(runs, result, began):
    arrivals = runs.arrivals
    return tuple(
        Wait(cell.hour, arrivals[cell.hour] - began, cell.wait, cell.node) for cell in result.state.tape
    )  # fmt: skip

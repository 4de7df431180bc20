"""The same fault with one node and Spark's retry: the waiting time of each record there."""

import time
from typing import NamedTuple

from ..base.cluster import Stopped
from .reading import strikes

BEFORE, AFTER = 3, 8  # hours before and after the fault
LONGEST_STOP = 10.0  # seconds; a longer stop is measured with this length
POINT = "A"  # with a record in hand: a node that is struck between two records delays no record
PATIENCE_SECONDS = 90.0


class OneNode(NamedTuple):
    """The waiting times of records with one node under a fault. `points` are (hours since the fault's, seconds).

    `kind` is "stop" or "kill"; `still` the seconds for which the node was stopped, or until Spark's next process
    began.
    """

    kind: str
    still: float
    pace: float
    points: tuple

    @property
    def longest(self):
        """The longest wait, in seconds."""
        return max(seconds for _, seconds in self.points)


def measure(worlds, strike, shot, job, stopped, tell):
    """Run one node at the pace of `shot`, strike it as the twin was, with a record in hand, and return a `OneNode`.

    `stopped` is called now and then; once it returns true, `Stopped` is raised. `tell` is called with sentences on
    the progress.
    """
    still = min((strike.until or time.time()) - strike.wall, LONGEST_STOP)
    word = "stopped" if strike.kind == "stop" else "killed"
    one = worlds.twins(1, shot.pace, job)
    try:
        tell("One node begins …")
        one.start()
        _until(one, lambda now: len(now.tape) >= BEFORE, stopped)
        one.strike_at(1, POINT, strike.kind)
        _until(one, lambda now: strikes(now), stopped)
        tell(f"The one node is {word}; records wait …")
        (hit,) = strikes(one.state())
        if strike.kind == "stop":
            while time.time() - hit.wall < still:
                _look(one, stopped)
            one.resume(1)
        else:
            _until(one, lambda now: now.twins[0].lives > 1 and now.twins[0].status == "running", stopped)
            still = (strikes(one.state())[0].until or time.time()) - hit.wall
        hour = hit.hour
        caught_up = one.state().arrived
        _until(one, lambda now: len(now.tape) >= max(caught_up, hour + AFTER), stopped)
        tape = one.state().tape
    finally:
        one.abandon()
    points = tuple((cell.hour - hour, cell.wait) for cell in tape if cell.hour >= hour - BEFORE)
    return OneNode(strike.kind, still, shot.pace, points)


def _until(one, done, stopped):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not done(_look(one, stopped)):
        if time.monotonic() > deadline:
            raise TimeoutError(f"The one node made no progress within {PATIENCE_SECONDS:g} seconds.")


def _look(one, stopped):
    if stopped():
        raise Stopped
    time.sleep(0.05)
    return one.state()

"""The same fault with one node and Spark's retry: the waiting time of each record there."""

import time
from typing import NamedTuple

from ..base.model import Stopped
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
    points: tuple


def measure(worlds, strike, pace, job, stopped, tell):
    """Run one node at a pace, strike it as the twin was, with a record in hand, and return a `OneNode`.

    `stopped` is called now and then; once it returns true, `Stopped` is raised. `tell` is called with sentences on
    the progress.
    """
    still = min((strike.until or time.time()) - strike.wall, LONGEST_STOP)
    tell("One node begins …")
    with worlds.twins(1, pace, job) as one:

        def until(done):
            deadline = time.monotonic() + PATIENCE_SECONDS
            while not done(shot := one.state()):
                if stopped():
                    raise Stopped
                if time.monotonic() > deadline:
                    raise TimeoutError(f"The one node made no progress within {PATIENCE_SECONDS:g} seconds.")
                time.sleep(0.05)
            return shot

        until(lambda shot: len(shot.tape) >= BEFORE)
        one.strike_at(1, POINT, strike.kind)
        (hit,) = strikes(until(strikes))
        tell(f"The one node is {'stopped' if strike.kind == 'stop' else 'killed'}; records wait …")
        if strike.kind == "stop":
            until(lambda shot: shot.now - hit.wall >= still)
            one.resume(1)
        else:
            back = until(lambda shot: shot.twins[0].lives > 1 and shot.twins[0].status == "running")
            still = (strikes(back)[0].until or time.time()) - hit.wall
        most = max(one.state().arrived, hit.hour + AFTER)
        tape = until(lambda shot: len(shot.tape) >= most).tape
    points = tuple((cell.hour - hit.hour, cell.wait) for cell in tape if cell.hour >= hit.hour - BEFORE)
    return OneNode(strike.kind, still, points)

"""One run: handlers in greenlets on memory stores, in one process, in milliseconds.

`world` has the hub of a run and its suspended incarnations, whose changes to the process it hides from the next one.
It runs them under a fault plan, and `replay` by the decisions of a schedule.
"""

from .decision import ARRIVAL, CRASH, LATE_REQUEST, NETWORK, Decision
from .replay import STRIKES, ReplayDiverged, Replayer
from .world import simulate

"""One run: handlers in greenlets on memory stores, in one process, in milliseconds.

`world` runs them under a fault plan, `replay` by the decisions of a schedule, both by way of `hub`. An incarnation
that waits for its turn is `suspended`, which also hides its changes to the process from the next one.
"""

from .decision import ARRIVAL, CRASH, LATE_REQUEST, NETWORK, Decision
from .replay import STRIKES, ReplayDiverged, Replayer
from .world import simulate

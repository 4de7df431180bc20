"""One run: handlers in greenlets on memory stores, in one process, in milliseconds.

`simulated_world` has the hub of a run and its suspended incarnations, whose changes to the process it hides from the
next one. It runs them under a fault plan, and `replay` by the decisions of a `schedule`, which has words and a token.
"""

from .replay import STRIKES, ReplayDiverged, Replayer
from .schedule import ARRIVAL, CRASH, LATE_REQUEST, NETWORK, SPENDS, Decision, explain, read_token, write_token
from .simulated_world import simulate

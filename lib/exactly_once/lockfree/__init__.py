"""Lock-free building blocks on versioned registers: some node always makes progress, even if others stop.

`queue` is a queue that many push to and nobody locks, `pushers` are handlers that use it and their invariants. `cas`
compares values with versions, `progress` three ways to push, `contention` pushes for real, from processes; `weaker`
are registers that promise less, `memory` registers without a node.

`general` is the handler that any number of nodes may run at once, `assembled` makes it of parts that a learner
wrote, `given` inputs that are in its queues beforehand, `stateless` its form without a state. `unprepared` and
`flawed` show the failure without one of their parts; `estimate` says how seldom all nodes are down at once.
"""

from ..doors import open_door
from .queue import Queue
from .stateless import hourly_means, stateless

open_door(__name__)

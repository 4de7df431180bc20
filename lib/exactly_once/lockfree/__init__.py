"""Lock-free building blocks on versioned registers: some node always makes progress, even if others stop.

`queue` is a queue that many push to and nobody locks, `pushers` are handlers that use it and their invariants; `cas`
compares values with versions, `progress` has three ways to push, and `contention` pushes for real, from processes;
`weaker` are registers that promise less.

`general` is the handler that any number of nodes may run at once, also without one of its parts or with parts of a
learner's; `stateless` is its form without a state. `flawed` shows the failure without one of its parts; `estimate`
says how seldom all nodes are down at once.
"""

from ..doors import open_door
from .queue import Queue
from .stateless import hourly_means, stateless

open_door(__name__)

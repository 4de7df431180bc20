"""Lock-free building blocks on versioned registers: some node always gets on, whatever becomes of the others.

`queue` is a queue that many push to and nobody locks, `pushers` are handlers that use it and what is right of them,
`stateless` is the handler that two nodes may run at once, `flawed` what goes wrong when one of its parts is left out.
`cas` compares values with versions, `progress` three ways to push, `weaker` are registers that promise less,
`memory` registers without a node, and `estimate` how seldom all nodes are down at once.
"""

from .queue import Queue
from .stateless import hourly_means, stateless

__all__ = ["Queue", "hourly_means", "stateless"]

"""Lock-free building blocks on versioned registers: some node always gets on, whatever becomes of the others.

`queue` is a queue that many push to and nobody locks, `stateless` the handler that two nodes may run at once,
`flawed` what goes wrong when one of its parts is left out.
"""

from .queue import Queue
from .stateless import hourly_means, stateless

__all__ = ["Queue", "hourly_means", "stateless"]

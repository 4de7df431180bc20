"""One run: handlers in greenlets on memory stores, in one process, in milliseconds.

`world` runs them under a fault plan, `replay` by the decisions of a schedule, both by way of `hub`. A life that waits
for its turn is `suspended`; `isolation` keeps what one life leaves in its process from the next.
"""

from .world import simulate

__all__ = ["simulate"]

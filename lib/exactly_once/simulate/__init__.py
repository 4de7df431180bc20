"""The simulated world: handlers in greenlets on memory stores, in one process, in milliseconds.

`world` runs one schedule under a fault plan; `sandbox` runs learners' code in a child process that can be killed.
"""

from .world import simulate

__all__ = ["simulate"]

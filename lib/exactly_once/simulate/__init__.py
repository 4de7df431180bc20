"""The simulated world: handlers in greenlets on memory stores, in one process, in milliseconds.

`world` runs one schedule under a fault plan, `prove` explores all of them, `sandbox` runs learners' code in a child,
`delivery` runs a producer and a consumer over one log, `moments` reads step by step what happened, and `prediction`
counts beforehand what comes of it.
Behind `prove`: `automaton`, `contents`, `ways` and `search` explore, `specification` and `progress` judge, `schedule`
performs.
"""

from .prove import prove, replay
from .prove_safely import prove_safely
from .world import simulate

__all__ = ["prove", "prove_safely", "replay", "simulate"]

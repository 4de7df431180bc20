"""One schedule, step for step, with real processes: `gate` lets each process take its step when it is due."""

from .replay import replay_on_cluster

__all__ = ["replay_on_cluster"]

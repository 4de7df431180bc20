"""Running handlers as tasks of the cluster: a crash is a SIGKILL, and Spark's retry is the next incarnation.

`tasks` runs handlers under a fault plan, `live` until somebody stops them.
"""

from .live import LiveRun
from .tasks import run_many, run_on_cluster

__all__ = ["LiveRun", "run_many", "run_on_cluster"]

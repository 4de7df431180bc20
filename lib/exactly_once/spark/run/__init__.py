"""Running handlers as tasks of the cluster: a crash is a SIGKILL, and Spark's retry is the next incarnation.

`tasks` runs handlers under a fault plan, `live` until somebody stops them, `speculation` one task and the copy that
Spark starts of it.
"""

from .live import LiveRun
from .speculation import run_speculatively
from .tasks import run_many, run_on_cluster

__all__ = ["LiveRun", "run_many", "run_on_cluster", "run_speculatively"]

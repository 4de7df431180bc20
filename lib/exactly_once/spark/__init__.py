"""The course on a real Spark cluster: starting one, knowing its processes, and running handlers as its tasks.

`cluster` starts and stops the session and knows its processes, `run` runs handlers as its tasks, `task` is the work
of such a task in its worker; `experiments` has what chapters carry out, and `streaming` the queries of Spark's own
engine. Importing this package does not import PySpark.
"""

from ..doors import open_door
from .cluster.cluster import cluster, stop_cluster

__all__ = ["cluster", "stop_cluster"]

open_door(
    __name__,
    {
        "cluster.settings": "nameless",
        "run.cluster_replay": "replay_many",
        "run.tasks": "Prepared in_turn",
        "run.twins": "Twins",
    },
)

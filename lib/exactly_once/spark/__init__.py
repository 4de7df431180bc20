"""The course on a real Spark cluster: starting one, knowing its processes, and running handlers as its tasks.

`cluster` starts and stops the session and knows its processes, `run` runs handlers as its tasks, `task` is what such
a task does in its worker; `replay` carries out one schedule step for step, `sample` draws random ones, `clocks` is
the clocks' part; `delivery` runs both sides of a log, `transforming` what consumes and produces in
transactions, `brokers` kills the leader of three.
Importing this package does not import PySpark.
"""

from .cluster.cluster import cluster, stop_cluster

__all__ = ["cluster", "stop_cluster"]

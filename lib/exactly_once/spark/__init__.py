"""The course on a real Spark cluster: starting one, knowing its processes, and running handlers as its tasks.

`cluster` starts and stops the session, `lease` keeps it to one a machine, `archive` makes the start quick,
`processes` knows and kills its processes, `java` finds the Java, `delivery` runs both sides of a log.
Importing this package does not import PySpark.
"""

from .cluster.cluster import cluster, stop_cluster

__all__ = ["cluster", "stop_cluster"]

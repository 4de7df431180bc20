"""Structured Streaming for real: queries in a driver process of their own, which is killed at exact places.

`query` runs a query through its lives, and `life` is one life: the driver's process. `source` is the Python data
source of the stream, `averages` the query over it, `sinks` what foreachBatch calls, `places` the places A to E at which a
driver can be killed; `checkpoint` reads what the engine has written. Importing this package does not import PySpark.
"""

from .checkpoint import Checkpoint, checkpoint_of
from .query import QueryRun, run_query

__all__ = ["Checkpoint", "QueryRun", "checkpoint_of", "run_query"]

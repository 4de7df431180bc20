"""Structured Streaming for real: queries in a driver process of their own, which is killed at exact places.

`query` runs a query through its lives, `life` is one life, the driver's process, and `result` what is left of them.
`source` is the Python data source of the stream, `averages` the query over it, `sinks` has what foreachBatch calls,
`places` the places A to E at which a driver can be killed; `checkpoint` reads what the engine has written. Within one
session, `conditions` breaks each condition of exactly-once by a `trial`, `state` reads the store of the state, and
`said` makes a sentence of Spark's errors. Importing this package does not import PySpark.
"""

from .averages import averages, averages_query, drop_hours
from .checkpoint import Checkpoint, checkpoint_of
from .query import run_query
from .result import QueryRun

__all__ = ["Checkpoint", "QueryRun", "averages", "averages_query", "checkpoint_of", "drop_hours", "run_query"]

"""Structured Streaming for real: queries in a driver process of their own, which is killed at exact places.

`query` runs a query through its lives, `life` is one life, the driver's process, and `result` what is left of them.
`source` is the Python data source of the stream, `averages` the query over it, `sinks` has what foreachBatch calls,
`places` the places A to E at which a driver can be killed; `checkpoint` reads what the engine has written.
`in_the_sink` kills the tasks of a query: `written` has sinks as Python data sources, `calls` what Spark called
there. Within one session, `conditions` breaks each condition of exactly-once by a `trial`, and `state` reads the
store of the state. `failures` says why a query failed, `said` makes a sentence of Spark's errors. Importing this
package does not import PySpark.
"""

from .averages import averages, averages_query, drop_hours
from .checkpoint import Checkpoint, checkpoint_of
from .failures import finish
from .in_the_sink import SinkRun, kill_in_the_sink
from .query import run_query
from .result import QueryRun

__all__ = [
    "Checkpoint",
    "QueryRun",
    "SinkRun",
    "averages",
    "averages_query",
    "checkpoint_of",
    "drop_hours",
    "finish",
    "kill_in_the_sink",
    "run_query",
]

"""Structured Streaming for real: queries that are killed at exact places, and what is left of them.

`driver` runs a query in a process of its own and kills that process; `tasks` kills the tasks of a query within its
sink's write; `conditions` breaks each condition of exactly-once. `source` is the Python data source of the stream,
`averages` the query over it, `sinks` has the functions for foreachBatch. `checkpoint` reads the engine's files,
`finish` runs a query to its end. Importing this package does not
import PySpark.
"""

from .averages import averages, drop_hours
from .checkpoint import Checkpoint, checkpoint_of
from .driver.query import run_query
from .driver.result import QueryRun
from .finish import finish
from .tasks.in_the_sink import SinkRun, kill_in_the_sink

__all__ = [
    "Checkpoint",
    "QueryRun",
    "SinkRun",
    "averages",
    "checkpoint_of",
    "drop_hours",
    "finish",
    "kill_in_the_sink",
    "run_query",
]

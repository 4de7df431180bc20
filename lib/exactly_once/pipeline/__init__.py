"""The example: two streams of temperatures, a window over them, and the job of the stream handler.

`series` reads the data, `window` holds the last hours of it, `job` is the source that a node is given, `case` checks
what a run is given.
"""

from .job import Job
from .window import Reading, TimedReading, Window

__all__ = ["Job", "Reading", "TimedReading", "Window"]

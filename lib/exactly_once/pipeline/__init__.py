"""The example: two streams of temperatures, a window over them, and the job of the stream handler.

`series` reads the data, `window` holds the last hours of it, `job` is a node's source, and checks a run's arguments.
"""

from .job import Handlers, Job, checked_case, programs_of
from .window import Reading, Window, spans

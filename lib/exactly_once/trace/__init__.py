"""The flight recorder: every step of every life, stamped with a Lamport clock.

`events` holds what is recorded and puts it in order; `recorder` keeps it where a SIGKILL cannot take it away.
"""

from .events import Event, Trace
from .recorder import FileRecorder, MemoryRecorder

__all__ = ["Event", "FileRecorder", "MemoryRecorder", "Trace"]

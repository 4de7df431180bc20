"""The flight recorder: every step of every incarnation, stamped with a Lamport clock.

`events` defines the recorded events and their order; `recorder` keeps the events where a SIGKILL cannot remove them.
"""

from .events import Event, Trace
from .recorder import FileRecorder, MemoryRecorder

__all__ = ["Event", "FileRecorder", "MemoryRecorder", "Trace"]

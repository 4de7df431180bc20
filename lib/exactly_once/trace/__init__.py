"""The flight recorder: every step of every incarnation, stamped with a Lamport clock.

`events` has the events, the recorders that keep them and their order; `shiviz` has them as a history.
"""

from .events import Event, FileRecorder, MemoryRecorder, Trace

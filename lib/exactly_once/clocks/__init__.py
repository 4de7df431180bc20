"""Logical clocks, and histories of events to stamp with them (L. Lamport, CACM 21(7), 1978; Mattern; Fidge).

`stamps` holds the two clocks, `history` a run of events with all facts that follow from its messages.
"""

from ..doors import open_door
from .history import Event, History, random_history
from .stamps import LamportClock, VectorClock, total_order

open_door(__name__)

"""Stores: what survives a crash. One interface, kept by a store in memory and by one in a SQLite file.

`operations` are what can be asked, each a function of contents; more of them are in `queue` and `in_doubt` (prepared
transactions). `interface` says what a store answers, `codec` which values it keeps, `memory` and `sqlite` keep them,
the latter in a `file` opened with care; in `served` one process has them for others. `describe` puts them in words.
"""

from . import in_doubt, queue
from .interface import Origin, Reply, Store
from .memory import MemoryStore
from .operations import Blocked
from .sqlite import SQLiteStore

__all__ = ["Blocked", "MemoryStore", "Origin", "Reply", "SQLiteStore", "Store", "in_doubt", "queue"]

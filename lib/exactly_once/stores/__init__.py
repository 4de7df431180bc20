"""Stores: what survives a crash. One interface, kept by a store in memory and by one in a SQLite file.

`interface` says what a store answers, `codec` which values it keeps, `memory` and `sqlite` keep them, the latter in a
`file` opened with care.
"""

from .interface import Blocked, Origin, Reply, Store
from .memory import MemoryStore
from .sqlite import SQLiteStore

__all__ = ["Blocked", "MemoryStore", "Origin", "Reply", "SQLiteStore", "Store"]

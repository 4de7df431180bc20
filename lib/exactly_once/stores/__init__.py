"""Stores: the data that survives a crash. One interface, kept by a store in memory and by one in a SQLite file.

`operations` are the possible requests, each a function of contents; more of them are in `queue` and `in_doubt`
(prepared transactions). `interface` is the interface of a store, with the store in memory. `codec` has the form of
its values, and puts them in words. `sqlite` keeps them in a `file` opened with care; in `served` one process has
them for others; `optimistic` is for those on a server, which other processes change as well.
"""

from ..doors import open_door
from . import in_doubt, queue
from .interface import MemoryStore, Origin, Reply, Store
from .operations import Blocked
from .sqlite import SQLiteStore

open_door(__name__)

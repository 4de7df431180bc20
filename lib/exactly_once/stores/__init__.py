"""Stores: the data that survives a crash. One interface, kept by a store in memory and by one in a SQLite file.

`operations` are the possible requests, each a function of contents; more of them are in `in_doubt` (prepared
transactions) and `isolation` (rows at the levels of SQL). `interface` is the interface of a store, with the store in
memory. `codec` has the form of its values, and puts them in words. `sqlite` keeps them in a file opened with care; in
`served` one process has them for others.
"""

from ..doors import open_door
from . import in_doubt
from .codec import Value, decode, describe, encode, tuples
from .interface import MemoryStore, Origin, Reply, Store
from .operations import Blocked
from .sqlite import SQLiteStore

open_door(__name__, {"operations": "KINDS NoInput OPERATIONS is_held", "served": "Link ServedStore Service WHERE"})

"""A database of rows whose transactions run at once, each at the isolation level of a real product."""

from .transactions import LEVELS, Database, DatabaseLocked, SerializationFailure

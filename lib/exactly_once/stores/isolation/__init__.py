"""A database of rows whose transactions run at once, each at the isolation level of a real product."""

from .errors import DatabaseLocked, SerializationFailure
from .transactions import LEVELS, Database

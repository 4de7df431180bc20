"""The parts of a database of rows as plain values: isolation levels, a transaction, the database; and its errors."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from ...errors import CourseError
from ..operations import Blocked


class RowLocked(Blocked):
    """A statement that has to wait until the transaction of the incarnation `holder` has ended."""

    def __init__(self, message: str, holder: int) -> None:
        super().__init__(message)
        self.holder = holder


class SerializationFailure(CourseError):
    """SQLSTATE 40001: the transaction is rolled back, and has to be run again from its first statement."""

    sqlstate = "40001"


class DatabaseLocked(SerializationFailure):
    """SQLITE_BUSY, "database is locked": this transaction has read, and cannot write any more. Roll it back."""


REFUSALS = {"40001": SerializationFailure, "SQLITE_BUSY": DatabaseLocked}


Row: TypeAlias = str
Held: TypeAlias = int | str | None  # the value of a row
Rows: TypeAlias = tuple[tuple[Row, Held], ...]  # sorted by row

POSTGRESQL, INNODB, SQLITE = "PostgreSQL", "InnoDB", "SQLite"
LEVELS = {
    "read committed": POSTGRESQL,
    "repeatable read": INNODB,
    "snapshot": POSTGRESQL,
    "serializable": POSTGRESQL,
    "deferred": SQLITE,
    "immediate": SQLITE,
}
CALLED = {  # each product's name of the level
    "read committed": "PostgreSQL: READ COMMITTED",
    "repeatable read": "MySQL: REPEATABLE READ",
    "snapshot": "PostgreSQL: REPEATABLE READ",
    "serializable": "PostgreSQL: SERIALIZABLE",
    "deferred": "SQLite: BEGIN",
    "immediate": "SQLite: BEGIN IMMEDIATE",
}
ALL = "*"  # in the rows that a transaction has read: all rows, also future ones
DATABASE = "the database"  # SQLite's one lock


class Transaction(NamedTuple):
    """An open transaction, or one that has committed while others that ran beside it are open.

    `snapshot` are the rows as they stood when it was taken, None before. `written` are its own new values, whose rows
    are locked, `locked` further rows that it holds. `changed` are the rows that others have committed since the
    snapshot. The rest is for the level "serializable": `reads` are the rows that it has read; `before` are the
    numbers of those whose commit its snapshot shows; `doomed` tells that it has to fail.
    """

    number: int
    life: int
    level: str
    snapshot: Rows | None = None
    written: Rows = ()
    locked: tuple[Row, ...] = ()
    changed: tuple[Row, ...] = ()
    reads: tuple[Row, ...] = ()
    before: tuple[int, ...] = ()
    doomed: bool = False

    @property
    def keeps_snapshot(self) -> bool:
        """Whether all its reads show the rows as they stood at the first one."""
        return self.level not in ("read committed", "immediate")


class Database(NamedTuple):
    """Committed rows, open transactions by incarnation, and concurrent serializable ones in their commit order."""

    rows: Rows = ()
    open: tuple[Transaction, ...] = ()
    done: tuple[Transaction, ...] = ()

    @classmethod
    def of(cls, rows: Mapping[Row, Held]) -> "Database":
        """Return a database that holds these rows."""
        return cls(in_order(rows))

    def of_life(self, life: int) -> Transaction | None:
        """Return the transaction that is open for an incarnation, or None."""
        return next((one for one in self.open if one.life == life), None)


def in_order(rows: Mapping[Row, Held]) -> Rows:
    """Return rows as a database keeps them."""
    return tuple(sorted(rows.items()))


def holder(database: Database, life: int, row: Row) -> Transaction | None:
    """Return the open transaction of another incarnation that holds the lock of a row, or None."""
    return next((one for one in database.open if one.life != life and row in _locks(one)), None)


def _locks(one: Transaction) -> Iterable[Row]:
    return (*one.locked, *(row for row, _ in one.written))

"""The errors of a database for a transaction that it cannot continue."""

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

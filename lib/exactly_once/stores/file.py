"""A SQLite file as all of the course's stores use it: opened with care, explained when it fails.

Write-ahead log, `BEGIN IMMEDIATE` for every transaction that writes (a deferred transaction that reads and then
writes fails with "locked", even with a timeout), and a busy timeout. No connection can attach a second file, so two
files cannot share a transaction. Source: SQLite's own documentation, "Write-Ahead Logging" and "PRAGMA Statements".
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator

from ..errors import CourseError
from ..paths import FileName, file_named

PATIENCE_SECONDS = 60
AGAIN = "delete it and run again"  # the advice for a file that a run makes for itself


class SQLiteFile:
    """One SQLite file of a kind, in one thread, unless `ONE_THREAD` is False.

    A subclass names its kind: `WHAT` in words, `APPLICATION` in the file's header, `VERSION` of its `SCHEMA`, and
    what to do about a damaged one, `REMEDY`, or about an error without a remedy of its own, `OTHERWISE`. The other
    three are SQLite's settings of these names.
    """

    WHAT, APPLICATION, VERSION, SCHEMA, REMEDY = "file", 0, 0, "", AGAIN
    OTHERWISE = "Delete the file if it can be made again, and run again."
    SYNCHRONOUS, CHECKPOINT_PAGES, PAGE_BYTES = "NORMAL", 1000, 4096
    ONE_THREAD = True  # False for a subclass that lets threads use it in turn

    def __init__(self, path: FileName) -> None:
        self.path = file_named(f"The path of a {self.WHAT}", path)
        with self.explained():
            self._refuse_foreign()
            self.connection = sqlite3.connect(
                self.path, timeout=PATIENCE_SECONDS, isolation_level=None, check_same_thread=self.ONE_THREAD
            )
            try:
                self._prepare()
            except BaseException:
                self.connection.close()
                raise

    def _prepare(self) -> None:
        self.connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        self.connection.execute(f"PRAGMA busy_timeout = {int(PATIENCE_SECONDS * 1000)}")
        self.connection.execute(f"PRAGMA page_size = {self.PAGE_BYTES}")
        self._patiently("PRAGMA journal_mode = WAL")
        self.connection.execute(f"PRAGMA synchronous = {self.SYNCHRONOUS}")
        self.connection.execute(f"PRAGMA wal_autocheckpoint = {self.CHECKPOINT_PAGES}")
        if self._header("application_id") != self.APPLICATION:
            with self.transaction():
                if self._header("application_id") != self.APPLICATION:
                    for statement in self.SCHEMA.split(";"):
                        self.connection.execute(statement)
                    self.connection.execute(f"PRAGMA application_id = {self.APPLICATION}")
                    self.connection.execute(f"PRAGMA user_version = {self.VERSION}")

    def _header(self, name: str) -> int:
        return self.connection.execute(f"PRAGMA {name}").fetchone()[0]

    def _refuse_foreign(self) -> None:
        """Look into a file that is there already, read-only: even changing the journal's mode would change it."""
        if not os.path.isfile(self.path) or os.path.getsize(self.path) == 0:
            return
        address = f"{self.path.resolve().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=PATIENCE_SECONDS)) as connection:
            connection.execute("BEGIN")  # one moment of the file, which another process may be filling
            application, version, tables = (
                connection.execute(query).fetchone()[0]
                for query in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
            )
        if application != self.APPLICATION and (application or tables):
            raise CourseError(
                f"{self.path} is a SQLite file of another program. "
                "Name a new file, or move this one away; it was not changed."
            )
        if application == self.APPLICATION and version != self.VERSION:
            raise CourseError(
                f"{self.path} is a {self.WHAT} in format {version}, and this version of the course reads format "
                f"{self.VERSION}. Use the version that made it, or name a new file; it was not changed."
            )

    def _patiently(self, statement: str) -> sqlite3.Cursor:
        """Run a statement for which SQLite does not honour its own busy timeout (a change of the journal's mode)."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self.connection.execute(statement)
            except sqlite3.OperationalError as why:
                if "locked" not in str(why) or time.monotonic() > deadline:
                    raise
                time.sleep(0.005)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one transaction: all of it, or nothing when the block raises or the process dies."""
        try:
            self._patiently("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as why:
            raise self._error(str(why)) from why

    @contextlib.contextmanager
    def explained(self) -> Iterator[None]:
        """Turn SQLite's errors into sentences with the file and the remedy."""
        try:
            yield
        except sqlite3.Error as why:
            raise self._error(str(why)) from why

    def _error(self, message: str) -> CourseError:
        return CourseError(f"The {self.WHAT} {self.path} failed: {message.rstrip('.')}. {self._remedy(message)}")

    def _remedy(self, message: str) -> str:
        """Return advice for a person on an error of SQLite."""
        for sign, remedy in {
            "not a database": "It is no SQLite file: name a new file, or delete this one if you do not need it.",
            "decode": f"The file is damaged: {self.REMEDY}.",
            "malformed": f"The file is damaged: {self.REMEDY}.",
            "full": "The disk is full: free some space and run again; what was committed is safe.",
            "readonly": "The file or its folder cannot be written: choose a folder that you may write.",
            "unable to open": "It is a folder, or its folder does not exist or cannot be written: "
            "name a file in a folder that you may write.",
            "locked": f"Another process held it for over {PATIENCE_SECONDS} seconds: stop that process and run "
            f"again.",
            "thread": f"Open the {self.WHAT} again in the thread that uses it.",
            "closed": f"Open the {self.WHAT} again.",
            "no such table": f"It was changed by another program: {self.REMEDY}.",
        }.items():
            if sign in message:
                return remedy
        return self.OTHERWISE

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

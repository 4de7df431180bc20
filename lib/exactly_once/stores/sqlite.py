"""A store in one SQLite file, which survives the SIGKILL of any process that uses it; and how the file is opened.

All of the course's SQLite files are opened with care, and explained when they fail: write-ahead log, a busy timeout,
and `BEGIN IMMEDIATE` for every transaction that writes (a deferred transaction that reads and then writes fails with
"locked", even with a timeout). No connection can attach a second file, so two files cannot share a transaction.
A store's `synchronous=NORMAL` keeps every committed transaction when a process dies, and the file whole when the
power fails, though the last transactions may then be missing. Source: SQLite's own documentation, "Write-Ahead
Logging" and "PRAGMA Statements".
"""

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from ..errors import CourseError
from ..paths import FileName, file_named
from .codec import tuples
from .interface import SQLStore
from .operations import KINDS, Content

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


SCHEMA = """
CREATE TABLE parts (kind TEXT NOT NULL, part TEXT NOT NULL, content TEXT NOT NULL,
                    PRIMARY KEY (kind, part)) WITHOUT ROWID;
CREATE TABLE clocks (part TEXT PRIMARY KEY, stamp INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE journal (number INTEGER PRIMARY KEY, part TEXT, verb TEXT, value TEXT, life INTEGER, step INTEGER,
                      item INTEGER, received INTEGER, sent INTEGER, inputs TEXT, place INTEGER,
                      wall REAL);
"""


class SQLiteStore(SQLiteFile, SQLStore):
    """One system in one SQLite file. A connection belongs to the thread that opened it.

    Raises `BadInput` for a path that names no file, and `CourseError` when the file cannot be opened, or is no store
    of this course.
    """

    WHAT, APPLICATION, VERSION, SCHEMA = "store", 0x45584F31, 2, SCHEMA
    REMEDY = "delete it and run again; a run makes its own files"

    def __init__(self, path: FileName) -> None:
        super().__init__(path)
        self.name = self.path.stem

    def _changing(self) -> AbstractContextManager[object]:
        return self.transaction()

    def _looking(self) -> AbstractContextManager[object]:
        return self.explained()

    def _get(self, kind: str, part: str) -> Content:
        query = "SELECT content FROM parts WHERE kind = ? AND part = ?"
        row = self.connection.execute(query, (kind, part)).fetchone()
        return KINDS[kind].empty if row is None else _read(row[0])

    def _put(self, kind: str, part: str, content: Content) -> None:
        if content == KINDS[kind].empty:
            self.connection.execute("DELETE FROM parts WHERE kind = ? AND part = ?", (kind, part))
        else:
            self.connection.execute(
                "INSERT OR REPLACE INTO parts VALUES (?, ?, ?)", (kind, part, json.dumps(content))
            )

    def _rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.connection.execute(statement, values).fetchall()


def _read(text: str) -> Content:
    """Return a content that was written down as JSON: its lists are tuples."""
    return tuples(json.loads(text))

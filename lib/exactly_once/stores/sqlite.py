"""A store in one SQLite file, which survives the SIGKILL of any process that uses it.

Write-ahead log, `BEGIN IMMEDIATE` for every operation (a deferred transaction that reads and then writes fails with
"locked" whatever its timeout), and a busy timeout. `synchronous=NORMAL` keeps every committed transaction when a
process dies, and the file whole when the power fails, though the last transactions may then be missing.
No connection can attach a second file, so two stores cannot share a transaction.
"""

import contextlib
import os
import sqlite3
import time
from dataclasses import fields

from ..errors import CourseError
from ..paths import file_named
from .codec import decode, encode
from .interface import Entry, Reply, Store, checked_sum, journal_entry

APPLICATION = 0x45584F31
PATIENCE_SECONDS = 60
SCHEMA = """
CREATE TABLE cells (part TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (log TEXT NOT NULL, offset INTEGER NOT NULL, value TEXT NOT NULL,
                      PRIMARY KEY (log, offset)) WITHOUT ROWID;
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE clocks (part TEXT PRIMARY KEY, stamp INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE journal (number INTEGER PRIMARY KEY, part TEXT, verb TEXT, value TEXT, life INTEGER, step INTEGER,
                      item INTEGER, received INTEGER, sent INTEGER, inputs TEXT);
"""
PLACES = ", ".join("?" for _ in fields(Entry))  # the journal's columns are an entry's fields, in this order


class SQLiteStore(Store):
    """One system in one SQLite file. A connection belongs to the thread that opened it.

    Raises `BadInput` for a path that names no file, and `CourseError` when the file cannot be opened, or is no store of
    this course.
    """

    def __init__(self, path, name=None):
        self.path = file_named("The path of a store", path)
        self.name = name or self.path.stem
        with self._explained():
            self._refuse_foreign()
            self.connection = sqlite3.connect(self.path, timeout=PATIENCE_SECONDS, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self.connection.close()
                raise

    def _prepare(self):
        with self._explained():
            self.connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            self.connection.execute(f"PRAGMA busy_timeout = {PATIENCE_SECONDS * 1000}")
            self._patiently("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
            if self._application() == APPLICATION:
                return
            with self.transaction():
                if self._application() == APPLICATION:
                    return
                for statement in SCHEMA.split(";"):
                    self.connection.execute(statement)
                self.connection.execute(f"PRAGMA application_id = {APPLICATION}")

    def _refuse_foreign(self):
        """Look into a file that is there already, read-only: even changing the journal's mode would change it."""
        if not os.path.isfile(self.path) or os.path.getsize(self.path) == 0:
            return
        address = f"{self.path.resolve().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=PATIENCE_SECONDS)) as connection:
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application != APPLICATION and (application or tables):
            raise CourseError(
                f"{self.path} is a SQLite file of another program. "
                "Name a new file, or move this one away; it was not changed."
            )

    def _application(self):
        return self.connection.execute("PRAGMA application_id").fetchone()[0]

    def _patiently(self, statement):
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
    def transaction(self):
        """Run the block as one transaction: all of it, or nothing when the block raises or the process dies."""
        with self._explained():
            self._patiently("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _explained(self):
        """Turn SQLite's errors into sentences with the file and the remedy."""
        try:
            yield
        except sqlite3.Error as why:
            raise CourseError(f"The store {self.path} failed: {why}. {_remedy(str(why))}") from why

    def _do(self, part, verb, arguments, origin):
        with self.transaction() as connection:
            value, noted = getattr(self, f"_{verb}")(connection, part, *arguments)
            row = connection.execute("SELECT stamp FROM clocks WHERE part = ?", (part,)).fetchone()
            entry = journal_entry(row[0] if row else 0, part, verb, encode(noted), origin)
            connection.execute("INSERT OR REPLACE INTO clocks VALUES (?, ?)", (part, entry.sent))
            columns = vars(entry) | {"inputs": encode(entry.inputs)}
            connection.execute(f"INSERT INTO journal VALUES (NULL, {PLACES})", tuple(columns.values()))
        return Reply(value, entry.received, entry.sent)

    def _version(self, connection, part):
        return connection.execute("SELECT version, value FROM cells WHERE part = ?", (part,)).fetchone() or (0, "null")

    def _read(self, connection, part):
        version, text = self._version(connection, part)
        return [version, decode(text)], None

    def _write(self, connection, part, value):
        version = self._version(connection, part)[0] + 1
        connection.execute("INSERT OR REPLACE INTO cells VALUES (?, ?, ?)", (part, version, encode(value)))
        return version, value

    def _cas(self, connection, part, expected, value):
        if self._version(connection, part)[0] != expected:
            return False, None
        self._write(connection, part, value)
        return True, value

    def _append(self, connection, part, value):
        offset = self._end(connection, part)
        connection.execute("INSERT INTO records VALUES (?, ?, ?)", (part, offset, encode(value)))
        return offset, value

    def _end(self, connection, part):
        return connection.execute("SELECT coalesce(max(offset) + 1, 0) FROM records WHERE log = ?", (part,)).fetchone()[
            0
        ]

    def _fetch(self, connection, part, offsets, limit):
        found = {}
        for stream, offset in offsets.items():
            rows = connection.execute(
                "SELECT value FROM records WHERE log = ? AND offset >= ? ORDER BY offset LIMIT ?",
                (f"{part}.{stream}", offset, limit),
            )
            found[stream] = [decode(text) for (text,) in rows]
        return found, None

    def _add(self, connection, part, number):
        value = checked_sum(part, self._row(connection, part), number)
        connection.execute("INSERT OR REPLACE INTO counters VALUES (?, ?)", (part, value))
        return value, value

    def _row(self, connection, part):
        row = connection.execute("SELECT value FROM counters WHERE name = ?", (part,)).fetchone()
        return row[0] if row else 0

    def fill(self, part, values):
        """Append many values to a log in one transaction; no clock ticks."""
        with self.transaction() as connection:
            start = self._end(connection, part)
            rows = ((part, start + number, encode(value)) for number, value in enumerate(values))
            connection.executemany("INSERT INTO records VALUES (?, ?, ?)", rows)

    def _look(self, part, kind):
        with self._explained():
            if kind == "cell":
                return decode(self._version(self.connection, part)[1])
            if kind == "log":
                rows = self.connection.execute("SELECT value FROM records WHERE log = ? ORDER BY offset", (part,))
                return [decode(text) for (text,) in rows]
            return self._row(self.connection, part)

    def journal(self, after=0):
        """Return the journal's entries from number `after` on."""
        with self._explained():
            rows = self.connection.execute(
                "SELECT part, verb, value, life, step, item, received, sent, inputs FROM journal "
                "WHERE number > ? ORDER BY number",
                (after,),
            ).fetchall()
        return [Entry(*row[:2], decode(row[2]), *row[3:8], tuple(map(tuple, decode(row[8])))) for row in rows]

    def close(self):
        """Close the connection."""
        self.connection.close()


def _remedy(message):
    """Return what a person can do about an error of SQLite."""
    for sign, remedy in {
        "not a database": "It is no SQLite file: name a new file, or delete this one if you do not need it.",
        "malformed": "The file is damaged: delete it and run again; a run makes its own files.",
        "full": "The disk is full: free some space and run again; what was committed is safe.",
        "readonly": "The file or its folder cannot be written: choose a folder that you may write.",
        "unable to open": "It is a folder, or its folder does not exist or cannot be written: "
        "name a file in a folder that you may write.",
        "locked": f"Another process held it for over {PATIENCE_SECONDS} seconds: stop that process and run again.",
        "thread": "Open the store again in the thread that uses it.",
        "closed": "Open the store again.",
        "no such table": "It was changed by another program: delete it and run again.",
    }.items():
        if sign in message:
            return remedy
    return "Delete the file if it can be made again, and run again."

"""A broker's disk in one SQLite file, one row a batch, which any number of processes append to and read at once.

What a killed process had committed is there, whole, and nothing else of it: SQLite hands a batch to the operating
system before the transaction ends. `flush` says what more is asked for. "system", the default, asks for nothing more,
as Kafka does by default and relies on the other replicas: a power cut or a crash of the operating system may lose the
last batches, and may damage the file. "checkpoint" flushes at each checkpoint of SQLite's write-ahead log: then only
the last batches may be lost. "always" flushes at each commit: then nothing is.

Every batch carries a CRC-32 of its header and its payload, and its reader compares. Source: SQLite's documentation,
"Write-Ahead Logging" and "PRAGMA synchronous"; Apache Kafka's message format v2.
"""

import contextlib
import os
import sqlite3
import zlib
from collections import Counter

from ..errors import BadInput, one_of
from ..stores.codec import decode, encode
from ..stores.file import SQLiteFile
from .errors import CorruptLog
from .records import HEADER, Batch
from .storage import Disk

FLUSH = {"system": "OFF", "checkpoint": "NORMAL", "always": "FULL"}
HEADER_BYTES = 100  # at the beginning of every SQLite file; a shorter one counts as new there
COLUMNS = ", ".join(HEADER)
SCHEMA = f"""
CREATE TABLE contents (name TEXT PRIMARY KEY, value BLOB NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE replicas (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, cuts INTEGER NOT NULL DEFAULT 0);
CREATE TABLE batches (replica INTEGER NOT NULL, {COLUMNS}, checksum INTEGER NOT NULL, payload BLOB NOT NULL,
                      PRIMARY KEY (replica, base));
"""
INSERT = f"INSERT INTO batches VALUES (?, {', '.join('?' for _ in HEADER)}, ?, ?)"
FROM = (  # the batch that holds offset `start` is the last that begins at or before it
    "FROM batches WHERE replica = ?1 AND base >= "
    "coalesce((SELECT max(base) FROM batches WHERE replica = ?1 AND base <= ?2), ?2) AND base + count > ?2"
)


class SQLiteDisk(SQLiteFile, Disk):
    """One broker's disk in one SQLite file, for one thread; others open the file again.

    `flush` is "system", "checkpoint" or "always"; without `create` the file has to be there. Raises `BadInput` for a
    path that names no file, `CorruptLog` for a file or a batch that is damaged, and `CourseError` for a file of another
    program or format, or one that cannot be used; each names the file.
    """

    WHAT, APPLICATION, VERSION, SCHEMA = "log", 0x454F4C47, 1, SCHEMA
    PAGE_BYTES = 32768  # measured: batches of 100 KB lie in few pages, and batches of 100 bytes lose little by it
    CHECKPOINT_PAGES = 64  # a write-ahead log of 2 MB stays in the processor's cache
    REMEDY = "put a copy of it back, or delete the log's folder and begin a new log"

    def __init__(self, path, name=None, flush="system", create=True):
        self.SYNCHRONOUS = FLUSH[one_of("flush", flush, FLUSH)]
        self._state = "idle"  # or "reading", or "writing"
        self._ids, self._seen = {}, {}  # replicas' numbers; their status, inside a transaction
        self._changed, self._undone = Counter(), Counter()  # how often, inside the transaction; and when it was undone
        if not create and (not os.path.exists(path) or os.path.getsize(path) < HEADER_BYTES):
            raise CorruptLog(f"The log {path} is missing, or empty. {self.REMEDY[0].upper()}{self.REMEDY[1:]}.")
        super().__init__(path)
        self.name = name or self.path.stem

    @contextlib.contextmanager
    def transaction(self):
        """Run the block as one transaction; one that begins inside another is part of it."""
        if self._state == "reading":
            raise BadInput(f"The log {self.path} is being read; end reading() before a transaction() begins.")
        if self._state == "writing":
            yield self
            return
        self._state = "writing"
        try:
            with super().transaction():
                yield self
        except BaseException:  # what was seen in it must not be taken for what comes now: `status` has to change
            self._undone += self._changed + Counter(self._changed.keys())
            self._ids.clear()
            raise
        finally:
            self._state = "idle"
            self._changed.clear()
            self._seen.clear()

    @contextlib.contextmanager
    def reading(self):
        """Run the block on one state of the file; writers go on meanwhile."""
        if self._state != "idle":
            yield self
            return
        with self.explained():
            self.connection.execute("BEGIN")
            self._state = "reading"
            try:
                yield self
            finally:
                self._state = "idle"
                self.connection.execute("COMMIT")

    def get(self, key, default=None):
        """Return the value under a key. Raises `CorruptLog` for one that is not what was kept."""
        row = self._one("SELECT value, checksum FROM contents WHERE name = ?", key)
        if row is None:
            return default
        if _checksum(key, row[0]) != row[1]:
            raise self._corrupt(f"what was kept under {key!r}")
        return decode(row[0].decode())

    def put(self, key, value):
        """Keep a value under a key."""
        text = encode(value).encode()
        self._change("INSERT OR REPLACE INTO contents VALUES (?, ?, ?)", key, text, _checksum(key, text))

    def status(self, replica):
        """Return (cuts, end)."""
        if replica in self._seen:
            return self._seen[replica]
        row = self._one(
            "SELECT cuts, (SELECT base + count FROM batches WHERE replica = id ORDER BY base DESC LIMIT 1) "
            "FROM replicas WHERE name = ?",
            replica,
        )
        cuts, end = row or (0, 0)
        found = cuts + self._undone[replica], end or 0
        if self._state == "writing":
            self._seen[replica] = found
        return found

    def append(self, replica, batch):
        """Add a batch."""
        cuts, end = self.status(replica)
        if batch.base < end:
            raise BadInput(f"{replica} ends at offset {end}; a batch with base offset {batch.base} overlaps it.")
        self._add(replica, batch)
        self._seen[replica] = cuts, batch.end

    def _add(self, replica, batch):
        number = self._id(replica, make=True)
        checksum = _checksum((replica, *batch[:-1]), batch.payload)
        self._change(INSERT, number, *batch[:-1], checksum, batch.payload)
        self._changed[replica] += 1

    def headers(self, replica, start=0):
        """Return batches without payloads."""
        with self.explained():
            rows = self.connection.execute(f"SELECT {COLUMNS} {FROM} ORDER BY base", (self._id(replica), start))
            return [Batch(*row) for row in rows]

    def batches(self, replica, start=0, limit=None, max_bytes=None):
        """Return batches with payloads. Raises `CorruptLog` for the first one that is not what was written."""
        return list(self.scan(replica, start, limit, max_bytes))

    def scan(self, replica, start=0, limit=None, max_bytes=None):
        """Yield batches with payloads, each read when it is asked for. Raises `CorruptLog` as `batches` does."""
        number, at = self._id(replica), start
        try:
            if max_bytes is not None:
                limit = self._limit(number, start, limit, max_bytes)
            most, values = ("", ()) if limit is None else (" AND base < ?3", (limit,))
            query = f"SELECT {COLUMNS}, payload, checksum {FROM}{most} ORDER BY base"
            for *fields, checksum in self.connection.execute(query, (number, start, *values)):
                batch = Batch._make(fields)
                if _checksum((replica, *fields[:-1]), batch.payload) != checksum:
                    what = f"the batch of {replica} at offset {batch.base}"
                    raise self._corrupt(what, "What stands before it can be read. ")
                yield batch
                at = batch.end
        except sqlite3.Error as why:
            raise self._error(str(why), f" while {replica} was read from offset {at}") from why

    def _limit(self, number, start, limit, max_bytes):
        """Return the base offset before which batches have `max_bytes` bytes together, or there is only one."""
        total = 0
        for base, size in self.connection.execute(f"SELECT base, size {FROM} ORDER BY base", (number, start)):
            if total and total + size > max_bytes:
                return base if limit is None else min(base, limit)
            total += size
        return limit

    def _corrupt(self, what, but=""):
        remedy = self.REMEDY[0].upper() + self.REMEDY[1:]
        return CorruptLog(f"The log {self.path} is damaged: {what} is not what was written. {but}{remedy}.")

    def truncate(self, replica, offset):
        """Take away the end of a log."""
        self._cut(replica, "AND base + count > ?", offset)

    def delete_before(self, replica, offset):
        """Take away the beginning of a log."""
        self._cut(replica, "AND base + count <= ?", offset)

    def replace(self, replica, start, end, batches):
        """Put batches in place of others."""
        self._cut(replica, "AND base >= ? AND base < ?", start, end)
        for batch in batches:
            self._add(replica, batch)
        self._seen.pop(replica, None)

    def _cut(self, replica, which, *offsets):
        number = self._id(replica, make=True)
        self._seen.pop(replica, None)
        self._change(f"DELETE FROM batches WHERE replica = ? {which}", number, *offsets)
        self._change("UPDATE replicas SET cuts = cuts + 1 WHERE id = ?", number)
        self._changed[replica] += 1

    def replicas(self):
        """Return the names of all replicas that have batches."""
        with self.explained():
            rows = self.connection.execute(
                "SELECT name FROM replicas WHERE EXISTS (SELECT 1 FROM batches WHERE replica = id) ORDER BY name"
            )
            return [name for (name,) in rows]

    def check(self):
        """Read the whole file and compare every checksum. Raises `CorruptLog` naming the file and what is damaged."""
        with self.explained():
            (found,) = self.connection.execute("PRAGMA integrity_check(1)").fetchone()
            names = [name for (name,) in self.connection.execute("SELECT name FROM contents")]
        if found != "ok":
            raise self._error(f"the database is malformed ({found})")
        for name in names:
            self.get(name)
        for replica in self.replicas():
            self.batches(replica)

    def _id(self, replica, make=False):
        """Return a replica's number, or -1 when it has none."""
        if replica not in self._ids:
            if make:
                self._change("INSERT OR IGNORE INTO replicas (name) VALUES (?)", replica)
            row = self._one("SELECT id FROM replicas WHERE name = ?", replica)
            if row is None:
                return -1
            self._ids[replica] = row[0]
        return self._ids[replica]

    def _one(self, query, *values):
        try:
            return self.connection.execute(query, values).fetchone()
        except sqlite3.Error as why:
            raise self._error(str(why)) from why

    def _change(self, statement, *values):
        if self._state != "writing":
            raise BadInput(f"The disk {self.name} is changed only inside its transaction().")
        try:
            self.connection.execute(statement, values)
        except sqlite3.Error as why:
            raise self._error(str(why)) from why

    def _error(self, message, where=""):
        if any(sign in message for sign in ("malformed", "not a database", "decode")):
            return CorruptLog(f"The log {self.path} failed{where}: {message}. {self._remedy(message)}")
        return super()._error(message)


def _checksum(header, payload):
    """Return the CRC-32 of something's place and header, and of its contents; None for contents that are no bytes."""
    return zlib.crc32(payload, zlib.crc32(repr(header).encode())) if isinstance(payload, bytes) else None

"""A broker's disk in one SQLite file, one row a batch, which any number of processes append to and read at once.

The committed batches of a killed process are there, whole, and no other part of its work is: SQLite hands a batch to
the operating system before the transaction ends. It is not flushed, as in Kafka, which by default relies on the other
replicas: a power cut or a crash of the operating system may lose the last batches, and may damage the file. While the
file is open, and after its process was killed, its newest batches lie in the -wal beside it: the two go together.

Every batch carries a CRC-32 of its header and payload, as in Kafka's message format v2, and so does every other
value: altered data is never returned as written data. Source: SQLite's documentation, "Write-Ahead Logging" and
"PRAGMA synchronous".
"""

import contextlib
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Self

from ...errors import BadInput, CourseError
from ...paths import FileName, file_named
from ...stores.codec import Value, decode, encode
from ...stores.sqlite import SQLiteFile
from ..log_errors import CorruptLog
from .records import HEADER, Batch

DAMAGE = ("malformed", "not a database", "decode", "no such table", "no such column")
HEADER_BYTES = 100  # at the beginning of every SQLite file; a shorter one counts as new there
NO_LIMIT = 2**63 - 1
COLUMNS = ", ".join(HEADER)
SCHEMA = f"""
CREATE TABLE contents (name TEXT PRIMARY KEY, value BLOB NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE cuts (replica TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE batches (
    replica TEXT NOT NULL, {COLUMNS}, checksum INTEGER NOT NULL, payload BLOB NOT NULL, PRIMARY KEY (replica, base)
)
"""
INSERT = f"INSERT INTO batches VALUES (?, {', '.join('?' for _ in HEADER)}, ?, ?)"
FROM = """
FROM batches WHERE replica = ?1 AND base < ?3 AND base + count > ?2 AND base >= coalesce(
    (SELECT base FROM batches WHERE replica = ?1 AND base <= ?2 ORDER BY base DESC LIMIT 1), ?2
) ORDER BY base
"""  # the batch that holds offset ?2 is the last that begins at or before it
STATUS = """
SELECT (SELECT number FROM cuts WHERE replica = ?1),
    (SELECT base + count FROM batches WHERE replica = ?1 ORDER BY base DESC LIMIT 1)
"""


class SQLiteDisk(SQLiteFile):
    """One broker's disk in one SQLite file, with the methods of `MemoryDisk`, for one thread; others open it again.

    Without `create` the file has to be there. Raises `BadInput` for a path that names no file, `CorruptLog` for a
    file or a batch that is damaged, and `CourseError` for a file of another program or format, or one that cannot be
    used; each names the file.
    """

    WHAT, APPLICATION, VERSION, SCHEMA, SYNCHRONOUS = "log", 0x454F4C47, 3, SCHEMA, "OFF"
    PAGE_BYTES = 32768  # measured: batches of 100 KB lie in few pages, and batches of 100 bytes lose little by it
    CHECKPOINT_PAGES = 64  # a write-ahead log of 2 MB stays in the processor's cache
    REMEDY = (
        "Put back a copy of the log's whole folder that was made while the log was closed, never a single file "
        "of it: what was written since is not in the copy."
    )
    OTHERWISE = (
        "Look after the disk and open the log again: what was committed is in this file and its -wal, keep both."
    )

    def __init__(self, path: FileName, create: bool = True) -> None:
        self._state = "idle"  # or "reading", or "writing"
        self._seen = {}  # {replica: its status} inside a transaction
        self._undone = 0  # transactions, by which no status is what it was
        path = file_named(f"The path of a {self.WHAT}", path)
        self.name = path.stem
        if not create and not (os.path.exists(path) and os.path.getsize(path) >= HEADER_BYTES):
            raise CorruptLog(f"The log {path} is missing, or empty. {self.REMEDY}")
        super().__init__(path)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Any]:
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
        except BaseException:
            self._undone += 1
            raise
        finally:
            self._state = "idle"
            self._seen.clear()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Self]:
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
                self._seen.clear()
                self.connection.execute("COMMIT")

    def get(self, key: str, default: Value = None) -> Value:
        """Return the value under a key. Raises `CorruptLog` if the stored value was altered."""
        with self.explained():
            row = self.connection.execute("SELECT value, checksum FROM contents WHERE name = ?", (key,)).fetchone()
        if row is None:
            return default
        if _checksum(key, row[0]) != row[1]:
            raise self._corrupt(f"what was kept under {key!r}")
        return decode(row[0].decode())

    def put(self, key: str, value: Value) -> None:
        """Keep a value under a key."""
        text = encode(value).encode()
        self._change("INSERT OR REPLACE INTO contents VALUES (?, ?, ?)", key, text, _checksum(key, text))

    def status(self, replica: str) -> tuple[int, int]:
        """Return (cuts, end)."""
        if replica in self._seen:
            return self._seen[replica]
        with self.explained():
            cuts, end = self.connection.execute(STATUS, (replica,)).fetchone()
        found = (cuts or 0) + self._undone, end or 0
        if self._state != "idle":
            self._seen[replica] = found
        return found

    def append(self, replica: str, batch: Batch) -> None:
        """Add a batch."""
        cuts, end = self.status(replica)
        if batch.base < end:
            raise BadInput(f"{replica} ends at offset {end}; a batch with base offset {batch.base} overlaps it.")
        self._add(replica, batch)
        self._seen[replica] = cuts, batch.end

    def _add(self, replica: str, batch: Batch) -> None:
        header, payload = batch[:-1], batch.payload
        self._change(INSERT, replica, *header, _checksum((replica, *header), payload), payload)

    def headers(self, replica: str, start: int = 0) -> list[Batch]:
        """Return batches without payloads."""
        with self.explained():
            rows = self.connection.execute(f"SELECT {COLUMNS} {FROM}", (replica, start, NO_LIMIT))
            return [Batch(*row) for row in rows]

    def batches(self, replica: str, start: int = 0, limit: int | None = None) -> list[Batch]:
        """Return batches with payloads. Raises `CorruptLog` for the first one that was altered."""
        with self.reading():
            return list(self.scan(replica, start, limit))

    def scan(self, replica: str, start: int = 0, limit: int | None = None) -> Iterator[Batch]:
        """Yield batches with payloads, each read when it is asked for. Raises `CorruptLog` as `batches` does."""
        with self.explained():
            for *header, payload, checksum in self.connection.execute(
                f"SELECT {COLUMNS}, payload, checksum {FROM}", (replica, start, NO_LIMIT if limit is None else limit)
            ):
                if _checksum((replica, *header), payload) != checksum:
                    what = f"the batch of {replica} at offset {header[0]}"
                    raise self._corrupt(what, "What stands before it can be read. ")
                yield Batch._make([*header, payload])

    def _corrupt(self, what: str, but: str = "") -> CorruptLog:
        return CorruptLog(f"The log {self.path} is damaged: {what} is not what was written. {but}{self.REMEDY}")

    def truncate(self, replica: str, offset: int) -> None:
        """Take away the end of a log."""
        self._cut(replica, "base + count > ?", offset)

    def delete_before(self, replica: str, offset: int) -> None:
        """Take away the beginning of a log."""
        self._cut(replica, "base + count <= ?", offset)

    def replace(self, replica: str, start: int, end: int, batches: Iterable[Batch]) -> None:
        """Put batches in place of others."""
        self._cut(replica, "base >= ? AND base < ?", start, end)
        for batch in batches:
            self._add(replica, batch)

    def _cut(self, replica: str, which: str, *offsets: int) -> None:
        self._change(f"DELETE FROM batches WHERE replica = ? AND {which}", replica, *offsets)
        self._change("INSERT INTO cuts VALUES (?, 1) ON CONFLICT DO UPDATE SET number = number + 1", replica)
        self._seen.pop(replica, None)

    def _change(self, statement: str, *values: Any) -> None:
        if self._state != "writing":
            raise BadInput(f"The disk {self.name} is changed only inside its transaction().")
        with self.explained():
            self.connection.execute(statement, values)

    def _error(self, message: str) -> CourseError:
        if any(sign in message for sign in DAMAGE):
            return CorruptLog(f"The log {self.path} failed: {message}. The file is damaged, or no log. {self.REMEDY}")
        return super()._error(message)

    def close(self) -> None:
        """Close the file."""
        with self.explained():
            self.connection.close()


def _checksum(place: object, data: object) -> int | None:
    """Return the CRC-32 of something's place and its bytes; None for contents that are no bytes."""
    return zlib.crc32(data, zlib.crc32(repr(place).encode())) if isinstance(data, bytes) else None

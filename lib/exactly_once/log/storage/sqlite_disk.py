"""A broker's disk in one SQLite file, one row a batch, which any number of processes append to and read at once.

The committed batches of a killed process are there, whole, and no other part of its work is: SQLite hands a batch to
the operating system before the transaction ends. It is not flushed, as in Kafka, which by default relies on the other
replicas: a power cut or a crash of the operating system may lose the last batches, and may damage the file.

Damage is found by the next read, and damaged data is never returned as written data. Every batch carries a CRC-32 of
its header, and one of both header and payload; it names the offset at which the batch before it ends, and its
replica's row where the last one ends, so that none is missing in between or at the end. The small tables, by whose
keys all else is found, are checked when the file is opened. While the file is open, and after its process was killed,
its newest batches lie in the -wal beside it: the two go together. Source: SQLite's documentation, "Write-Ahead
Logging" and "PRAGMA synchronous"; Apache Kafka's message format v2.
"""

import contextlib
import os
import sqlite3
import zlib
from collections import Counter

from ...errors import BadInput
from ...paths import file_named
from ...stores.codec import decode, encode
from ...stores.file import SQLiteFile
from ..errors import CorruptLog
from .disk import Disk
from .records import HEADER, Batch

DAMAGE = ("malformed", "not a database", "decode", "no such table", "no such column")
HEADER_BYTES = 100  # at the beginning of every SQLite file; a shorter one counts as new there
COLUMNS = ", ".join(HEADER)
SCHEMA = """
CREATE TABLE contents (name TEXT PRIMARY KEY, value BLOB NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE replicas (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, cuts INTEGER NOT NULL, last INTEGER NOT NULL
)
"""
# Each replica has a table of its own, to whose end it appends, by base offset: no index beside it can be wrong.
# `follows` is where the batch before it ends, 0 for the first; `seal` is the checksum of the header alone.
TABLE = (
    f"CREATE TABLE batches_%d (base INTEGER PRIMARY KEY, {', '.join(HEADER[1:])}, "
    "follows INTEGER NOT NULL, seal INTEGER NOT NULL, checksum INTEGER NOT NULL, payload BLOB NOT NULL)"
)
PLACES = ", ".join("?" for _ in (*HEADER, "follows", "seal", "checksum", "payload"))
FROM = (  # the batch that holds offset ?1 is the last that begins at or before it
    "FROM batches_%d WHERE base >= coalesce((SELECT max(base) FROM batches_%d WHERE base <= ?1), ?1) "
    "AND base + count > ?1"
)
LAST = "SELECT base + count FROM batches_%d ORDER BY base DESC LIMIT 1"


class SQLiteDisk(SQLiteFile, Disk):
    """One broker's disk in one SQLite file, for one thread; others open the file again.

    Without `create` the file has to be there. Raises `BadInput` for a
    path that names no file, `CorruptLog` for a file or a batch that is damaged, and `CourseError` for a file of
    another program or format, or one that cannot be used; each names the file.
    """

    WHAT, APPLICATION, VERSION, SCHEMA = "log", 0x454F4C47, 2, SCHEMA
    PAGE_BYTES = 32768  # measured: batches of 100 KB lie in few pages, and batches of 100 bytes lose little by it
    CHECKPOINT_PAGES = 64  # a write-ahead log of 2 MB stays in the processor's cache
    REMEDY = (
        "Put back a copy of the log's whole folder that was made while the log was closed, never a single file "
        "of it: what was written since is not in the copy."
    )
    OTHERWISE = (
        "Look after the disk and open the log again: what was committed is in this file and its -wal, keep both."
    )

    SYNCHRONOUS = "OFF"

    def __init__(self, path, create=True):
        self._state = "idle"  # or "reading", or "writing"
        self._ids, self._seen = {}, {}  # replicas' numbers; their status, inside a transaction
        # How often, inside the transaction; and when it was undone.
        self._changed, self._undone = Counter(), Counter()
        path = file_named(f"The path of a {self.WHAT}", path)
        self.name = path.stem
        if not create and not (os.path.exists(path) and os.path.getsize(path) >= HEADER_BYTES):
            raise CorruptLog(f"The log {path} is missing, or empty. {self.REMEDY}")
        super().__init__(path)

    def _prepare(self):
        super()._prepare()
        wanted = {statement.strip() for statement in self.SCHEMA.split(";")}
        with self.reading():  # of one state: another process may be adding a replica with its table
            look = self.connection.execute
            tables = {sql for (sql,) in look("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
            wanted |= {TABLE % number for (number,) in look("SELECT id FROM replicas")}
        if tables != wanted:
            raise CorruptLog(
                f"The log {self.path} is damaged: its tables are not those it was made with. {self.REMEDY}"
            )
        for table in ("contents", "replicas"):
            (found,) = self.connection.execute(f"PRAGMA integrity_check({table})").fetchone()
            if found != "ok":
                raise self._error(f"the database is malformed ({found})")
        for key, *_ in self.connection.execute("SELECT name FROM contents").fetchall():
            self.get(key)

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
        except BaseException:  # values read inside it are no longer valid: `status` has to change
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
                self._seen.clear()
                self.connection.execute("COMMIT")

    def get(self, key, default=None):
        """Return the value under a key. Raises `CorruptLog` if the stored value was altered."""
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
        number = self._id(replica)
        if number is None:
            return 0, 0
        query = f"SELECT cuts, last, coalesce(({LAST % number}), 0) FROM replicas WHERE id = ?"
        cuts, last, seen = self._one(query, number) or (None, None, None)
        if last != seen or not isinstance(cuts, int):
            raise self._corrupt(f"{replica}, whose last batch ends at offset {seen}, and it ended at {last},")
        found = cuts + self._undone[replica], last
        if self._state != "idle":
            self._seen[replica] = found
        return found

    def append(self, replica, batch):
        """Add a batch."""
        cuts, end = self.status(replica)
        if batch.base < end:
            raise BadInput(f"{replica} ends at offset {end}; a batch with base offset {batch.base} overlaps it.")
        number = self._id(replica, make=True)
        self._add(replica, batch, end)
        self._change("UPDATE replicas SET last = ? WHERE id = ?", batch.end, number)
        self._seen[replica] = cuts, batch.end

    def _add(self, replica, batch, follows):
        header, payload = batch[:-1], batch.payload
        seal = _checksum((replica, *header))
        insert = f"INSERT INTO batches_{self._ids[replica]} VALUES ({PLACES})"
        self._change(insert, *header, follows, seal, zlib.crc32(payload, seal), payload)
        self._changed[replica] += 1

    def headers(self, replica, start=0):
        """Return batches without payloads. Raises `CorruptLog` as `batches` does."""
        with self.reading():
            return list(self._checked(replica, start, None, "seal, NULL"))

    def batches(self, replica, start=0, limit=None, max_bytes=None):
        """Return batches with payloads. Raises `CorruptLog` for the first one that is missing or was altered."""
        with self.reading():
            return list(self.scan(replica, start, limit, max_bytes))

    def scan(self, replica, start=0, limit=None, max_bytes=None):
        """Yield batches with payloads, each read when it is asked for. Raises `CorruptLog` as `batches` does."""
        size = 0
        for batch in self._checked(replica, start, limit, "checksum, payload"):
            if size and max_bytes is not None and size + batch.size > max_bytes:
                return
            size += batch.size
            yield batch

    def _checked(self, replica, start, limit, what):
        """Yield the batches from offset `start` on, after a look at each one's checksum and at what stands
        between.
        """
        at, first, number = start, True, self._id(replica)
        if number is None:
            return
        end = self.status(replica)[1]
        limit, fields = end if limit is None else min(limit, end), f"SELECT follows, {what}, {COLUMNS}"
        query = f"{fields} {FROM % (number, number)} AND base < ?2 ORDER BY base"
        try:
            for row in self.connection.execute(query, (start, limit)):
                batch, follows = self._batch(replica, row)
                if follows > at or (follows < at and not first):
                    raise self._gap(replica, at)
                yield batch
                at, first = batch.end, False
            if at < limit:  # compaction leaves gaps: what comes next tells
                query = f"{fields} FROM batches_{number} WHERE base >= ? ORDER BY base"
                row = self.connection.execute(query, (at,)).fetchone()
                if row is None or row[3] < limit or self._batch(replica, row)[1] > at:
                    raise self._gap(replica, at)
        except sqlite3.Error as why:
            raise self._error(str(why), f" while {replica} was read from offset {at}") from why

    def _batch(self, replica, row):
        """Return a batch as its row has it, and where the one before it ends. Raises `CorruptLog`."""
        follows, checksum, payload, *header = row
        if _checksum((replica, *header), payload) != checksum:
            what = f"the batch of {replica} at offset {header[0]}"
            raise self._corrupt(what, "What stands before it can be read. ")
        return Batch(*header, payload), follows

    def _gap(self, replica, at):
        return self._corrupt(
            f"{replica} from offset {at} on, where batches are missing,", "What stands before is there. "
        )

    def _corrupt(self, what, but=""):
        return CorruptLog(f"The log {self.path} is damaged: {what} is not what was written. {but}{self.REMEDY}")

    def truncate(self, replica, offset):
        """Take away the end of a log."""
        self._settle(replica, self._cut(replica, "base + count > ?", offset))

    def delete_before(self, replica, offset):
        """Take away the beginning of a log."""
        number = self._cut(replica, "base + count <= ?", offset)
        self._join(number, 0, 0)
        self._settle(replica, number)

    def replace(self, replica, start, end, batches):
        """Put batches in place of others."""
        number = self._cut(replica, "base >= ? AND base < ?", start, end)
        before = self._one(f"SELECT max(base + count) FROM batches_{number} WHERE base < ?", start)
        at = before[0] or 0
        for batch in batches:
            self._add(replica, batch, at)
            at = batch.end
        self._join(number, end, at)
        self._settle(replica, number)

    def _cut(self, replica, which, *offsets):
        number = self._id(replica, make=True)
        self._change(f"DELETE FROM batches_{number} WHERE {which}", *offsets)
        return number

    def _join(self, number, start, follows):
        """Let the first batch from offset `start` on follow upon another one than before."""
        first = f"SELECT min(base) FROM batches_{number} WHERE base >= ?"
        self._change(f"UPDATE batches_{number} SET follows = ? WHERE base = ({first})", follows, start)

    def _settle(self, replica, number):
        """Note, after a cut, where the last batch ends, and that something went."""
        last = f"coalesce(({LAST % number}), 0)"
        self._change(f"UPDATE replicas SET cuts = cuts + 1, last = {last} WHERE id = ?", number)
        self._changed[replica] += 1
        self._seen.pop(replica, None)

    def replicas(self):
        """Return the names of all replicas that have batches."""
        with self.explained():
            rows = self.connection.execute("SELECT name FROM replicas WHERE last > 0 ORDER BY name")
            return [name for (name,) in rows]

    def _id(self, replica, make=False):
        """Return a replica's number, or None when it has none."""
        if replica not in self._ids:
            if make and self._one("SELECT 1 FROM replicas WHERE name = ?", replica) is None:
                self._change("INSERT INTO replicas (name, cuts, last) VALUES (?, 0, 0)", replica)
                self._change(TABLE % self._one("SELECT id FROM replicas WHERE name = ?", replica))
            row = self._one("SELECT id FROM replicas WHERE name = ?", replica)
            if row is None:
                return None
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
        if any(sign in message for sign in DAMAGE):
            return CorruptLog(f"The log {self.path} failed{where}: {message}. {self._remedy(message)}")
        return super()._error(message)

    def _remedy(self, message):
        """Return advice for a person on an error of SQLite; to delete a log is never the way."""
        if any(sign in message for sign in DAMAGE):
            return f"The file is damaged, or no log. {self.REMEDY}"
        return super()._remedy(message)

    def close(self):
        """Close the file."""
        with self.explained():
            self.connection.close()


def _checksum(header, payload=None):
    """Return the CRC-32 of something's place and header, and of its contents; None for contents that are no bytes."""
    seal = zlib.crc32(repr(header).encode())
    return seal if payload is None else zlib.crc32(payload, seal) if isinstance(payload, bytes) else None

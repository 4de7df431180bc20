"""A broker's disk in one SQLite file, one row a batch, which any number of processes append to and read at once.

What a killed process had committed is there, whole, and nothing else of it: SQLite hands a batch to the operating
system before the transaction ends. `flush` says what more is asked for. "system", the default, asks for nothing more,
as Kafka does by default and relies on the other replicas: a power cut or a crash of the operating system may lose the
last batches, and may damage the file. "checkpoint" flushes at each checkpoint of SQLite's write-ahead log: then only
the last batches may be lost. "always" flushes at each commit: then nothing is.

What is damaged is found when it is read, and never passes for what was written. Every batch carries a CRC-32 of its
header, and one of both header and payload; it names the offset at which the batch before it ends, and its replica's row
where the last one ends, so that none is missing in between or at the end. The small tables, by whose keys all else is
found, are checked when the file is opened; a mark beside the file tells that it was not closed in order (see `marks`).
Source: SQLite's documentation, "Write-Ahead Logging" and "PRAGMA synchronous"; Apache Kafka's message format v2.
"""

import contextlib
import os
import sqlite3
import weakref
import zlib
from collections import Counter

from ..errors import BadInput, one_of
from ..paths import file_named
from ..stores.codec import decode, encode
from ..stores.file import PATIENCE_SECONDS, SQLiteFile
from .errors import REBUILD, CorruptLog
from .marks import OPEN, OpenMark, closed
from .records import HEADER, Batch
from .storage import Disk

FLUSH = {"system": "OFF", "checkpoint": "NORMAL", "always": "FULL"}
DAMAGE = ("malformed", "not a database", "decode", "no such table", "no such column")
HEADER_BYTES = 100  # at the beginning of every SQLite file; a shorter one counts as new there
COLUMNS = ", ".join(HEADER)
# A batch's key is its replica's number and its base offset: one tree of SQLite's holds all, with no index beside it.
# `follows` is where the batch before it ends, 0 for a replica's first; `seal` is the checksum of the header alone.
SCHEMA = f"""
CREATE TABLE contents (name TEXT PRIMARY KEY, value BLOB NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE replicas (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, cuts INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE TABLE batches (place INTEGER PRIMARY KEY, follows INTEGER NOT NULL, {COLUMNS},
                      seal INTEGER NOT NULL, checksum INTEGER NOT NULL, payload BLOB NOT NULL)
"""
INSERT = f"INSERT INTO batches VALUES (?, ?, {', '.join('?' for _ in HEADER)}, ?, ?, ?)"
OFFSETS = 1 << 40  # more than a partition ever has
FROM = (  # of the places from ?1 to below ?2; the batch that holds offset ?3 is the last that begins at or before it
    "FROM batches WHERE place < ?2 AND place >= "
    "coalesce((SELECT max(place) FROM batches WHERE place >= ?1 AND place <= ?1 + ?3), ?1 + ?3) AND base + count > ?3"
)
LAST = "SELECT base + count FROM batches WHERE place >= ?1 AND place < ?2 ORDER BY place DESC LIMIT 1"


class SQLiteDisk(SQLiteFile, Disk):
    """One broker's disk in one SQLite file, for one thread; others open the file again.

    `flush` is "system", "checkpoint" or "always"; without `create` the file has to be there. Raises `BadInput` for a
    path that names no file, `CorruptLog` for a file or a batch that is damaged, and `CourseError` for a file of another
    program or format, or one that cannot be used; each names the file.
    """

    WHAT, APPLICATION, VERSION, SCHEMA = "log", 0x454F4C47, 2, SCHEMA
    PAGE_BYTES = 32768  # measured: batches of 100 KB lie in few pages, and batches of 100 bytes lose little by it
    CHECKPOINT_PAGES = 64  # a write-ahead log of 2 MB stays in the processor's cache
    OTHERWISE = (
        "Look after the disk and open the log again: what was committed is in this file and its -wal, keep both."
    )

    def __init__(self, path, name=None, flush="system", create=True, remedy=REBUILD):
        self.SYNCHRONOUS = FLUSH[one_of("flush", flush, FLUSH)]
        self._state = "idle"  # or "reading", or "writing"
        self._ids, self._seen = {}, {}  # replicas' numbers; their status, inside a transaction
        self._changed, self._undone = Counter(), Counter()  # how often, inside the transaction; and when it was undone
        path = file_named(f"The path of a {self.WHAT}", path)
        self.name = name or path.stem
        self._mark = mark = OpenMark(path, PATIENCE_SECONDS)
        self._inodes, self._flush, self.REMEDY = None, flush, remedy
        with mark.gate():
            there = os.path.exists(path) and os.path.getsize(path) >= HEADER_BYTES
            if not create and not there:
                raise CorruptLog(f"The log {path} is missing, or empty. {self.REMEDY}")
            if there and mark.wal_was_lost():
                raise CorruptLog(
                    f"The log {path} is damaged: it was not closed in order, and {path.name}-wal, the file with its "
                    f"newest records, is gone. Put that file back if you have it. {self.REMEDY}"
                )
            try:
                super().__init__(path)
                mark.put(OPEN)
            except BaseException:
                with contextlib.suppress(OSError):
                    mark.settle()
                raise
            self._inodes = mark.inodes()
        self._closing = weakref.finalize(self, closed, mark, self.connection)

    def _prepare(self):
        super()._prepare()
        tables = {sql for (sql,) in self.connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
        if tables != {statement.strip() for statement in self.SCHEMA.split(";")}:
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
        self._refuse_replaced()
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

    def _refuse_replaced(self):
        """Raise `CorruptLog` when the files of these names are no longer those that are open here."""
        if self._inodes not in (None, self._mark.inodes()):
            raise CorruptLog(
                f"The log {self.path}, or its -wal, was deleted or replaced while it was open: nobody else sees what "
                "is written here. Close the log in every process, which writes down what can be, and open it again."
            )

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
        cuts, last, seen = self._one(
            f"SELECT cuts, last, coalesce(({LAST}), 0) FROM replicas WHERE id = ?3",
            *self._places(replica),
            self._id(replica),
        ) or (0, 0, 0)
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
        place = self._places(replica)[0] + batch.base
        self._change(INSERT, place, follows, *header, seal, zlib.crc32(payload, seal), payload)
        self._changed[replica] += 1

    def headers(self, replica, start=0):
        """Return batches without payloads. Raises `CorruptLog` as `batches` does."""
        with self.reading():
            return list(self._checked(replica, start, None, "seal, NULL"))

    def batches(self, replica, start=0, limit=None, max_bytes=None):
        """Return batches with payloads. Raises `CorruptLog` for the first one that is missing or not what it was."""
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
        """Yield the batches from offset `start` on, after a look at each one's checksum and at what stands between."""
        (low, high), at, first = self._places(replica), start, True
        end = self.status(replica)[1]
        top = high if limit is None else min(high, low + limit)
        fields = f"SELECT place, follows, {what}, {COLUMNS}"
        try:
            for row in self.connection.execute(f"{fields} {FROM} ORDER BY place", (low, top, start)):
                batch, follows = self._batch(replica, row)
                if follows > at or (follows < at and not first):
                    raise self._gap(replica, at)
                yield batch
                at, first = batch.end, False
            if at < (end if limit is None else min(end, limit)):  # compaction leaves gaps: what comes next tells
                query = f"{fields} FROM batches WHERE place >= ? AND place < ? ORDER BY place"
                row = self.connection.execute(query, (low + at, high)).fetchone()
                if row is None or row[0] < top or self._batch(replica, row)[1] > at:
                    raise self._gap(replica, at)
        except sqlite3.Error as why:
            raise self._error(str(why), f" while {replica} was read from offset {at}") from why

    def _batch(self, replica, row):
        """Return a batch as its row has it, and where the one before it ends. Raises `CorruptLog`."""
        place, follows, checksum, payload, *header = row
        if _checksum((replica, *header), payload) != checksum or place % OFFSETS != header[0]:
            what = f"the batch of {replica} at offset {header[0]}"
            raise self._corrupt(what, "What stands before it can be read. ")
        return Batch(*header, payload), follows

    def _gap(self, replica, at):
        return self._corrupt(
            f"{replica} from offset {at} on, where batches are missing,", "What stands before is there. "
        )

    def _corrupt(self, what, but=""):
        return CorruptLog.on(
            self.name, f"The log {self.path} is damaged: {what} is not what was written. {but}{self.REMEDY}"
        )

    def truncate(self, replica, offset):
        """Take away the end of a log."""
        self._cut(replica, "base + count > ?3", offset)
        self._settle(replica)

    def delete_before(self, replica, offset):
        """Take away the beginning of a log."""
        self._cut(replica, "base + count <= ?3", offset)
        self._join(replica, 0, 0)
        self._settle(replica)

    def replace(self, replica, start, end, batches):
        """Put batches in place of others."""
        low = self._places(replica)[0]
        before = self._one(LAST, low, low + start)
        self._cut(replica, "base >= ?3 AND base < ?4", start, end)
        at = before[0] if before else 0
        for batch in batches:
            self._add(replica, batch, at)
            at = batch.end
        self._join(replica, end, at)
        self._settle(replica)

    def _cut(self, replica, which, *offsets):
        self._id(replica, make=True)
        self._seen.pop(replica, None)
        self._change(
            f"DELETE FROM batches WHERE place >= ?1 AND place < ?2 AND {which}", *self._places(replica), *offsets
        )
        self._changed[replica] += 1

    def _join(self, replica, start, follows):
        """Let the first batch from offset `start` on follow upon another one than before."""
        low, high = self._places(replica)
        self._change(
            "UPDATE batches SET follows = ?3 WHERE follows <> ?3 AND place = "
            "(SELECT min(place) FROM batches WHERE place >= ?1 AND place < ?2)",
            low + start,
            high,
            follows,
        )

    def _settle(self, replica):
        """Note, after a cut, where the last batch ends, and that something went."""
        self._change(
            f"UPDATE replicas SET cuts = cuts + 1, last = coalesce(({LAST}), 0) WHERE id = ?3",
            *self._places(replica),
            self._id(replica),
        )

    def replicas(self):
        """Return the names of all replicas that have batches."""
        with self.explained():
            rows = self.connection.execute("SELECT name FROM replicas WHERE last > 0 ORDER BY name")
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
                self._change("INSERT OR IGNORE INTO replicas (name, cuts, last) VALUES (?, 0, 0)", replica)
            row = self._one("SELECT id FROM replicas WHERE name = ?", replica)
            if row is None:
                return -1
            self._ids[replica] = row[0]
        return self._ids[replica]

    def _places(self, replica):
        """Return the keys between which a replica's batches lie."""
        low = self._id(replica) * OFFSETS
        return low, low + OFFSETS

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
            return CorruptLog.on(self.name, f"The log {self.path} failed{where}: {message}. {self._remedy(message)}")
        return super()._error(message)

    def _remedy(self, message):
        """Return what a person can do about an error of SQLite; to delete a log is never the way."""
        if any(sign in message for sign in DAMAGE):
            return f"The file is damaged, or no log. {self.REMEDY}"
        return super()._remedy(message)

    def renewed(self):
        """Close the file, move it aside, and return an empty disk in its place."""
        self.close()
        return begun_anew(self.path, self._flush)

    def close(self):
        """Close the file in order."""
        with self.explained():
            self._closing()
            self.connection.close()


def begun_anew(path, flush):
    """Move a file, if it is there, and its write-ahead log aside, and return an empty disk in its place."""
    mark = OpenMark(path, PATIENCE_SECONDS)
    with mark.gate():
        number = 1
        while os.path.exists(aside := f"{path}.damaged-{number}"):
            number += 1
        for end in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                os.rename(f"{path}{end}", f"{aside}{end}")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{path}-shm")
        mark.remove()
    return SQLiteDisk(path, flush=flush)


def _checksum(header, payload=None):
    """Return the CRC-32 of something's place and header, and of its contents; None for contents that are no bytes."""
    seal = zlib.crc32(repr(header).encode())
    return seal if payload is None else zlib.crc32(payload, seal) if isinstance(payload, bytes) else None

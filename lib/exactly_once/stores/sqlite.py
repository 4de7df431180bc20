"""A store in one SQLite file, which survives the SIGKILL of any process that uses it.

`synchronous=NORMAL` keeps every committed transaction when a process dies, and the file whole when the power fails,
though the last transactions may then be missing.
"""

from dataclasses import fields

from .codec import decode, encode
from .file import SQLiteFile
from .interface import Blocked, Entry, Reply, Store, checked_sum, journal_entry

SCHEMA = """
CREATE TABLE cells (part TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (log TEXT NOT NULL, offset INTEGER NOT NULL, value TEXT NOT NULL,
                      PRIMARY KEY (log, offset)) WITHOUT ROWID;
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE messages (number INTEGER PRIMARY KEY, inbox TEXT NOT NULL, sender INTEGER NOT NULL, value TEXT NOT NULL);
CREATE TABLE locks (name TEXT PRIMARY KEY, life INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE clocks (part TEXT PRIMARY KEY, stamp INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE journal (number INTEGER PRIMARY KEY, part TEXT, verb TEXT, value TEXT, life INTEGER, step INTEGER,
                      item INTEGER, received INTEGER, sent INTEGER, inputs TEXT);
"""
PLACES = ", ".join("?" for _ in fields(Entry))  # the journal's columns are an entry's fields, in this order


class SQLiteStore(SQLiteFile, Store):
    """One system in one SQLite file. A connection belongs to the thread that opened it.

    Raises `BadInput` for a path that names no file, and `CourseError` when the file cannot be opened, or is no store of
    this course.
    """

    WHAT, APPLICATION, SCHEMA = "store", 0x45584F31, SCHEMA
    REMEDY = "delete it and run again; a run makes its own files"

    def __init__(self, path, name=None):
        super().__init__(path)
        self.name = name or self.path.stem

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

    def _put(self, connection, part, sender, message):
        row = (part, sender, encode(message))
        connection.execute("INSERT INTO messages VALUES (NULL, ?, ?, ?)", row)
        return None, [sender, message]

    def _take(self, connection, part, sender):
        row = connection.execute(
            "SELECT number, sender, value FROM messages WHERE inbox = ? AND sender = coalesce(?, sender) "
            "ORDER BY number LIMIT 1",
            (part, sender),
        ).fetchone()
        if row is None:
            raise Blocked(f"No message {f'of {sender} ' if sender else ''}waits in {part}.")
        connection.execute("DELETE FROM messages WHERE number = ?", row[:1])
        found = [row[1], decode(row[2])]
        return found, found

    def _acquire(self, connection, part, life):
        holder = self._holder(connection, part)
        if holder not in (None, life):
            raise Blocked(f"Life {holder} holds {part}.")
        connection.execute("INSERT OR REPLACE INTO locks VALUES (?, ?)", (part, life))
        return None, life

    def _release(self, connection, part, life):
        held = self._holder(connection, part) == life
        if held:
            connection.execute("DELETE FROM locks WHERE name = ?", (part,))
        return held, held

    def _holder(self, connection, part):
        row = connection.execute("SELECT life FROM locks WHERE name = ?", (part,)).fetchone()
        return row[0] if row else None

    def free(self, life):
        """Let go of all locks that a life holds."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM locks WHERE life = ?", (life,))

    def fill(self, part, values):
        """Append many values to a log in one transaction; no clock ticks."""
        with self.transaction() as connection:
            start = self._end(connection, part)
            rows = ((part, start + number, encode(value)) for number, value in enumerate(values))
            connection.executemany("INSERT INTO records VALUES (?, ?, ?)", rows)

    def _look(self, part, kind):
        with self.explained():
            if kind == "cell":
                return decode(self._version(self.connection, part)[1])
            if kind == "log":
                rows = self.connection.execute("SELECT value FROM records WHERE log = ? ORDER BY offset", (part,))
                return [decode(text) for (text,) in rows]
            if kind == "inbox":
                rows = self.connection.execute(
                    "SELECT sender, value FROM messages WHERE inbox = ? ORDER BY number", (part,)
                )
                return [[sender, decode(text)] for sender, text in rows]
            return self._holder(self.connection, part) if kind == "lock" else self._row(self.connection, part)

    def journal(self, after=0):
        """Return the journal's entries from number `after` on."""
        with self.explained():
            rows = self.connection.execute(
                "SELECT part, verb, value, life, step, item, received, sent, inputs FROM journal "
                "WHERE number > ? ORDER BY number",
                (after,),
            ).fetchall()
        return [Entry(*row[:2], decode(row[2]), *row[3:8], tuple(map(tuple, decode(row[8])))) for row in rows]

"""A store in one SQLite file, which survives the SIGKILL of any process that uses it.

`synchronous=NORMAL` keeps every committed transaction when a process dies, and the file whole when the power fails,
though the last transactions may then be missing.
"""

import json
import time
from contextlib import AbstractContextManager
from dataclasses import fields

from ..paths import FileName
from .codec import decode, encode, tuples
from .file import SQLiteFile
from .interface import Entry, Store
from .operations import KINDS, Content

SCHEMA = """
CREATE TABLE parts (kind TEXT NOT NULL, part TEXT NOT NULL, content TEXT NOT NULL,
                    PRIMARY KEY (kind, part)) WITHOUT ROWID;
CREATE TABLE clocks (part TEXT PRIMARY KEY, stamp INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE journal (number INTEGER PRIMARY KEY, part TEXT, verb TEXT, value TEXT, life INTEGER, step INTEGER,
                      item INTEGER, received INTEGER, sent INTEGER, inputs TEXT, place INTEGER,
                      wall REAL);
"""
PLACES = ", ".join("?" for _ in fields(Entry))  # the journal's columns are an entry's fields, in this order


class SQLiteStore(SQLiteFile, Store):
    """One system in one SQLite file. A connection belongs to the thread that opened it.

    Raises `BadInput` for a path that names no file, and `CourseError` when the file cannot be opened, or is no store
    of this course.
    """

    WHAT, APPLICATION, VERSION, SCHEMA = "store", 0x45584F31, 2, SCHEMA
    REMEDY = "delete it and run again; a run makes its own files"

    def __init__(self, path: FileName, name: str | None = None) -> None:
        super().__init__(path)
        self.name = name or self.path.stem

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

    def _clock(self, part: str) -> int:
        row = self.connection.execute("SELECT stamp FROM clocks WHERE part = ?", (part,)).fetchone()
        return row[0] if row else 0

    def _note(self, entry: Entry) -> None:
        self.connection.execute("INSERT OR REPLACE INTO clocks VALUES (?, ?)", (entry.part, entry.sent))
        texts = {"value": encode(entry.value), "inputs": encode(entry.inputs)}
        columns = vars(entry) | texts | {"wall": time.time()}
        self.connection.execute(f"INSERT INTO journal VALUES (NULL, {PLACES})", tuple(columns.values()))

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        with self.explained():
            rows = self.connection.execute("SELECT part, content FROM parts WHERE kind = ?", (kind,)).fetchall()
        return {part: _read(text) for part, text in rows}

    def free(self, life: int) -> None:
        """Let go of all that an incarnation holds."""
        with self.transaction():
            for kind, passed in [(name, kind.passed) for name, kind in KINDS.items() if kind.passed is not None]:
                for part, content in self.held(kind).items():
                    self._put(kind, part, passed(content, life, None))

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on."""
        with self.explained():
            rows = self.connection.execute(
                "SELECT part, verb, value, life, step, item, received, sent, inputs, place, wall "
                "FROM journal WHERE number > ? ORDER BY number",
                (after,),
            ).fetchall()
        return [
            Entry(part, verb, decode(value), life, step, item, received, sent, tuples(decode(inputs)), *rest)
            for part, verb, value, life, step, item, received, sent, inputs, *rest in rows
        ]


def _read(text: str) -> Content:
    """Return a content that was written down as JSON: its lists are tuples."""
    return tuples(json.loads(text))

"""A store in one SQLite file, which survives the SIGKILL of any process that uses it.

`synchronous=NORMAL` keeps every committed transaction when a process dies, and the file whole when the power fails,
though the last transactions may then be missing.
"""

import json
from contextlib import AbstractContextManager
from typing import Any

from ..paths import FileName
from .codec import tuples
from .file import SQLiteFile
from .operations import KINDS, Content
from .sql import SQLStore

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

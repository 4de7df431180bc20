"""What foreachBatch calls: two ways to save a batch's rows in SQLite; and the places at which a driver can be killed.

A sink is a function `save(rows, batch_id, database)`. The database is open, with a transaction begun. What the
function leaves uncommitted is committed when it returns.

The places of a batch are A to E: A is before offsets/N is written, B after that; C in the sink before its own commit,
D after that; E after commits/N is written. The driver's Python code, and the process in which a Python data source
has its methods called, write a line for each place that they pass. The process that is to be killed at a place stands
still there until it is.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

THRESHOLD = 4  # readings in a window, above which the counter is incremented, as in chapter 04
SCHEMA = """
    CREATE TABLE IF NOT EXISTS averages (hour INTEGER, average REAL, batch INTEGER);
    CREATE TABLE IF NOT EXISTS counter (windows INTEGER);
    CREATE TABLE IF NOT EXISTS batches (batch INTEGER PRIMARY KEY);
    INSERT INTO counter SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM counter);
"""
LOCKED = 10  # s that a writer waits for another one's transaction
PLACES = "ABCDE"
LOOK = 0.02  # s between two looks whether the driver still lives


class Mark(NamedTuple):
    """One thing that a life did: it passed the place `letter` of `batch`, or it started, was killed, or ended.

    `letter` is A to E, or "start", "killed" or "end"; `batch` is the batch's id, None where there is none.
    """

    life: int
    batch: int | None
    letter: str


class Places:
    """Passes the places of one life: leaves a mark in `file`, and stands still where the life is to be killed.

    `strike` is that place as (letter, batch), or None. The process that stands there ends when its parent does.
    """

    def __init__(self, file: Path, life: int, strike: tuple[str, int] | None) -> None:
        self.file, self.life, self.strike, self.parent = file, life, strike, os.getppid()

    def reach(self, letter: str, batch: int | None) -> None:
        """Leave a mark, and never return if the life is to be killed here."""
        leave(self.file, Mark(self.life, batch, letter))
        while (letter, batch) == self.strike and os.getppid() == self.parent:
            time.sleep(LOOK)


def leave(file: Path, mark: Mark) -> None:
    """Write a mark at the end of a file, in one piece."""
    with open(file, "ab", buffering=0) as marks:
        marks.write(json.dumps(mark).encode() + b"\n")


def marks_in(file: Path) -> list[Mark]:
    """Return the marks in a file, in the order in which they were left."""
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    return [Mark(*json.loads(line)) for line in lines if line.endswith(b"\n")]


def append(rows: Sequence[Any], batch_id: int, database: Database) -> None:
    """Append the rows, and count the windows above the threshold. A batch that is replayed is there twice."""
    for row in rows:
        database.execute("INSERT INTO averages VALUES (?, ?, ?)", (row.hour, row.average, batch_id))
        if row.readings > THRESHOLD:
            database.execute("UPDATE counter SET windows = windows + 1")


def once_by_batch_id(rows: Sequence[Any], batch_id: int, database: Database) -> None:
    """Append the rows and the batch id in one transaction, unless that batch id is there already."""
    if database.execute("SELECT 1 FROM batches WHERE batch = ?", (batch_id,)).fetchone():
        return
    database.execute("INSERT INTO batches VALUES (?)", (batch_id,))
    append(rows, batch_id, database)


Save: TypeAlias = Callable[[Sequence[Any], int, "Database"], object]
SINKS: dict[str, Save] = {"append": append, "batch id": once_by_batch_id}


class Database:
    """A connection to SQLite whose commits stand between the places C and D of a batch. Close it after use."""

    def __init__(self, file: Path, places: Places | None = None) -> None:
        self.connection = sqlite3.connect(file, timeout=LOCKED, isolation_level=None, check_same_thread=False)
        self.connection.executescript(f"PRAGMA journal_mode = WAL; {SCHEMA}")
        self.places, self.batch = places, -1

    def save(self, save: Save, rows: Sequence[Any], batch_id: int) -> None:
        """Call a sink's function within a transaction, and commit what it left."""
        self.batch = batch_id
        self.connection.execute("BEGIN IMMEDIATE")  # one that reads first could not become a writer later
        save(rows, batch_id, self)
        if self.connection.in_transaction:
            self.commit()

    def execute(self, statement: str, values: Any = ()) -> sqlite3.Cursor:
        """Execute a statement of SQL; after a commit it begins the next transaction."""
        if not self.connection.in_transaction:
            self.connection.execute("BEGIN IMMEDIATE")
        return self.connection.execute(statement, values)

    def executemany(self, statement: str, values: Any) -> sqlite3.Cursor:
        """Execute a statement once for each tuple of values."""
        if not self.connection.in_transaction:
            self.connection.execute("BEGIN IMMEDIATE")
        return self.connection.executemany(statement, values)

    def commit(self) -> None:
        """Commit the transaction: C stands before it, D after it."""
        if self.places is not None:
            self.places.reach("C", self.batch)
        self.connection.execute("COMMIT")
        if self.places is not None:
            self.places.reach("D", self.batch)

    def rollback(self) -> None:
        """Roll the transaction back."""
        self.connection.rollback()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

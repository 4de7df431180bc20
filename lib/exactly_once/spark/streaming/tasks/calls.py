"""What Spark called in a sink, as a list in a file, and the rows that the sink shows its readers, in SQLite."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = """
    CREATE TABLE IF NOT EXISTS rows (hour INTEGER, stream TEXT, tenths INTEGER);
    CREATE TABLE IF NOT EXISTS batches (batch INTEGER PRIMARY KEY);
"""
LOCKED = 10  # s that a writer waits for another one's transaction
AT_FAULT = 3  # the hour whose task is killed, after the first of its rows; it is in batch 1


class Call(NamedTuple):
    """One call: "write" and "wrote" begin and end an attempt, "killed" is its death; "commit", "abort" end a batch.

    For those two, `partition` is how many messages they had, and `attempt` how many of these were None.
    """

    batch: int
    partition: int
    attempt: int
    what: str


class Calls:
    """The calls in a folder, the sink's database and staged files there, and how often its tasks shall be killed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.staged = folder, folder / "staged"
        self.times = int((folder / "times").read_text())

    @classmethod
    def make(cls, folder: Path, times: int) -> Calls:
        """Prepare a folder."""
        (folder / "times").write_text(str(times))
        calls = cls(folder)
        calls.staged.mkdir(exist_ok=True)
        with calls.database() as database:
            database.executescript(f"PRAGMA journal_mode = WAL; {SCHEMA}")
        return calls

    def leave(self, call: Call) -> None:
        """Write a call at the end of the list, in one piece, and on disk before it returns."""
        with open(self.folder / "calls", "ab", buffering=0) as file:
            file.write(json.dumps(call).encode() + b"\n")

    def end(self, what: str, batch: int, messages: list[Any]) -> None:
        """Leave the call of `commit` or `abort`."""
        none = sum(message is None for message in messages)
        self.leave(Call(batch, len(messages), none, what))

    def all(self) -> list[Call]:
        """Return the calls in their order."""
        file = self.folder / "calls"
        lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
        return [Call(*json.loads(line)) for line in lines if line.endswith(b"\n")]

    def of(self, what: str) -> list[Call]:
        """Return the calls of one kind."""
        return [call for call in self.all() if call.what == what]

    @contextlib.contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        """Open the database for one transaction, which is committed at the end."""
        with contextlib.closing(sqlite3.connect(self.folder / "sink.sqlite", timeout=LOCKED)) as database, database:
            yield database


def insert(calls: Calls, row: Any) -> None:
    """Insert a row, and commit it."""
    with calls.database() as database:
        database.execute("INSERT INTO rows VALUES (?, ?, ?)", (row.hour, row.stream, row.tenths))

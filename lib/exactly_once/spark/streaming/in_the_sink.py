"""Kill the tasks of a streaming query in the sink's write: what the sink then has.

The query reads two files a batch, in two tasks, and writes their rows. The task of hour 3 is killed after the first
of its two rows.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ... import owned
from ...errors import one_of
from ...pipeline import STREAMS
from ..cluster.cluster import cluster
from .averages import SCHEMA, drop_hours
from .finish_query import finish

if TYPE_CHECKING:
    import pandas

SINKS = ("as it goes", "by message", "foreach")
HOURS, FILES = 6, 2  # hours in all, and in a batch
RETRYING = "local[2,4]"  # a task may fail three times
TABLES = """
    CREATE TABLE IF NOT EXISTS rows (hour INTEGER, stream TEXT, tenths INTEGER);
    CREATE TABLE IF NOT EXISTS batches (batch INTEGER PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS calls (batch INTEGER, partition INTEGER, attempt INTEGER, what TEXT);
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
    """The sink's database in a folder, with the calls and the rows, and its staged files there."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.staged = folder, folder / "staged"
        self.staged.mkdir(exist_ok=True)
        with self.database() as database:
            database.executescript(f"PRAGMA journal_mode = WAL; {TABLES}")

    def leave(self, call: Call) -> None:
        """Write a call at the end of the list."""
        with self.database() as database:
            database.execute("INSERT INTO calls VALUES (?, ?, ?, ?)", call)

    def end(self, what: str, batch: int, messages: list[Any]) -> None:
        """Leave the call of `commit` or `abort`."""
        none = sum(message is None for message in messages)
        self.leave(Call(batch, len(messages), none, what))

    def all(self) -> list[Call]:
        """Return the calls in their order."""
        with self.database() as database:
            return [Call(*found) for found in database.execute("SELECT * FROM calls ORDER BY rowid")]

    def insert(self, row: Any) -> None:
        """Insert a row where readers see it, and commit it."""
        with self.database() as database:
            database.execute("INSERT INTO rows VALUES (?, ?, ?)", (row.hour, row.stream, row.tenths))

    @contextlib.contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        """Open the database for one transaction, which is committed at the end."""
        with contextlib.closing(sqlite3.connect(self.folder / "sink.sqlite", timeout=LOCKED)) as database, database:
            yield database


@dataclass(frozen=True)
class SinkRun:
    """What a sink has after the kill: its rows for readers, the calls, and the staged files that nobody will read."""

    sink: str
    calls: tuple[Call, ...]
    rows: tuple[tuple[int, str], ...]  # (hour, stream)
    orphans: int

    @property
    def doubled(self) -> list[tuple[int, str]]:
        """The (hour, stream) that the sink has more often than once."""
        return sorted(row for row, times in Counter(self.rows).items() if times > 1)

    @property
    def lost(self) -> list[tuple[int, str]]:
        """The (hour, stream) that the sink does not have."""
        return sorted({(hour, stream) for hour in range(1, HOURS + 1) for stream in STREAMS} - set(self.rows))

    @property
    def table(self) -> pandas.DataFrame:
        """The calls as a table."""
        import pandas

        rows = []
        for batch, partition, attempt, what in self.calls:
            if what in ("commit", "abort"):
                rows.append((batch, "driver", f"{what}({partition} messages, {attempt} of them None)"))
            else:
                rows.append((batch, f"task {partition}, attempt {attempt}", what))
        return pandas.DataFrame(rows, columns=["batch", "who", "what"])


def kill_in_the_sink(sink: str = "as it goes") -> SinkRun:
    """Run a query whose task of hour 3 gets SIGKILL within the sink's write, and return what the sink has.

    sink: "as it goes", where each row is visible at once, "by message", where `commit(messages, batchId)` makes the
        rows visible, or "foreach", Spark's own method of that name.

    Raises `BadInput` for arguments that make no sense, `CourseError` for a query that fails.
    """
    one_of("sink", sink, SINKS)
    session = cluster(RETRYING)
    from .written import ForEach, SinkSource

    folder = owned.new_folder(owned.RUNS, "sink")
    try:
        calls = Calls(folder)
        drop_hours(folder / "hours", range(1, HOURS + 1))
        session.dataSource.register(SinkSource)
        stream = session.readStream.schema(SCHEMA).option("maxFilesPerTrigger", FILES).json(str(folder / "hours"))
        writer = stream.writeStream.option("checkpointLocation", str(folder / "checkpoint")).trigger(
            availableNow=True
        )
        if sink == "foreach":
            finish(writer.foreach(ForEach(folder)))
        else:
            finish(writer.format("course_sink").options(folder=str(folder), sink=sink))
        with calls.database() as database:
            rows = tuple(database.execute("SELECT hour, stream FROM rows ORDER BY rowid"))
        return SinkRun(sink, tuple(calls.all()), rows, len(list(calls.staged.iterdir())))
    finally:
        shutil.rmtree(folder, ignore_errors=True)

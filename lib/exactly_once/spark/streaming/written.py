"""Sinks written as Python data sources: one whose tasks write as they go, one whose commit makes the rows visible.

Spark calls `write` once for each attempt of a task, in an executor, and then `commit` or `abort` once for each batch,
in a Python process beside the driver, from a fresh writer: only the messages travel.
Source: PySpark 4.3, `DataSourceStreamWriter`.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark import TaskContext
from pyspark.sql.datasource import DataSource, DataSourceStreamWriter, WriterCommitMessage

from ...errors import CourseError
from ..cluster.processes import kill_worker
from .in_the_sink import AT_FAULT, Call, Calls

BATCH_ID = "streaming.sql.batchId"  # a property of Spark's jobs that its documents do not mention


class Staged(WriterCommitMessage):
    """The message of a task: the file in which its rows are staged."""

    def __init__(self, file: Path) -> None:
        self.file = file


def attempt_now() -> Call:
    """Return the attempt of a task in which this process is. Raises `CourseError` where Spark does not tell it."""
    context = TaskContext.get()
    batch = context.getLocalProperty(BATCH_ID) if context else None
    if context is None or batch is None:
        raise CourseError(f"Spark does not tell its tasks the batch id: the property {BATCH_ID!r} is missing.")
    return Call(int(batch), context.partitionId(), context.attemptNumber(), "write")


def meet(row: Any, attempt: Call, calls: Calls) -> None:
    """Kill this process, if it is to die now that it has written `row`: once in a run."""
    if row.hour == AT_FAULT and not any(call.what == "killed" for call in calls.all()):
        calls.leave(attempt._replace(what="killed"))
        kill_worker()


class SinkSource(DataSource):
    """The sink `course_sink`. Options: `folder`, and `sink`, which is "as it goes" or "by message"."""

    @classmethod
    def name(cls) -> str:
        """Return the sink's name for `format`."""
        return "course_sink"

    def streamWriter(self, schema: Any, overwrite: bool) -> DataSourceStreamWriter:
        """Return the writer of a batch."""
        writer = AsItGoes if self.options["sink"] == "as it goes" else ByMessage
        return writer(Path(self.options["folder"]))


class AsItGoes(DataSourceStreamWriter):
    """Writes each row where readers see it, at once. A task that is repeated has written some rows before."""

    def __init__(self, folder: Path) -> None:
        self.calls = Calls(folder)

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        """Write the rows of one attempt of a task."""
        attempt = attempt_now()
        self.calls.leave(attempt)
        for row in iterator:
            self.calls.insert(row)
            meet(row, attempt, self.calls)
        self.calls.leave(attempt._replace(what="wrote"))
        return WriterCommitMessage()

    def commit(self, messages: list[Any], batchId: int) -> None:
        """Nothing is left to do when all tasks of a batch have ended: the rows are there."""
        self.calls.end("commit", batchId, messages)

    def abort(self, messages: list[Any], batchId: int) -> None:
        """Nothing can be taken back when a batch has failed: readers may have seen the rows."""
        self.calls.end("abort", batchId, messages)


class ByMessage(DataSourceStreamWriter):
    """Writes the rows of an attempt into a file of its own; `commit` takes the files that its messages name."""

    def __init__(self, folder: Path) -> None:
        self.calls = Calls(folder)

    def write(self, iterator: Iterator[Any]) -> Staged:
        """Stage the rows of one attempt of a task, and return the message that names them."""
        attempt, file = attempt_now(), self.calls.staged / f"{uuid.uuid4()}.json"
        self.calls.leave(attempt)
        with open(file, "w") as lines:
            for row in iterator:
                lines.write(json.dumps([row.hour, row.stream, row.tenths]) + "\n")
                lines.flush()
                meet(row, attempt, self.calls)
        self.calls.leave(attempt._replace(what="wrote"))
        return Staged(file)

    def commit(self, messages: list[Any], batchId: int) -> None:
        """Make the batch visible: its rows and its id in one transaction, unless the id is there already."""
        rows = [json.loads(line) for one in messages for line in one.file.read_text().splitlines()]
        with self.calls.database() as database:
            fresh = database.execute("INSERT OR IGNORE INTO batches VALUES (?)", (batchId,)).rowcount
            database.executemany("INSERT INTO rows VALUES (?, ?, ?)", rows if fresh else [])
        for one in messages:
            one.file.unlink(missing_ok=True)
        self.calls.end("commit", batchId, messages)

    def abort(self, messages: list[Any], batchId: int) -> None:
        """Remove what the attempts have staged that ended; a killed attempt has sent no message."""
        for one in messages:
            if one is not None:
                one.file.unlink(missing_ok=True)
        self.calls.end("abort", batchId, messages)


class ForEach:
    """The writer for `foreach`: Spark calls `process` for each row of each attempt, and nobody commits."""

    def __init__(self, folder: Path) -> None:
        self.calls = Calls(folder)

    def open(self, partition_id: int, epoch_id: int) -> bool:
        """Begin an attempt."""
        self.attempt = attempt_now()
        self.calls.leave(self.attempt)
        return True

    def process(self, row: Any) -> None:
        """Write a row."""
        self.calls.insert(row)
        meet(row, self.attempt, self.calls)

    def close(self, error: Exception | None) -> None:
        """End an attempt."""
        if error is None:
            self.calls.leave(self.attempt._replace(what="wrote"))

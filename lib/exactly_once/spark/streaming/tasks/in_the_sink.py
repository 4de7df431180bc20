"""Kill the tasks of a streaming query in the sink's write: what the sink then has.

The query reads two files a batch, in two tasks, and writes their rows. The task of hour 3 is killed after the first
of its two rows.
"""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .... import owned
from ....errors import CourseError, one_of, whole
from ....pipeline.series import STREAMS
from ...cluster.cluster import checked_session, cluster
from ..averages import SCHEMA, drop_hours
from ..finish import finish
from .calls import AT_FAULT, Call, Calls

if TYPE_CHECKING:
    import pandas
    from pyspark.sql import SparkSession  # at run time it is imported when a cluster is needed

SINKS = ("as it goes", "by message", "foreach")
HOURS, FILES = 6, 2  # hours in all, and in a batch
RETRYING = "local[2,4]"  # a task may fail three times, and with the fourth its query fails


@dataclass(frozen=True, eq=False)
class SinkRun:
    """What a sink has after the kills: its rows for readers, the calls, and the staged files that nobody will read.

    `failed` says why the query failed, "" if it did not; it was started again then, and `rows_then` is how many rows
    of the batch readers saw between the two.
    """

    sink: str
    calls: tuple[Call, ...]
    rows: pandas.DataFrame
    orphans: int
    failed: str
    rows_then: int

    @property
    def doubled(self) -> list[tuple[int, str]]:
        """The (hour, stream) that the sink has more often than once."""
        return sorted(row for row, times in self._times().items() if times > 1)

    @property
    def lost(self) -> list[tuple[int, str]]:
        """The (hour, stream) that the sink does not have."""
        return sorted({(hour, stream) for hour in range(1, HOURS + 1) for stream in STREAMS} - set(self._times()))

    @property
    def table(self) -> pandas.DataFrame:
        """The calls as a table."""
        import pandas

        rows = [(call.batch, *_in_words(call)) for call in self.calls]
        return pandas.DataFrame(rows, columns=["batch", "who", "what"])

    @property
    def sentence(self) -> str:
        """The result in a sentence for people."""
        killed, attempts = sum(call.what == "killed" for call in self.calls), self._times()
        happened = f"Killed in its write: {killed} × the worker."
        if self.failed:
            happened += f" Then the query failed, readers saw {self.rows_then} rows of its batch, and it ran again."
        found = ", ".join(
            f"{len(rows)} {word} ({', '.join(f'{stream} hour {hour}' for hour, stream in rows)})"
            for rows, word in ((self.doubled, "doubled"), (self.lost, "lost"))
            if rows
        )
        left = f" {self.orphans} staged file{'s' * (self.orphans > 1)} that no message names." if self.orphans else ""
        return f"{happened} Sink {self.sink!r}: {sum(attempts.values())} rows, {found or 'each once'}.{left}"

    def __repr__(self) -> str:
        return self.sentence

    def _times(self) -> Counter[tuple[int, str]]:
        return Counter(zip(self.rows["hour"].tolist(), self.rows["stream"].tolist(), strict=True))


def kill_in_the_sink(sink: str = "as it goes", times: int = 1, spark: SparkSession | None = None) -> SinkRun:
    """Run a query whose task of hour 3 gets SIGKILL within the sink's write, and return what the sink has.

    sink: "as it goes", where each row is visible at once, "by message", where `commit(messages, batchId)` makes the
        rows visible, or "foreach", Spark's own method of that name.
    times: how many attempts are killed. On a master local[2,4], where four failures are too many, a query fails with
        the fourth; it is then started again.
    spark: the session; None takes local[2,4].

    Raises `BadInput` for arguments that make no sense, `CourseError` for a query that fails again.
    """
    one_of("sink", sink, SINKS)
    whole("times", times, 1, 20)
    session = cluster(RETRYING) if spark is None else checked_session(spark)
    folder = owned.new_folder(owned.RUNS, "sink")
    try:
        return _run(session, folder, sink, times)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(spark: SparkSession, folder: Path, sink: str, times: int) -> SinkRun:
    import pandas

    calls, failed, then = Calls.make(folder, times), "", 0
    drop_hours(folder / "hours", range(1, HOURS + 1))
    try:
        _query(spark, folder, sink)
    except CourseError as why:
        failed, then = str(why), sum(row[0] in (AT_FAULT, AT_FAULT + 1) for row in _rows(calls))
        if len(calls.of("killed")) < times:
            raise
        _query(spark, folder, sink)
    rows = pandas.DataFrame(_rows(calls), columns=["hour", "stream", "tenths"])
    return SinkRun(sink, tuple(calls.all()), rows, len(list(calls.staged.iterdir())), failed, then)


def _query(spark: SparkSession, folder: Path, sink: str) -> None:
    """Run the query over all files that are there."""
    from .written import ForEach, SinkSource

    spark.dataSource.register(SinkSource)
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", FILES).json(str(folder / "hours"))
    writer = stream.writeStream.option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True)
    if sink == "foreach":
        writer = writer.foreach(ForEach(folder))
    else:
        writer = writer.format("course_sink").options(folder=str(folder), sink=sink)
    finish(writer)


def _rows(calls: Calls) -> list[tuple[Any, ...]]:
    with calls.database() as database:
        return database.execute("SELECT hour, stream, tenths FROM rows ORDER BY rowid").fetchall()


def _in_words(call: Call) -> tuple[str, str]:
    """Return who was called, and what happened."""
    if call.what in ("commit", "abort"):
        none = f", {call.attempt} of them None" if call.attempt else ""
        return "driver", f"{call.what}({call.partition} messages{none})"
    return f"task {call.partition}, attempt {call.attempt}", call.what

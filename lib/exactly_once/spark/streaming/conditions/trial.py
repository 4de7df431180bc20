"""A query over files of hours and its lives within one session: what the tables of broken conditions are made of.

A life is broken off by an exception: in the sink's function, after so many of the sink's own commits. The next life
is the same query, started again on the same checkpoint.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pandas

from .... import owned
from ....errors import CourseError, one_of
from ....pipeline.series import series
from ...cluster.cluster import lost
from ...run.tasks import with_slots
from ..driver.places import Places
from ..finish import quiet, said
from ..sinks import Database, Save, once_by_batch_id

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession  # at run time it is imported when a cluster is needed
    from pyspark.sql.streaming import StreamingQuery

COLUMNS = (
    *("condition", "what was done", "rows expected", "rows found", "doubled", "lost", "different"),
    *("said by Spark", "seconds"),
)
SCHEMA = "hour INT, average DOUBLE, readings INT"
LINE = 40  # bytes of the first hour's file; the second has twice as many, and so on: Spark orders files by size
INTERPRETED = {  # compiling code for so few rows takes longer than they do
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
BROKEN_OFF = "broken off here"
Shape: TypeAlias = Callable[["DataFrame"], "DataFrame"]
Rows: TypeAlias = Iterable[tuple[int, float]]


@dataclass(frozen=True)
class Condition:
    """One row of a table: a condition, what is done about it, and how: `lives` returns what Spark said at the end.

    save, shape, mode: the query's sink, what it does to the rows, and its output mode. files: how many make a batch,
    None for all that are there; `lives` decides where it uses this.
    """

    name: str
    done: str
    lives: Callable[[Trial], str]
    save: Save = once_by_batch_id
    shape: Shape = lambda frame: frame
    files: int | None = 1
    mode: str = "append"


class BrokenOff(Places):
    """Breaks a life off in a batch, after so many of the sink's commits."""

    def __init__(self, batch: int, commits: int) -> None:
        self.batch, self.left = batch, commits

    def reach(self, letter: str, batch: int | None) -> None:
        """Raise if this is the place; C stands before a commit of the sink, and D after it."""
        self.left -= (letter, batch) == ("D", self.batch)
        if self.left == 0 and batch == self.batch:
            raise RuntimeError(BROKEN_OFF)


class Trial:
    """The lives of one condition's query; input, checkpoint and sink are in `folder`, the session is its own."""

    def __init__(self, condition: Condition, spark: SparkSession, folder: Path) -> None:
        self.condition, self.spark, self.folder = condition, spark.newSession(), folder
        self.checkpoint = folder / "checkpoint"
        self.hours: list[int] = []
        self.notes: dict[str, object] = {}  # what a trial saw besides rows, for its sentence
        self.found: Rows | None = None  # what the sink's table has, unless it is said
        (folder / "hours").mkdir()
        self.set(INTERPRETED)

    def arrive(self, hours: Iterable[int]) -> None:
        """Drop a file for each hour. Spark reads files in the order of their times of change: each has its hour's."""
        for hour in hours:
            line = json.dumps({"hour": hour, "average": average(hour), "readings": 1})
            draft = self.folder / str(hour)
            draft.write_text(f"{line.ljust(LINE * hour)}\n")
            os.utime(draft, (hour, hour))
            draft.rename(self.file(hour))
            self.hours.append(hour)

    def file(self, hour: int) -> Path:
        """Return the path of an hour's file."""
        return self.folder / "hours" / f"hour-{hour}.json"

    def set(self, settings: Mapping[str, object]) -> None:
        """Set settings of Spark, for the lives that start from now on."""
        for name, value in settings.items():
            self.spark.conf.set(name, str(value))

    def stream(self, files: int | None) -> DataFrame:
        """Return the stream of hours, with so many `files` a batch; None is all that are there."""
        reader = self.spark.readStream.schema(SCHEMA)
        return (reader.option("maxFilesPerTrigger", files) if files else reader).json(str(self.folder / "hours"))

    def start(
        self,
        broken: tuple[int, int] | None = None,
        files: int | None = 1,
        checkpoint: Path | None = None,
        before: Callable[[int], object] = lambda batch_id: None,
    ) -> StreamingQuery:
        """Start a life and return its query, which ends when all files are read.

        broken: (batch id, commits): there the life is broken off. before: called with the batch id before the sink.
        """

        def save_batch(batch: DataFrame, batch_id: int) -> None:
            rows = batch.collect()
            before(batch_id)
            with contextlib.closing(self.database(BrokenOff(*broken) if broken else None)) as database:
                database.save(self.condition.save, rows, batch_id)

        frame = self.condition.shape(self.stream(files))
        writer = frame.writeStream.outputMode(self.condition.mode).foreachBatch(save_batch)
        writer = writer.option("checkpointLocation", str(checkpoint or self.checkpoint))
        return writer.trigger(availableNow=True).start()

    def live(self, broken: tuple[int, int] | None = None, files: int | None = 1) -> str:
        """Run a life as `start` does, to its end, and return what Spark said, "" for nothing.

        Raises `CourseError` when a life that is to be broken off ends in another way.
        """
        words = ended(self.start(broken, files))
        if broken is not None and BROKEN_OFF not in words:
            raise CourseError(f"The query was not broken off in batch {broken[0]}: {words or 'it ended.'}")
        return words

    def database(self, places: Places | None = None) -> Database:
        """Open the sink."""
        database = Database(self.folder / "sink.sqlite", places)
        database.connection.execute("CREATE TABLE IF NOT EXISTS done (what TEXT PRIMARY KEY)")
        return database

    def counts(self) -> tuple[int, ...]:
        """Return how many rows are right, found, doubled, lost and different."""
        if self.found is None:
            with contextlib.closing(self.database()) as database:
                self.found = database.execute("SELECT hour, average FROM averages").fetchall()
        found = list(self.found)
        right = {hour: average(hour) for hour in self.hours}
        times = Counter(hour for hour, _ in found)
        different = {hour for hour, value in found if right.get(hour) != value}
        return len(right), len(found), len(found) - len(times), len(right.keys() - times.keys()), len(different)


def average(hour: int) -> float:
    """Return the temperature of an hour, counted from 1, in degrees."""
    return float(series("san_francisco")[hour - 1].value)


def ended(query: StreamingQuery) -> str:
    """Wait for a query's end, also by the Stop button, and return what Spark said, "" for nothing."""
    try:
        query.awaitTermination()
        return ""
    except Exception as why:  # noqa: BLE001 - PySpark raises what Java, Python and the network raise
        return said(why)
    finally:
        with contextlib.suppress(Exception):  # a Java process that is gone has no query left
            query.stop()


def table(
    choices: Mapping[str, Condition], which: str | Iterable[str] | None, spark: SparkSession | None
) -> pandas.DataFrame:
    """Carry out the rows that `which` names (None is all), one after the other, and return them.

    Raises `BadInput` for another name, `CourseError` when the cluster fails.
    """
    which = choices if which is None else which
    names = list(which) if isinstance(which, Iterable) and not isinstance(which, str) else [which]
    for name in names:
        one_of("which", name, choices)
    spark = with_slots(spark, 1)
    quiet()
    return pandas.DataFrame([_row(choices[name], spark) for name in names], index=names, columns=list(COLUMNS))


def _row(condition: Condition, spark: SparkSession) -> tuple[object, ...]:
    began = time.monotonic()
    folder = owned.new_folder(owned.RUNS, "conditions")
    try:
        trial = Trial(condition, spark, folder)
        try:
            words = condition.lives(trial).replace(f"{folder}/", "")  # a folder that will be gone
            counts = trial.counts()
        finally:
            for query in trial.spark.streams.active:
                query.stop()
    except CourseError:
        raise
    except Exception as why:  # noqa: BLE001 - the same
        raise lost() or CourseError(said(why)) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    done = condition.done.format(**trial.notes)
    return condition.name, done, *counts, words or "nothing", round(time.monotonic() - began, 1)

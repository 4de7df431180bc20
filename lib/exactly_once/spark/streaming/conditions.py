"""The conditions of Structured Streaming's exactly-once, each broken once, as a table of what it costs.

"Using replayable sources and idempotent sinks, Structured Streaming can ensure end-to-end exactly-once semantics
under any failure" (Spark, "Fault Tolerance Semantics"). To that belong rows that are the same when they are replayed,
and a checkpoint that is there, is the newest, and is one query's own.

Each row of the table is a query over a few hours of files, within the cluster's session. Its life is broken off by an
exception: in the sink's function, after so many of the sink's own commits. The next life is the same query, started
again on the same checkpoint.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas

from ... import owned
from ...errors import CourseError, one_of
from ...pipeline import series
from ..cluster.cluster import cluster, lost
from .finish_query import finish, quiet, said
from .sinks import Database, Places, Save, append, once_by_batch_id

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession  # at run time it is imported when a cluster is needed

COLUMNS = (
    *("condition", "what was done", "rows expected", "rows found", "doubled", "lost", "different"),
    *("said by Spark", "seconds"),
)
SCHEMA = "hour INT, average DOUBLE, readings INT"
INTERPRETED = {  # compiling code for so few rows takes longer than they do
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
HOURS = range(1, 5)
MEETING = 60  # s that one of two queries waits for the other


@dataclass(frozen=True)
class Condition:
    """One row of a table: a condition, what is done about it, and how: `lives` returns what Spark said at the end.

    save: the query's sink. row_id: the SQL of an id that each row gets.
    """

    name: str
    done: str
    lives: Callable[[Trial], str]
    save: Save = once_by_batch_id
    row_id: str = "hour"


class BrokenOff(Places):
    """Breaks a life off in a batch, after so many of the sink's commits."""

    def __init__(self, batch: int, commits: int) -> None:
        self.batch, self.left, self.has_broken = batch, commits, False

    def reach(self, letter: str, batch: int | None) -> None:
        """Raise if this is the place; C stands before a commit of the sink, and D after it."""
        self.left -= (letter, batch) == ("D", self.batch)
        if self.left == 0 and batch == self.batch:
            self.has_broken = True
            raise RuntimeError("broken off here")


class Trial:
    """The lives of one condition's query; input, checkpoint and sink are in `folder`, the session is its own."""

    def __init__(self, condition: Condition, spark: SparkSession, folder: Path) -> None:
        self.condition, self.spark, self.folder = condition, spark.newSession(), folder
        self.checkpoint, self.sink = folder / "checkpoint", folder / "sink.sqlite"
        self.hours: list[int] = []
        (folder / "hours").mkdir()
        for name, value in INTERPRETED.items():
            self.spark.conf.set(name, value)

    def arrive(self, hours: Iterable[int]) -> None:
        """Drop a file for each hour. Spark reads files in the order of their times of change: each has its hour's."""
        for hour in hours:
            draft = self.folder / str(hour)
            draft.write_text(json.dumps({"hour": hour, "average": average(hour), "readings": 1}) + "\n")
            os.utime(draft, (hour, hour))
            draft.rename(self.file(hour))
            self.hours.append(hour)

    def file(self, hour: int) -> Path:
        """Return the path of an hour's file."""
        return self.folder / "hours" / f"hour-{hour}.json"

    def live(
        self,
        broken: tuple[int, int] | None = None,
        files: int | None = 1,
        checkpoint: Path | None = None,
        before: Callable[[int], object] = lambda batch_id: None,
    ) -> str:
        """Run a life until all files are read, and return what Spark said, "" for nothing.

        broken: (batch id, commits): there the life is broken off. files: how many make a batch; None is all that are
        there. before: called with the batch id before the sink. Raises `CourseError` when a life that is to be broken
        off ends in another way.
        """

        place = BrokenOff(*broken) if broken else None

        def save_batch(batch: DataFrame, batch_id: int) -> None:
            rows = batch.collect()
            before(batch_id)
            with contextlib.closing(Database(self.sink, place)) as database:
                database.save(self.condition.save, rows, batch_id)

        reader = self.spark.readStream.schema(SCHEMA)
        hours = (reader.option("maxFilesPerTrigger", files) if files else reader).json(str(self.folder / "hours"))
        writer = hours.selectExpr("*", f"{self.condition.row_id} AS id").writeStream.foreachBatch(save_batch)
        words = ""
        try:
            finish(writer.option("checkpointLocation", str(checkpoint or self.checkpoint)).trigger(availableNow=True))
        except CourseError as why:
            words = str(why)
        if place is not None and not place.has_broken:
            raise CourseError(f"The query was not broken off in batch {place.batch}: {words or 'it ended.'}")
        return words

    def counts(self) -> tuple[int, ...]:
        """Return how many rows are right, found, doubled, lost and different."""
        with contextlib.closing(Database(self.sink)) as database:
            found = database.execute("SELECT hour, average FROM averages").fetchall()
        right = {hour: average(hour) for hour in self.hours}
        times = Counter(hour for hour, _ in found)
        different = {hour for hour, value in found if right.get(hour) != value}
        return len(right), len(found), len(found) - len(times), len(right.keys() - times.keys()), len(different)


def average(hour: int) -> float:
    """Return the temperature of an hour, counted from 1, in degrees."""
    return float(series("san_francisco")[hour - 1].value)


def by_id(rows: Sequence[Any], batch_id: int, database: Database) -> None:
    """Append each row with its own id, in one transaction, unless that id is there already."""
    database.execute("CREATE TABLE IF NOT EXISTS done (what TEXT PRIMARY KEY)")
    for row in rows:
        if database.execute("INSERT OR IGNORE INTO done VALUES (?)", (str(row.id),)).rowcount:
            append([row], batch_id, database)
        database.commit()


def restarted(commits: int = 1, between: Callable[[Trial], object] = lambda trial: None) -> Callable[[Trial], str]:
    """Return lives of a query over four hours: the first is broken off in batch 2, after so many of the sink's
    commits; `between` is called; the second goes on.
    """

    def lives(trial: Trial) -> str:
        trial.arrive(HOURS)
        trial.live((2, commits))
        between(trial)
        return trial.live()

    return lives


def put_back(first: int) -> Callable[[Trial], str]:
    """Return lives of a query whose checkpoint is copied after the hour `first`, put back after hour 4, and used for
    two hours more, all in one batch. With 0 as `first`, nothing is put back.
    """

    def lives(trial: Trial) -> str:
        copy = trial.folder / "copy"
        if first:
            trial.arrive(range(1, first + 1))
            trial.live()
            shutil.copytree(trial.checkpoint, copy)
        trial.arrive(range(first + 1, 5))
        trial.live()
        shutil.rmtree(trial.checkpoint)
        if first:
            copy.rename(trial.checkpoint)
        trial.arrive((5, 6))
        return trial.live(files=None)

    return lives


def two_queries(trial: Trial) -> str:
    """Break the query off before its sink's commit, then restart it twice at once, on the same logs.

    One cluster refuses a second start of a query, or stops the first, and knows it by the id in `metadata`. So the
    second one has an id of its own, as if it came from another cluster, and its other logs are the first one's.
    """
    trial.arrive(HOURS)
    trial.live((2, 0))
    (twin := trial.folder / "twin").mkdir()
    for log in ("offsets", "commits", "sources"):
        (twin / log).symlink_to(trial.checkpoint / log)
    (twin / "metadata").write_text(json.dumps({"id": str(uuid.uuid4())}))
    meeting = threading.Barrier(2)

    def meet(batch_id: int) -> None:
        if batch_id == 2:
            meeting.wait(MEETING)

    with ThreadPoolExecutor(2) as both:
        try:
            lives = [both.submit(trial.live, checkpoint=place, before=meet) for place in (trial.checkpoint, twin)]
            return " ".join(filter(None, (one.result() for one in lives)))
        finally:
            meeting.abort()  # else a query that waits there could not be stopped
            for query in trial.spark.streams.active:
                query.stop()


AFTER = "Broken off after the sink's commit, before commits/2; restarted."
TWICE = "Broken off before the sink's commit; restarted twice at once"
ONCE = "Each row is once in the sink for its id, {}. " + AFTER
CONDITIONS = {
    "none": Condition("All conditions are kept: the batch id is beside the rows.", AFTER, restarted()),
    "source": Condition(
        "The source can replay.",
        "Broken off before the sink's commit; the file that batch 2 had read was removed; restarted.",
        restarted(commits=0, between=lambda trial: trial.file(3).unlink()),
    ),
    "rand": Condition(
        "Replayed rows are the same: not with rand().", ONCE.format("rand(7)"), restarted(), by_id, "rand(7)"
    ),
    "clock": Condition(
        "Replayed rows are the same: not with the clock.", ONCE.format("now()"), restarted(), by_id, "now()"
    ),
    "batch time": Condition(
        "Replayed rows are the same: with the batch's time, which offsets/2 keeps.",
        ONCE.format("current_timestamp()"),
        restarted(),
        by_id,
        "current_timestamp()",
    ),
    "sink": Condition("The sink is idempotent.", f"The sink appends. {AFTER}", restarted(), append),
    "lost checkpoint": Condition(
        "The checkpoint is there.",
        "The checkpoint was removed; two more hours arrived; restarted: batch 0 has six, its id is known.",
        put_back(0),
    ),
    "old checkpoint": Condition(
        "The checkpoint is the newest.",
        "That of after batch 1 was put back; two more hours arrived; restarted: batch 2 has four, its id is known.",
        put_back(2),
    ),
    "two queries": Condition("A checkpoint has one query.", f"{TWICE}; the sink appends.", two_queries, append),
    "two queries, batch id": Condition(
        "A checkpoint has one query: two are harmless to a sink with the batch id.", f"{TWICE}.", two_queries
    ),
}


def broken_conditions(which: str | Iterable[str] | None = None) -> pandas.DataFrame:
    """Break each condition once, on the cluster, and return the rows that were doubled, lost and different.

    which: the name of a row, or several; default: all, which takes about 30 s. `CONDITIONS` has the names.
    Returns a DataFrame, a row for each. Raises `BadInput` for another name, `CourseError` when the cluster fails.
    """
    which = CONDITIONS if which is None else which
    names = list(which) if isinstance(which, Iterable) and not isinstance(which, str) else [which]
    for name in names:
        one_of("which", name, CONDITIONS)
    spark = cluster()
    quiet()
    return pandas.DataFrame([_row(CONDITIONS[name], spark) for name in names], index=names, columns=list(COLUMNS))


def _row(condition: Condition, spark: SparkSession) -> tuple[object, ...]:
    began = time.monotonic()
    folder = owned.new_folder(owned.RUNS, "conditions")
    try:
        trial = Trial(condition, spark, folder)
        words = condition.lives(trial).replace(f"{folder}/", "")  # a folder that will be gone
        counts = trial.counts()
    except CourseError:
        raise
    except Exception as why:  # noqa: BLE001 - PySpark passes on whatever its Java raises
        raise lost() or CourseError(said(why)) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return condition.name, condition.done, *counts, words or "nothing", round(time.monotonic() - began, 1)

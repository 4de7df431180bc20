"""The conditions of Structured Streaming's exactly-once, each broken once, as a table of what it costs.

"Using replayable sources and idempotent sinks, Structured Streaming can ensure end-to-end exactly-once semantics
under any failure" (Spark, "Fault Tolerance Semantics"). To that belong rows that are the same when they are replayed,
and a checkpoint that is there, is the newest, and is one query's own. Each row of the table is a query over a few
hours that is broken off and restarted, within the cluster's session.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import threading
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas

from ...cluster.cluster import check_executors
from ...cluster.processes import kill_executor
from ..sinks import Database, append
from .trial import Condition, Shape, Trial, ended, table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession  # at run time it is imported when a cluster is needed

HOURS = range(1, 5)
MEETING = 60  # s that one of two queries waits for the other
OTHER_PARTS = {"spark.sql.files.maxPartitionBytes": 50}  # files are read in parts of so many bytes
TWO_PARTITIONS = {"spark.sql.files.minPartitionNum": 2}  # of a batch of files, whatever the cluster's slots


def once(what: object, rows: Iterable[Any], batch_id: int, database: Database) -> None:
    """Append rows and a name for them, in one transaction, unless that name is there already."""
    if database.execute("INSERT OR IGNORE INTO done VALUES (?)", (str(what),)).rowcount:
        append(list(rows), batch_id, database)
    database.commit()


def by_id(rows: Sequence[Any], batch_id: int, database: Database) -> None:
    """Append each row once for its own id."""
    for row in rows:
        once(row.id, [row], batch_id, database)


def by_position(rows: Sequence[Any], batch_id: int, database: Database) -> None:
    """Append each row once for its place in the batch."""
    for position, row in enumerate(rows):
        once((batch_id, position), [row], batch_id, database)


def by_partition(rows: Sequence[Any], batch_id: int, database: Database) -> None:
    """Append the rows of each partition once for its number and the batch id.

    PySpark's documentation of `foreach` advises to do so, and Scala's (SPARK-28650) says that it is wrong.
    """
    for partition, some in itertools.groupby(rows, lambda row: row.id):
        once((batch_id, partition), some, batch_id, database)


def with_id(sql: str) -> Shape:
    """Return a function that gives each row an id, computed by this SQL."""
    return lambda frame: frame.selectExpr("*", f"{sql} AS id")


def counted(frame: DataFrame) -> DataFrame:
    """Return a running count of the hours, with the newest temperature: it is right only with the state before it."""
    from pyspark.sql.functions import expr

    newest = expr("max_by(average, hour) AS average")
    return frame.groupBy(expr("readings AS known")).agg(expr("count(*) AS hour"), newest, expr("1 AS readings"))


def restarted(
    batch: int = 2,
    commits: int = 1,
    between: Callable[[Trial], object] = lambda trial: None,
    settings: Mapping[str, object] | None = None,
) -> Callable[[Trial], str]:
    """Return lives of a query over four hours: the first is broken off in `batch`, after so many of the sink's
    commits; `between` is called; the second has other `settings` of Spark.
    """

    def lives(trial: Trial) -> str:
        trial.arrive(HOURS)
        trial.set(TWO_PARTITIONS)
        trial.live((batch, commits), trial.condition.files)
        between(trial)
        trial.set(settings or {})
        words = trial.live(files=trial.condition.files)
        trial.notes["partitions"] = len(list(trial.checkpoint.glob("state/0/[0-9]*")))
        return words

    return lives


def put_back(first: int, newest: int, last: int) -> Callable[[Trial], str]:
    """Return lives of a query whose checkpoint is copied after the hour `first`, put back after the hour `newest`,
    and used for the hours up to `last`. With 0 as `first`, nothing is put back.
    """

    def lives(trial: Trial) -> str:
        copy = trial.folder / "copy"
        if first:
            trial.arrive(range(1, first + 1))
            trial.live()
            shutil.copytree(trial.checkpoint, copy)
        trial.arrive(range(first + 1, newest + 1))
        trial.live()
        shutil.rmtree(trial.checkpoint)
        if first:
            copy.rename(trial.checkpoint)
        trial.arrive(range(newest + 1, last + 1))
        return trial.live(files=trial.condition.files)

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

    try:
        queries = [trial.start(checkpoint=place, before=meet) for place in (trial.checkpoint, twin)]
        return " ".join(filter(None, map(ended, queries)))
    finally:
        meeting.abort()  # else a query that waits there could not be stopped


def orphans(trial: Trial) -> str:
    """Write by Spark's own file sink, kill the executor while it writes, and read all files that are there.

    A task that fails by an exception removes its files; one whose executor is killed cannot. The task has two
    partitions in turn: rows of the first are in files when the second is read, which kills.
    """
    from pyspark.sql.functions import udf

    check_executors(trial.spark)
    trial.arrive(HOURS)
    trial.set(TWO_PARTITIONS)
    died, files = str(trial.folder / "died"), trial.folder / "files"

    def die_once(hour):  # with types, PySpark would look for those of pandas, and warn
        if hour == 1:
            try:
                os.close(os.open(died, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return hour
            kill_executor()
        return hour

    hours = trial.stream(None).withColumn("hour", udf(die_once, "int")("hour")).coalesce(1)
    writer = hours.writeStream.format("json").option("maxRecordsPerFile", 1)
    writer = writer.option("checkpointLocation", str(trial.checkpoint)).trigger(availableNow=True)
    words = ended(writer.start(str(files)))
    lines = [json.loads(line) for path in files.glob("part-*") for line in path.read_text().splitlines()]
    trial.found = [(line["hour"], line["average"]) for line in lines]
    trial.notes["read"] = trial.spark.read.json(str(files)).count()
    return words


AFTER = "Broken off after the sink's commit, before commits/2; restarted."
TWICE = "Broken off before the sink's commit; restarted twice at once"
PARTS = "All hours in one batch, broken off after {} of the sink's commits; restarted with files read in other parts."
CONDITIONS = {
    "none": Condition("All conditions are kept: the batch id is beside the rows.", AFTER, restarted()),
    "source": Condition(
        "The source can replay.",
        "Broken off before the sink's commit; the file that batch 2 had read was removed; restarted.",
        restarted(commits=0, between=lambda trial: trial.file(3).unlink()),
    ),
    "rand": Condition(
        "Replayed rows are the same: not with rand().",
        f"Each row is once in the sink for its id, rand(7). {AFTER}",
        restarted(),
        save=by_id,
        shape=with_id("rand(7)"),
    ),
    "clock": Condition(
        "Replayed rows are the same: not with the clock.",
        f"Each row is once in the sink for its id, now(). {AFTER}",
        restarted(),
        save=by_id,
        shape=with_id("now()"),
    ),
    "batch time": Condition(
        "Replayed rows are the same: with the batch's time, which offsets/2 keeps.",
        f"Each row is once in the sink for its id, current_timestamp(). {AFTER}",
        restarted(),
        save=by_id,
        shape=with_id("current_timestamp()"),
    ),
    "order": Condition(
        "Replayed rows are the same: not in an unordered read.",
        f"Each row is once in the sink for its place in the batch. {PARTS.format(2)}",
        restarted(0, 2, settings=OTHER_PARTS),
        save=by_position,
        files=None,
    ),
    "sink": Condition("The sink is idempotent.", f"The sink appends. {AFTER}", restarted(), save=append),
    "file reader": Condition(
        "Readers of a file sink go by _spark_metadata.",
        "A task's executor was killed while it wrote; all files were read. Spark's own reader finds {read} rows.",
        orphans,
    ),
    "lost checkpoint": Condition(
        "The checkpoint is there.",
        "The checkpoint was removed; two more hours arrived; restarted: batch 0 has six, its id is known.",
        put_back(0, 4, 6),
        files=None,
    ),
    "old checkpoint": Condition(
        "The checkpoint is the newest.",
        "That of after batch 1 was put back; two more hours arrived; restarted: batch 2 has four, its id is known.",
        put_back(2, 4, 6),
        files=None,
    ),
    "two queries": Condition("A checkpoint has one query.", f"{TWICE}; the sink appends.", two_queries, save=append),
    "two queries, batch id": Condition(
        "A checkpoint has one query: two are harmless to a sink with the batch id.", f"{TWICE}.", two_queries
    ),
    "partitions of the sink": Condition(
        "A partition has the same rows when it is replayed.",
        f"Each partition is once in the sink for its number and the batch id. {PARTS.format(1)}",
        restarted(0, 1, settings=OTHER_PARTS),
        save=by_partition,
        shape=with_id("spark_partition_id()"),
        files=None,
    ),
    "partitions of the state": Condition(
        "The number of partitions stays: the first batch fixes spark.sql.shuffle.partitions.",
        f"A running count. {AFTER[:-1]} with 5 asked for: the state has {{partitions}} partitions.",
        restarted(settings={"spark.sql.shuffle.partitions": 5}),
        shape=counted,
        mode="update",
    ),
}


def broken_conditions(
    which: str | Iterable[str] | None = None, spark: SparkSession | None = None
) -> pandas.DataFrame:
    """Break each condition once, on the cluster, and return the rows that were doubled, lost and different.

    which: the name of a row, or several; default: all, which takes about 40 s. `CONDITIONS` has the names.
    Returns a DataFrame, a row for each. Raises `BadInput` for another name, and for "file reader" with a master that
    has no executors; `CourseError` when the cluster fails.
    """
    return table(CONDITIONS, which, spark)

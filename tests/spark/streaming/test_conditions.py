"""Tests for the conditions that are broken: what each costs, what Spark says, and that nothing is left behind."""

import json
import os
import signal

import pytest

from exactly_once import owned
from exactly_once.errors import BadInput, CourseError
from exactly_once.paths import temporary
from exactly_once.spark import broken_conditions
from exactly_once.spark.streaming.conditions.broken import CONDITIONS, HOURS, restarted
from exactly_once.spark.streaming.conditions.trial import Condition, Trial, ended, table
from exactly_once.spark.streaming.finish import said
from exactly_once.spark.streaming.sinks import once_by_batch_id

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]
COUNTS = ["rows expected", "rows found", "doubled", "lost"]
BATCH = 1  # row in a batch, so that is what a batch costs
LARGE = 2  # hours that come with a batch whose id the sink knows
EXPECTED = {  # found, doubled, lost, beside so many expected
    "none": (4, 4, 0, 0),
    "source": (4, 4 - BATCH, 0, BATCH),
    "rand": (4, 4 + BATCH, BATCH, 0),
    "clock": (4, 4 + BATCH, BATCH, 0),
    "batch time": (4, 4, 0, 0),
    "order": (4, 4, 1, 1),  # 4, 3 before, and then 2, 3, 4, 1, of which the first two are taken for known
    "sink": (4, 4 + BATCH, BATCH, 0),
    "file reader": (4, 4 + 1, 1, 0),  # one row a file, and one file was whole
    "lost checkpoint": (6, 6 - LARGE, 0, LARGE),
    "old checkpoint": (6, 6 - LARGE, 0, LARGE),
    "two queries": (4, 4 + BATCH, BATCH, 0),
    "two queries, batch id": (4, 4, 0, 0),
    "partitions of the sink": (4, 5, 2, 1),  # 4, 3 as partition 0 before; then that is 2 alone, and left out
    "partitions of the state": (4, 4, 0, 0),
}


def left():
    return [path.name for path in temporary(owned.RUNS).glob(f"conditions-{os.getpid()}-*")]


@pytest.fixture
def trial(spark, tmp_path):
    trial = Trial(Condition("", "", restarted()), spark, tmp_path)
    yield trial
    assert trial.spark.streams.active == []


def test_every_condition(spark, capfd):
    found = broken_conditions(spark=spark)
    assert dict(zip(found.index, found[COUNTS].itertuples(index=False, name=None), strict=True)) == EXPECTED
    assert list(found.index) == list(CONDITIONS)
    assert (found["different"] == 0).all()
    said_by_spark = found["said by Spark"]
    twice = said_by_spark.str.contains(r"Another query writes to the same checkpoint: .* (?:\w+/commits|batch 2)")
    assert list(found.index[twice]) == ["two queries", "two queries, batch id"]
    assert (said_by_spark[~twice] == "nothing").all()
    assert "finds 4 rows" in found["what was done"]["file reader"]
    assert "has 2 partitions" in found["what was done"]["partitions of the state"]
    assert capfd.readouterr() == ("", "")
    assert left() == []


@pytest.mark.parametrize("which", ["sinks", ["none", "sinks"], 3, [None]])
def test_a_name_that_there_is_not(which):
    with pytest.raises(BadInput, match=r"which is .*; it can be none, source, rand"):
        broken_conditions(which)


def test_the_commit_of_a_batch_is_taken_away(trial):
    """The same as a crash between the sink and commits/N: the batch comes again, with its id."""
    trial.arrive(HOURS)
    assert trial.live() == ""
    for path in (trial.checkpoint / "commits").glob("*3*"):
        path.unlink()
    batches = []
    assert ended(trial.start(before=batches.append)) == ""
    assert batches == [3]
    assert trial.counts() == (4, 4, 0, 0, 0)


def test_a_life_that_ends_before_it_is_broken_off(trial):
    trial.arrive([1])
    with pytest.raises(CourseError, match="was not broken off in batch 2: it ended"):
        trial.live((2, 1))


def test_stop_in_the_middle(spark):
    def stop(rows, batch_id, database):
        once_by_batch_id(rows, batch_id, database)
        if batch_id == 1:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stopped:
        table({"x": Condition("", "", lambda trial: trial.arrive(range(1, 20)) or trial.live(), stop)}, "x", spark)
    assert left() == []
    assert said(stopped.value).startswith("The query was stopped.")
    assert broken_conditions("none", spark)["doubled"].tolist() == [0]  # the session is fit for use


def another_number_of_sources(trial):
    trial.live()
    trial.arrive([5])
    return trial.stream(1).union(trial.stream(1))


def another_kind_of_source(trial):
    trial.live()
    return trial.spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()


def without_metadata(trial):
    trial.live()
    (trial.checkpoint / "metadata").unlink()


def a_file_in_its_place(trial):
    trial.checkpoint.write_text("")


def a_folder_where_there_is_none(trial):
    trial.checkpoint = trial.checkpoint.parent / "file" / "checkpoint"
    trial.checkpoint.parent.write_text("")


def another_state(trial):
    start(trial, trial.stream(1).groupBy("hour").count())
    trial.arrive([5])
    return trial.stream(1).groupBy("average").count()


def a_wrong_row(trial):
    return trial.stream(1).selectExpr("1 / (hour - hour) AS hour")


def a_wrong_function(trial):
    return lambda rows, batch_id: json.loads("{")


def its_log_is_garbage(trial):
    trial.live()
    (trial.checkpoint / "offsets" / "3").write_text("garbage")


def start(trial, frame=None, save=None):
    writer = (trial.stream(1) if frame is None else frame).writeStream.outputMode(
        "append" if frame is None else "update"
    )
    writer = writer.foreachBatch(save or (lambda batch, batch_id: batch.collect()))
    try:
        return ended(writer.option("checkpointLocation", str(trial.checkpoint)).trigger(availableNow=True).start())
    except Exception as why:  # noqa: BLE001 - what said() is for
        return said(why)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (another_number_of_sources, "checkpoint is of another query: There are [1] sources in the checkpoint"),
        (another_kind_of_source, "checkpoint is of another query: No usable value for offset."),
        (another_state, "checkpoint is of another query: Provided key schema does not match"),
        (without_metadata, "checkpoint has logs and no file `metadata`"),
        (a_file_in_its_place, "checkpoint cannot be written."),
        (a_folder_where_there_is_none, "cannot be written."),
        (a_wrong_row, "The function of foreachBatch failed: Division by zero. (DIVIDE_BY_ZERO)"),
        (
            a_wrong_function,
            "The function of foreachBatch failed: json.decoder.JSONDecodeError: Expecting property name",
        ),
        (its_log_is_garbage, "failed to read correct log version from garbage. (MALFORMED_LOG_FILE)"),
    ],
)
def test_what_spark_says(trial, broken, words, capfd):
    trial.arrive(HOURS)
    given = broken(trial)
    found = start(trial, save=given) if callable(given) else start(trial, given)
    assert words in found
    assert "\n" not in found
    assert len(found) < 400
    assert capfd.readouterr() == ("", "")

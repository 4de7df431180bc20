"""Tests for the state as a table."""

import pandas
import pytest

from exactly_once.spark import state_versions
from exactly_once.spark.streaming.conditions.trial import Condition, Trial, average

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]
WINDOWS = """
    SELECT CAST(unix_timestamp(window.end) / 3600 AS INT) AS hour, avg(average) AS average, count(*) AS readings
    FROM readings GROUP BY window(time, '2 hours')
"""


def windows(frame):
    """Return the average of each window of two hours, named by its last hour, once the watermark has passed it."""
    timed = frame.selectExpr("*", "timestamp_seconds((hour - 1) * 3600) AS time").withWatermark("time", "1 hour")
    timed.createOrReplaceTempView("readings")
    return frame.sparkSession.sql(WINDOWS)


def trial_of(spark, folder, shape):
    return Trial(Condition("", "", lambda trial: "", shape=shape), spark, folder)


@pytest.mark.slow
def test_state_versions(spark, tmp_path):
    trial = trial_of(spark, tmp_path, windows)
    trial.arrive(range(1, 5))
    assert trial.live() == ""
    found = state_versions(trial.checkpoint, spark)
    start = pandas.Timestamp("1970-01-01")
    seen = {
        batch: {
            ((one.end - start) // pandas.Timedelta(hours=1)): (one["sum"], one["count"]) for _, one in rows.iterrows()
        }
        for batch, rows in found.groupby("batch")
    }
    one, two, three, four = map(average, range(1, 5))
    assert seen == {
        0: {2: (one, 1)},
        1: {2: (one + two, 2)},
        2: {2: (one + two, 2), 4: (three, 1)},
        3: {2: (one + two, 2), 4: (three + four, 2)},
        4: {4: (three + four, 2)},  # without rows: the watermark has passed hour 2, and its window is given
    }
    assert list(found.columns) == ["batch", "operator", "partition", "start", "end", "sum", "count", "count_2"]

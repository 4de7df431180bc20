"""The query of chapter 12: the averages of the last 24 hours, by Spark's SQL with an event-time window.

In update mode a batch gives each window that it changed. A reading of hour h is in the 24 windows that end with
hours h to h + 23; the handler of chapter 04 pushes the one that ends with h, as soon as h is read, and so does this
query: it keeps the window whose last hour has been read. The windows that end later stay in the state.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ...paths import replaced
from ...pipeline import STREAMS, series

if TYPE_CHECKING:
    from pyspark.sql import DataFrame  # at run time only a driver imports it

SCHEMA = "hour INT, stream STRING, tenths INT"  # tenths of a degree are whole numbers, so that sums are exact
EPOCH = 1262304000  # s from 1970 to the series' first hour, midnight of 1 January 2010
AVERAGES = f"""
    SELECT CAST((unix_timestamp(window.end) - {EPOCH}) / 3600 AS INT) AS hour,
           sum(tenths) / (10D * count(*)) AS average, sum(tenths) AS tenths, count(*) AS readings
    FROM readings
    GROUP BY window(time, '24 hours', '1 hour')
    HAVING max(readings.hour) = hour
"""


def averages(readings: DataFrame, late: str = "2 hours") -> DataFrame:
    """Return the averages of the windows of `readings` (hour, stream, tenths), which may be `late` by that much."""
    spark = readings.sparkSession
    timed = readings.selectExpr("*", f"timestamp_seconds({EPOCH} + (hour - 1) * 3600) AS time")
    timed.withWatermark("time", late).createOrReplaceTempView("readings")
    return spark.sql(AVERAGES)


def drop_hours(folder: Path, hours: Iterable[int]) -> None:
    """Drop a file of JSON for each of these hours, counted from 1, into `folder`, in one step each.

    Spark reads files in the order of their times of change, and files of one millisecond in any order. So each file
    gets the time of its hour.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for hour in hours:
        rows = [(series(stream)[hour - 1], stream) for stream in STREAMS]
        lines = [{"hour": row.hour, "stream": stream, "tenths": int(row.value * 10)} for row, stream in rows]
        draft = replaced(folder / f"_hour-{hour:05}.json", "".join(f"{json.dumps(line)}\n" for line in lines))
        os.utime(draft, (EPOCH + hour * 3600, EPOCH + hour * 3600))
        draft.rename(folder / draft.name.removeprefix("_"))  # Spark does not read a file that begins with _

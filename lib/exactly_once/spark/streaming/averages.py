"""The query of chapter 12: the averages of the last 24 hours, by Spark's SQL with an event-time window.

In update mode a batch gives each window that it changed. A reading of hour h is in the 24 windows that end with
hours h to h + 23; the handler of chapter 04 pushes the one that ends with h, as soon as h is read, and so does this
query: it keeps the window whose last hour has been read. The windows that end later stay in the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame  # at run time only a driver imports it

EPOCH = 1262304000  # s from 1970 to the series' first hour, midnight of 1 January 2010
AVERAGES = f"""
    SELECT CAST((unix_timestamp(window.end) - {EPOCH}) / 3600 AS INT) AS hour,
           sum(tenths) / (10D * count(*)) AS average, sum(tenths) AS tenths, count(*) AS readings
    FROM readings
    GROUP BY window(time, '24 hours', '1 hour')
    HAVING max(hour) = hour
"""


def averages(readings: DataFrame, late: str = "2 hours") -> DataFrame:
    """Return the averages of the windows of `readings` (hour, stream, tenths), which may be `late` by that much."""
    spark = readings.sparkSession
    timed = readings.selectExpr("*", f"timestamp_seconds({EPOCH} + (hour - 1) * 3600) AS time")
    timed.withWatermark("time", late).createOrReplaceTempView("readings")
    return spark.sql(AVERAGES)

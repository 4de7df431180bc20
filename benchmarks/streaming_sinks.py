"""Rows a second through a streaming query, file source → event-time window → sink, for four sinks of the same query.

The sinks are Spark's noop, Spark's own file sink (Parquet), and foreachBatch into SQLite, appending or with the
batch id beside the rows in one transaction. Ten files are ten micro-batches, and each tenth row reaches the sink: the
average of one sensor's hour, once the watermark has passed it. The sinks take turns, after a run that warms Spark up.
The course promises that the batch id costs at most 15 % (medians).

    python benchmarks/streaming_sinks.py [rows, default 100000 1000000] [--rounds 3]
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from exactly_once.paths import temporary
from exactly_once.spark import cluster, stop_cluster
from exactly_once.spark.streaming.finish import finish
from exactly_once.spark.streaming.sinks import Database

MASTER, FILES, SENSORS, READINGS = "local[2]", 10, 100, 10  # readings of one sensor in an hour
SINKS = ("noop", "file", "append", "batch id")
MOST = 1.15  # the time of the sink with the batch id against the one that appends
WARM = 20_000  # rows


def drop(folder, rows):
    """Write `rows` rows into `FILES` files, in the order of their times."""
    folder.mkdir()
    for number in range(FILES):
        file = folder / f"{number:02}.csv"
        with file.open("w") as lines:
            for row in range(rows * number // FILES, rows * (number + 1) // FILES):
                second = row * 3600 // (SENSORS * READINGS)
                lines.write(f"{second},{row % SENSORS},{row * 7919 % 500}\n")
        os.utime(file, (number + 1, number + 1))  # Spark reads the oldest first


def appended(rows, batch_id, database):
    """Append the rows of a batch."""
    values = [(row.hour, row.average, batch_id) for row in rows]
    database.executemany("INSERT INTO averages VALUES (?, ?, ?)", values)


def once(rows, batch_id, database):
    """Append the rows of a batch and its id, unless the id is there already."""
    if database.execute("SELECT 1 FROM batches WHERE batch = ?", (batch_id,)).fetchone():
        return
    database.execute("INSERT INTO batches VALUES (?)", (batch_id,))
    appended(rows, batch_id, database)


def seconds(spark, hours, sink, place):
    """Run the query over the files in `hours` into a sink; return how long it took, and the rows in the database."""
    stream = spark.readStream.schema("second BIGINT, sensor INT, tenths INT").option("maxFilesPerTrigger", 1)
    timed = (
        stream.csv(str(hours)).selectExpr("*", "timestamp_seconds(second) AS time").withWatermark("time", "0 seconds")
    )
    timed.createOrReplaceTempView("readings")
    averages = spark.sql(
        "SELECT window.start AS start, unix_timestamp(window.start) / 3600 AS hour, sensor, "
        "sum(tenths) / (10D * count(*)) AS average FROM readings GROUP BY window(time, '1 hour'), sensor"
    )
    writer = averages.writeStream.outputMode("append").option("checkpointLocation", str(place / "checkpoint"))
    writer, database = writer.trigger(availableNow=True), Database(place / "sink.sqlite")
    if sink == "noop":
        writer = writer.format("noop")
    elif sink == "file":
        writer = writer.format("parquet").option("path", str(place / "files"))
    else:
        save = appended if sink == "append" else once
        writer = writer.foreachBatch(lambda frame, batch_id: database.save(save, frame.collect(), batch_id))
    began = time.perf_counter()
    finish(writer)
    took = time.perf_counter() - began
    ((found,),) = database.execute("SELECT count(*) FROM averages").fetchall()
    database.close()
    return took, found


def main(sizes, rounds):
    """Take turns, print the medians for each number of rows, and the price of the batch id."""
    os.environ.setdefault("EXACTLY_ONCE_LEASE", f"benchmark-{os.getpid()}")
    spark = cluster(master=MASTER)
    try:
        with tempfile.TemporaryDirectory(dir=temporary("benchmarks")) as folder:
            for rows in [WARM, *sizes]:
                hours = Path(folder) / f"{rows}"
                drop(hours, rows)
                times = {sink: [] for sink in SINKS}
                for turn in range(1 if rows == WARM else rounds):
                    for sink in SINKS:
                        place = Path(folder) / f"{rows}-{turn}-{sink}"
                        place.mkdir()
                        took, found = seconds(spark, hours, sink, place)
                        times[sink].append(took)
                        if found and found < rows // READINGS * 8 // 10:
                            raise SystemExit(f"{sink}: {found} rows in the sink")
                if rows != WARM:
                    report(rows, {sink: statistics.median(taken) for sink, taken in times.items()})
    finally:
        stop_cluster()


def report(rows, medians):
    """Print the rows a second of each sink."""
    for sink, took in medians.items():
        print(f"{rows:>9,} rows, {sink:>8}: {took:6.2f} s, {rows / took:>9,.0f} rows/s", flush=True)
    price = medians["batch id"] / medians["append"]
    print(f"{rows:>9,} rows: batch id against append {price:.2f} ({MOST:.2f})", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Rows a second through a streaming query, for four sinks.")
    parser.add_argument("rows", nargs="*", type=int, default=[100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    main(chosen.rows or [100_000, 1_000_000], chosen.rounds)

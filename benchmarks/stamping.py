"""Lamport stamps for logs of 10⁵, 10⁶ and 10⁷ events: passes and seconds on the cluster, beside one single process.

Both read the same log from a Parquet file, and must agree exactly. The passes follow the depth, not the events.
A small log is stamped first, so that nothing is measured that is loaded late.

    python benchmarks/stamping.py [largest number of events, default 1e7] [depth, default 30]
"""

import shutil
import sys
import tempfile
import time

import numpy
import pandas
import pyarrow.parquet

from exactly_once.paths import temporary
from exactly_once.spark import cluster, stop_cluster
from exactly_once.spark.clocks.message_log import message_log
from exactly_once.spark.clocks.stamp_locally import stamp_here
from exactly_once.spark.clocks.stamping import stamp
from exactly_once.spark.cluster.processes import memory_pss

SIZES = (100_000, 1_000_000, 10_000_000)


def measure(spark, events, depth, folder):
    """Stamp one log both ways. Returns a row of the table: events, passes, seconds, reference, agree."""
    place = f"{folder}/log-{events}"
    message_log(events, depth=depth, spark=spark).write.parquet(place)
    run = stamp(spark.read.parquet(place))
    run.events.write.parquet(f"{place}-stamped")
    run.release()
    log = pyarrow.parquet.read_table(place).to_pandas()
    began = time.perf_counter()
    stamps = stamp_here(log)
    reference = time.perf_counter() - began
    found = pyarrow.parquet.read_table(f"{place}-stamped", columns=["process", "position", "stamp"]).to_pandas()
    mine = stamps.to_numpy()[numpy.lexsort((log["position"], log["process"]))]
    theirs = found["stamp"].to_numpy()[numpy.lexsort((found["position"], found["process"]))]
    return events, run.passes, run.seconds, reference, numpy.array_equal(mine, theirs)


def main(most=10_000_000, depth=30):
    """Measure, and print a line for each size. Returns 1 when the two ways do not agree."""
    spark, rows = cluster(), []
    folder = tempfile.mkdtemp(dir=temporary("benchmarks"))
    try:
        stamp(message_log(10_000, depth=3, spark=spark)).release()  # what is loaded late, is loaded now
        print(
            f"depth {depth}\n    events passes    cluster  a pass  one process  ratio   agree  memory of the cluster"
        )
        for events in (size for size in SIZES if size <= most):
            rows.append(measure(spark, events, depth, folder))
            _, passes, seconds, reference, agree = rows[-1]
            print(
                f"{events:>10,} {passes:>6} {seconds:>8.1f} s {seconds / passes:>5.2f} s {reference:>9.2f} s "
                f"{seconds / reference:>6.1f}   {agree!s:>5}   {memory_pss().total / 1e9:.2f} GB",
                flush=True,
            )
    finally:
        stop_cluster()
        shutil.rmtree(folder, ignore_errors=True)
    table = pandas.DataFrame(rows, columns=["events", "passes", "seconds", "reference", "agree"])
    return 0 if table["agree"].all() and table["passes"].nunique() == 1 else 1


if __name__ == "__main__":
    sys.exit(main(*(int(float(word)) for word in sys.argv[1:])))

"""How often a batch is late with one handler and with two at once, p being scaled up; then drawn on to p = 1e-4.

The rows that are not measured are an extrapolation: they assume that mishaps strike the nodes independently.
"""

import time

from exactly_once.spark import cluster, stop_cluster
from exactly_once.spark.sample.estimate import late_batches


def main():
    """Measure, and print a line for each number of nodes and each p."""
    spark = cluster()
    started = time.perf_counter()
    try:
        found = late_batches(spark=spark)
    finally:
        stop_cluster()
    for row in found.itertuples():
        how = f"{row.late:6,} of {row.batches:,} batches" if row.measured else "extrapolated, not measured"
        print(
            f"{row.nodes} at once, p = {row.p:.2g}: late {row.rate:.2g} ({row.low:.2g} to {row.high:.2g}), "
            f"expected about {row.expected:.2g}   {how}"
        )
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()

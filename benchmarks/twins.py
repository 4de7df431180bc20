"""How long a record waits when one twin is killed or stopped, with one node and Spark's retry in the same run.

Ten runs of each fault. Promised, of the medians: 99 of 100 records of the twins wait at most twice as long as before
the fault, and the longest wait is at most twice that before, and 0.1 s more. The one node's longest wait, after a
kill the time until Spark's retry is there, after a stop the stop, is at least five times the twins': else the fault
would show nothing.
"""

import statistics
import sys

from exactly_once.spark import cluster, stop_cluster
from exactly_once.spark.waits import FAULTS, waits

TIMES = 10
TWICE, MORE, GAP = 2, 0.1, 5


def main():
    """Measure, and print the medians. Returns 1 when a promise was missed."""
    kept = True
    spark = cluster(slots=4)
    try:
        for fault in FAULTS:
            runs = [waits(fault, spark=spark) for _ in range(TIMES)]
            p99 = [statistics.median(one.p99[after] for one in runs) for after in (0, 1)]
            longest = [statistics.median(one.longest[after] for one in runs) for after in (0, 1)]
            gap = statistics.median(one.gap for one in runs)
            ratio = statistics.median(one.gap / one.longest[1] for one in runs)
            promises = {
                f"p99 at most {TWICE} times": p99[1] <= TWICE * p99[0],
                f"longest at most {TWICE} times and {1000 * MORE:g} ms": longest[1] <= TWICE * longest[0] + MORE,
                f"one node at least {GAP} times": ratio >= GAP,
            }
            kept = kept and all(promises.values())
            print(
                f"{fault}: p99 {1000 * p99[0]:.0f} ms before and {1000 * p99[1]:.0f} ms from then on, longest "
                f"{1000 * longest[0]:.0f} and {1000 * longest[1]:.0f} ms; one node {1000 * gap:,.0f} ms, {ratio:.1f} "
                f"times as long (medians of {TIMES})"
            )
            print(
                "; ".join(f"{what}: {'kept' if is_so else 'MISSED'}" for what, is_so in promises.items()), flush=True
            )
    finally:
        stop_cluster()
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())

"""How long a record waits when one twin is killed or stopped, with one node and Spark's retry in the same run.

Ten runs of each fault; each compares with itself, and the medians are promised: 99 of 100 records of the twins wait
at most twice as long as before the fault, and the longest wait is at most twice that before, and 0.1 s more. The one
node's longest wait, after a kill the time until Spark's retry is there, after a stop the stop, is at least five times
the twins': else the fault would show nothing.
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
            runs = []
            for _ in range(TIMES):
                runs.append(waits(fault, spark=spark))
                print(runs[-1], flush=True)
            p99 = statistics.median(one.p99[1] / one.p99[0] for one in runs)
            more = statistics.median(one.longest[1] - TWICE * one.longest[0] for one in runs)
            gap = statistics.median(one.gap / one.longest[1] for one in runs)
            promises = {
                f"p99 {p99:.2f} times that before (at most {TWICE})": p99 <= TWICE,
                f"longest {1000 * more:+.0f} ms against {TWICE} times that before (at most +{1000 * MORE:g})": more
                <= MORE,
                f"one node {gap:.1f} times the twins' longest (at least {GAP})": gap >= GAP,
            }
            kept = kept and all(promises.values())
            for what, is_so in promises.items():
                print(f"{fault}: {what}: {'kept' if is_so else 'MISSED'} (median of {TIMES})", flush=True)
    finally:
        stop_cluster()
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())

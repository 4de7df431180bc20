"""How long a crash takes from the call to the verdict: simulated, and real on the warm cluster (50 of each).

Prints percentiles in seconds. The course promises p95 of at most 3 s for a real crash on a warm cluster.
"""

import random
import statistics
import time

from exactly_once.faults import FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.simulate import simulate
from exactly_once.spark import cluster, stop_cluster
from exactly_once.spark.tasks import run_on_cluster
from exactly_once.verdict import judge

COUNT = 50


def measure(run, plans):
    """Return the seconds from the call to the verdict for each plan."""
    times = []
    for plan in plans:
        started = time.perf_counter()
        judge(run(at_least_once, plan), at_least_once)
        times.append(time.perf_counter() - started)
    return times


def main():
    """Measure both worlds with the same plans and print a line each."""
    rng = random.Random(1)
    plans = {
        kill: [FaultPlan.crash(rng.choice("ABCDE"), rng.randint(3, 6), kill) for _ in range(COUNT)]
        for kill in ("worker", "executor")
    }
    spark = cluster()
    try:
        measure(lambda handler, plan: run_on_cluster(handler, plan, spark=spark), plans["worker"][:3])
        rows = {
            "simulated": measure(simulate, plans["worker"]),
            "a worker killed": measure(
                lambda handler, plan: run_on_cluster(handler, plan, spark=spark), plans["worker"]
            ),
            "an executor killed": measure(
                lambda handler, plan: run_on_cluster(handler, plan, spark=spark), plans["executor"]
            ),
        }
    finally:
        stop_cluster()
    for name, times in rows.items():
        cuts = statistics.quantiles(times, n=20)
        print(f"{name:20} median {statistics.median(times):.3f} s   p95 {cuts[18]:.3f} s   longest {max(times):.3f} s")


if __name__ == "__main__":
    main()

"""What the way into another system costs: two-phase commit and the position in the sink beside chapter 06's handler.

Counted: the requests to stores of one hour whose window is above the threshold, from the traces of simulated runs.
Measured: hours a second on the cluster, between the first and the last write, in rounds in which each strategy runs
once, in an order that is drawn, so that whatever else the machine does falls on all. The figure is the median of the
rounds' ratios to the transactional handler, with the least and the greatest.

    python benchmarks/other_system.py [rounds]
"""

import random
import statistics
import sys
from collections import Counter

from exactly_once.handlers import STRATEGIES
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.spark import cluster, stop_cluster
from exactly_once.spark.run.tasks import run_on_cluster

NAMES = ("at_least_once", "transactional", "two_phase", "offset_in_sink")
HOURS = 150


def requests(name):
    """Return {step: requests of all nodes for one hour}: what twelve hours more need, over twelve."""
    found = [Counter(), Counter()]
    for hours, count in zip((12, 24), found, strict=True):
        trace = simulate(STRATEGIES[name], None, Job(items=hours)).trace
        count.update(
            event.verb for event in trace if event.process.startswith("incarnation") and event.kind == "send"
        )
    return {verb: (many - found[0][verb]) / 12 for verb, many in found[1].items() if many > found[0][verb]}


def rate(name, spark):
    """Return hours a second of one run on the cluster, from its first write to its last."""
    run = run_on_cluster(STRATEGIES[name], None, Job(items=HOURS), spark, patience=120)
    walls = [event.wall for event in run.trace if event.kind == "receive" and event.item is not None and event.wall]
    return (HOURS - 1) / (max(walls) - min(walls))


def main():
    """Count, measure, and print both tables."""
    print("requests to stores for one hour, all nodes together")
    for name in NAMES:
        found = requests(name)
        print(f"  {name:15} {sum(found.values()):4.1f}  {', '.join(f'{verb} {n:.3g}' for verb, n in found.items())}")
    rounds, rng = int(sys.argv[1]) if len(sys.argv) > 1 else 7, random.Random(15)
    try:
        spark = cluster()
        rates = [{name: rate(name, spark) for name in rng.sample(NAMES, len(NAMES))} for _ in range(rounds + 1)]
        rates = rates[1:]  # the first warms up
        print(
            f"hours a second on the cluster, {HOURS} hours, {rounds} rounds: median, and the ratio to transactional"
        )
        for name in NAMES:
            ratios = sorted(one[name] / one["transactional"] for one in rates)
            middle = statistics.median(one[name] for one in rates)
            print(
                f"  {name:15} {middle:7.1f}/s  {statistics.median(ratios):5.2f} [{ratios[0]:.2f}, {ratios[-1]:.2f}]"
            )
    finally:
        stop_cluster()


if __name__ == "__main__":
    main()

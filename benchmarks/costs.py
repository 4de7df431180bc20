"""What each guarantee costs: all strategies on all stores, the pipeline on the log, and the model.

Cases run in shuffled rounds, and are compared within a round; the base runs twice in each, which shows the noise (see
`exactly_once.costs.spread`). PostgreSQL and etcd wait for the disk (fsync), as in production; SQLite's files, the
course's log and Kafka do not. The promise: on stores that are 5 ms away the model (operations a record, each as long
as its store's) is within 25 % of the median record, for every strategy. Where the stores are near, the deviation is
printed, and nothing is promised.

    python benchmarks/costs.py            all of it, about an hour
    python benchmarks/costs.py corner     the strategies on SQLite and PostgreSQL, commits each 100 ms, one partition
"""

import sys
import time

from exactly_once.costs import batched, compare_costs, counted, measured, predicted
from exactly_once.costs.measured import WAYS
from exactly_once.errors import BadInput
from exactly_once.handlers import STRATEGIES
from exactly_once.servers.kinds import Etcd, PostgreSQL

FAR, PROMISED, TRIES = 0.005, 0.25, 3  # seconds; the model's deviation; runs, of which the fastest counts
ITEMS, ROUNDS, FEW_ROUNDS = 60, 15, 7
INTERVALS, PARTITIONS = (10, 100, 1000), (1, 4, 16)  # ms between two commits
LASTING = 0.5  # s of a run of the pipeline


def strategies(stores, rounds):
    """Compare the strategies on these stores."""
    cases = {name: lambda name=name: measured(name, stores, ITEMS) for name in STRATEGIES}
    return compare_costs(cases, rounds, "at_least_once", by="median")


def deviations(name, stores, latency):
    """Return the seconds of the median record that the model predicts, and those that were measured."""
    near = min((measured(name, stores, ITEMS) for _ in range(TRIES)), key=lambda one: one.median)
    try:
        said = predicted(counted(name), {what: latency + own for what, own in near.own.items()}).seconds
    except BadInput:  # the broker does by itself what a handler's other node does on other stores
        return None, None
    if not latency:
        return said, near.median
    return said, min(measured(name, stores, ITEMS // 2, latency).median for _ in range(TRIES))


def model(stores, called):
    """Print the model's deviation on near and on far stores; return whether the promise was missed."""
    missed = False
    for name in STRATEGIES:
        line = f"{called:10} {name:22}"
        for latency in (0.0, FAR):
            said, found = deviations(name, stores, latency)
            if said is None:
                line += "  not asked for one by one: the broker writes the markers itself"
                break
            line += f"  +{1000 * latency:g} ms: {1000 * said:6.2f} ms said, {1000 * found:6.2f} ms measured"
            line += f" ({found / said - 1:+.0%})"
            if latency and called == "sqlite":
                kept = abs(found / said - 1) <= PROMISED
                line += f"  promised {PROMISED:.0%}: {'kept' if kept else 'MISSED'}"
                missed |= not kept
        print(line, flush=True)
    return missed


def pipelines(intervals, partitions, rounds):
    """Print how the ways compare, and their latencies, for each interval and number of partitions."""
    for interval in intervals:
        for count in partitions:
            print(f"\nThe pipeline, records of 1 KB, a commit every {interval} ms, partitions: {count}")
            cases = {
                way: lambda way=way: batched(way, "sqlite:", interval, count, LASTING, rate=None)  # noqa: B023
                for way in WAYS
            }
            print(compare_costs(cases, rounds, "at_least_once").table.to_string())
            for way in WAYS:
                print(f"  {way}: {batched(way, 'sqlite:', interval, count, LASTING).waits}", flush=True)


def main():
    """Measure all, or a corner, and print it. Returns 1 when the promise was missed."""
    corner, began, missed = sys.argv[1:] == ["corner"], time.perf_counter(), False
    servers = {"sqlite": "sqlite:", "postgresql": PostgreSQL.shared(fsync=True).url}
    if not corner:
        servers |= {"etcd": Etcd.shared(fsync=True).url, "kafka": "kafka:"}
    rounds = FEW_ROUNDS if corner else ROUNDS
    for called, stores in servers.items():
        print(f"\nThe strategies on {called}, {ITEMS} records, the median record, {rounds} rounds")
        print(strategies(stores, rounds).table.to_string(), flush=True)
    print("\nThe model: a record's operations, each as long as the median of its kind")
    for called, stores in servers.items():
        missed |= model(stores, called)
    grid = ((100,), (1,)) if corner else (INTERVALS, PARTITIONS)
    pipelines(*grid, FEW_ROUNDS)
    print(f"\n{time.perf_counter() - began:.0f} s")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())

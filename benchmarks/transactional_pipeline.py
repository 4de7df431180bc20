"""What transactions cost: consume, transform, produce on the log on SQLite, with and without them, paired.

1 KB records in batches of 100, from each input partition in turn to the output partition of the same number; every so
many milliseconds the positions are committed: in the transaction of the records, whose markers are then written, or
after the records, by themselves. Each pair is one interval of both, in an order that is drawn, each on a log of its
own, so that whatever else the machine does falls on both. The figure is how much more time a record takes in
transactions: the median of the pairs' ratios less one, with its 95 % interval by the order statistics of the pairs.

Time is the processor's, also the time between two commits: another process that has the machine would make the share
of the commits larger than it is, and a wait for the disk is the same for both. The time by the clock is shown beside
it. Confluent's figure for Kafka 0.11 (a network, three brokers) is 3 % with 1 KB records and transactions of 100 ms.

Then the difference in its parts: what a batch takes more with numbers, as an idempotent producer sends it, and in a
transaction, whatever the interval is; and what a commit takes more. A commit of 4 partitions writes 13 batches to the
log, where at least once writes one: a note of each partition and of the group's offsets, the offsets, the decision, a
marker for each partition and for the offsets, and that all is complete.

The aim was 3 % with commits every 100 ms, and it is not reached: batches take one to five percent more, at whatever
interval, for their numbers, the check that their transaction is open, and the producer's own state. So the promise
is the commit's part: at most 3 % of 100 ms, for 1 and 4 partitions.

    python benchmarks/transactional_pipeline.py            the table and the parts
    python benchmarks/transactional_pipeline.py parts      the parts alone
    python benchmarks/transactional_pipeline.py profile    where the time of a transaction goes
"""

import cProfile
import itertools
import os
import pstats
import random
import shutil
import statistics
import sys
import time

from exactly_once.costs.batched import Pipeline
from exactly_once.costs.spread import interval
from exactly_once.paths import temporary

WAYS = PLAIN, TRANSACTIONS = "at_least_once", "transactional"
NUMBERED = "idempotent"
INTERVALS = {100: 120, 16: 200, 10: 200, 1000: 20}  # ms between two commits: pairs
PARTITIONS = (1, 4)
GROWN = 3_000  # ms after which both go on with new logs, so that the files stay small
AIM = {100: 0.03}
TURNS, MOST_READS = 800, 16  # for the parts: turns of each way with one partition, and reads of it in a turn at most
EVERY, PROMISED = 0.1, 0.03  # s between two commits, and the share of these that a commit takes more at most


def turned(pipeline, every):
    """Have a pipeline work for `every` seconds of the processor. Returns seconds a record: (processor's, clock's)."""
    started, clock = time.process_time(), time.perf_counter()
    records = pipeline.turn(every, time.process_time)
    return (time.process_time() - started) / records, (time.perf_counter() - clock) / records


def measured(folder, milliseconds, partitions, pairs):
    """Return the pairs' ratios less one, by the processor and by the clock, and the seconds a record without
    transactions.
    """
    rng, ratios, plain = random.Random(14), ([], []), []
    while len(plain) < pairs:
        ways = {name: Pipeline(folder / name, name, partitions) for name in WAYS}
        for way in ways.values():
            turned(way, 0.0)  # the first one makes the log's own topics
        for _ in range(min(max(2, GROWN // milliseconds), pairs - len(plain))):
            took = {name: turned(ways[name], milliseconds / 1000) for name in rng.sample(WAYS, 2)}
            plain.append(took[PLAIN][0])
            for whose, one, other in zip(ratios, took[TRANSACTIONS], took[PLAIN], strict=True):
                whose.append(one / other - 1)
        for way in ways.values():
            way.close()
    return *map(sorted, ratios), statistics.median(plain)


def parts(folder, partitions):
    """Return the seconds of the processor for a batch and for a commit: {way: (batch, commit)}.

    Turns read each partition once or more often, as is drawn, and a line through their times has both. A fixed number
    would not do: SQLite tidies up its -wal every 40 batches or so, in long turns or in short ones.
    """
    rng, took = random.Random(14), {way: ([], []) for way in (PLAIN, NUMBERED, TRANSACTIONS)}
    ways = {name: Pipeline(folder / name, name, partitions) for name in took}
    for round_ in range(TURNS // partitions):
        reads = rng.randint(1, MOST_READS)
        for way in rng.sample(list(ways), len(ways)):
            started = time.process_time()
            ways[way].turn(reads + 1, itertools.count().__next__)  # its time is the number of reads
            if round_:  # the first turn makes the log's own topics
                took[way][0].append(reads * partitions)
                took[way][1].append(time.process_time() - started)
    for way in ways.values():
        way.close()
    return {way: tuple(statistics.linear_regression(*found)) for way, found in took.items()}


def told_parts(folder):
    """Print the parts of the difference. Returns whether a promise was missed."""
    missed = False
    for partitions in PARTITIONS:
        found = parts(folder, partitions)
        (batch, commit), (numbered, _), (sent, committed) = (found[way] for way in (PLAIN, NUMBERED, TRANSACTIONS))
        share = (committed - commit) / EVERY
        missed |= share > PROMISED
        print(
            f"{partitions} partition{'s' * (partitions > 1)}: a batch takes {1e6 * batch:.0f} µs, "
            f"{numbered / batch - 1:+.1%} with numbers, {sent / batch - 1:+.1%} in a transaction; a commit takes "
            f"{1e3 * (committed - commit):.2f} ms more, {share:.1%} of 100 ms: "
            f"{'kept' if share <= PROMISED else 'MISSED'}",
            flush=True,
        )
    return missed


def profiled(folder):
    """Print where the time of transactions goes that commit as often as they can, one batch in each."""
    pipeline = Pipeline(folder / "log", TRANSACTIONS, 1)
    for _ in range(20):
        turned(pipeline, 0.0)
    profile = cProfile.Profile()
    for _ in range(300):
        profile.runcall(turned, pipeline, 0.0)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(45)
    pipeline.close()


def main():
    """Measure all, and print the table. Returns 1 when the promise was missed."""
    folder = temporary("benchmarks", f"pipeline-{os.getpid()}")
    missed = False
    try:
        if sys.argv[1:] == ["profile"]:
            profiled(folder)
            return 0
        if sys.argv[1:] == ["parts"]:
            return int(told_parts(folder))
        print("records of 1 KB, in transactions against at least once: more time a record, median [95 % interval]")
        for milliseconds, pairs in INTERVALS.items():
            for partitions in PARTITIONS:
                processor, clock, plain = measured(folder, milliseconds, partitions, pairs)
                line = f"{milliseconds:5} ms, {partitions} partition{'s' * (partitions > 1):1}, {pairs} pairs:"
                for whose, ratios in (("processor", processor), ("clock", clock)):
                    low, high = interval(ratios)
                    line += f"  {whose} {statistics.median(ratios):+.1%} [{low:+.1%}, {high:+.1%}]"
                line += f"  (at least once: {1 / plain:,.0f} records/s)"
                if (aim := AIM.get(milliseconds)) is not None:
                    line += f"  aim {aim:.0%}: {'reached' if statistics.median(processor) <= aim else 'not reached'}"
                print(line, flush=True)
        missed = told_parts(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())

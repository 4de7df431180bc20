"""What it costs that a producer numbers its batches: the log on SQLite with and without numbers, paired.

1 KB records in batches of 100, through `Log.append`. Each pair is a turn with numbers and a turn without, in an order
that is drawn, each on a log of its own, so that whatever else the machine does falls on both. A turn is short, and
there are many: then the pairs differ in little else. The figure is the median of the pairs' ratios less one, with its
95 % interval by the order statistics of the pairs (which asks nothing of how the times are distributed).

The promise, at most 2 %, is of the processor's time: waiting for the disk or for another process is the same with
numbers and without, and would make the cost look smaller, or drown it. The time by the clock is shown beside it.
"""

import os
import random
import shutil
import statistics
import sys
import time
from math import comb

from exactly_once.log import open_log
from exactly_once.paths import temporary

BATCH, SIZE, TURN, PAIRS = 100, 1000, 2, 1500  # records, bytes, batches a turn, pairs
VALUES = [os.urandom(SIZE) for _ in range(BATCH)]
PROMISED = 0.02


class Sender:
    """A log of its own, and the numbers of the one who writes to it, if it numbers its batches."""

    def __init__(self, folder, numbered):
        self.log = open_log(f"sqlite:{folder}")
        self.log.create_topic("t")
        self.producer = self.log.new_producer_id() if numbered else None
        self.sequence = 0

    def turn(self):
        """Append the batches of one turn. Returns the seconds that it took: (the processor's, the clock's)."""
        started = time.process_time(), time.perf_counter()
        for _ in range(TURN):
            if self.producer is None:
                self.log.append("t", 0, VALUES)
            else:
                self.log.append("t", 0, VALUES, "all", self.producer, 0, self.sequence)
                self.sequence += BATCH
        return time.process_time() - started[0], time.perf_counter() - started[1]


def interval(ordered):
    """Return (low, high), the 95 % interval of the median of values in order, by the binomial distribution."""
    count, below, cut = len(ordered), 0.0, 0
    while below + comb(count, cut) / 2**count <= 0.025:
        below += comb(count, cut) / 2**count
        cut += 1
    return ordered[max(cut - 1, 0)], ordered[min(count - cut, count - 1)]


def main():
    """Measure, print, and return 1 if the promise is broken."""
    folder = temporary("idempotent")
    shutil.rmtree(folder)
    folder.mkdir(mode=0o700)
    sides = {numbered: Sender(folder / str(numbered), numbered) for numbered in (True, False)}
    rng, pairs = random.Random(5), []
    for pair in range(-2, PAIRS):  # two pairs to warm up
        order = rng.sample([True, False], 2)
        took = {numbered: sides[numbered].turn() for numbered in order}
        if pair >= 0:
            pairs.append([one / other - 1 for one, other in zip(took[True], took[False], strict=True)])
    for side in sides.values():
        side.log.close()
    shutil.rmtree(folder)
    print(f"{PAIRS} pairs of {TURN} batches of {BATCH} records of {SIZE} bytes, with numbers against without:")
    medians = []
    for whose, ratios in zip(("processor", "clock"), map(sorted, zip(*pairs, strict=True)), strict=True):
        low, high = interval(ratios)
        medians.append(statistics.median(ratios))
        print(f"  by the {whose}: median {medians[-1]:+.2%}, 95 % interval {low:+.2%} to {high:+.2%}")
    print(f"  (promised: at most {PROMISED:+.0%} of the processor's time)")
    return int(medians[0] > PROMISED)


if __name__ == "__main__":
    sys.exit(main())

"""What it costs that a producer numbers its batches: the log on SQLite with and without numbers, paired.

1 KB records in batches of 100, through `Log.append`. Each pair is a turn with numbers and a turn without, in an order
that is drawn, each on a log of its own, so that whatever else the machine does falls on both. The figure is the
median of the pairs' ratios less one, with its 95 % interval by the order statistics of the pairs (which asks nothing
of how the times are distributed). The promise: at most 2 %.
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

BATCH, SIZE, TURN, PAIRS = 100, 1000, 40, 60  # records, bytes, batches a turn, pairs
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
        """Append the batches of one turn. Returns the seconds that it took."""
        started = time.perf_counter()
        for _ in range(TURN):
            if self.producer is None:
                self.log.append("t", 0, VALUES)
            else:
                self.log.append("t", 0, VALUES, "all", self.producer, 0, self.sequence)
                self.sequence += BATCH
        return time.perf_counter() - started


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
    rng, ratios = random.Random(5), []
    for pair in range(-2, PAIRS):  # two pairs to warm up
        order = rng.sample([True, False], 2)
        took = {numbered: sides[numbered].turn() for numbered in order}
        if pair >= 0:
            ratios.append(took[True] / took[False] - 1)
    for side in sides.values():
        side.log.close()
    shutil.rmtree(folder)
    ratios.sort()
    low, high = interval(ratios)
    median = statistics.median(ratios)
    print(f"{PAIRS} pairs of {TURN} batches of {BATCH} records of {SIZE} bytes, with numbers against without:")
    print(f"  median {median:+.2%}, 95 % interval {low:+.2%} to {high:+.2%} (promised: at most {PROMISED:+.0%})")
    return int(median > PROMISED)


if __name__ == "__main__":
    sys.exit(main())

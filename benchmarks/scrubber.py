"""The kill scrubber's model: from the choice of a fault to the first verdict of a place, and to those of all places.

Limits: 0.1 s to the first, 1 s to all, for each kind of fault and each handler of the library, six hours; of a
learner's own handler, which runs in the child process, the figures are printed alone. Exit status 1 when
a limit is passed.
"""

import sys
import time

from exactly_once.pipeline import Job
from exactly_once.sandbox import pool
from exactly_once.simulate.places import KINDS
from exactly_once.widgets.console.choices import OWN, Choices
from exactly_once.widgets.console.runs import Scrubber, Worlds

FIRST, ALL = 0.1, 1.0


def own(node):
    """Save after the push, as a learner may write it."""
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.output.push(len(items))
        node.positions.save(positions)


def measured(choices, kind):
    """Return (places, seconds to the first, seconds to all) of a scrubber that has run nothing yet."""
    scrubber, told = Scrubber(Worlds(), Job(), own), []
    began = time.perf_counter()
    strip = scrubber.strip(choices, kind)
    near = len(strip.places) // 2
    scrubber.fill(strip, lambda: near, told=lambda _: told.append(time.perf_counter() - began))
    return len(strip.places), told[0], told[-1]


def main():
    """Measure, print, and judge."""
    pool.call(len, (), seconds=30.0)  # the child process is warm
    kept = True
    for strategy in ("at_least_once", "at_most_once", OWN):
        for kind in KINDS:
            places, first, everything = measured(Choices(strategy), kind)
            kept = kept and (strategy == OWN or (first <= FIRST and everything <= ALL))
            print(f"{strategy}, {kind}: {places} places, the first after {first:.3f} s, all after {everything:.3f} s")
    print(f"limits: {FIRST:g} s to the first, {ALL:g} s to all")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())

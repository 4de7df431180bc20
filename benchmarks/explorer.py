"""How fast the explorer is: states and seconds of proofs, as they grow with items, nodes and crashes.

The promises: the naive handler, 4 items, 2 crashes, all schedules in 0.3 s; the lock-free handler with two nodes,
3 items and 1 crash in 1 s, with three nodes and 2 items in 4 s, and with 1 crash more in 15 s; pauses, lost replies
and duplicates no dearer than they were; and one program in several forms within a factor of three.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.explore.forms import FORMS
from tests.explore.searching import searched

from exactly_once.explore import prove
from exactly_once.explore.bounds import Bounds
from exactly_once.explore.model.automaton import Automaton
from exactly_once.explore.model.store_contents import Contents
from exactly_once.explore.search.properties import Ideal
from exactly_once.explore.search.search import Limits, Search
from exactly_once.handlers import at_least_once
from exactly_once.handlers.mutual_exclusion import in_order_of_requests, mutual_exclusion
from exactly_once.lockfree import hourly_means
from exactly_once.pipeline import Job
from exactly_once.pipeline.job import programs_of

PROOFS = (  # nodes, items, crashes, seconds promised, and other faults
    (1, 3, 1, None),
    (2, 2, 0, None),
    (2, 2, 1, None),
    (2, 3, 0, None),
    (2, 3, 1, 1.0),
    (2, 4, 1, None),
    (3, 2, 0, 4.0),
    (3, 2, 1, 15.0),
    (3, 3, 1, 4.5),
    (4, 2, 1, 9.5),
    (2, 2, 1, 1.9, {"pauses": 1}),
    (2, 2, 1, 16.0, {"pauses": 1, "lost_replies": 1, "duplicates": 1}),
)
TIMES_AS_MANY = 3  # states and seconds of a program in one form as in another


def every_schedule(items, crashes):
    """Go through all schedules of the naive handler, violations and all. Returns (states, seconds)."""
    started, job = time.perf_counter(), Job(items=items)
    programs = programs_of(at_least_once, job)
    automaton = Automaton(programs, Contents(*programs))
    try:
        specification = Ideal(automaton, automaton.starts[0], automaton.programs[0])
        search = Search(automaton, specification, Bounds(items=items, crashes=crashes), first=False)
        found = search.in_order(Limits(1_000_000, 60))
    finally:
        automaton.close()
    return found.states, time.perf_counter() - started


def row(name, nodes, items, crashes, states, seconds, promised):
    """Print a row of the table; return whether the promise was kept."""
    kept = promised is None or seconds <= promised
    sign = "" if promised is None else f"{promised:>6.1f} s  {'kept' if kept else 'MISSED'}"
    print(f"{name:<52}{nodes:>6}{items:>6}{crashes:>8}{states:>10,}{seconds:>9.3f} s {sign}", flush=True)
    return kept


def main():
    """Print the table. Returns 1 when a promise was missed."""
    prove(at_least_once, items=1)  # the first one also pays for what is imported late
    print(f"{'handler':<52}{'nodes':>6}{'items':>6}{'crashes':>8}{'states':>10}{'time':>11} {'promised':>8}")
    kept = []
    for items, crashes, promised in ((2, 1, None), (4, 1, None), (4, 2, 0.3), (8, 2, None)):
        kept.append(row("naive, all schedules", 1, items, crashes, *every_schedule(items, crashes), promised))
    proof = prove(at_least_once, items=4, crashes=2)
    kept.append(row("naive, simplest failure", 1, 4, 2, proof.states, proof.seconds, 0.3))
    for nodes, items, crashes, promised, *more in PROOFS:
        faults = more[0] if more else {}
        proof = prove(hourly_means, nodes=nodes, items=items, crashes=crashes, **faults)
        if not proof.ok:
            raise SystemExit(str(proof))
        name = " + ".join(["lock-free", *(kind.replace("_", " ") for kind in faults)])
        kept.append(row(name, nodes, items, crashes, proof.states, proof.seconds, promised))
    for nodes in (2, 3):
        proof = prove(mutual_exclusion(), nodes=nodes, items=1, crashes=0, invariant=in_order_of_requests)
        if not proof.ok:
            raise SystemExit(str(proof))
        row("mutual exclusion", nodes, 1, 0, proof.states, proof.seconds, None)
    took = {}
    for form in FORMS * 3:
        started = time.process_time()
        found, _ = searched(form, True, False, (), 2, nodes=2, crashes=1, lost_replies=2)
        took[form] = found.states, min(time.process_time() - started, *took.get(form, (0, 60.0))[1:])
    for form, (states, seconds) in took.items():
        row(form.__name__, 2, 2, 1, states, seconds, None)
    for measured in zip(*took.values(), strict=True):
        kept.append(max(measured) <= TIMES_AS_MANY * min(measured))
        print(f"one program in {len(FORMS)} forms: {max(measured) / min(measured):.1f} times as much at most")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())

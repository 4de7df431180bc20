"""What the queue needs of a store: reads that are stale, one by one."""

import pytest

from exactly_once import prove
from exactly_once.lockfree import AnsweredQueue, Queue, pushers, stale_reads

FAULTS = {"crashes": 1, "lost_replies": 1}


def explored(reads, *values, queue=Queue, **faults):
    handlers = [pushers.placer(*values, queue_of=stale_reads(*reads, queue=queue))]
    return prove(
        handlers, items=1, **{"crashes": 0} | faults, invariant=pushers.exactly(*values, cells=pushers.newest_of)
    )


@pytest.mark.parametrize("reads", [(), ("hint",)])
def test_a_stale_hint_is_harmless(reads):
    proof = explored(reads, 7, 7, **FAULTS)
    assert proof.ok, str(proof)
    assert proof.lock_free
    two = [pushers.placer(value, queue_of=stale_reads(*reads)) for value in ("a", "b")]
    assert prove(two, items=1, crashes=1, invariant=pushers.exactly("a", "b", cells=pushers.newest_of)).ok


@pytest.mark.parametrize("fault", FAULTS)
def test_a_stale_cell_in_the_comparison_doubles_a_record(fault):
    assert explored(("compare",), 7).ok, "without a fault nothing is compared"
    proof = explored(("compare",), 7, **{fault: 1})
    assert proof.counterexample.sentence == "After this schedule 7 is in the queue 2 times."


def test_a_cas_that_answers_with_what_it_found_repairs_the_comparison():
    proof = explored(("hint", "compare"), 7, 7, queue=AnsweredQueue, **FAULTS)
    assert proof.ok, str(proof)
    assert proof.lock_free
    two = [
        pushers.placer(value, queue_of=stale_reads("hint", "compare", queue=AnsweredQueue)) for value in ("a", "b")
    ]
    assert prove(two, items=1, crashes=1, invariant=pushers.exactly("a", "b", cells=pushers.newest_of)).ok


def test_a_cas_that_answers_with_what_it_found_does_not_repair_the_search():
    proof = explored(("search",), 7, 7, queue=AnsweredQueue)
    assert proof.counterexample.sentence == "After this schedule 7 was lost."


@pytest.mark.parametrize("queue", [Queue, AnsweredQueue])
def test_a_search_that_stays_stale_for_ever_goes_round_where_values_differ(queue):
    proof = explored(("search",), 7, 8, queue=queue)
    assert proof.counterexample.kind == "endless"

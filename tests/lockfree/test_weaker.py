"""What the queue needs of a store: reads that are stale, one by one; orders that do not compose; two leaders."""

import pytest

from exactly_once import prove
from exactly_once.lockfree import (
    AnsweredQueue,
    Queue,
    Replica,
    pushers,
    sequential_stores,
    stale_reads,
)

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


ALL_WRITES = pushers.exactly(7, 7, cells=pushers.written_to("rest", "place", "queue.hint"))


def test_one_sequentially_consistent_store_is_enough():
    assert prove([pushers.placer(7, 7, over=sequential_stores())], items=1, crashes=1, invariant=ALL_WRITES).ok


@pytest.mark.parametrize("stores", [("place",), ("place", "queue.hint")], ids=["two", "three"])
def test_two_or_three_stores_that_are_sequentially_consistent_each_are_not(stores):
    proof = prove([pushers.placer(7, 7, over=sequential_stores(*stores))], items=1, crashes=1, invariant=ALL_WRITES)
    assert proof.counterexample.sentence == "After this schedule 7 was lost."


def test_two_copies_that_each_accept_a_write_of_one_version_are_two_queues():
    handlers = [pushers.pusher(value, over=lambda node: Replica(node.registers, node.number)) for value in "ab"]
    proof = prove(handlers, items=1, crashes=0, invariant=pushers.one_copy)
    assert "readers of copy 1 see 'a' in queue.0, readers of copy 2 see 'b'" in proof.counterexample.sentence

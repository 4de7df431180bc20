"""What the queue needs of a store: reads that are stale, one by one; orders that do not compose; two leaders."""

import pytest

from exactly_once.explore import prove
from exactly_once.lockfree import (
    AnsweredQueue,
    ByValue,
    Forgetful,
    Memory,
    Queue,
    Replica,
    pushers,
    sequential_stores,
    stale_reads,
)
from exactly_once.lockfree.weaker import Histories, Sequential

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


def test_a_stale_cell_in_next_index_loses_one_of_two_equal_neighbours():
    proof = explored(("search",), 7, 7)
    assert proof.counterexample.sentence == "After this schedule 7 was lost."


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


def test_values_in_place_of_versions():
    registers = ByValue(Memory())
    assert registers.read("x") == (0, None)
    tried = [(0, 0), (0, 7), ([0], 7), ([7], 0), ([0], 7)]
    assert [registers.cas("x", *each) for each in tried] == [True, False, True, True, True], "0 came back"
    assert registers.read("x") == ([7], 7)


def test_a_deletion_begins_anew():
    registers = Forgetful(Memory())
    assert registers.cas("x", 0, "a")
    assert not registers.forget("x", 0)
    assert registers.forget("x", 1)
    assert registers.read("x") == (0, None)
    assert registers.cas("x", 0, "b")
    assert registers.read("x") == (1, "b")


def test_a_session_never_goes_back_and_sees_its_own_writes():
    memory = Memory()
    one, other = (Sequential(memory, "store", lambda options, which=which: options[which]) for which in (0, -1))
    assert one.cas("x", 0, "a")
    assert other.cas("x", 1, "b")
    assert one.read("x") == (1, "a"), "as late as it may be"
    assert not one.cas("x", 1, "c")
    assert one.read("x") == (2, "b"), "after a refusal it has seen what refused it"


def test_a_history_answers_with_any_version():
    memory = Memory()
    for version, value in enumerate("ab"):
        assert Histories(memory).cas("x", version, value)
    assert [Histories(memory, lambda options, k=k: options[k]).read("x") for k in range(3)] == [
        (0, None), (1, "a"), (2, "b"),
    ]  # fmt: skip
    assert not Histories(memory).cas("x", 1, "c")
    assert Histories(memory).cas_or_found("x", 1, "c") == (False, "b")
    assert Histories(memory).cas_or_found("x", 2, "c") == (True, "c")


def test_one_sequential_store_is_enough_for_two_placers():
    two = [pushers.placer(value, over=sequential_stores()) for value in (1, 2)]
    assert prove(two, items=1, crashes=0, invariant=pushers.exactly(1, 2, cells=pushers.written_to("rest"))).ok

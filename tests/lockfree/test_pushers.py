"""Pushers, readers and retention on one queue: every schedule within bounds, and a crash at every step."""

import pytest

from exactly_once import prove
from exactly_once.lockfree import Memory, Queue, cells_of, emptied, flawed, is_emptied, pushers


def at_most_one(view):
    return len(cells_of(view.registers)) <= 1 or "it is there twice"


@pytest.mark.parametrize(("nodes", "values", "most_states"), [(2, "abc", 20_000), (3, "ab", 50_000)])
@pytest.mark.some(day=1)
def test_pushers_with_a_crash_at_any_step(nodes, values, most_states):
    proof = prove(
        pushers.pusher(*values), nodes=nodes, items=1, crashes=1, invariant=pushers.each_push_once(nodes, 1, *values)
    )
    assert proof.ok, str(proof)
    assert proof.lock_free
    assert proof.states < most_states, "a learner waits for it: 20,000 states take about a second"


def test_a_restarted_pusher_doubles_and_one_that_kept_its_place_does_not():
    doubled = prove(pushers.pusher("a"), items=1, crashes=1, invariant=pushers.exactly("a"))
    assert doubled.counterexample.sentence == "After this schedule 'a' is in the queue 2 times."
    faults = {"crashes": 1, "lost_replies": 1, "late_requests": 1}
    assert prove([pushers.placer("a1", "a2")], items=1, **faults, invariant=pushers.exactly("a1", "a2")).ok
    assert prove(
        [pushers.placer("a1"), pushers.placer("b1")], items=1, **faults, invariant=pushers.exactly("a1", "b1")
    ).ok
    two = prove(
        [pushers.placer("a1", "a2"), pushers.placer("b1", "b2")],
        items=1,
        crashes=1,
        invariant=pushers.exactly("a1", "a2", "b1", "b2"),
    )
    assert two.ok, str(two)
    assert two.lock_free


def test_over_retention_nothing_new_lies_behind():
    handlers = [pushers.pusher("a1"), pushers.pusher("b1"), pushers.sweeper("a1", "b1")]
    proof = prove(handlers, items=1, crashes=0, invariant=pushers.nothing_behind)
    assert proof.ok, str(proof)
    assert proof.lock_free
    handlers = [pushers.pusher("a"), pushers.sweeper("a"), pushers.sweeper("a")]
    assert prove(handlers, items=1, crashes=1, invariant=pushers.nothing_behind).ok


def test_an_emptied_cell_still_tells_whose_value_it_held():
    assert prove([pushers.placer("a"), pushers.sweeper("a")], items=1, crashes=1, invariant=at_most_one).ok
    handlers = [
        pushers.placer("a", queue_of=lambda node: flawed.NamelessQueue(node.registers, pushers.QUEUE)),
        pushers.sweeper("a", queue=flawed.NamelessQueue),
    ]
    proof = prove(handlers, items=1, crashes=1, invariant=at_most_one)
    assert proof.counterexample.sentence == "After this schedule it is there twice."


def test_retention_and_reading_in_one_hand():
    queue = Queue(Memory(), "queue")
    for value in "abc":
        queue.push(value)
    assert queue.sweep(lambda value: value != "b") == 1
    assert queue.read(0) == (True, emptied("a"))
    assert [is_emptied(value) for value in (queue.read(0)[1], "a", {"emptied": 1, "b": 2})] == [True, False, False]
    assert queue.read_from(0) == queue.read_from(1) == ["b", "c"]
    assert queue.push_at_idempotent("a", 0), "it was there"
    assert not queue.push_at_idempotent("x", 0)
    assert (queue.sweep(lambda value: True), queue.read_from(0), queue.push("d")) == (3, [], 3)


def test_the_walk_of_a_hint_that_lags_is_paid_once():
    registers = Memory()
    queue = Queue(registers, "queue")
    for index in range(10):  # ten pushers that died, each between cell and hint
        queue.push_at("x", index)
    taken = []
    for value in "ab":
        before = registers.steps
        queue.push(value)
        taken.append(registers.steps - before)
    assert taken == [1 + 11 + 1, 1 + 1 + 1], "the hint is read, each full cell is tried, the hint is moved"

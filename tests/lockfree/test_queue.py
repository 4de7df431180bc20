"""The lock-free queue: the answers of its operations, and its contents after many concurrent pushes."""

import itertools

import pytest

from exactly_once.errors import BadInput, OutcomeUnknown
from exactly_once.lockfree import ForgettingQueue, Memory, Queue, flawed
from exactly_once.lockfree.queue import emptied, index_in
from exactly_once.stores.codec import decode
from tests.lockfree.nodes import KINDS, ONE, Nodes, at_random, in_between


def pusher(*values):
    """Return a handler that pushes values, and again those of which it does not know."""

    def handler(node):
        queue = Queue(node.registers, "output")
        for value in values:
            done = False
            while not done:
                try:
                    queue.push(value)
                    done = True
                except OutcomeUnknown:
                    pass

    return handler


def placer(*values):
    """Return a handler that puts each value at the place that it found for it, again and again until it is there."""

    def handler(node):
        queue = Queue(node.registers, "output")
        for value in values:
            index, there = None, False
            while not there:
                try:
                    index = queue.next_index() if index is None else index
                    there = queue.push_at_idempotent(value, index)
                    index = index if there else None
                except OutcomeUnknown:
                    pass

    return handler


def outputs(nodes):
    return [decode(text) for text in nodes.outcome.outputs]


def hints(nodes):
    """Return the hint's values in the order in which they were written."""
    return [entry.value for entry in nodes.run.writes if entry.part == "register.output.hint"]


def test_one_node_after_the_other_sees_what_was_pushed():
    def handler(node):
        queue, other = Queue(node.registers, "output"), Queue(node.registers, "other")
        told = [queue.next_index(), queue.push("a"), queue.push("b"), queue.next_index()]
        told += [queue.push_at("c", 1), queue.push_at("c", 2), queue.push_at("c", 2)]
        told += [queue.push_at_idempotent("c", 2), queue.push_at_idempotent("d", 2), queue.push_at_idempotent("d", 3)]
        told += [queue.read(0), queue.read(9), queue.read_from(0), queue.read_from(2), queue.read_from(4)]
        told += [queue.next_index(), other.next_index(), other.read_from(0)]
        node.output.push(told)

    told = outputs(Nodes(handler, ONE))[0]
    assert told == [
        *(0, 0, 1, 2), *(False, True, False), *(True, False, True),
        *([True, "a"], [False, None], ["a", "b", "c", "d"], ["c", "d"], []), *(4, 0, []),
    ]  # fmt: skip


@pytest.mark.parametrize("mark", [{"emptied": "x"}, {"emptied": None}, emptied("a")], ids=str)
@pytest.mark.parametrize("queue_of", [Queue, ForgettingQueue, flawed.NamelessQueue])
def test_a_value_that_readers_would_pass_over_is_refused_with_its_name(queue_of, mark):
    registers = Memory()
    queue = queue_of(registers, "queue")
    queue.push("a")
    for attempt in (
        lambda: queue.push(mark),
        lambda: queue.push_at(mark, 1),
        lambda: queue.push_at_idempotent(mark, 1),
    ):
        with pytest.raises(BadInput, match=r"'emptied'.*readers would pass over it"):
            attempt()
    queue.push("b")
    assert queue.read_from(0) == ["a", "b"]
    inside = [{"emptied": "x", "more": 1}, {"value": {"emptied": "x"}}, [{"emptied": "x"}], "emptied", {}]
    for value in inside:
        queue.push(value)
    assert queue.read_from(2) == inside, "nothing else is taken for a mark"


@pytest.mark.parametrize("kind", [pusher, placer])
def test_two_that_push_lose_nothing_and_keep_their_own_order(kind):
    one, other = [kind("a1", "a2"), kind("b1", "b2")]
    seen = set()
    for nodes in in_between([one, other], ONE):
        found = outputs(nodes)
        assert sorted(found) == ["a1", "a2", "b1", "b2"]
        assert [value for value in found if value[0] == "a"] == ["a1", "a2"]
        assert [value for value in found if value[0] == "b"] == ["b1", "b2"]
        seen.add(tuple(found))
    assert len(seen) >= 3, "the schedules do differ in what they leave"


def test_the_hint_only_moves_forward_and_never_past_an_empty_cell():
    for seed in range(40):
        the_hint_of(at_random([pusher(1, 2, 3), pusher(4, 5), placer(6, 7)], ONE, seed, hurts=0))


def the_hint_of(nodes):
    moved = hints(nodes)
    assert sorted(outputs(nodes)) == [1, 2, 3, 4, 5, 6, 7]
    assert moved
    assert moved == sorted(set(moved))
    filled = {}
    for entry in nodes.run.writes:
        index = index_in("output", entry.part.removeprefix("register."))
        if index is not None:
            filled[index] = entry.received
        elif entry.part == "register.output.hint":
            assert all(filled[before] < entry.received for before in range(entry.value))


def test_one_that_stops_for_good_holds_up_nobody():
    for stop in range(1, 12):
        turns = iter([0] * stop)
        nodes = Nodes(
            [pusher("a1", "a2"), pusher("b1", "b2")], ONE,
            schedule=lambda left, turns=turns: next(turns, 1 if 1 in left else None) if 0 in left else left[0],
        )  # fmt: skip
        assert [value for value in outputs(nodes) if value[0] == "b"] == ["b1", "b2"]


def test_to_push_again_after_a_lost_reply_may_push_twice_and_to_place_again_never_does():
    twice = set()
    for handler, kind, step in itertools.product((pusher("x"), placer("x")), KINDS, range(1, 6)):
        found = outputs(Nodes(handler, ONE, hurts={(1, step): kind}))
        assert found in (["x"], ["x", "x"])
        if len(found) == 2:
            twice.add((handler.__qualname__.partition(".")[0], kind))
    assert twice == {
        *(("pusher", kind) for kind in ("crash before", "crash after", "lost reply")),
        ("placer", "crash after"),  # its memory of the place died with it
    }

"""The lock-free queue: the answers of its operations. What many leave that push at once is in `test_pushers`."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.lockfree import ForgettingQueue, Memory, Queue, emptied, flawed


def test_one_node_after_the_other_sees_what_was_pushed():
    registers = Memory()
    queue, other = Queue(registers, "output"), Queue(registers, "other")
    told = [queue.next_index(), queue.push("a"), queue.push("b"), queue.next_index()]
    told += [queue.push_at("c", 1), queue.push_at("c", 2), queue.push_at("c", 2)]
    told += [queue.push_at_idempotent("c", 2), queue.push_at_idempotent("d", 2), queue.push_at_idempotent("d", 3)]
    told += [queue.read(0), queue.read(9), queue.read_from(0), queue.read_from(2), queue.read_from(4)]
    told += [queue.next_index(), other.next_index(), other.read_from(0)]
    assert told == [
        *(0, 0, 1, 2), *(False, True, False), *(True, False, True),
        *((True, "a"), (False, None), ["a", "b", "c", "d"], ["c", "d"], []), *(4, 0, []),
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

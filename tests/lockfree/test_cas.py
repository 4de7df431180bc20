"""Compare-and-swap by value and by version: values that return unnoticed (ABA), and repeated writes."""

import pytest

from exactly_once import prove
from exactly_once.errors import BadInput
from exactly_once.lockfree import ByValue, ForgettingQueue, Memory, Queue, cas, emptied, flawed


def changing(change, by, over=lambda registers: registers, *, signed=True):
    """Return a handler that adds `by` to the number once, in the given way."""

    def handler(node):
        change(over(node.registers), by, *[node.number] * signed)

    return handler


def number_is(wanted):
    def rule(view):
        held = view.registers.get("number")
        number = held[0] if isinstance(held, list) else held
        return not view.done or number == wanted or f"the number is {number}"

    return rule


def test_a_value_that_came_back_deceives_who_compares_values():
    proof = prove(
        [cas.takes_one(ByValue), cas.takes_two_and_returns_one(ByValue)],
        items=1, crashes=0, invariant=cas.kept_by_one,
    )  # fmt: skip
    assert proof.counterexample.sentence == (
        "After this schedule B lies on the pile, and somebody has taken it away and keeps it."
    )


def test_no_version_comes_back():
    proof = prove([cas.takes_one(), cas.takes_two_and_returns_one()], items=1, crashes=0, invariant=cas.kept_by_one)
    assert proof.ok, str(proof)
    assert proof.lock_free


def test_two_that_take_and_return_never_deceive_each_other_with_versions():
    handlers = [cas.takes_two_and_returns_one(), cas.takes_two_and_returns_one()]
    assert prove(handlers, items=1, crashes=0, invariant=cas.kept_by_one).ok


@pytest.mark.parametrize("over", [ByValue, lambda registers: registers], ids=["by value", "by version"])
def test_who_repeats_a_write_and_believes_a_refusal_adds_twice(over):
    handlers = [changing(cas.repeating, by, over, signed=False) for by in (1, -1)]
    assert prove(handlers, items=1, crashes=0, invariant=number_is(0)).ok, "nothing is lost, nothing is repeated"
    assert not prove(handlers, items=1, crashes=0, lost_replies=1, invariant=number_is(0)).ok


@pytest.mark.parametrize(("over", "twice"), [(ByValue, True), (lambda memory: memory, False)])
def test_a_write_that_is_sent_again_or_comes_late_is_refused_by_version_and_by_value_it_is_carried_out(over, twice):
    registers = over(Memory())
    assert registers.cas("number", 0, 5)
    seen, _ = registers.read("number")
    assert registers.cas("number", seen, 6), "done, and the reply is lost"
    assert registers.cas("number", registers.read("number")[0], 5), "another one brings the value back"
    assert registers.cas("number", seen, 6) is twice


def test_the_last_name_in_the_register_tells_while_nobody_else_writes_and_not_longer():
    alone = [changing(cas.looking_for_own, 1)]
    assert prove(alone, items=1, crashes=0, lost_replies=1, invariant=number_is(1)).ok
    both = [changing(cas.looking_for_own, by) for by in (1, -1)]
    proof = prove(both, items=1, crashes=0, lost_replies=1, invariant=number_is(0))
    assert proof.counterexample.sentence == "After this schedule the number is 1."


def test_names_that_nobody_takes_out_tell_always():
    handlers = [changing(cas.signing, by) for by in (1, -1)]
    faults = {"crashes": 1, "lost_replies": 1, "lost_requests": 1, "late_requests": 1, "duplicates": 1}
    proof = prove(handlers, items=1, **faults, invariant=number_is(0))
    assert proof.ok, str(proof)
    assert proof.lock_free


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

"""The handler that is assembled of a learner's transitions and loop, and reads that are stale only so often."""

import pytest

from exactly_once import prove
from exactly_once.lockfree import assembled, pushers, stale_reads
from exactly_once.solutions import library_of


@pytest.fixture(scope="module")
def machine():
    return assembled(*map(library_of, ("10-handling", "10-writing", "10-loop")))


def total(before, readings):
    after = before + sum(each.value for each in readings)
    return after, [after]


def too_warm(state, readings):
    return state, ["too warm"]


def sent(*carried):
    """Return the maker of a message that carries these of: name, step, value."""
    return lambda node, name, step, value: [{"name": name, "step": step, "value": value}[one] for one in carried]


def all_there(view):
    cells = [view.look("queues", f"alarms.{index}", "cell") for index in range(4)]
    return not view.done or sum(held is not None for held in cells) == 2


def test_two_twins_with_a_crash_are_exactly_once(machine):
    proof = prove(machine(total, 0), nodes=2, items=2, crashes=1)
    assert proof.ok
    assert proof.lock_free


@pytest.mark.parametrize(("carried", "fine"), [(("name", "value"), False), (("name", "step", "value"), True)])
def test_equal_values_of_one_handler_need_the_step_when_a_read_is_stale(machine, carried, fine):
    queue_of = stale_reads("search", most=1)
    handler = machine(too_warm, 0, ("alarms",), "one", sent(*carried), queue_of=queue_of)
    assert prove(handler, items=2, crashes=0, invariant=all_there).ok == fine


@pytest.mark.parametrize(("most", "fine"), [(0, True), (1, False)])
def test_reads_are_stale_only_so_often(most, fine):
    placer = pushers.placer(7, 7, queue_of=stale_reads("search", most=most))
    assert prove(placer, items=1, crashes=0, invariant=pushers.exactly(7, 7, cells=pushers.newest_of)).ok == fine

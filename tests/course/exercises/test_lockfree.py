"""The exercises on the lock-free queue: their schedules are all there are, and their rules are the library's."""

import itertools
import math

import pytest

from exactly_once.course import exercises
from exactly_once.course.tasks.chapter_09 import e09b_push as e09b
from exactly_once.course.tasks.chapter_09 import e09c_ghost as e09c
from exactly_once.course.tasks.chapter_09 import e09d_reader as e09d
from exactly_once.course.tasks.chapter_09 import e09e_set as e09e
from exactly_once.course.tasks.chapter_09.e09e_set import Operation, linearizable
from exactly_once.course.tasks.chapter_09.schedules import (
    DIES,
    LOST_REPLY,
    LOST_REQUEST,
    SWITCH,
    Event,
    Run,
    searched,
)
from exactly_once.errors import OutcomeUnknown
from exactly_once.lockfree import Queue
from tests.course.exercises.test_answers import ANSWERS, load


def steps(count, name="a"):
    """Return a process of so many reads."""
    return lambda registers: [registers.read(name) for _ in range(count)]


def orders(programs, **bounds):
    """Return the orders of steps, as tuples of processes, that a search comes by."""
    seen = []

    def judge(run):
        seen.append(tuple(line.process for line in run.lines if line.words.startswith(("read", "cas"))))

    found = searched(lambda: ([f"P{number}" for number in range(len(programs))], programs, {}), judge, **bounds)
    assert found.runs == len(seen)
    return seen


def test_with_switches_enough_every_order_of_steps_is_tried_and_with_one_those_with_one():
    programs = (steps(3), steps(3))
    assert len(set(orders(programs, switches=6))) == math.comb(6, 3)
    few = set(orders(programs, switches=1))
    assert few == {
        order for order in itertools.product((0, 1), repeat=6) if sum(order) == 3 and _switches(order) <= 1
    }
    assert orders((steps(2), steps(1)), switches=0) == [(0, 0, 1)]


def _switches(order):
    """Count how often another process goes on although the one that is at it could."""
    left, count = {0: order.count(0), 1: order.count(1)}, 0
    at = 0
    for process in order:
        count += process != at and left[at] > 0
        at = process
        left[at] -= 1
    return count


def test_the_simplest_runs_come_first():
    counts = [_switches(order) for order in orders((steps(2), steps(2)), switches=2)]
    assert counts == sorted(counts)


@pytest.mark.parametrize(("kind", "written"), [(LOST_REQUEST, False), (LOST_REPLY, True)])
def test_a_lost_request_is_not_carried_out_and_a_lost_reply_is(kind, written):
    heard = []

    def writes(registers):
        try:
            heard.append(registers.cas("a", 0, 1))
        except OutcomeUnknown:
            heard.append("unknown")

    run = Run((writes,), (Event(0, kind),)).go()
    assert heard == ["unknown"]
    assert ("a" in run.cells) == written == bool(run.writes)


def test_who_dies_takes_no_step_any_more_and_others_go_on():
    run = Run((steps(3), steps(2, "b")), (Event(1, DIES),)).go()
    assert [line.words for line in run.lines if line.words.startswith(("read", "✖"))] == [
        "read a",
        "✖ stands still for good",
        "read b",
        "read b",
    ]
    assert run.stopped == {0}
    assert set(run.returned) == {1}


def test_an_event_behind_a_switch_strikes_whom_it_led_to():
    run = Run((steps(2), steps(2)), (Event(1, SWITCH, 1), Event(1, DIES))).go()
    assert run.stopped == {1}


def test_one_that_goes_on_for_ever_is_cut_off_and_told():
    def spins(registers):
        while not registers.read("never")[0]:
            pass

    found = searched(lambda: (("A", "B"), (steps(1), spins), {}), lambda run: None)
    assert "B has not come to an end" in found.sentence


def test_the_librarys_own_push_and_reader_are_right():
    assert exercises.open("09b").check(lambda registers, name, value: Queue(registers, name).push(value)).right
    library = e09d.Run((lambda registers: Queue(registers, e09d.QUEUE).read_from(0),), (), e09d.queue(3, 1, 1)).go()
    assert library.returned[0] == ["milk", "salt"]


def test_versions_hold_against_every_schedule_and_values_do_not():
    ghosts = 0
    for letters in itertools.product("PQR", repeat=7):
        try:
            _, held = e09c.played(letters, versions=False)
        except e09c.BadInput:
            continue
        ghosts += e09c.ghost(held) is not None
        assert e09c.ghost(e09c.played(letters, versions=True)[1]) is None
    assert ghosts > 10


def test_an_order_that_explains_a_history_is_found_if_there_is_one():
    def call(kind, value, said, begin, end):
        return Operation(0, kind, value, begin, end, said)

    def judged(*operations):
        return linearizable(list(operations), frozenset())

    assert judged(call("add", "a", True, 0, 9), call("smallest", "", "a", 1, 2))
    assert judged(call("add", "a", True, 0, 9), call("smallest", "", None, 1, 2))
    assert not judged(call("add", "a", True, 0, 1), call("smallest", "", None, 2, 3))
    assert judged(call("add", "a", None, 0, None), call("smallest", "", "a", 2, 3)), "what was cut off may have been"
    assert judged(call("add", "a", None, 0, None), call("smallest", "", None, 2, 3)), "or not"
    assert not judged(call("add", "a", None, 4, None), call("smallest", "", "a", 2, 3)), "but not before it began"
    once = call("add", "a", None, 0, None), call("remove", "a", True, 2, 3), call("remove", "a", True, 4, 5)
    assert not judged(*once), "and once at most"
    assert not judged(call("add", "a", 1, 0, 1)), "True is not 1"


def test_each_kind_of_event_strikes_the_set():
    kinds = {frozenset(bounds) - {"switches"} for _, _, bounds in e09e.WORLDS}
    assert kinds == {frozenset(), *(frozenset({kind}) for kind in ("dies", "lost_reply", "lost_request"))}


@pytest.mark.parametrize("name", ["09b", "09c", "09d", "09e"])
def test_a_wrong_answer_is_drawn_step_by_step(name):
    path = sorted((ANSWERS / name).glob("wrong_*.py"))[0]
    reply = exercises.open(name).check(load(path)["answer"])
    assert reply.picture.html.count("<table") >= 2
    assert exercises.open(name).show(...).html


def test_the_hint_is_counted_in_steps():
    run, counts = e09b.walks(load(ANSWERS / "09b" / "right_library.py")["answer"])
    assert counts == [(20, 23), (21, 3), (22, 3)]
    assert run.cells["queue.hint"][1] == 23

"""The exercises on the lock-free queue: their histories are judged rightly, and their rules are the library's."""

import pytest

from exactly_once.course import exercises
from exactly_once.exercises.ch09 import e09b_push as e09b
from exactly_once.exercises.ch09 import e09d_reader as e09d
from exactly_once.exercises.ch09 import e09e_set as e09e
from exactly_once.exercises.ch09.e09e_set import Operation, linearizable
from exactly_once.lockfree import Queue
from exactly_once.node import Program
from exactly_once.simulate import simulate
from tests.course.answers import answer_to


def test_the_librarys_own_push_is_right():
    assert exercises.open("09b").check(lambda registers, name, value: Queue(registers, name).push(value)).right


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


def test_each_kind_of_fault_strikes_the_set():
    kinds = {kind for _, _, faults in e09e.WORLDS for kind, most in faults.items() if most}
    assert kinds == {"crashes", "lost_replies", "lost_requests"}


@pytest.mark.parametrize(("name", "wrong"), [("09b", "again"), ("09d", "counts records"), ("09e", "decides once")])
def test_a_wrong_answer_is_met_with_its_schedule(name, wrong):
    reply = exercises.open(name).check(answer_to(name, wrong).value)
    assert reply.token.startswith("ep2-")
    assert reply.story
    assert "<svg" in reply.picture.html
    assert exercises.open(name).show(...).html


def test_the_hint_is_counted_in_steps():
    run, counts = e09b.walks(answer_to("09b", "library").value)
    assert counts == [23, 3, 3]
    assert not run.error


def test_the_librarys_own_reader_passes_over_emptied_cells():
    def reads(node):
        assert Queue(node.registers, e09d.QUEUE).read_from(0) == ["milk", "salt"]

    assert not simulate(Program(reads, e09d.queue(3, 1, 1))).error


def test_a_call_that_was_cut_off_never_ends():
    rule = e09e.Linearizable(b"", (("add tea", "smallest"),), (), (), loses=True)
    history = [[0, e09e.BEGINS, None], [0, e09e.CUT_OFF, None], [0, e09e.RETURNS, "tea"]]
    assert [(one.kind, one.end) for one in rule.operations(history)] == [("add", None), ("smallest", 4)]

"""The exercises on the lock-free machine: the contents of their worlds, their pictures, and the check of twins."""

import heapq

import pytest

from exactly_once.chapters import item
from exactly_once.chapters.ch10.checks import articles, consuming
from exactly_once.chapters.ch10.form import filled, machine
from exactly_once.course import exercises
from exactly_once.exercises.kinds.mistakes import answer_with
from exactly_once.explore import prove
from exactly_once.handlers.logs.database_consumer import set_index
from exactly_once.sandbox import prove_safely

KINDS = {"crashes", "lost_requests", "lost_replies", "duplicates", "late_requests", "pauses"}


def test_a_function_may_keep_its_values_in_a_heap():
    def by_heap(state, inputs):
        best = heapq.nlargest(2, [*(state or []), *inputs])
        return best, [best]

    def by_sorting(state, inputs):
        best = sorted([*(state or []), *inputs], reverse=True)[:2]
        return best, [best]

    states = [
        prove([machine(one, filled(numbers=[5, 3]))] * 2, invariant=lambda view: True, crashes=0).states
        for one in (by_heap, by_sorting)
    ]
    assert states[0] == states[1]


def test_one_program_for_two_nodes_is_one_in_the_child_too_and_two_are_two():
    def alike(view):
        first, second = view._programs
        return first == second or "they are two"

    def program():
        return machine(lambda state, inputs: (state, []), filled(numbers=[1]))

    one = program()
    assert prove_safely([one, one], invariant=alike, crashes=0).ok
    assert not prove_safely([one, program()], invariant=alike, crashes=0).ok


def test_each_kind_of_fault_is_there_and_each_number_of_nodes():
    faults = {
        name: {key for world in item(name).worlds for key in world.bounds} - {"lock_free"} for name in ("10b", "10e")
    }
    assert faults == {"10b": KINDS - {"pauses"}, "10e": KINDS}
    nodes = {len(world.programs(answer_with("10e"))) for world in item("10e").worlds}
    assert nodes == {1, 2, 3}


@pytest.mark.not_by_day
def test_the_levels_are_as_the_table_of_chapter_07_has_them():
    levels = ("read committed", "repeatable read", "snapshot", "serializable")
    found = {level: consuming(2, 2, level).prove(articles)[1].ok for level in levels}
    assert found == {"read committed": False, "repeatable read": False, "snapshot": True, "serializable": True}
    assert consuming(2, 1, "snapshot").prove(lambda session, read: set_index(session, 0))[1].counterexample


def test_a_wrong_consumer_is_met_with_its_statements():
    change = ('session.update_where("index", index, index + 1)', 'session.update("index", index + 1)')
    assert "set index = 1" in repr(exercises.open("10a").check(answer_with("10a", (change,))))

"""The exercises on the lock-free machine: the contents of their worlds, their pictures, and the check of twins."""

import pytest

from exactly_once.chapters.ch10.checks import articles, consuming
from exactly_once.chapters.ch10.form import filled, machine
from exactly_once.course import exercises
from exactly_once.exercises.kinds.mistakes import answer_with
from exactly_once.handlers.logs.database_consumer import set_index
from exactly_once.sandbox import prove_safely


def test_one_program_for_two_nodes_is_one_in_the_child_too_and_two_are_two():
    def alike(view):
        first, second = view._programs
        return first == second or "they are two"

    def program():
        return machine(lambda state, inputs: (state, []), filled(numbers=[1]))

    one = program()
    assert prove_safely([one, one], invariant=alike, crashes=0).ok
    assert not prove_safely([one, program()], invariant=alike, crashes=0).ok


@pytest.mark.not_by_day
def test_the_levels_are_as_the_table_of_chapter_07_has_them():
    levels = ("read committed", "repeatable read", "snapshot", "serializable")
    found = {level: consuming(2, 2, level).prove(articles)[1].ok for level in levels}
    assert found == {"read committed": False, "repeatable read": False, "snapshot": True, "serializable": True}
    assert consuming(2, 1, "snapshot").prove(lambda session, read: set_index(session, 0))[1].counterexample


def test_a_wrong_consumer_is_met_with_its_statements():
    change = ('session.update_where("index", index, index + 1)', 'session.update("index", index + 1)')
    assert "set index = 1" in repr(exercises.open("10a").check(answer_with("10a", change)))

"""The exercises on the lock-free machine: the contents of their worlds, their pictures, and the check of twins."""

import heapq

import pytest

from exactly_once.course import exercises
from exactly_once.exercises.ch10 import e10a_database as e10a
from exactly_once.exercises.ch10 import e10b_push_once as e10b
from exactly_once.exercises.ch10 import e10e_general as e10e
from exactly_once.exercises.ch10.form import Machine, filled, holds
from exactly_once.explore import prove
from exactly_once.handlers.logs.database_consumer import set_index
from exactly_once.lockfree.general import general
from exactly_once.node import Program
from exactly_once.sandbox import prove_safely
from exactly_once.simulate import simulate
from tests.course.answers import answer_to, answers_to

KINDS = {"crashes", "lost_requests", "lost_replies", "duplicates", "late_requests", "pauses"}


def doubled(state, inputs):
    return state, [2 * inputs[0]]


def test_the_machine_of_the_exercises_does_what_the_librarys_does():
    source = filled(numbers=[1, 2])
    ours = simulate(Machine(doubled, source).program).outcome
    theirs = simulate(Program(general(doubled, inputs=("numbers",)), source)).outcome
    held = dict(ours.others), dict(theirs.others)
    assert [[dict_of[f"queues.output.{index}"] for index in (0, 1)] for dict_of in held] == [
        ['["handler",1,2]', '["handler",2,4]'],
        ['{"$sent":["handler",1,[2],null]}', '{"$sent":["handler",2,[4],null]}'],
    ]


@pytest.mark.parametrize("bounds", [{"crashes": 1}, {"crashes": 0, "late_requests": 1}])
def test_twins_of_the_machine_are_exactly_once(bounds):
    program = Machine(doubled, filled(numbers=[1])).program
    assert prove([program] * 2, invariant=lambda view: holds(view, {"output": [2]}), **bounds).ok
    assert not prove([program] * 2, invariant=lambda view: holds(view, {"output": [3]}), **bounds).ok


def test_a_function_may_keep_its_values_in_a_heap():
    def by_heap(state, inputs):
        best = heapq.nlargest(2, [*(state or []), *inputs])
        return best, [best]

    def by_sorting(state, inputs):
        best = sorted([*(state or []), *inputs], reverse=True)[:2]
        return best, [best]

    states = [
        prove([Machine(one, filled(numbers=[5, 3])).program] * 2, invariant=lambda view: True, crashes=0).states
        for one in (by_heap, by_sorting)
    ]
    assert states[0] == states[1]


def test_one_program_for_two_nodes_is_one_in_the_child_too_and_two_are_two():
    def alike(view):
        first, second = view._programs
        return first == second or "they are two"

    def program():
        return Machine(lambda state, inputs: (state, []), filled(numbers=[1])).program

    one = program()
    assert prove_safely([one, one], invariant=alike, crashes=0).ok
    assert not prove_safely([one, program()], invariant=alike, crashes=0).ok


def test_each_kind_of_fault_and_each_hardship_is_there():
    assert {kind for world in e10e.WORLDS for kind in world.faults} == KINDS
    assert {kind for *_, faults in e10b.WORLDS for kind in faults} == KINDS - {"pauses"}
    assert {sum(nodes for *_, nodes in world.handlers) for world in e10e.WORLDS} == {1, 2, 3}
    assert any(len(world.handlers) == 2 for world in e10e.WORLDS)
    assert any(None in world.inputs.values() for world in e10e.WORLDS)
    assert any([] in world.inputs.values() for world in e10e.WORLDS)
    assert {len(world.queues) for world in e10e.WORLDS} == {0, 1, 2}


@pytest.mark.not_by_day
def test_the_levels_are_as_the_table_of_chapter_07_has_them():
    found = {level: e10a.world(level, 2, 2).prove(e10a.articles)[1].ok for level in e10a.LEVELS}
    assert found == {"read committed": False, "repeatable read": False, "snapshot": True, "serializable": True}
    assert e10a.world("snapshot", 2, 1).prove(lambda session, read: set_index(session, 0))[1].counterexample


def test_a_wrong_consumer_is_met_with_its_statements():
    reply = exercises.open("10a").check(answer_to("10a", "the articles").value)
    assert "set index = 1" in repr(reply)


def test_steps_behind_full_cells_are_counted():
    push_once = answer_to("10b", "reads first").value
    assert e10b.steps_of(simulate(e10b.behind(push_once))) == 2


@pytest.mark.parametrize("name", ["10a", "10b", "10c", "10e"])
def test_there_is_something_to_see_before_and_after(name):
    exercise = exercises.open(name)
    before = exercise.show(...)
    after = exercise.show(answers_to(name)[0].value)
    assert before.html
    assert after.html
    assert before.html != after.html

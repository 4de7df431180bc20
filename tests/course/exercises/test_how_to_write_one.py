"""The exercise that `solutions/README.md` shows: its text and its check work as they stand there."""

import re
import tomllib
from dataclasses import replace

import pytest

from exactly_once import solutions
from exactly_once.course.exercises import exercise
from exactly_once.exercises.kinds.mistakes import answer_in, changed, solved_cell, without_the_course
from exactly_once.paths import ROOT
from exactly_once.solutions import cells_in, exercise_names, handed_out, source_of

README = (ROOT / "solutions" / "README.md").read_text()
TEXT, CHECK, MISTAKES, OTHERS = re.findall(r"^```(?:python|toml)\n(.*?)^```$", README, re.M | re.S)
NAME, LINES = "02z", 40
CELLS = {cell.id: cell for cell in cells_in(TEXT, "solutions/README.md")}
ITEMS: dict = {}
MODULE = {"__name__": "exactly_once.chapters.ch02.checks", "__package__": "exactly_once.chapters.ch02"}
exec(compile(CHECK, "checks.py", "exec"), MODULE | {"ITEMS": ITEMS})
RIGHT = tomllib.loads(OTHERS)[NAME]
ITEM = replace(ITEMS[NAME], name=NAME, mistakes=tomllib.loads(MISTAKES)[NAME])


@pytest.fixture(autouse=True)
def task(mine, monkeypatch):
    """The exercise, for one test, with its title, its hints and its solved cell from the README's cells."""
    monkeypatch.setattr(exercise, "_tries", {})
    monkeypatch.setattr(
        solutions,
        "_cell",
        lambda name, part: (CELLS[f"{name}-{part or 'answer'}"], ROOT / "solutions" / "02-the-log.py"),
    )
    return exercise.Exercise(NAME, ITEM)


def answer(text):
    """Return the learner's function, as a cell with this text defines it."""
    return answer_in(text, "lag", "__main__")


def test_there_is_no_such_exercise_and_its_check_is_short():
    assert NAME not in exercise_names()
    assert len(CHECK.splitlines()) <= LINES
    parts = ("task", "hints", "answer", "show-words", "show", "check-words", "check")
    assert list(CELLS) == [f"{NAME}-{part}" for part in parts]
    assert CELLS[f"{NAME}-hints"].tags == ("hints",)


def test_unsolved_it_is_told_so(task):
    reply = task.check(answer(without_the_course(handed_out(source_of(NAME)))))
    assert reply.state == "unsolved"
    assert reply.sentence.startswith("Put your function where the three dots are")


def test_solved_and_in_another_form_it_is_right(task):
    assert len(RIGHT) == 1
    for change in ((), *RIGHT):
        reply = task.check(answer(changed(solved_cell(NAME), change)))
        assert reply.state == "right", reply
        assert "minus the committed offset" in reply.sentence
        assert "{0: 1, 1: 2}" in reply.picture.text


@pytest.mark.parametrize(
    ("sentence", "begins"),
    list(
        zip(
            ITEM.mistakes,
            (
                "lag({0: 1}, {0: 0}) returns {0: 0}; right is {0: 1}: ",
                "lag({0: 3}, {}) fails with KeyError: 0",
                "lag({0: 3}, {}) returns {}; right is {0: 3}: ",
            ),
            strict=True,
        )
    ),
)
def test_a_mistake_is_told_with_its_sentence(task, sentence, begins):
    reply = task.check(answer(changed(solved_cell(NAME), ITEM.mistakes[sentence])))
    assert reply.state == "wrong"
    assert reply.sentence.startswith(begins)
    assert reply.sentence.endswith(f": {sentence}.")

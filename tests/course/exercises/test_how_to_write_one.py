"""The exercise that `solutions/README.md` shows: its text and its checks work as they stand there."""

import re

import pytest

from exactly_once import solutions
from exactly_once.course.exercises import exercise
from exactly_once.course.exercises import open as opened
from exactly_once.exercises import TASKS
from exactly_once.paths import ROOT
from exactly_once.solutions import cells_in, handed_out, solved

TEXT, CHECKS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "solutions" / "README.md").read_text(), re.M | re.S)
NAME, LINES = "02z", 40
CELLS = {cell.id: cell for cell in cells_in(TEXT, "solutions/README.md")}
ONE_TOO_FEW = ("end - committed", "end - 1 - committed")
FAILS = ("committed.get(partition, 0)", "committed[partition]")


@pytest.fixture
def task(mine, monkeypatch):
    """The exercise, opened as a notebook does, with its title and hints from the README's cells."""
    names = {"__name__": "exactly_once.exercises.ch02.e02z_lag", "__package__": "exactly_once.exercises.ch02"}
    exec(compile(CHECKS, "e02z_lag.py", "exec"), names)
    monkeypatch.setitem(TASKS, NAME, names["TASK"])
    monkeypatch.setattr(exercise, "_tries", {})
    monkeypatch.setattr(solutions, "_cell", lambda name, part: (CELLS[f"{name}-{part}"], ROOT / "solutions"))
    return opened(NAME)


def answer(task, source, old="", new=""):
    """Return the learner's function, as the answer's cell defines it; `old` is replaced by `new` in its source."""
    assert old in source
    names = {"__name__": "__main__", "exercises": exercise}
    exec(source.replace(old, new) if old else source, names)
    return names[task.task.answer]


def test_there_is_no_such_exercise_and_its_checks_are_short():
    assert NAME not in TASKS
    assert len(CHECKS.splitlines()) <= LINES
    assert list(CELLS) == [f"{NAME}-{part}" for part in ("task", "hints", "answer", "show", "check")]
    assert CELLS[f"{NAME}-hints"].tags == ("hints",)


def test_its_title_and_hints_are_those_of_the_text(task):
    assert task.title == "how far behind a group is"
    assert str(task.hint(3)).startswith("Hint 3 of 3: Go through `ends`, because ")


def test_unsolved_it_is_told_so(task):
    reply = task.check(answer(task, handed_out(CELLS[f"{NAME}-answer"].source)))
    assert reply.state == "unsolved"
    assert reply.sentence.startswith("Put the body of your function where the three dots are")


def test_solved_it_is_right(task):
    reply = task.check(answer(task, solved(CELLS[f"{NAME}-answer"].source)))
    assert reply.state == "right", reply
    assert "minus the committed offset" in reply.sentence
    assert "Right: {0: 1, 1: 2}" in reply.picture.text


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (ONE_TOO_FEW, "With the log ends {0: 1} and {0: 0} committed it returns {0: 0}, not {0: 1}."),
        (FAILS, "With the log ends {0: 3} and {} committed it fails with KeyError"),
    ],
)
def test_a_wrong_answer_is_refused_with_a_reason(task, change, reason):
    reply = task.check(answer(task, solved(CELLS[f"{NAME}-answer"].source), *change))
    assert reply.state == "wrong"
    assert reply.sentence.startswith(reason)


def test_what_it_shows_does_not_tell_what_is_right(task):
    shown = task.show(answer(task, solved(CELLS[f"{NAME}-answer"].source), *ONE_TOO_FEW)).text
    assert "Yours: {0: 0, 1: 1}" in shown
    assert "Right" not in shown

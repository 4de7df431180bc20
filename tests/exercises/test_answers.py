"""Every check, against the mistakes that learners make and against right answers of another kind."""

from pathlib import Path

import pytest

from exactly_once.course import exercises
from exactly_once.course.tasks import TASKS

ANSWERS = Path(__file__).parents[1] / "answers"
FILES = sorted(ANSWERS.glob("*/*.py"))


def load(path):
    """Return what a file of an answer defines, as a notebook would: by value."""
    names = {"__name__": "__main__"}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_answer_is_judged_as_it_should_be(path):
    answer = load(path)
    reply = exercises.open(path.parent.name).check(answer["answer"])
    assert reply.state == path.stem.partition("_")[0], reply
    assert answer.get("REASON", "") in repr(reply)
    assert reply._repr_html_()


@pytest.mark.parametrize("name", TASKS)
def test_there_are_enough_of_both_kinds(name):
    kinds = [path.stem.partition("_")[0] for path in FILES if path.parent.name == name]
    assert kinds.count("wrong") >= 5
    assert kinds.count("right") >= 2
    assert all("REASON" in load(path) for path in FILES if path.stem.startswith("wrong"))


def test_a_wrong_handler_is_met_with_its_schedule():
    reply = exercises.open("04d").check(load(ANSWERS / "04d" / "wrong_at_least_once.py")["answer"])
    assert any("dies" in line for line in reply.story)
    assert "<svg" in reply.picture.html

"""Answers that nobody foresaw: a check says a sentence about each of them, and the process that asks lives on."""

import operator

import numpy as np
import pytest

from exactly_once.chapters.items import item
from exactly_once.course import exercises
from exactly_once.errors import BadInput, HandlerStuck, whole
from exactly_once.exercises.kinds import kind as trial


class Unreadable:
    """Raises whatever is asked of it."""

    def __eq__(self, other):
        raise RuntimeError("nobody compares me")

    def __repr__(self):
        raise RuntimeError("nobody reads me")

    __hash__ = None


class Unlisted(dict):
    def values(self):
        raise RuntimeError("no values")


def leaves(*offsets):
    raise SystemExit(3)


def prints(*offsets):
    print("x" * 10**7)


HOSTILE = [Unreadable(), {"a": 10**60}, Unlisted(a=1), [[]], b"x", object, float("nan")]
OF_EACH_FORM = ("05c", "03b", "04a", "04d", "05e")  # dicts, functions, values, handlers, classes
EXERCISES = "02b 02g 03b 03e 04a 04c 04d 04e 04f 05a 05b 05c 05e 06a 06b 06d".split()


@pytest.mark.parametrize(
    ("name", "answer"),
    [(name, answer) for name in EXERCISES for answer in (HOSTILE if name in OF_EACH_FORM else HOSTILE[:2])],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
@pytest.mark.some(day=15, ci=30)
def test_any_object_gets_a_sentence(name, answer):
    """What no check can read is caught in one place, `Exercise._judged`; of most exercises two objects will do."""
    reply = exercises.open(name).check(answer)
    assert reply.state == "wrong"
    assert len(reply.sentence) < 600
    assert reply.sentence[0].isupper() or reply.sentence.startswith(f"{item(name).answer}("), "a call is no word"


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (leaves, "fails with SystemExit: 3"),
        (prints, "TooMuchPrinted"),
        (lambda: 0, "fails with TypeError"),
        (lambda *offsets: "B", "returns 'B'; right is 1"),
        (lambda *offsets: [3], "returns [3]; right is 1"),
        (lambda *offsets: True, "returns True; right is 1"),
    ],
)
def test_any_function_gets_a_sentence(position, words):
    reply = exercises.open("03b").check(position)
    assert words in reply.sentence


def test_numbers_of_numpy_are_numbers():
    answer = {"doubled": np.array([4]), "missing": [], "wrong": {4, np.int64(5)}, "counter": np.int64(8)}
    assert exercises.open("04a").check(answer).right


def test_a_handler_that_fails_shows_its_own_lines_and_opens():
    def failing(node):
        raise KeyError(node.positions.load()["nowhere"])

    reply = exercises.open("04c").check(failing)
    assert 'node.positions.load()["nowhere"]' in reply.traceback
    assert "exactly_once/node" not in reply.traceback
    assert "KeyError" in reply._repr_html_()
    assert reply.debugger().model.last >= 2


def test_what_is_called_in_the_child_fails_with_the_learners_own_lines():
    def broken(number):
        return 1 / number

    assert trial.called(operator.call, broken, 4) == 0.25
    with pytest.raises(trial.AnswerFailed, match="Your code fails with ZeroDivisionError") as why:
        trial.called(operator.call, broken, 0)
    assert "return 1 / number" in why.value.traceback
    assert "kind.py" not in why.value.traceback
    with pytest.raises(BadInput, match="is 'x'; it must be a whole number"):
        trial.called(whole, broken, "x")


CELL = "/tmp/ipykernel_4711/1234567890.py"  # as a notebook's kernel names the file of a cell
RAISES = "\n\ndef raises(*whatever):\n    return [][3]\n"


def of_a_cell(source, name):
    """Return the object that a notebook's cell with this source defines under a name."""
    names = {}
    exec(compile(source, CELL, "exec"), names)
    return names[name]


@pytest.mark.parametrize(
    "name",
    "01d 02b 02e 02f 03b 03c 04c 05a 06a 06b 06d 07c 09a 09b 10a 10b 12a 12b 12d".split(),
)
@pytest.mark.some(day=8)
def test_an_answer_that_raises_is_told_its_line(name):
    reply = exercises.open(name).check(of_a_cell(RAISES, "raises"))
    assert reply.state == "wrong"
    assert "IndexError" in reply.sentence
    assert "line 4 of your cell" in f"{reply.sentence} {reply.traceback}".lower()
    assert "ipykernel" not in f"{reply!r} {reply._repr_html_()}"


def test_an_answer_that_loops_is_told_its_line():
    with pytest.raises(HandlerStuck) as why:
        trial.called(
            operator.call, of_a_cell("\ndef loops():\n    while True:\n        pass\n", "loops"), seconds=0.5
        )
    assert "of your cell" in why.value.traceback
    assert "ipykernel" not in why.value.traceback

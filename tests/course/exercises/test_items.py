"""Every exercise and gap: solved it passes, unsolved it fails, each mistake is told its sentence, and right is right.

By day every eighth item but the challenges is tried as it is solved, and every fourth with a mistake. In CI all
are tried as they are handed out; as they are solved all gaps and warm-ups, and every second task; with a mistake
three of four that are no challenge; an eighth in another right form, and a third of the wrong answers by hand. At
night all are.
"""

import pytest

from exactly_once.chapters.items import items
from exactly_once.course import exercises, gap
from exactly_once.exercises.kinds.mistakes import answer_in, answer_named, changed, solved_cell, without_the_course
from exactly_once.paths import temporary
from exactly_once.solutions import exercise_names, gap_names, handed_out, source_of
from exactly_once.widgets import DebuggerModel

from . import by_hand
from .by_hand import RIGHT

ITEMS = {name: items(name[:2])[name] for name in [*exercise_names(), *gap_names()]}

DAY, CI, NIGHT = (), pytest.mark.not_by_day, pytest.mark.slow


def answer_of(name, text, called=None):
    """Return the answer that a text defines, in a file of its own, as a notebook's cell is."""
    path = temporary("answers") / f"{name}-{abs(hash(text))}.py"
    path.write_text(text)
    return answer_in(text, called or answer_named(name), "__main__", str(path))


def with_change(name, change):
    """Return the solved cell of an item with a change, as text."""
    return changed(solved_cell(name), change)


def reply_to(name, text, called=None):
    """Check an answer that a text defines; return the `Reply`."""
    answer = answer_of(name, text, called)
    return gap(name, answer).reply if "-" in name else exercises.open(name).check(answer)


def refused(reply, sentence):
    """Assert that a reply refuses an answer with this sentence, and that the run that it shows can be opened."""
    assert reply.state == "wrong", reply
    assert sentence in repr(reply)
    assert reply._repr_html_()
    if reply.run is not None:
        steps = DebuggerModel(reply.token, reply.handler, getattr(reply.run, "run", reply.run).job).steps
        assert steps.events, "the schedule is performed again, although a child found it"


def is_quick(name):
    """Tell whether an item is no challenge, whose answer is explored for long."""
    return "-" in name or ITEMS[name].tier != "challenge"


def in_ci(place, name):
    """Tell whether CI tries an item as it is solved: all gaps and warm-ups, and every second task."""
    return "-" in name or ITEMS[name].tier == "warm-up" or (ITEMS[name].tier == "task" and place % 2 == 0)


def mistakes():
    """Yield (name, sentence) of each mistake as a case of a test."""
    for place, (name, item) in enumerate(ITEMS.items()):
        for number, sentence in enumerate(item.mistakes):
            first = DAY if place % 4 == 0 else CI if place % 2 else NIGHT
            marks = NIGHT if number or not is_quick(name) else first
            yield pytest.param(name, sentence, marks=marks, id=f"{name}-{number}")


@pytest.mark.parametrize(("name", "sentence"), [*mistakes()])
def test_a_mistake_is_told_its_sentence(name, sentence):
    refused(reply_to(name, with_change(name, ITEMS[name].mistakes[sentence])), sentence)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        pytest.param(name, number, marks=CI if place % 8 == 1 and not number else NIGHT)
        for place, name in enumerate(ITEMS)
        for number in range(len(RIGHT.get(name, ())))
    ],
)
def test_a_right_answer_of_another_form_is_right(name, number):
    reply = reply_to(name, with_change(name, RIGHT[name][number]))
    assert reply.state == "right", reply


@pytest.mark.parametrize(
    "answer",
    [pytest.param(one, marks=CI if one in by_hand.WRONG[1::3] else NIGHT) for one in by_hand.ANSWERS],
    ids=lambda answer: f"{answer.name}-{answer.title.replace(' ', '_')}",
)
def test_an_answer_by_hand_is_judged_as_it_should_be(answer):
    reply = reply_to(answer.name, answer.text, "answer")
    if answer.reason:
        refused(reply, answer.reason)
    else:
        assert reply.state == "right", reply


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=DAY if place % 8 == 2 and is_quick(name) else CI if in_ci(place, name) else NIGHT)
        for place, name in enumerate(ITEMS)
    ],
)
def test_solved_it_is_right(name):
    reply = reply_to(name, solved_cell(name))
    assert reply.state == "right", reply
    if "-" not in name:
        assert exercises.open(name).show(answer_of(name, solved_cell(name))).html


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=CI if place % 8 else DAY) for place, name in enumerate(ITEMS)]
)
def test_handed_out_it_is_not_begun(name):
    reply = reply_to(name, without_the_course(handed_out(source_of(name))))
    assert reply.state == "unsolved", reply


def test_every_change_fits_its_cell_and_is_python():
    assert set(RIGHT) <= set(ITEMS)
    for name, item in ITEMS.items():
        for change in [*item.mistakes.values(), *RIGHT.get(name, ())]:
            compile(changed(solved_cell(name), change), name, "exec")

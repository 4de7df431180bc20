"""The exercises on the lock-free queue: the library's own answers are right, and a wrong one meets its schedule."""

import pytest

from exactly_once.chapters.items import item
from exactly_once.course import exercises
from exactly_once.exercises.kinds.mistakes import answer_with
from exactly_once.lockfree import Queue


def test_the_librarys_own_push_is_right():
    assert exercises.open("09b").check(lambda registers, name, value: Queue(registers, name).push(value)).right


@pytest.mark.parametrize("name", ["09b", "09d", "09e"])
@pytest.mark.some(day=1)
def test_a_wrong_answer_is_met_with_its_schedule(name):
    reply = item(name).check(answer_with(name, next(iter(item(name).mistakes.values()))))
    assert reply.token.startswith("ep2-")
    assert reply.story
    assert "<svg" in reply.picture.html
    assert item(name).show(...).html

"""Each answer to each exercise and gap has the same state, and the same words to whoever gave it."""

import pytest

from exactly_once.course import exercises
from exactly_once.exercises import TASKS
from exactly_once.exercises.kinds.gap import gaps
from tests.course.answers import answers_to

from . import compare

pytestmark = pytest.mark.slow


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", [*TASKS, *gaps()])
def test_answers(name):
    open_item = exercises.open if name in TASKS else gaps().get
    replies = {answer.id: open_item(name).check(answer.value) for answer in answers_to(name)}
    compare(f"answers/{name}", {each: f"{reply.state}: {reply!r}" for each, reply in replies.items()})

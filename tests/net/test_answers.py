"""The reply to each mistake, each right form and each answer by hand has the same state and the same words."""

import pytest

from tests.course.exercises import by_hand
from tests.course.exercises.test_items import ITEMS, reply_to, with_change

from . import compare

pytestmark = pytest.mark.slow


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ITEMS)
def test_answers(name):
    texts = {f"mistake {each}": with_change(name, change) for each, change in ITEMS[name].mistakes.items()}
    texts |= {f"right {number}": with_change(name, each) for number, each in enumerate(ITEMS[name].right)}
    replies = {each: reply_to(name, text) for each, text in texts.items()}
    replies |= {one.title: reply_to(name, one.text, "answer") for one in by_hand.ANSWERS if one.name == name}
    compare(f"answers/{name}", {each: f"{reply.state}: {reply!r}" for each, reply in replies.items()})

"""Answers that no change of the solved cell can say: other ideas, hostile ones, and those that do not end.

`ch04.py` has those of chapter 04. Each is a text that defines `answer`; a wrong one has a part of the reply:

    wrong("04d", "effects at the end", "one crash may cost one item, no more", '''
        def answer(node):
            ...
    ''')
"""

from textwrap import dedent
from typing import NamedTuple


class Answer(NamedTuple):
    """An answer to the item `name`, which is called `title`, with its text and the `reason` in the reply to it."""

    name: str
    title: str
    text: str
    reason: str
    state: str


ANSWERS: list[Answer] = []


def right(name, title, text):
    """Note a right answer to the exercise or gap `name`."""
    ANSWERS.append(Answer(name, title, dedent(text).strip() + "\n", "", "right"))


def wrong(name, title, reason, text):
    """Note a wrong answer; `reason` is a part of the reply."""
    ANSWERS.append(Answer(name, title, dedent(text).strip() + "\n", reason, "wrong"))

"""Replies to wrong predictions: a sentence for each plausible wrong choice.

The sentences stand in `ch04/replies.toml`, beside the checks of the chapter: in the notebook they would give the
answers away. `["04-letters"]` is the table of a question that one click answers, `["04-letters"."A"]` the table of
one row; each maps choices to sentences.
"""

import functools
import tomllib
from pathlib import Path
from typing import Any


@functools.cache
def replies(chapter: str) -> dict[str, dict[str, Any]]:
    """Return {question: {choice: sentence}, or {row: {choice: sentence}}} of a chapter such as "04"."""
    path = Path(__file__).parent / f"ch{chapter}" / "replies.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


def reply_to(question: str, row: str, choice: str | int) -> str | None:
    """Return the sentence for a choice in a question such as "04-letters"; None where nothing is written.

    `row` is "" for a question that one click answers.
    """
    found = replies(question[:2]).get(question, {})
    sentence = (found.get(row, {}) if row else found).get(str(choice))
    return sentence if isinstance(sentence, str) else None

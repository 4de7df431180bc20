"""A question on the screen: its blanks, the typed and the kept answer. No page, no file."""

import functools
from dataclasses import dataclass, field
from typing import Any

from ...errors import BadInput
from ..base.model import BaseState, Model, typed_number

ONE = ""  # the name of the only blank of a question without rows


@dataclass(frozen=True, kw_only=True)
class AskState(BaseState):
    """The typed answer and the kept answer: each is {row: text or number}, or None."""

    filled: dict = field(default_factory=dict)
    kept: dict | None = None


class AskModel(Model):
    """A question and its blanks: {row: choices, as a tuple of texts, or `int` for a whole number from 0}.

    A question of one blank, `ONE`, is answered by a click; a question of several rows when all are filled and kept.
    `keep(answer)` is called with {row: text or number} before the page uncovers the following text, and with None
    when the answer is taken back; when it raises, nothing changes.
    """

    what = "The question"
    needs_fields = ("keep",)

    def __init__(self, question, blanks, kept=None, keep=lambda answer: None):
        super().__init__(AskState(filled=dict(kept or {}), kept=kept))
        self.question, self.blanks, self._keep = question, blanks, keep

    @property
    def kept(self) -> Any:
        """The answer that is kept, or None."""
        return self.state.kept

    @property
    def single(self) -> bool:
        """True for a question of one blank."""
        return list(self.blanks) == [ONE]

    @property
    def complete(self):
        """True when every blank is filled."""
        return self.state.filled.keys() == self.blanks.keys() and not self.state.refused

    def actions(self):
        """Return {name: function of one value} of all actions of a learner."""
        fill = {f"fill-{number}": functools.partial(self._fill, number) for number in range(len(self.blanks))}
        return {**fill, "keep": lambda _: self._answer(self.state.filled), "anew": lambda _: self._anew()}

    def bring(self, kept):
        """Take over an answer that was kept elsewhere, or None."""
        self.update(filled=dict(kept or {}), kept=kept, refused={})

    def _fill(self, number, value):
        if self.kept is not None:
            return
        row = list(self.blanks)[number]
        filled = {**self.state.filled, row: fitting(row, self.blanks[row], value, f"fill-{number}")}
        if self.single:
            self._answer(filled)
        else:
            self.update(filled=filled)

    def _answer(self, filled):
        if self.kept is not None:
            return
        empty = [row for row in self.blanks if row not in filled]
        if empty:
            raise BadInput(f"Nothing is filled in yet for {', '.join(empty)}. Give each row an answer, then keep it.")
        self._keep(dict(filled))
        self.update(filled=filled, kept=dict(filled))

    def _anew(self):
        self._keep(None)
        self.update(kept=None, filled={} if self.single else self.state.filled)


def fitting(row, blank, value, name=""):
    """Return `value` as an answer to a blank. Raises `BadInput` for a value that is no choice, or no whole number.

    `name` is the field's on the screen, beside which the sentence stands.
    """
    title = row or "The answer"
    if blank is int:
        return typed_number(name, title[:1].upper() + title[1:], value, least=0)
    if value not in blank:
        raise BadInput(f"{title} is {value!r}; it can be {', '.join(blank)}.")
    return value


def fits(blanks, answer):
    """Tell whether `answer`, as it was kept, answers these blanks: a question may have changed since."""
    if not isinstance(answer, dict) or answer.keys() != blanks.keys():
        return False
    try:
        return all(fitting(row, blank, answer[row]) == answer[row] for row, blank in blanks.items())
    except BadInput:
        return False

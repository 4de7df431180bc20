"""The common part of all kinds of tasks: the answer's name and form, and the words for a missing answer."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

from ... import show as drawing
from ...errors import BadInput
from .reply import has_dots

TIERS = ("warm-up", "task", "challenge")


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One exercise; a kind adds how an answer is judged, `check(answer)`, and drawn, `show(answer)`.

    `answer` is the answer's name in the notebook. `asks` names the learner's task ("your function") in the reply to a
    missing answer; `form` describes an answer ("a function, push(registers, name, value)") in the reply to an answer
    of another form. With `parts` the answer is a dictionary with a function under each of these names.
    `tier` is one of `TIERS`; a "challenge" has a specification and no skeleton. Title and hints stand
    with the text, in `solutions/`.
    """

    answer: str
    asks: str = "your function"
    form: str = "a function"
    tier: str = "task"
    parts: tuple[str, ...] = ()

    def is_there(self, answer: object) -> bool:
        """Tell whether there is an answer; False for the three dots. Raises `BadInput` for one of another form."""
        if has_dots(answer):
            return False
        if self.parts:
            fits = isinstance(answer, dict) and set(answer) == set(self.parts) and all(map(callable, answer.values()))
        else:
            fits = callable(answer)
        if not fits:
            raise BadInput(f"The answer is {repr(answer)[:60]}; it is {self.form}.")
        return True


@dataclass(frozen=True)
class Specified:
    """The invariant of one case: `rule(view, of)` tells whether it holds, `objection(view, of)` says why it does not.

    The learner reads the code of `rule`. `of` is the case, such as a job or what has to be there in the end.
    """

    rule: Callable[[Any, Any], bool]
    objection: Callable[[Any, Any], Any]
    of: Any

    def __call__(self, view: Any) -> Any:
        return self.rule(view, self.of) or self.objection(view, self.of)


def specification(rule: Any) -> drawing.Picture:
    """Return the picture of a rule, for a learner who has nothing to show yet: its docstring and its code."""
    rule = rule.rule if isinstance(rule, Specified) else rule
    html = f"<p>{escape(inspect.getdoc(rule) or '')}</p>{drawing.code_html(rule, remark=False)}"
    return drawing.Picture(html, text=inspect.getsource(rule))


def nothing_yet(what: str) -> drawing.Picture:
    """Return the picture for an answer that is not there yet. `what` names it: "no handler"."""
    said = f"There is {what} yet."
    return drawing.Picture(f"<p>{escape(said)}</p>", text=said)

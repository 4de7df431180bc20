"""Items whose answer is a rule: it is asked about moments, in each of which it must hold or not, and why."""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .kind import Kind, nothing_yet
from .reply import Reply, right, unsolved, wrong
from .run_answer import asked_all


@dataclass(frozen=True)
class Moment:
    """One moment that a rule is asked about: `when` describes it, `view` is the rule's argument.

    `holds` is the right answer, `why` a sentence on the reason.
    """

    when: str
    view: Any
    holds: bool
    why: str


@dataclass(frozen=True, kw_only=True)
class Invariant(Kind):
    """One item whose answer is a rule, which is asked about `moments`, the simplest first.

    The rule returns True where it holds, and False or a text that says what is wrong. `praise` may name the {count}.
    """

    moments: Sequence[Moment] | Callable[[], Sequence[Moment]]
    praise: str

    def check(self, answer: Any) -> Reply:
        """Ask about each moment; the first about which the rule is wrong is told."""
        if not self.is_there(answer):
            return unsolved(self.begun)
        moments = self.moments() if callable(self.moments) else self.moments
        found = asked_all(answer, operator.call, [(moment.view,) for moment in moments])
        for moment, (fine, said) in zip(moments, found, strict=True):
            if not fine:
                return wrong(f"{moment.when}: your rule fails with {said}.")
            if not isinstance(said, (bool, str)):
                told = "It returns True, or False, or a text that says what is wrong."
                return wrong(f"{moment.when}: your rule returns {said!r}. {told}")
            if (said is True) != moment.holds:
                return wrong(f"{moment.when}. {moment.why} Your rule returns {said!r}.")
        return right(self.praise.format(count=len(moments)))

    def show(self, answer: Any) -> Any:
        """Say that a rule has nothing to draw."""
        return nothing_yet("no picture")

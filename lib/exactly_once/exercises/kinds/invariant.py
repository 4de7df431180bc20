"""The moments that a learner's rule is asked about: which of them it must hold in, and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .by_cases import by_cases
from .reply import Reply


@dataclass(frozen=True)
class Moment:
    """One moment that a rule is asked about: `when` describes it, `view` is the rule's argument.

    `holds` is the right answer, `why` a sentence on the reason.
    """

    when: str
    view: Any
    holds: bool
    why: str


def refused_moment(rule: Callable, moments: Sequence[Moment]) -> Reply | None:
    """Return the reply to the first of `moments` about which a learner's rule is wrong; or None.

    A rule without an answer to any moment is unsolved.
    """
    return by_cases(
        rule,
        [(moment,) for moment in moments],
        lambda moment: moment.when,
        _misjudged,
        arguments=lambda moment: [moment.view],
        fails=": your rule fails with {}.",
    )


def _misjudged(moment: Moment, said: Any) -> str | None:
    if not isinstance(said, (bool, str)):
        return f": your rule returns {said!r}. It returns True, or False, or a text that says what is wrong."
    return None if (said is True) == moment.holds else f". {moment.why} Your rule returns {said!r}."

"""Items whose answer is asked about cases: what it says is compared with the solved cell's, or judged by a rule.

The first case that goes wrong is told, with the answer and the right one. An answer that does what one of the item's
`mistakes` does is told the mistake's sentence. Where the answer is a rule, `Invariant`, the cases are moments, in
each of which it must hold or not.
"""

import inspect
import operator
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import isclose
from typing import Any

import pandas as pd

from ... import show as drawing
from .kind import Kind, asked_all, nothing_yet
from .mistakes import answer_with
from .reply import Reply, right, unsolved, wrong

Case = tuple[Any, ...]
Said = tuple[bool, Any]  # whether a function returned, and what; or its exception in words
LONG = 240  # characters of a value in a sentence


@dataclass(frozen=True, kw_only=True)
class Compared(Kind):
    """One item whose answer is asked about `cases`, tuples of arguments; the smallest that shows a mistake is first.

    - `ask(answer, *case)` asks in the child process; a function at the top of its module.
    - Right is what the solved cell says: `same(said, right)`. With a `rule(said, *case)` in its place, right is that
      for which the rule returns None; else it returns a sentence, or a whole `Reply`.
    - `told(*case)` names a case, as the subject of a sentence: by default the call. `why(said, right, *case)` says
      why the right answer is right, or `why` itself does, to whoever made none of `mistakes`.
    - `drawn(said, *case)` is the picture of a case with an answer to it, None where there is none yet; by default a
      table. `shown` are the cases that `show` draws. `praise` may name the {count} of cases.
    - An answer that says one of `nothing` in all cases is not begun.
    """

    cases: Sequence[Case] | Callable[[], Sequence[Case]]
    praise: str
    ask: Callable[..., Any] = operator.call
    same: Callable[[Any, Any], bool] = lambda said, right: alike(said, right)
    rule: Callable[..., str | Reply | None] | None = None
    told: Callable[..., str] | None = None
    why: Callable[..., str] | str = ""
    drawn: Callable[..., drawing.Picture] | None = None
    shown: Sequence[Case] = ()
    nothing: tuple = (None, ...)
    seconds: float = 5.0

    def check(self, answer: Any) -> Reply:
        """Ask about all cases; tell the first that goes wrong, and the mistake if it is a known one."""
        if not self.is_there(answer):
            return unsolved(self.asks)
        cases = self._all()
        said = asked_all(answer, self.ask, cases, self.seconds)
        if all(fine and _is_one_of(each, self.nothing) for fine, each in said):
            return unsolved(self.begun)
        for place, case in enumerate(cases):
            if sentence := self._objection(said[place], case):
                if isinstance(sentence, Reply):
                    return sentence
                because = self._mistake(cases, said, place) or self._reason(said[place], case)
                told = f"{sentence}: {because}" if because else sentence
                return wrong(told if told[-1] in ".!?" else f"{told}.", picture=self._picture([case], [said[place]]))
        shown = self.shown or cases[-1:]
        return right(self.praise.format(count=len(cases)), picture=self._picture(shown, self._right(shown)))

    def show(self, answer: Any) -> drawing.Picture:
        """Draw the cases to show, with what the answer returns for each; the right values are not shown."""
        shown = self.shown or self._all()[-1:]
        said = (
            asked_all(answer, self.ask, shown, self.seconds) if self.is_there(answer) else [(True, None)] * len(shown)
        )
        return self._picture(shown, said, told=False)

    def _all(self) -> list[Case]:
        return list(self.cases() if callable(self.cases) else self.cases)

    def _right(self, cases: Sequence[Case], change: Any = ()) -> list[Said]:
        """Return what the solved cell says, with a change in it; here, and not where the learner's answer runs."""
        answer, found = answer_with(self.name, change), []
        for case in cases:
            try:
                found.append((True, self.ask(answer, *deepcopy(case))))
            except Exception as why:  # noqa: BLE001 - a mistake may raise whatever it wants
                found.append((False, type(why).__name__))
        return found

    def _objection(self, said: Said, case: Case) -> str | Reply | None:
        fine, value = said
        if not fine:
            return f"{self._named(case)} fails with {value}"
        if self.rule is not None:
            return self.rule(value, *case)
        [(_, wanted)] = self._right([case])
        if self.same(value, wanted):
            return None
        return f"{self._named(case)} returns {shortly(value)}; right is {shortly(wanted)}"

    def _named(self, case: Case) -> str:
        return self.told(*case) if self.told else f"{self.answer}({', '.join(map(shortly, case))})"

    def _reason(self, said: Said, case: Case) -> str:
        if not said[0]:
            return ""
        if isinstance(self.why, str):
            return self.why
        [(_, wanted)] = self._right([case])
        return self.why(said[1], wanted, *case)

    def _mistake(self, cases: Sequence[Case], said: Sequence[Said], first: int) -> str:
        """Return the sentence of the mistake that says the same; else of one that does up to the first error."""
        nearest = ""
        for sentence, change in self.mistakes.items():
            theirs = self._right(cases, change)
            if all(_agree(*pair) for pair in zip(said, theirs, strict=True)):
                return sentence
            if all(_agree(*pair) for pair in zip(said[: first + 1], theirs, strict=False)):
                nearest = nearest or sentence
        return nearest

    def _picture(self, cases: Sequence[Case], said: Sequence[Said], told: bool = True) -> drawing.Picture:
        if self.drawn:
            pictures = [
                self.drawn(value if fine else None, *case) for case, (fine, value) in zip(cases, said, strict=True)
            ]
            return drawing.Picture("".join(each.html for each in pictures), text="\n".join(map(str, pictures)))
        wanted = [value for _, value in self._right(cases)] if told and not self.rule else []
        names = [*inspect.signature(answer_with(self.name)).parameters] if self.ask is operator.call else []
        rows = []
        for place, (case, (fine, value)) in enumerate(zip(cases, said, strict=True)):
            row = dict(zip(names, map(shortly, case), strict=False)) or {"asked": self._named(case)}
            row["yours"] = f"fails with {value}" if not fine else "–" if value is None else shortly(value)
            rows.append(row | ({"right": shortly(wanted[place])} if wanted else {}))
        return drawing.table_picture(pd.DataFrame(rows))


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


def alike(said: Any, right: Any) -> bool:
    """Tell whether two values are the same: numbers nearly, lists and tuples entry by entry, True only with True."""
    try:
        if isinstance(right, bool) or isinstance(said, bool):
            return said is right
        if isinstance(right, float):
            return isclose(said, right, rel_tol=1e-3)
        if isinstance(right, (list, tuple)):
            return isinstance(said, (list, tuple)) and len(said) == len(right) and all(map(alike, said, right))
        if isinstance(right, dict):
            return (
                isinstance(said, dict)
                and said.keys() == right.keys()
                and all(alike(said[k], right[k]) for k in right)
            )
        return bool(said == right)
    except Exception:  # noqa: BLE001 - an object that cannot be compared is not the same
        return False


def shortly(value: Any) -> str:
    """Return a value as text, cut where it is long."""
    text = f"{value:.6g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= LONG else f"{text[:LONG]} …"


def _agree(one: Said, other: Said) -> bool:
    return one[0] == other[0] and (alike(one[1], other[1]) if one[0] else str(one[1]).startswith(str(other[1])))


def _is_one_of(value: Any, nothing: tuple) -> bool:
    return any(value is one or (one == [] and value == []) for one in nothing)

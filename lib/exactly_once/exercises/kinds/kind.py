"""The common part of all kinds of items: the answer's name and form, its mistakes, the words for a missing answer.

A `Gap` is an item of which a few lines in a chapter are the answer, and the library has a version of them. Learners'
answers work in the sandbox's child process, where they can do no harm: `called`, `asked_all` and `proved`.
"""

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from ... import show as drawing
from ...errors import BadInput, CourseError, own_lines, words_of
from ...node.program import pickle_handler, unpickle_handler
from ...sandbox import pool as sandbox
from ...sandbox import prove_safely
from ...solutions import library_code, library_of, tier_of
from .mistakes import Change, answer_named, answer_with
from .reply import Reply, has_dots, unsolved, wrong

SECONDS = 10.0

sandbox.preload(__name__)  # it takes a second or more, which is no time of the learner's


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One exercise or gap; a kind adds how an answer is judged, `check(answer)`, and drawn, `show(answer)`.

    - `name` is that of the item, such as "04d" or "04-promise"; `exactly_once.chapters` sets it.
    - `asks` names the learner's task ("your function") in the reply to a missing answer; `form` describes an answer
      ("a function of a log") in the reply to an answer of another form; by default it is a function, with the solved
      one's name and arguments. With `parts` the answer is a dictionary with a function for each of these.
    - `mistakes` maps sentences of the reply to changes of the solved cell, which make these mistakes. They stand in
      the chapter's `mistakes.toml`, and a test tries them all.
    - A gap `refuses` the library's own functions, and `takes` further types of answers.
    """

    name: str = ""
    asks: str = "your function"
    form: str = ""
    parts: tuple[str, ...] = ()
    mistakes: Mapping[str, Change] = field(default_factory=dict)
    refuses: tuple[Callable, ...] = ()
    takes: tuple[type, ...] = ()

    @property
    def is_gap(self) -> bool:
        """Tell whether the item is a gap of a chapter."""
        return "-" in self.name

    @property
    def tier(self) -> str:
        """An exercise's "warm-up", "task" or "challenge", which has a specification and no skeleton."""
        return tier_of(self.name)

    @property
    def described(self) -> str:
        """The form of an answer in words."""
        return self.form or f"a function, {self.answer}{inspect.signature(answer_with(self.name))}"

    @property
    def begun(self) -> str:
        """Name what is missing of an answer whose lines do nothing yet."""
        return "your lines" if self.is_gap else f"the body of {self.asks}"

    @property
    def answer(self) -> str:
        """The answer's name, in the notebook as in the solved cell."""
        return answer_named(self.name)

    def is_there(self, answer: object) -> bool:
        """Tell whether there is an answer; False for the three dots. Raises `BadInput` for one of another form."""
        if has_dots(answer) or untouched(answer):
            return False
        if self.parts:
            fits = isinstance(answer, dict) and set(answer) == set(self.parts) and all(map(callable, answer.values()))
        else:
            fits = callable(answer) or isinstance(answer, self.takes)
        if not fits:
            raise BadInput(f"The answer is {repr(answer)[:60]}; it is {self.described}.")
        return True


@dataclass(frozen=True)
class Gap:
    """The gap that an item judges: a function or, where the library's version is one, a class.

    An answer that uses the library's version, or one of what the item refuses, does not count.
    """

    item: Kind

    @property
    def name(self) -> str:
        """The name, such as "04-promise"."""
        return self.item.name

    @property
    def refuses(self) -> tuple[Callable, ...]:
        """Functions of the library that do the same."""
        return self.item.refuses

    @property
    def library(self) -> Callable:
        """The library's version, for a learner without an answer. The solved cell passes this version on."""
        return library_of(self.name)

    @property
    def code(self) -> str:
        """The source text of the library's version."""
        return library_code(self.name)

    def check(self, answer: object) -> Reply:
        """Return the `Reply` to an answer; for an answer of the wrong type, the reply names the right type.

        May raise `CourseError` for an answer of another form.
        """
        kind = "class" if isinstance(self.library, type) else "function"
        if answer is ...:
            return unsolved(f"your {kind}")
        fits = isinstance(answer, type) if kind == "class" else callable(answer)
        if not fits and not isinstance(answer, self.item.takes):
            name = self.library.__name__
            return wrong(f"The answer is {answer!r:.60}; give the {kind} {name} itself, without brackets.")
        return self.item.check(answer)  # type: ignore[attr-defined]


def untouched(answer: object) -> bool:
    """Tell whether a function, or a method of a class, is as it was handed out: its body is the three dots."""
    if isinstance(answer, type):
        methods = [each for each in vars(answer).values() if isinstance(each, types.FunctionType)]
        return any(untouched(each) for each in methods if not _written(each))
    code, dots = getattr(answer, "__code__", None), _dots.__code__
    return code is not None and (code.co_code, code.co_consts) == (dots.co_code, dots.co_consts)


def _written(method: types.FunctionType) -> bool:
    """Tell whether a learner wrote that a method has nothing to do: `pass` stands there, and no dots."""
    try:
        return "..." not in inspect.getsource(method)
    except (OSError, TypeError):
        return False


def _dots() -> None: ...


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


class AnswerFailed(CourseError):
    """A learner's code raised. `traceback` holds the learner's own lines."""

    def __init__(self, message, traceback=""):
        super().__init__(message)
        self.traceback = traceback


def proved(handler: Any, rule: Any, job: Any, seconds: float = SECONDS, **bounds: Any) -> Any:
    """Return the `Proof` of a learner's handler under an invariant, `rule`; `bounds` go to `prove`.

    Raises `CourseError` for code that does not come to an end within `seconds`, or cannot be explored.
    """
    return prove_safely(handler, invariant=rule, job=job, seconds=seconds, **bounds)


def called(ours: Any, theirs: Any, *arguments: Any, seconds: float = 5.0) -> Any:
    """Call `ours(theirs, *arguments)` in the child process, and return the result.

    `ours` is a function of the course, at the top of its module; `theirs` the learner's object: a function, a
    class, or a dictionary or list of them. The child gets a fresh copy of the object and drops the printed
    output. Raises `AnswerFailed` when the learner's code raises, `HandlerStuck` when the code takes more than
    `seconds` seconds, and each `CourseError` of `ours`.
    """
    return sandbox.call(_called, ours, pickle_handler(theirs), arguments, seconds=seconds)


def asked_all(theirs: Any, ask: Callable[..., Any], cases: Any, seconds: float = 5.0) -> list[Any]:
    """Return what `ask(theirs, *case)` returns for each of `cases`: (True, value) or (False, exception in words)."""
    return called(_asked, theirs, ask, list(cases), seconds=seconds)


def _called(ours: Any, pickled: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return ours(unpickle_handler(pickled), *arguments)
    except CourseError:
        raise
    except BaseException as why:  # noqa: BLE001 - whatever a learner's code raises, SystemExit too, is told
        raise AnswerFailed(f"Your code fails with {words_of(why)}.", own_lines(why)) from None


def _asked(theirs: Any, ask: Callable[..., Any], cases: list[Any]) -> list[Any]:
    return [_answer(ask, [theirs, *case]) for case in cases]


def _answer(function: Callable[..., Any], arguments: list[Any]) -> tuple[Any, ...]:
    try:
        return True, function(*arguments)
    except BaseException as why:  # noqa: BLE001 - whatever a learner's code raises, SystemExit too, is told
        return False, words_of(why)

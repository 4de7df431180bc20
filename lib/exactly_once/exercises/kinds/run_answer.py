"""Learners' answers at work, in the sandbox's child process, where they can do no harm."""

from collections.abc import Callable
from typing import Any

from ...errors import CourseError, own_lines, words_of
from ...node.program import pickle_handler, unpickle_handler
from ...sandbox import pool as sandbox
from ...sandbox import prove_safely

SECONDS = 10.0


sandbox.preload(__name__)  # it takes a second or more, which is no time of the learner's


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

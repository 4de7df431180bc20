"""The gaps of the chapters: how the lines that a learner writes in one are judged, and the library's version.

A gap of chapter 01 is a judge in `ch01/gaps.py`. Its solved cell, title and hints are in `solutions/gaps/01.py`:

    @gap("01-clock", refuses=(LamportClock,))
    def check_clock(answer): ...
"""

import functools
import importlib
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass

from ...errors import one_of
from ...solutions import library_code, library_of
from .reply import Reply, unsolved, wrong

PLACE = __name__.rpartition(".kinds")[0]


@dataclass(frozen=True)
class Gap:
    """A few lines that the learner writes in a chapter; `name` is such as "01-clock".

    `judge(answer)` returns the `Reply` to a function, or to a class where the library's is one, and may raise
    `CourseError` for an answer of another form. An answer that uses the library's version, or one of `refuses`, does
    not count. `takes` are types of answers that will do as well.
    """

    name: str
    judge: Callable[..., Reply]
    refuses: tuple[Callable, ...] = ()
    takes: tuple[type, ...] = ()

    @property
    def library(self) -> Callable:
        """The library's version, for a learner without an answer. The solved cell passes this version on."""
        return library_of(self.name)

    @property
    def code(self) -> str:
        """The source text of the library's version."""
        return library_code(self.name)

    def check(self, answer: object) -> Reply:
        """Return the `Reply` to an answer; for an answer of the wrong type, the reply names the right type."""
        kind = "class" if isinstance(self.library, type) else "function"
        if answer is ...:
            return unsolved(f"your {kind}")
        fits = isinstance(answer, type) if kind == "class" else callable(answer)
        if not fits and not isinstance(answer, self.takes):
            name = self.library.__name__
            return wrong(f"The answer is {answer!r:.60}; give the {kind} {name} itself, without brackets.")
        return self.judge(answer)


_declared: dict[str, Gap] = {}


def gap(name: str, refuses: tuple[Callable, ...] = (), takes: tuple[type, ...] = ()) -> Callable:
    """Declare the function below to be the judge of the gap `name`; the arguments are those of `Gap`."""

    def declare(judge: Callable[..., Reply]) -> Callable[..., Reply]:
        _declared[name] = Gap(name, judge, refuses, takes)
        return judge

    return declare


@functools.cache
def gaps() -> dict[str, Gap]:
    """Return all gaps by name, by chapter and name."""
    here = importlib.import_module(PLACE)
    for chapter in sorted(each.name for each in pkgutil.iter_modules(here.__path__)):
        if re.fullmatch(r"ch\d\d", chapter):
            importlib.import_module(f"{PLACE}.{chapter}.gaps")
    return dict(sorted(_declared.items()))


def gap_named(name: str) -> Gap:
    """Return the `Gap` of a name such as "04-one-step". Raises `BadInput` for an unknown name."""
    return gaps()[one_of("the gap", name, gaps())]


def untouched(function: object) -> bool:
    """Tell whether a function is as it was handed out: its body is the three dots, which do nothing."""
    code, dots = getattr(function, "__code__", None), _dots.__code__
    return code is not None and (code.co_code, code.co_consts) == (dots.co_code, dots.co_consts)


def _dots(): ...

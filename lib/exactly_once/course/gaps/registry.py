"""The gaps of the chapters: what each asks for, how to check it, and the library's version.

Gap "04-try-again" is the `GAP` of `chapter_04/try_again.py`; its solved cell is `solutions/gaps/04-try-again.py`.
"""

import functools
import importlib
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass

from ...errors import one_of
from ..tasks.reply import unsolved, wrong

PLACE = __name__.rpartition(".")[0]


@dataclass(frozen=True)
class Gap:
    """A few lines that the learner writes in a chapter.

    `title` in a few words; `judge(answer)` returns the `Reply` to a function, or to a class where the library's is
    one, and may raise `CourseError` for an answer of another form; `hints` go from a nudge to nearly the solution;
    `library` is the version for who wants to go on without. An answer that uses it, or one of `refuses`, does not
    count. `name` is what the chapter calls it, if not as the library does; `takes` are types of answers that will do
    as well.
    """

    title: str
    judge: Callable
    hints: tuple
    library: Callable
    refuses: tuple = ()
    name: str = ""
    takes: tuple = ()

    def check(self, answer):
        """Return the `Reply` to an answer; what is no function, or no class where one is asked for, is told so."""
        kind = "class" if isinstance(self.library, type) else "function"
        if answer is ...:
            return unsolved(f"your {kind}")
        fits = isinstance(answer, type) if kind == "class" else callable(answer)
        if not fits and not isinstance(answer, self.takes):
            name = self.name or self.library.__name__
            return wrong(f"The answer is {answer!r:.60}; give the {kind} {name} itself, without brackets.")
        return self.judge(answer)


@functools.cache
def gaps():
    """Return all gaps by name, by chapter and name."""
    found = {}
    here = importlib.import_module(PLACE)
    for chapter in sorted(each.name for each in pkgutil.iter_modules(here.__path__)):
        if not re.fullmatch(r"chapter_\d\d", chapter):
            continue
        package = importlib.import_module(f"{PLACE}.{chapter}")
        for file in sorted(each.name for each in pkgutil.iter_modules(package.__path__)):
            module = importlib.import_module(f"{package.__name__}.{file}")
            if hasattr(module, "GAP"):  # a module without one is what gaps of its chapter share
                found[f"{chapter[-2:]}-{file.replace('_', '-')}"] = module.GAP
    return found


def gap_named(name):
    """Return the `Gap` of a name such as "04-try-again". Raises `BadInput` for one that is not there."""
    return gaps()[one_of("the gap", name, gaps())]

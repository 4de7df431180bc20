"""The exercises and gaps of the course, as content: their tasks, checks, and smallest counterexamples.

`kinds` holds the kinds of tasks that there are; `ch04` the exercises and gaps of chapter 04. Exercise 04d is the
`TASK` of `ch04/e04d_….py`. `exactly_once.course` shows them, counts tries and gives hints.
"""

import importlib
import pkgutil
import re


def _files():
    """Yield the exercises' names with their modules, in the order of the course."""
    for chapter in sorted(found.name for found in pkgutil.iter_modules(__path__)):
        if re.fullmatch(r"ch\d\d", chapter):
            package = importlib.import_module(f"{__name__}.{chapter}")
            for file in sorted(found.name for found in pkgutil.iter_modules(package.__path__)):
                if name := re.match(r"e(\d\d[a-z])_", file):
                    yield name[1], importlib.import_module(f"{package.__name__}.{file}")


TASKS = {name: module.TASK for name, module in _files()}

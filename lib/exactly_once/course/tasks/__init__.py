"""The exercises' tasks: for each what to show, how to check, and hints from a nudge to nearly the solution.

Exercise 04b is the `TASK` of `chapter_04/e04b_….py`.
"""

import importlib
import pkgutil
import re


def _files():
    """Yield the exercises' names with their modules, in the order of the course."""
    for chapter in sorted(found.name for found in pkgutil.iter_modules(__path__)):
        if re.fullmatch(r"chapter_\d\d", chapter):
            package = importlib.import_module(f"{__name__}.{chapter}")
            for file in sorted(found.name for found in pkgutil.iter_modules(package.__path__)):
                if name := re.match(r"e(\d\d[a-z])_", file):
                    yield name[1], importlib.import_module(f"{package.__name__}.{file}")


TASKS = {name: module.TASK for name, module in _files()}

"""The exercises' tasks: for each what to show, how to check, and hints from a nudge to nearly the solution.

A package `chapter_NN` holds those of a chapter and lists them by name in its own `TASKS`; here they are all together.
"""

import importlib
import pkgutil
import re

_NAMES = sorted(found.name for found in pkgutil.iter_modules(__path__) if re.fullmatch(r"chapter_\d\d", found.name))
_CHAPTERS = [importlib.import_module(f"{__name__}.{name}") for name in _NAMES]
TASKS = {name: task for chapter in _CHAPTERS for name, task in chapter.TASKS.items()}

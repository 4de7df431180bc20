"""The exercises and gaps of the course, chapter by chapter: `ch04` has the checks of chapter 04, and its replies.

`ch04/checks*.py` declare `ITEMS`, {name: item}; each item is of one of the kinds in `exactly_once.exercises.kinds`.
`ch04/replies.toml` has the sentences to wrong predictions. `exactly_once.course` shows the items, counts tries and
gives hints. A chapter is imported when one of its items is asked for.
"""

import functools
import importlib
import pkgutil
from dataclasses import replace

from ..errors import one_of
from ..exercises.kinds.kind import Gap, Kind
from ..sandbox import pool as sandbox
from ..solutions import exercise_names, gap_names


@functools.cache
def items(chapter: str) -> dict[str, Kind]:
    """Return the exercises and gaps of a chapter such as "04", by name."""
    package = importlib.import_module(f"{__name__}.ch{chapter}")
    files = sorted(found.name for found in pkgutil.iter_modules(package.__path__) if found.name.startswith("checks"))
    found = [importlib.import_module(f"{package.__name__}.{file}") for file in files]
    for module in found:
        sandbox.preload(module.__name__)  # the child process finds there how an answer is asked
    return {name: replace(kind, name=name) for module in found for name, kind in module.ITEMS.items()}


def item(name: str) -> Kind:
    """Return the exercise of a name such as "04d", or the gap of one such as "04-promise". Raises `BadInput`."""
    what, names = ("the gap", gap_names()) if "-" in name else ("the exercise", exercise_names())
    return items(one_of(what, name, names)[:2])[name]


def gap_named(name: str) -> Gap:
    """Return the `Gap` of a name such as "04-one-step". Raises `BadInput` for an unknown name."""
    return Gap(item(one_of("the gap", name, gap_names())))

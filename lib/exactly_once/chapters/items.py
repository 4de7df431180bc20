"""The items of a chapter, exercises and gaps, and the replies to its questions, by their names."""

import functools
import importlib
import pkgutil
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..doors import OLDER
from ..errors import BadInput, one_of
from ..exercises.kinds.kind import Gap, Kind
from ..sandbox import pool as sandbox
from ..solutions import exercise_names, gap_names


@functools.cache
def items(chapter: str) -> dict[str, Kind]:
    """Return the exercises and gaps of a chapter such as "04", by name."""
    package = importlib.import_module(f"{__package__}.ch{chapter}")
    files = sorted(found.name for found in pkgutil.iter_modules(package.__path__) if found.name.startswith("checks"))
    found: dict[str, Kind] = {}
    for file in files:
        module = importlib.import_module(f"{package.__name__}.{file}")
        sandbox.preload(module.__name__)  # the child process finds there how an answer is asked
        for name, kind in module.ITEMS.items():
            found[name] = replace(kind, name=name, mistakes=tables(chapter, "mistakes")[name])
    return found


def item(name: str) -> Kind:
    """Return the exercise of a name such as "04d", or the gap of one such as "04-promise". Raises `BadInput`."""
    what, names = ("the gap", gap_names()) if "-" in name else ("the exercise", exercise_names())
    return items(one_of(what, name, names)[:2])[name]


def gap_named(name: str) -> Gap:
    """Return the `Gap` of a name such as "04-one-step". Raises `BadInput` for an unknown name."""
    if name not in gap_names():
        raise BadInput(f"There is no gap {name!r}; one is called 04-one-step, for example. {OLDER}")
    return Gap(item(name))


@functools.cache
def tables(chapter: str, file: str) -> dict[str, dict[str, Any]]:
    """Return the tables of `replies.toml`, or `mistakes.toml`, of a chapter such as "04", by name; {} without a file.

    Those of the replies are {question: {choice: sentence}, or {row: {choice: sentence}}}.
    """
    path = Path(__file__).parent / f"ch{chapter}" / f"{file}.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


def reply_to(question: str, row: str, choice: str | int) -> str | None:
    """Return the sentence for a choice in a question such as "04-letters"; None where nothing is written.

    `row` is "" for a question that one click answers.
    """
    found = tables(question[:2], "replies").get(question, {})
    sentence = (found.get(row, {}) if row else found).get(str(choice))
    return sentence if isinstance(sentence, str) else None

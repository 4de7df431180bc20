"""The learner's predictions, in a small file in `my-work/`, and the names of the chapters' questions and gaps."""

import datetime
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from ..paths import ROOT, replaced
from . import my_work
from .copies import CHAPTERS

FILE = "predictions.json"
RENAMED = {  # questions that moved with chapter 10's second half to chapter 11; work under their old names counts
    f"10-{name}": f"11-{name}" for name in ("articles", "blocked", "mutants", "waits", "years")
}
ASKED = {kind: re.compile(rf'\b{kind}\(\s*"([^"]+)"') for kind in ("predict", "gap")}

Answer = dict[str, str | int]


def kept(name: str) -> Answer | None:
    """Return the kept answer to a question, as {row: text or number}, or None."""
    return _read().get(RENAMED.get(name, name), {}).get("said")


def keep(name: str, answer: Answer | None) -> None:
    """Keep an answer, or take it back with None. The first answer stays noted, as the first answer counts."""
    with my_work.locked(FILE):
        found = _read()
        entry = found.setdefault(RENAMED.get(name, name), {})
        entry["said"] = answer
        if answer is not None:
            entry.setdefault("first", answer)
            entry.setdefault("since", datetime.date.today().isoformat())
            entry.setdefault("at", my_work.now())
        _write(found)


def judge(name: str, right: Callable[[Answer], object], truth: Answer | None = None) -> None:
    """Note whether a question's first answer came out, once the truth is computed; `right` compares an answer.

    `truth`, {row: text or number}, is noted beside it, for the table of a class.
    """
    name = RENAMED.get(name, name)
    entry = _read().get(name, {})
    if entry.get("first") is None or "right" in entry:
        return
    with my_work.locked(FILE):
        found = _read()
        entry = found.setdefault(name, entry)
        entry["right"] = bool(right(entry["first"]))
        if truth is not None:
            entry["truth"] = truth
        _write(found)


def counts() -> dict[str, tuple[int, int, int]]:
    """Return {chapter: (questions, predicted, came out)} for every chapter."""
    found = _read()
    return {
        chapter: (
            len(names),
            sum(bool(found.get(name, {}).get("first")) for name in names),
            sum(bool(found.get(name, {}).get("right")) for name in names),
        )
        for chapter, names in asked("predict").items()
    }


def asked(kind: str) -> dict[str, list[str]]:
    """Return {chapter: names of its questions or gaps}, in order; `kind` is "predict" or "gap"."""
    return {
        chapter: [name for cell in cells for name in ASKED[kind].findall(cell) if name.startswith(f"{chapter}-")]
        for chapter, cells in _sources()
    }


def entries() -> dict[str, dict[str, Any]]:
    """Return all kept entries: {question: {"said", "first", "right", "truth", "since", "at"}}, as far as known."""
    return _read()


def _read() -> dict[str, dict[str, Any]]:
    found = my_work.read_json(my_work.folder() / FILE)
    entries = {name: entry for name, entry in found.items() if isinstance(entry, dict)}
    return {RENAMED.get(name, name): entry for name, entry in entries.items()} | {
        name: entry for name, entry in entries.items() if name not in RENAMED
    }


def _write(found: dict[str, dict[str, Any]]) -> None:
    replaced(my_work.folder() / FILE, json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def _sources() -> Iterator[tuple[str, list[str]]]:
    """Yield (the number of a chapter, the sources of its code cells), in the chapters' order."""
    for path in sorted((ROOT / CHAPTERS).glob("[0-9][0-9]-*.ipynb")):
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            found = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        except (OSError, ValueError, KeyError, TypeError):
            continue  # the learner's own notebook, perhaps half saved
        yield path.name[:2], found

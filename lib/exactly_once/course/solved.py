"""The solved exercises and gaps: a small file in `my-work/`."""

import datetime
import json
from typing import Any

from ..paths import replaced
from . import my_work

FILE = "progress.json"


def note(name: str, solved: bool) -> None:
    """Note one check of an exercise. What was solved once stays solved."""
    with my_work.locked(FILE):
        found = _read()
        entry = found.setdefault(name, {"tries": 0, "solved": None})
        entry["tries"] += not entry["solved"]
        if solved and not entry["solved"]:
            entry["solved"] = datetime.date.today().isoformat()
            entry["at"] = my_work.now()
        _write(found)


def standing(name: str) -> str:
    """Return how an exercise stands: "solved", "tried" or "new"."""
    entry = _read().get(name)
    return "solved" if entry and entry["solved"] else "tried" if entry else "new"


def tries(name: str) -> int:
    """Return how many checks an exercise or a gap has taken until it was solved, or until now."""
    entry = _read().get(name)
    return entry["tries"] if entry else 0


def solved_names() -> list[str]:
    """Return the names of the solved exercises, and of the chapters' gaps that were filled."""
    return sorted(name for name, entry in _read().items() if entry["solved"])


def entries() -> dict[str, Any]:
    """Return all kept entries: {exercise or gap: {"tries", "solved", and if known "at"}}."""
    return _read()


def _read() -> dict[str, Any]:
    found = my_work.read_json(my_work.folder() / FILE)
    return {
        name: {"tries": entry["tries"], "solved": entry.get("solved")}
        | ({"at": entry["at"]} if entry.get("at") else {})
        for name, entry in found.items()
        if isinstance(entry, dict) and isinstance(entry.get("tries"), int)
    }


def _write(found: dict[str, Any]) -> None:
    replaced(my_work.folder() / FILE, json.dumps(found, indent=1, sort_keys=True) + "\n")

"""The learner's own folder, `my-work/`: git ignores it, `make clean` spares it, an update of the course leaves it."""

import contextlib
import fcntl
import json
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from ..errors import CourseError
from ..paths import ROOT, own_folder, replaced

FOLDER = "my-work"
PROGRESS = "progress.json"  # the solved exercises and gaps
COPIED = ("notebooks", "exercises", "solutions")  # folders of copies, whose notebooks have the same names
RELOAD = "If the notebook is open: File → Reload Notebook from Disk (choose “Revert” if JupyterLab asks)."
IGNORE = "# What is kept here is yours, and no part of the course.\n*\n"


class Report(list):
    """What was done, as sentences; printed one a line."""

    def __repr__(self) -> str:
        return "\n".join(self)

    __str__ = __repr__


def folder(*parts: str) -> Path:
    """Return a folder below the learner's own, made if needed, that this user alone can enter.

    `EXACTLY_ONCE_WORK` names another place. Raises `CourseError` when it cannot be written, or is another user's.
    """
    base = own_folder(ROOT / FOLDER, "EXACTLY_ONCE_WORK")
    try:
        if not (base / ".gitignore").exists():
            (base / ".gitignore").write_text(IGNORE)
    except OSError as why:
        raise CourseError(
            f"The folder {base} cannot be written ({why.strerror}). Make it writable, free some disk, or set "
            "EXACTLY_ONCE_WORK to a folder that you may write."
        ) from why
    return own_folder(base, "EXACTLY_ONCE_WORK", *parts)


@contextlib.contextmanager
def locked(name: str) -> Iterator[None]:
    """Hold a lock on the file `name` of `my-work/`: of two that change it, the second sees the first change.

    It is for whole processes and ends with them; who reads alone needs none. Raises `CourseError` as `folder` does.
    """
    path = folder() / f".{name}.lock"  # beside the file, which is another one after each change
    try:
        file = open(path, "w")  # noqa: SIM115 - its own sentence when it cannot be opened
    except OSError as why:
        raise CourseError(f"The file {path} cannot be written ({why.strerror}). Free some disk.") from why
    with file:
        with contextlib.suppress(OSError):  # some network disks know no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def now() -> str:
    """Return the time, to the minute, as it is noted beside an answer."""
    return datetime.now().isoformat(timespec="minutes")


def keep(path: Path) -> Path:
    """Copy a file of the learner's into `my-work/` under a name with the date that nothing has yet; return where.

    Raises `CourseError` when it cannot be written.
    """
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    place, number = folder(), 1
    name = f"{path.parent.name}-{path.name}" if path.parent.name in COPIED else path.name
    kept = place / f"{stamp}-{name}"
    while kept.exists():
        number += 1
        kept = place / f"{stamp}-{number}-{name}"
    try:
        shutil.copy2(path, kept)
    except OSError as why:
        raise CourseError(
            f"The file {path.name} cannot be kept in {place} ({why.strerror}). Free some disk."
        ) from why
    return kept


def read_json(path: Path) -> dict[str, Any]:
    """Return the contents of a JSON file, or {} without a file. A damaged one is kept aside, and {} returned."""
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found
    keep(path)
    path.unlink(missing_ok=True)
    return {}


def note(name: str, solved: bool) -> None:
    """Note one check of an exercise. What was solved once stays solved."""
    with locked(PROGRESS):
        found = progress()
        entry = found.setdefault(name, {"tries": 0, "solved": None})
        entry["tries"] += not entry["solved"]
        if solved and not entry["solved"]:
            entry["solved"] = datetime.now().date().isoformat()
            entry["at"] = now()
        replaced(folder() / PROGRESS, json.dumps(found, indent=1, sort_keys=True) + "\n")


def standing(name: str) -> str:
    """Return how an exercise stands: "solved", "tried" or "new"."""
    entry = progress().get(name)
    return "solved" if entry and entry["solved"] else "tried" if entry else "new"


def tries(name: str) -> int:
    """Return how many checks an exercise or a gap has taken until it was solved, or until now."""
    entry = progress().get(name)
    return entry["tries"] if entry else 0


def solved_names() -> list[str]:
    """Return the names of the solved exercises, and of the chapters' gaps that were filled."""
    return sorted(name for name, entry in progress().items() if entry["solved"])


def progress() -> dict[str, Any]:
    """Return all kept entries: {exercise or gap: {"tries", "solved", and if known "at"}}."""
    found = read_json(folder() / PROGRESS)
    return {
        name: {"tries": entry["tries"], "solved": entry.get("solved")}
        | ({"at": entry["at"]} if entry.get("at") else {})
        for name, entry in found.items()
        if isinstance(entry, dict) and isinstance(entry.get("tries"), int)
    }

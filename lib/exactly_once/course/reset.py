"""Bring a chapter or an exercise back as it came. Nothing is ever lost.

*Reset this chapter* stops what it runs, removes its temporary data, and brings its notebook back: the learner's copy,
and the course's own, should it have been changed. The learner's version is kept in `my-work/`, with the date in its
name, before anything else happens.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import owned
from ..doors import OLDER
from ..errors import BadInput, CourseError
from ..paths import ROOT, replaced, temporary
from ..spark.cluster import lease, processes
from . import copies, my_work
from .chapters import chapter_named, kernels_of, title
from .my_work import RELOAD, Report
from .parser import Parser

if TYPE_CHECKING:
    from ..widgets.base.buttons import AskingButton

IDLE_SECONDS = 60  # a run's folder that was touched more recently may belong to a run that is about to start


def reset_chapter(name: str | int) -> Report:
    """Restore a chapter to its first state, and return a `Report`.

    `name` is "04-crash-points", "04" or 4. Its clusters and live runs are stopped, in this kernel and in others; its
    temporary data is removed. The learner's copy of the notebook is kept in `my-work/` and replaced by the course's
    version; a changed notebook of the course is kept there, too, and replaced by git's version. Without git, and
    without a copy, the notebook stays as it is, and the report says so.
    Raises `BadInput` for a chapter that is not there, `CourseError` when the learner's version cannot be kept.
    """
    name = chapter_named(name)
    report = Report([f"Chapter {title(name)}:"])
    report += _restore(name)
    report += _stop(name)
    report += _clear()
    return report


def reset_button(name: str | int) -> "AskingButton":
    """Return the button *Reset this chapter* for a chapter such as "04-crash-points", which asks first.

    Raises `BadInput` for any other name.
    """
    from ..widgets.base.buttons import AskingButton

    name = chapter_named(name)
    return AskingButton(
        "Reset this chapter",
        "bring the notebook back to how it came",
        f"Chapter {escape(title(name))} goes back to how it came, and its cluster stops. <b>Save first</b> (Ctrl-S): "
        f"your version, as it was last saved, is kept in the folder <code>{my_work.FOLDER}/</code>.",
        ("Yes, reset it", "keep my version, then reset"),
        ("Leave it as it is", "do nothing"),
        lambda: reset_chapter(name),
        "eo-reset",
    )


def committed(name: str) -> tuple[bytes | None, str | None]:
    """Return (bytes of the notebook in git's HEAD, None), or (None, the reason why there are none)."""
    if shutil.which("git") is None:
        return None, "there is no git on this machine"
    asked = ["git", "-C", str(ROOT), "show", f"HEAD:./{copies.CHAPTERS}/{name}.ipynb"]
    told = subprocess.run(asked, capture_output=True, check=False)
    if told.returncode:
        return None, "git has no version of it here (not cloned with git, or the chapter was never committed)"
    return told.stdout, None


def _restore(name: str) -> list[str]:
    file, done = f"{copies.CHAPTERS}/{name}.ipynb", []
    original, why = committed(name)
    if original is not None:
        done = _put_back(ROOT / file, original, lambda: replaced(ROOT / file, original))
    copy = copies.copy_of(file)
    if copy.exists():
        done += _put_back(copy, copies.original(file), lambda: copies.put_back(file))
    elif original is None:
        return [f"The notebook stays as it is: {why}. Download the course again to get its first version."]
    if not done:
        return ["The notebook is as it came; there was nothing to keep."]
    return [*filter(None, done), f"The notebook is back as it came. {RELOAD} Then Kernel → Restart Kernel."]


def _put_back(path: Path, content: bytes, put_back: Callable[[], object]) -> list[str]:
    """Restore a file. Return [a sentence on the kept version, or ""]; [] for a file without changes."""
    if path.exists() and path.read_bytes() == content:
        return []
    kept = _keep(path) if path.exists() else None
    put_back()
    return [f"Your version is kept: {kept.relative_to(ROOT) if kept.is_relative_to(ROOT) else kept}." if kept else ""]


def _keep(path: Path) -> Path:
    """Keep the learner's version in `my-work/`, and return its path."""
    try:
        return my_work.keep(path)
    except CourseError as why:
        raise CourseError(f"Your version of the notebook cannot be kept, so nothing was changed. {why}") from why


def _stop(name: str) -> list[str]:
    """Stop the clusters of this chapter's kernels, and so the programs and live runs on the clusters."""
    clusters, stopped = processes.marked(), 0
    for owner in kernels_of(name):
        for marked, found in clusters.items():
            if not owner.is_same(marked):
                continue
            stopped += 1
            if owner.pid == os.getpid():
                from ..spark import stop_cluster

                stop_cluster()
            elif processes.kill(found):
                raise CourseError(
                    f"The cluster of {lease.describe(owner.pid)} does not end. Stop that notebook's kernel."
                )
    return [
        "Its cluster is stopped; a cell that needs it starts it again." if stopped else "It had no cluster running."
    ]


def _clear() -> list[str]:
    """Remove the chapter's temporary data, the folders of its runs, unless a cluster is at work on the data."""
    if any(owner.alive() for owner in processes.marked()):
        return ["Temporary data of runs stays for now, because another notebook's cluster is at work."]
    owned.sweep(owned.PROOFS)
    for folder in temporary(owned.RUNS).iterdir():
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime > IDLE_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
    return ["Temporary data of its runs is removed."]


def reset_exercise(exercise: str) -> str:
    """Restore one exercise, such as "04d", in the learner's copy to its first version, and return a sentence.

    The learner's other answers and own cells stay. The previous notebook is kept in `my-work/`, with the date in its
    name. Raises `BadInput` for an unknown exercise, `CourseError` for a copy that is no notebook.
    """
    file = next(
        (name for name in copies.names() if name.startswith(f"{copies.EXERCISES}/{str(exercise)[:2]}-")), None
    )
    fresh = json.loads(copies.original(file))["cells"] if file else []
    cells = [cell for cell in fresh if _belongs(cell, exercise)]
    if not cells:
        raise BadInput(f"There is no exercise {exercise!r}; one is called 04d, for example. {OLDER}")
    copies.hand_out()
    copy = copies.copy_of(str(file))
    try:
        notebook = json.loads(copy.read_text(encoding="utf-8"))
        mine = [(_belongs(cell, exercise), cell) for cell in notebook["cells"]]
    except (ValueError, KeyError, TypeError, AttributeError) as why:
        raise CourseError(
            f"{copy.name} is no notebook any more. Rename it; make lab then brings a new copy."
        ) from why
    kept = my_work.keep(copy)
    place = next((number for number, (belongs, _) in enumerate(mine) if belongs), len(mine))
    others = [[cell for belongs, cell in part if not belongs] for part in (mine[:place], mine[place:])]
    notebook["cells"] = [*others[0], *cells, *others[1]]
    replaced(copy, json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    return f"Exercise {exercise} is back as it came. Your version is kept: {kept.name}. {RELOAD}"


def _belongs(cell: dict[str, Any], exercise: str) -> bool:
    return cell.get("id", "").startswith(f"{exercise}-")


def main(argv: Sequence[str] | None = None) -> int:
    """Reset a chapter or an exercise from the command line. Returns the exit status; raises as the functions do."""
    parser = Parser(
        prog="python -m exactly_once reset",
        description="Bring a chapter or an exercise back to how it came; your version is kept.",
    )
    parser.add_argument("name", help="the chapter, such as 04, or the exercise, such as 04d")
    name = parser.parse_args(argv).name
    print(reset_exercise(name) if re.fullmatch(r"\d\d[a-z]", name) else reset_chapter(name))
    return 0

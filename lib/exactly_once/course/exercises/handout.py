"""The learner's working copies of the exercises, in `my-work/exercises/`: handed out, renewed, reset one by one.

Nobody works in `exercises/` itself, so that an update of the course never meets the learner's changes.
"""

import hashlib
import json

import nbformat

from ...errors import BadInput, CourseError
from ...paths import ROOT, replaced
from .. import my_work
from .markers import EXERCISES

NOTE = "handed-out.json"
RELOAD = "If the notebook is open: File → Reload Notebook from Disk (choose “Revert” if JupyterLab asks)."


def hand_out():
    """Give the learner a copy of each exercise notebook, and return sentences on what there is to know.

    A copy that the learner did not change is renewed with the course. One that was changed stays, whatever happens.
    """
    place, said = my_work.folder(EXERCISES), []
    note = my_work.folder() / NOTE
    known = my_work.read_json(note)
    for path in sorted((ROOT / EXERCISES).glob("*.ipynb")):
        copy, text = place / path.name, original(path.stem)
        mine = copy.read_text() if copy.exists() else None
        if mine is None or _mark(mine) == known.get(path.stem):
            if mine != text:
                replaced(copy, text)
            known[path.stem] = _mark(text)
        elif known.get(path.stem) != _mark(text):
            said.append(
                f"The exercises {path.stem} have a newer version; yours stay as they are. Resetting an exercise "
                "brings its new version."
            )
    replaced(note, json.dumps(known, indent=1, sort_keys=True) + "\n")
    return said


def original(name):
    """Return the text of an exercise notebook as it is handed out; its links fit the deeper folder.

    Raises `CourseError` when there is none of this name.
    """
    path = ROOT / EXERCISES / f"{name}.ipynb"
    if not path.exists():
        raise CourseError(f"There is no notebook {path.name} in {EXERCISES}/. Download the course again.")
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace("](../", "](../../")
    return nbformat.writes(notebook) + "\n"


def reset(exercise):
    """Bring one exercise, such as "04b", back to how it came, and return a sentence.

    The learner's other answers and own cells stay; the whole notebook as it was is kept in `my-work/`, with the date
    in its name. Raises `BadInput` for an exercise that is not there, `CourseError` for a copy that is no notebook.
    """
    name = next(
        (path.stem for path in (ROOT / EXERCISES).glob("*.ipynb") if path.stem[:2] == str(exercise)[:2]), None
    )
    fresh = nbformat.reads(original(name), as_version=4) if name else None
    cells = [cell for cell in fresh.cells if _belongs(cell, exercise)] if fresh else []
    if not cells:
        raise BadInput(f"There is no exercise {exercise!r}; one is called 04b, for example.")
    hand_out()
    copy = my_work.folder(EXERCISES) / f"{name}.ipynb"
    try:
        mine = nbformat.read(copy, as_version=4)
    except Exception as why:
        raise CourseError(
            f"{copy.name} is no notebook any more. Rename it; make lab then brings a new copy."
        ) from why
    kept = my_work.keep(copy)
    place = next((number for number, cell in enumerate(mine.cells) if _belongs(cell, exercise)), len(mine.cells))
    mine.cells = [
        *mine.cells[:place],
        *cells,
        *[cell for cell in mine.cells[place:] if not _belongs(cell, exercise)],
    ]
    replaced(copy, nbformat.writes(mine) + "\n")
    return f"Exercise {exercise} is back as it came. Your version is kept: {kept.name}. {RELOAD}"


def _belongs(cell, exercise):
    return cell.get("id", "").startswith(f"{exercise}-")


def _mark(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]

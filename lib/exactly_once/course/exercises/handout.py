"""Restore one exercise in the learner's copy to its first version; `copies` hands the copies out."""

import nbformat

from ...errors import BadInput, CourseError
from ...paths import ROOT, replaced
from .. import my_work, renamed
from ..copies import copy_of, hand_out
from ..copies import original as original_of
from .markers import EXERCISES

RELOAD = "If the notebook is open: File → Reload Notebook from Disk (choose “Revert” if JupyterLab asks)."


def original(name):
    """Return the first version of an exercise notebook as a text. Raises `CourseError` without such a notebook."""
    return original_of(f"{EXERCISES}/{name}.ipynb").decode()


def reset(exercise):
    """Restore one exercise, such as "04d", to its first version, and return a sentence.

    The learner's other answers and own cells stay. The previous notebook is kept in `my-work/`, with the date in its
    name. Raises `BadInput` for an unknown exercise, `CourseError` for a copy that is no notebook.
    """
    name = next(
        (path.stem for path in (ROOT / EXERCISES).glob("*.ipynb") if path.stem[:2] == str(exercise)[:2]), None
    )
    fresh = nbformat.reads(original(name), as_version=4) if name else None
    cells = [cell for cell in fresh.cells if _belongs(cell, exercise)] if fresh else []
    if not cells:
        renamed.refuse_gone(exercise)
        raise BadInput(f"There is no exercise {exercise!r}; one is called 04d, for example.")
    hand_out()
    copy = copy_of(f"{EXERCISES}/{name}.ipynb")
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

"""The chapters by name, the kernels at work on each, and how a kernel shows the errors of the course."""

import os
import re
import sys
from typing import Any

from ..errors import BadInput, CourseError, number_in
from ..owned import Owner
from ..paths import ROOT, temporary
from ..spark.cluster import processes
from .copies import CHAPTERS

RENAMED = {"10-concurrent-exactly-once": "10"}  # the former name of a chapter, in older copies, and its number now
LABS = ("lab-1", "lab-2", "lab-3", "demo")  # the notebooks for class, which `workshop` builds


def chapters() -> list[str]:
    """Return the names of the chapters that are there, in order."""
    return sorted(path.stem for path in (ROOT / CHAPTERS).glob("[0-9][0-9]-*.ipynb"))


def chapter_named(text: object) -> str:
    """Return the full name of a chapter given as "04-crash-points", "04", 4 or a path.

    Raises `BadInput` for anything else.
    """
    wanted = re.sub(r"^.*/|\.ipynb$", "", str(text).strip())
    if (number := number_in(wanted)) is not None:
        wanted = f"{number:02d}"
    wanted = RENAMED.get(wanted, wanted)
    found = [name for name in chapters() if wanted in (name, name[:2])]
    if len(found) != 1:
        raise BadInput(f"There is no chapter {text!r} here; the chapters are {', '.join(chapters()) or 'missing'}.")
    return found[0]


def title(name: str) -> str:
    """Return a chapter's name for people: "04 (crash points)"; a lab's is "Lab 1"."""
    if name in LABS:
        return name.replace("-", " ").capitalize()
    number, _, words = name.partition("-")
    return f"{number} ({words.replace('-', ' ')})"


def note_kernel(name: str) -> None:
    """Note that this process works on a chapter, so that resetting it finds its cluster. One process, one chapter."""
    me = str(processes.Owner.of(os.getpid())).replace(":", "-")
    notes = temporary("kernels")
    for note in notes.glob(f"*.{me}"):
        note.unlink(missing_ok=True)
    (notes / f"{name}.{me}").touch()


def kernels_of(name: str) -> list[Owner]:
    """Return the live kernels that have set up a chapter, as `Owner`s. Removes the notes of dead kernels."""
    found = []
    for note in temporary("kernels").glob(f"{name}.*"):
        owner = processes.Owner.parse(note.name.rpartition(".")[2].replace("-", ":"))
        if owner and owner.alive():
            found.append(owner)
        else:
            note.unlink(missing_ok=True)
    return found


def one_sentence_errors() -> None:
    """Show errors that the course raises on purpose as their sentence, without the library's own traceback.

    All other errors keep their traceback. Outside IPython it does nothing.
    """
    from IPython import get_ipython

    shell = get_ipython()
    if shell is not None:
        shell.set_custom_exc((CourseError,), _say)


def _say(shell: Any, kind: type, why: BaseException, trace: Any, tb_offset: Any = None) -> None:
    sys.last_type, sys.last_value, sys.last_traceback = kind, why, trace  # for %debug
    learners = getattr(why, "traceback", "")
    shell._showtraceback(kind, why, [f"{kind.__name__}: {why}", *(learners.splitlines() if learners else ())])

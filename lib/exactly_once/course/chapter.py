"""The first cell of a chapter: errors in one sentence, a check of the machine, and a note of the kernel's chapter.

from exactly_once.course import chapter
chapter("04-crash-points")
"""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import CourseError, one_of
from ..paths import ROOT
from ..spark.cluster import handover, lease
from ..spark.cluster.cluster import start_early
from . import carry, copies
from .chapters import LABS, chapter_named, note_kernel, one_sentence_errors, title
from .setup import doctor

BOOK = "EXACTLY_ONCE_BOOK"  # set while the book is built, which says nothing of the computer that runs its cells
# Of each chapter's cluster. Chapter 09 needs none.
SLOTS = {
    "00": 2, "01": 4, "02": 2, "03": 2, "04": 2, "05": 2, "06": 4, "07": 4, "08": 4, "10": 4, "11": 4, "12": 2,
    "13": 4, "14": 4,
}  # fmt: skip


class Ready:
    """The output of the set-up cell: one line when all is well, otherwise the line and the points to mind."""

    def __init__(self, line: str, minds: Iterable[str] = (), findings: Any = None) -> None:
        self.line, self.minds, self.findings = line, tuple(minds), findings

    def __repr__(self) -> str:
        told = [str(self.findings)] if self.findings else []
        return "\n".join([self.line, *self.minds, *told])

    def _repr_markdown_(self) -> str:
        from ..show import GONE

        table = ["", self.findings._repr_html_()] if self.findings else []
        # The style stays in the saved notebook: widgets whose kernel is gone say by it what to do.
        style = f"<style>{GONE}</style>"
        return "\n\n".join([self.line, *(f"**Mind:** {text}" for text in self.minds), *table, style])


def chapter(name: str | int, slots: int | None = None) -> Ready:
    """Make this kernel ready for a chapter, and return the output of the cell: one line when all is well.

    `name` is the notebook's, such as "04-crash-points" (or "04", or 4), or a lab's, such as "lab-1", which says how
    many `slots` its cluster has. Errors that the course raises on purpose are shown as their one sentence from here
    on. In a notebook that JupyterLab has opened, the cluster begins to start in the background if memory allows; else
    the first cell that needs it does that. Calling it again does nothing new. On Binder, which forgets everything, it
    also shows how to download your work and to bring it back. Raises `BadInput` for a chapter that is not there, and
    for a number of slots that no cluster has.
    """
    name = name if name in LABS else chapter_named(name)
    slots = SLOTS.get(name[:2]) if slots is None else one_of("slots", slots, (2, 4))
    words = title(name) if name in LABS else f"Chapter {title(name)}"
    one_sentence_errors()
    note_kernel(name)
    if carry.on_binder():
        _display(carry.my_work_buttons())
    findings = doctor.check(quick=True)
    if not findings.well:
        return Ready(f"{words}: this machine is not ready yet.", findings=findings)
    values = {finding.name: finding.value for finding in findings}
    java = values["Java"].split(",")[0]
    if slots and lease.notebook_of(os.getpid()):
        start_early(slots)
    elsewhere = None if name in LABS and not slots else cluster_elsewhere()
    minds = [text for text in [own_or_outdated(name), elsewhere] if text]
    minds += [
        f"{finding.name}: {finding.value}. {finding.remedy}" for finding in findings if finding.state == "careful"
    ]
    if os.environ.get(BOOK):
        return Ready(f"{words}: ready.")
    return Ready(f"{words}: ready. Python {values['Python']}, Java {java}, {values['memory']}.", minds)


def own_or_outdated(name: str) -> str | None:
    """Return a sentence when this kernel works in the course's own notebook, or in an old copy of it; else None."""
    folder = copies.WORKSHOP if name in LABS else copies.CHAPTERS
    file, here = f"{folder}/{name}.ipynb", Path.cwd()  # a notebook's kernel starts in the notebook's folder
    with contextlib.suppress(CourseError):  # nothing can be handed out here, and make lab says why
        copy = copies.copy_of(file)
        if here == ROOT / folder:
            copies.hand_out()
            return (
                "this is the course's own notebook; what is saved here stands in the way of the next update. "
                f"Work in your copy: [{copy.name}]({Path(os.path.relpath(copy, here)).as_posix()}) in {copy.parent}."
            )
        if here == copy.parent and copies.is_outdated(file):
            way = "*Reset this chapter*, at its end, brings it, and keeps yours."
            if name in LABS:
                way = "Rename yours, and `make workshop` brings it."
            return f"the course has a newer version of this notebook. {way}"
    return None


def cluster_elsewhere() -> str | None:
    """Return a sentence on another owner of this machine's cluster that does not hand over when idle, or None."""
    with contextlib.suppress(CourseError):
        owner = lease.holder(lease.lease_name())
        if owner is not None and not handover.listens(owner):  # a listening owner hands the cluster over
            return (
                f"this machine's cluster is in use by {lease.describe(owner.pid)}. Before the first cell that "
                "needs the cluster, stop it there with stop_cluster(), or take it over: cluster(take_over=True)."
            )
    return None


def _display(widget: object) -> None:
    """Show a widget above the cell's result. Outside IPython it does nothing."""
    from IPython import get_ipython
    from IPython.display import display

    if get_ipython() is not None:
        display(widget)

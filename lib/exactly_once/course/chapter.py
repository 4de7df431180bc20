"""What a chapter's first cell calls: errors in one sentence, a look at the machine, and a note of whose kernel this
is.

from exactly_once.course.chapter import chapter
chapter("04-crash-points")
"""

import contextlib
import os
import re
import sys
from pathlib import Path

from ..errors import BadInput, CourseError, number_in
from ..paths import ROOT, temporary
from ..spark.cluster import handover, lease, processes
from ..spark.cluster.cluster import start_early
from . import copies

FOLDER = "notebooks"
# Of each chapter's cluster.
SLOTS = {"00": 2, "01": 4, "02": 2, "03": 2, "04": 2, "05": 2, "06": 4, "07": 4, "08": 4, "10": 4}


class Ready:
    """What the set-up cell shows: one line when all is well, and what to mind when it is not."""

    def __init__(self, line, minds=(), findings=None):
        self.line, self.minds, self.findings = line, tuple(minds), findings

    def __repr__(self):
        told = [str(self.findings)] if self.findings else []
        return "\n".join([self.line, *self.minds, *told])

    def _repr_markdown_(self):
        from ..show import GONE

        table = ["", self.findings._repr_html_()] if self.findings else []
        # The style stays in the saved notebook: widgets whose kernel is gone say by it what to do.
        style = f"<style>{GONE}</style>"
        return "\n\n".join([self.line, *(f"**Mind:** {text}" for text in self.minds), *table, style])


def chapter(name):
    """Make this kernel ready for a chapter, and return what to show: one line when all is well.

    `name` is the notebook's, such as "04-crash-points" (or "04", or 4). Errors that the course raises on purpose are
    shown as their one sentence from here on. In a notebook that JupyterLab has opened, the cluster begins to start in
    the background if memory allows; else the first cell that needs it does that. Calling it again does nothing new.
    Raises `BadInput` for a chapter that is not there.
    """
    from .setup import doctor

    name = chapter_named(name)
    one_sentence_errors()
    _note_kernel(name)
    findings = doctor.check(quick=True)
    if not findings.well:
        return Ready(f"Chapter {title(name)}: this machine is not ready yet.", findings=findings)
    values = {finding.name: finding.value for finding in findings}
    java = values["Java"].split(",")[0]
    if name[:2] in SLOTS and lease.notebook_of(os.getpid()):
        start_early(SLOTS[name[:2]])
    minds = [text for text in [own_or_outdated(name), cluster_elsewhere()] if text]
    minds += [
        f"{finding.name}: {finding.value}. {finding.remedy}" for finding in findings if finding.state == "careful"
    ]
    return Ready(f"Chapter {title(name)}: ready. Python {values['Python']}, Java {java}, {values['memory']}.", minds)


def chapters():
    """Return the names of the chapters that are there, in order."""
    return sorted(path.stem for path in (ROOT / FOLDER).glob("[0-9][0-9]-*.ipynb"))


def chapter_named(text):
    """Return the full name of a chapter given as "04-crash-points", "04", 4 or a path.

    Raises `BadInput` for anything else.
    """
    wanted = re.sub(r"^.*/|\.ipynb$", "", str(text).strip())
    if (number := number_in(wanted)) is not None:
        wanted = f"{number:02d}"
    found = [name for name in chapters() if wanted in (name, name[:2])]
    if len(found) != 1:
        raise BadInput(f"There is no chapter {text!r} here; the chapters are {', '.join(chapters()) or 'missing'}.")
    return found[0]


def title(name):
    """Return a chapter's name for people: "04 (crash points)"."""
    number, _, words = name.partition("-")
    return f"{number} ({words.replace('-', ' ')})"


def own_or_outdated(name):
    """Return a sentence when this kernel works in the course's own notebook, or in an old copy of it; else None."""
    file, here = f"{FOLDER}/{name}.ipynb", Path.cwd()  # a notebook's kernel starts in the notebook's folder
    with contextlib.suppress(CourseError):  # nothing can be handed out here, and make lab says why
        copy = copies.copy_of(file)
        if here == ROOT / FOLDER:
            copies.hand_out()
            return (
                "this is the course's own notebook; what is saved here stands in the way of the next update. "
                f"Work in your copy: [{copy.name}]({Path(os.path.relpath(copy, here)).as_posix()}) in {copy.parent}."
            )
        if here == copy.parent and copies.is_outdated(file):
            return (
                "the course has a newer version of this notebook. *Reset this chapter*, at its end, brings it, "
                "and keeps yours."
            )
    return None


def cluster_elsewhere():
    """Return a sentence on whoever has this machine's cluster now and does not hand it over when idle, or None."""
    with contextlib.suppress(CourseError):
        owner = lease.holder(lease.lease_name())
        if owner is not None and not handover.listens(owner):  # who listens hands it over
            return (
                f"this machine's cluster is in use by {lease.describe(owner.pid)}. Before the first cell that "
                "needs the cluster, stop it there with stop_cluster(), or take it over: cluster(take_over=True)."
            )
    return None


def kernels_of(name):
    """Return the living kernels in which a chapter was set up, as `Owner`s. Notes of dead ones are removed."""
    found = []
    for note in _notes().glob(f"{name}.*"):
        owner = processes.Owner.parse(note.name.rpartition(".")[2].replace("-", ":"))
        if owner and owner.alive():
            found.append(owner)
        else:
            note.unlink(missing_ok=True)
    return found


def _note_kernel(name):
    """Note that this process works on a chapter, so that resetting it finds its cluster. One process, one chapter."""
    me = str(processes.Owner.of(os.getpid())).replace(":", "-")
    for note in _notes().glob(f"*.{me}"):
        note.unlink(missing_ok=True)
    (_notes() / f"{name}.{me}").touch()


def _notes():
    return temporary("kernels")


def one_sentence_errors():
    """Show errors that the course raises on purpose as their sentence, without the library's own traceback.

    All other errors keep their traceback. Outside IPython it does nothing.
    """
    from IPython import get_ipython

    shell = get_ipython()
    if shell is not None:
        shell.set_custom_exc((CourseError,), _say)


def _say(shell, kind, why, trace, tb_offset=None):
    sys.last_type, sys.last_value, sys.last_traceback = kind, why, trace  # for %debug
    learners = getattr(why, "traceback", "")
    shell._showtraceback(kind, why, [f"{kind.__name__}: {why}", *(learners.splitlines() if learners else ())])

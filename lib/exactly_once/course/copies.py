"""The learner's copies of notebooks, exercises and solutions, in `my-work/`: handed out, renewed with the course.

Nobody works in `notebooks/`, `exercises/` and `solutions/` themselves. So git sees nothing of what is run, written or
saved, and an update (`git pull`) has nothing to refuse. Two other ways were weighed: a filter of git's (`nbstripout
--install`) and a contents manager of JupyterLab's that saves without outputs. Both hide what a run changes, and
neither what a learner writes, which the chapters ask for; with the second, the outputs would be lost as well.
"""

import contextlib
import hashlib
import json
import os
import re
from pathlib import Path

from ..errors import CourseError
from ..paths import ROOT, replaced
from . import my_work

CHAPTERS, EXERCISES, SOLUTIONS = FOLDERS = ("notebooks", "exercises", "solutions")
NOTE = "handed-out.json"  # for each copy: the checksum of the file that was handed out, and of its cells' sources
NEWER = {
    CHAPTERS: "{0} has a newer version; yours stays as it is. *Reset this chapter*, at its end, brings the new one.",
    EXERCISES: "The exercises {0} have a newer version; yours stay as they are. Resetting an exercise brings its "
    "new version.",
    SOLUTIONS: "{0} has a newer version; yours stays as it is. Rename yours, and make lab brings the new one.",
}
ELSEWHERE = re.compile(rf"\]\(\.\./(?!(?:{'|'.join(FOLDERS)})/)")  # a link to what is not among the copies


def hand_out():
    """Give the learner a copy of each file of `FOLDERS`, and return sentences on what there is to know.

    A copy that the learner did not change is renewed with the course; one that was run is kept aside first. One that
    was changed stays, whatever happens. Raises `CourseError` when `my-work/` cannot be written.
    """
    with _note() as known:
        return [sentence for name in names() if (sentence := _renew(name, known))]


def names():
    """Return the names of the files that are handed out, seen from the course's root, with slashes."""
    found = [path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts))


def original(name):
    """Return what is handed out of the course's file `name`, as bytes: without outputs, its links made to fit.

    Links among the copies stay as they are; others lead from `my-work/` to the course. Raises `CourseError` when
    there is no such file, or a notebook that is none.
    """
    path = ROOT / name
    if not path.is_file():
        raise CourseError(f"There is no file {path.name} in {path.parent.name}/. Download the course again.")
    if path.suffix not in (".ipynb", ".md"):
        return path.read_bytes()
    root = Path(os.path.relpath(ROOT, copy_of(name).parent)).as_posix()
    text = ELSEWHERE.sub(f"]({root}/", path.read_text())
    return (_emptied(text, path) if path.suffix == ".ipynb" else text).encode()


def copy_of(name):
    """Return where the learner's copy of the course's file `name` is. Raises `CourseError` as `my_work.folder`."""
    return my_work.folder(*Path(name).parent.parts) / Path(name).name


def put_back(name):
    """Make the learner's copy of `name` as it came, whatever it holds. Raises `CourseError` as `hand_out` does."""
    with _note() as known:
        content = original(name)
        replaced(copy_of(name), content)
        known[name] = _checksums(content)


def is_outdated(name):
    """Tell whether the course has a newer version of `name` than the one that the learner's copy came from."""
    handed_out = my_work.read_json(my_work.folder() / NOTE).get(name)
    return handed_out is not None and handed_out[1] != _checksums(original(name))[1]


@contextlib.contextmanager
def _note():
    """Give what was handed out, and write it when the block has ended."""
    with my_work.locked(NOTE):
        note = my_work.folder() / NOTE
        known = my_work.read_json(note)
        before = json.dumps(known)
        yield known
        if json.dumps(known) != before:
            replaced(note, json.dumps(known, indent=1, sort_keys=True) + "\n")


def _renew(name, known):
    """Hand out one file; return what there is to say, or None."""
    copy, content, said = copy_of(name), original(name), None
    mine = copy.read_bytes() if copy.exists() else content
    now, then = _checksums(content), known.get(name) or [known.get(Path(name).stem), None]  # as it was noted once
    if mine != content and (sums := _checksums(mine))[0] != then[0]:  # the learner saved something else
        if sums[1] == now[1]:
            content = mine  # it was only run
        elif sums[1] == then[1]:
            said = f"{Path(name).name} is renewed; yours, as it was run, is kept: {my_work.keep(copy).name}."
        else:
            is_newer = now[0] != then[0] and now[1] != then[1]
            return NEWER[Path(name).parts[0]].format(Path(name).stem) if is_newer else None
    if mine != content or not copy.exists():
        replaced(copy, content)
    known[name] = now
    return said


def _checksums(content):
    """Return the checksum of a file, and of what a learner writes in it: for a notebook, the sources of its cells."""
    written = content
    with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):  # no notebook: the whole of it
        cells = json.loads(content)["cells"]
        written = json.dumps([[cell.get("cell_type"), "".join(cell.get("source", ""))] for cell in cells]).encode()
    return [hashlib.sha256(each).hexdigest()[:16] for each in (content, written)]


def _emptied(text, path):
    try:
        notebook = json.loads(text)
        full = [cell for cell in notebook["cells"] if cell.get("outputs") or cell.get("execution_count")]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CourseError(f"{path} is no notebook. Download the course again.") from None
    for cell in full:
        cell["outputs"], cell["execution_count"] = [], None
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n" if full else text

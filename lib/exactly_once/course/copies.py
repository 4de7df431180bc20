"""The learner's copies of notebooks and exercises, and of solutions once a learner asks for them, in `my-work/`.

Nobody works in `notebooks/`, `exercises/` and `solutions/` themselves. So git sees no run, no edit
and no save, and an update (`git pull`) has nothing to refuse. Two other ways were weighed: git's filter `nbstripout
--install`, and a contents manager of JupyterLab that saves without outputs. Both ways hide the changes of a run, but
not the learner's own lines, which the chapters ask for; the second way would also lose outputs.
"""

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import CourseError
from ..paths import ROOT, replaced
from ..solutions import cells_of, notebook_text
from . import my_work

CHAPTERS, EXERCISES, SOLUTIONS, WORKSHOP = FOLDERS = ("notebooks", "exercises", "solutions", "workshop")
TEACHERS = (f"{CHAPTERS}/teaching.md",)  # handed out to nobody
NOTE = "handed-out.json"  # for each copy: the checksum of the file that was handed out, and of its cells' sources
NEWER = {
    CHAPTERS: "{0} has a newer version; yours stays as it is. *Reset this chapter*, at its end, brings the new one.",
    EXERCISES: "The exercises {0} have a newer version; yours stay as they are. Resetting an exercise brings its "
    "new version.",
    SOLUTIONS: "{0} has a newer version; yours stays as it is. Rename yours, and make lab brings the new one.",
    WORKSHOP: "{0} has a newer version; yours stays as it is. Rename yours, and make workshop brings the new one.",
}
AS_TEXT = re.compile(rf"({SOLUTIONS}/\d\d-[\w-]+)\.py")  # handed out as the notebook that it is the text of
LINK_TO_TEXT = re.compile(r"\]\(((?:\.\./solutions/)?\d\d-[\w-]+)\.py\)")
ELSEWHERE = re.compile(rf"\]\(\.\./(?!(?:{CHAPTERS}|{EXERCISES})/)")  # a link to what is not among the copies


def hand_out() -> list[str]:
    """Give the learner a copy of each file of `FOLDERS`, and return sentences for the learner on the copies.

    A copy without changes by the learner is renewed with the course; a copy with outputs is kept aside first. A
    changed copy always stays. Raises `CourseError` when `my-work/` cannot be written.
    """
    with _note() as known:
        return [sentence for name in names() if (sentence := _renew(name, known))]


def names() -> list[str]:
    """Return the names of the files that are handed out, seen from the course's root, with slashes.

    Solutions are not: a learner asks for them with `hand_out_solutions`. Those that are there already are renewed.
    """
    return [name for name in _files() if Path(name).parts[0] != SOLUTIONS or (my_work.folder() / name).exists()]


def hand_out_solutions(chapter: str) -> Path:
    """Give the learner the solutions of a chapter such as "04-crash-points" as a notebook, and return its path.

    An existing copy is kept as `hand_out` keeps it. Raises `CourseError` for a chapter without solutions,
    and when `my-work/` cannot be written.
    """
    name = f"{SOLUTIONS}/{chapter}.ipynb"
    with _note() as known:
        _renew(name, known)
    return copy_of(name)


def _files() -> list[str]:
    """Return the names of all files of the course that are copied for learners.

    A solution is the notebook `solutions/04-crash-points.ipynb`, which is made of its text.
    """
    found = [path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    seen = [path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts)]
    named = {f"{text[1]}.ipynb" if (text := AS_TEXT.fullmatch(name)) else name for name in seen}
    return sorted(named - {*TEACHERS})


def original(name: str) -> bytes:
    """Return the bytes to hand out of the course's file `name`: without outputs, and with adapted links.

    Links among the copies stay; other links lead from `my-work/` to the course. Raises `CourseError` when the file
    does not exist, or is a notebook in name only.
    """
    path = ROOT / name
    solution = path.with_suffix(".py") if path.parent == ROOT / SOLUTIONS and path.suffix == ".ipynb" else path
    if not solution.is_file():
        raise CourseError(f"There is no file {path.name} in {path.parent.name}/. Download the course again.")
    if path.suffix not in (".ipynb", ".md"):
        return path.read_bytes()
    root = Path(os.path.relpath(ROOT, copy_of(name).parent)).as_posix()
    text = path.read_text() if solution == path else notebook_text(cells_of(solution))
    text = LINK_TO_TEXT.sub(r"](\1.ipynb)", ELSEWHERE.sub(f"]({root}/", text))
    return (_emptied(text, path) if path.suffix == ".ipynb" else text).encode()


def copy_of(name: str) -> Path:
    """Return the path of the learner's copy of the course's file `name`. Raises `CourseError` as `my_work.folder`."""
    return my_work.folder(*Path(name).parent.parts) / Path(name).name


def put_back(name: str) -> None:
    """Replace the learner's copy of `name` by the course's version. Raises `CourseError` as `hand_out` does."""
    with _note() as known:
        content = original(name)
        replaced(copy_of(name), content)
        known[name] = _checksums(content)


def is_outdated(name: str) -> bool:
    """Tell whether the course has a newer version of `name` than the one that the learner's copy came from."""
    handed_out = my_work.read_json(my_work.folder() / NOTE).get(name)
    return handed_out is not None and handed_out[1] != _checksums(original(name))[1]


def is_as_handed_out(name: str) -> bool:
    """Tell whether the file `name` of `my-work/` is a copy of the course's to which nothing was done."""
    then: Any = my_work.read_json(my_work.folder() / NOTE).get(name)
    return bool(then) and _checksums((my_work.folder() / name).read_bytes())[0] == then[0]


def is_changed(name: str) -> bool:
    """Tell whether the learner wrote something into the file `name` of `my-work/`: running it is no change."""
    then = my_work.read_json(my_work.folder() / NOTE).get(name)
    return not then or _checksums((my_work.folder() / name).read_bytes())[1] != then[1]


def note_as_from(sums: Mapping[str, Any]) -> None:
    """Note that copies came from other versions of the course: `sums` has their checksums, as a note has them.

    Entries that are none are left out: the note may be out of a file.
    """
    with _note() as known:
        for name, pair in sums.items():
            if isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair):
                known[name] = pair


@contextlib.contextmanager
def _note() -> Iterator[dict[str, Any]]:
    """Yield the note of the handed-out files, and write the changed note after the block."""
    with my_work.locked(NOTE):
        note = my_work.folder() / NOTE
        known = my_work.read_json(note)
        before = json.dumps(known)
        yield known
        if json.dumps(known) != before:
            replaced(note, json.dumps(known, indent=1, sort_keys=True) + "\n")


def _renew(name: str, known: dict[str, Any]) -> str | None:
    """Hand out one file; return a sentence for the learner, or None."""
    copy, content, said = copy_of(name), original(name), None
    mine = copy.read_bytes() if copy.exists() else content
    now, then = _checksums(content), known.get(name, (None, None))
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


def _checksums(content: bytes) -> list[str]:
    """Return the checksums of a file and of its written part: for a notebook, the sources of the cells.

    Empty cells at the end do not count: JupyterLab appends one when the last cell is run with Shift-Enter.
    """
    written = content
    with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):  # no notebook: the whole of it
        cells = [(cell.get("cell_type"), "".join(cell.get("source", ""))) for cell in json.loads(content)["cells"]]
        while cells and not cells[-1][1].strip():
            cells.pop()
        written = json.dumps(cells).encode()
    return [hashlib.sha256(each).hexdigest()[:16] for each in (content, written)]


def _emptied(text: str, path: Path) -> str:
    try:
        notebook = json.loads(text)
        full = [cell for cell in notebook["cells"] if cell.get("outputs") or cell.get("execution_count")]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CourseError(f"{path} is no notebook. Download the course again.") from None
    for cell in full:
        cell["outputs"], cell["execution_count"] = [], None
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n" if full else text

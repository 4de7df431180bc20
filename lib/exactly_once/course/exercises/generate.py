"""Write `exercises/` from `solutions/`, or with `hand-out` give the learner copies of all notebooks."""

import sys
from collections.abc import Sequence
from typing import Any

import nbformat

from ...errors import CourseError
from ...paths import ROOT
from ...solutions import (
    FOLDER,
    GAPS,
    HINTS,
    SOLUTION,
    cells_of,
    chapters,
    gap_names,
    handed_out,
    notebook_text,
    solved,
    source_of,
)
from .. import copies
from ..copies import CHAPTERS, EXERCISES
from ..parser import Parser


def exercise_of(name: str) -> str:
    """Return the text of the exercise notebook that is made from the solution `name`.

    Raises `CourseError` for a solution that is not there or whose markers do not pair.
    """
    path = ROOT / FOLDER / f"{name}.py"
    if not path.exists():
        there = ", ".join(chapters()) or "none"
        raise CourseError(f"There is no solution {path.name} in {FOLDER}/; there are {there}.")
    cells = [cell for cell in cells_of(path) if HINTS not in cell.tags]
    where = [f"Cell {number} of {path.name}" for number in range(len(cells))]
    return notebook_text(
        cell._replace(source=handed_out(cell.source, place)) if cell.kind == "code" else cell
        for cell, place in zip(cells, where, strict=True)
        if SOLUTION not in cell.tags
    )


def chapter_with_gaps(chapter: str, solve: bool = False) -> Any:
    """Return a chapter's notebook with its gaps as they are handed out, or solved; `chapter` is its file's stem.

    Raises `CourseError` for a solution whose chapter has no cell for it.
    """
    notebook = nbformat.read(ROOT / CHAPTERS / f"{chapter}.ipynb", as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    for name in gap_names():
        if name[:2] != chapter[:2]:
            continue
        where = f"{GAPS}/{name[:2]}.py"
        if f"gap-{name}" not in cells:
            raise CourseError(f"The chapter {chapter} has no cell gap-{name} for the solution in {where}.")
        source = source_of(name)
        handed = handed_out(source, f"gap-{name} in {where}")
        cells[f"gap-{name}"].source = solved(source) if solve else handed
    return notebook


def generate() -> list[str]:
    """Write all of `exercises/*.ipynb`, and the chapters' gaps; remove exercises without a solution.

    Returns the names that changed.
    """
    changed = []
    for name in chapters():
        path, text = ROOT / EXERCISES / f"{name}.ipynb", exercise_of(name)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            changed.append(name)
    for path in sorted((ROOT / CHAPTERS).glob("[0-9][0-9]-*.ipynb")):
        text = nbformat.writes(chapter_with_gaps(path.stem)) + "\n"
        if any(name[:2] == path.stem[:2] for name in gap_names()) and path.read_text() != text:
            path.write_text(text)
            changed.append(f"the gaps of {path.stem}")
    for path in (ROOT / EXERCISES).glob("*.ipynb"):
        if path.stem not in chapters():
            path.unlink()
            changed.append(path.stem)
    return changed


def main(argv: Sequence[str] | None = None) -> int:
    """Generate or hand out from the command line. Returns the exit status."""
    parser = Parser(prog="python -m exactly_once.course.exercises.generate", description=__doc__)
    parser.add_argument("what", nargs="?", default="generate", choices=("generate", "hand-out"))
    if parser.parse_args(argv).what == "hand-out":
        print("\n".join([*copies.hand_out(), "Your copies are in my-work/: notebooks and exercises."]))
    else:
        changed = generate()
        print(f"Written: {', '.join(changed)}." if changed else "The exercises are as the solutions want them.")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CourseError as why:
        sys.exit(f"exactly_once: {why}")

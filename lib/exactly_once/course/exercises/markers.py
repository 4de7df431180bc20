"""From a solution to the exercise that is handed out: what stands between the markers makes room for the learner.

`solutions/*.ipynb` are the source. A code cell may hold `### BEGIN SOLUTION` … `### END SOLUTION`, each on a line of
its own; a cell tagged "solution" is left out. `solutions/gaps/04-try-again.py` is a cell of chapter 04, whose id
there is gap-04-try-again.
"""

import nbformat

from ...errors import CourseError
from ...paths import ROOT

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
PROMPT = "# Your answer goes here, in place of the three dots."
TAG = "solution"
SOLUTIONS, EXERCISES = "solutions", "exercises"
GAPS, CHAPTERS = "solutions/gaps", "notebooks"


def names():
    """Return the names of the notebooks that there are solutions for."""
    return sorted(path.stem for path in (ROOT / SOLUTIONS).glob("*.ipynb"))


def handed_out(source, where="a cell"):
    """Return the source of a code cell as the learner gets it. `where` names the cell in errors.

    Raises `CourseError` for a marker without its partner.
    """
    lines, inside = [], False
    for line in source.splitlines():
        mark = line.strip()
        if mark in (BEGIN, END):
            if inside == (mark == BEGIN):
                raise CourseError(f"{where} has {mark!r} without its partner; the markers come in pairs.")
            inside = mark == BEGIN
            if inside:
                margin = line[: len(line) - len(line.lstrip())]
                lines += [f"{margin}{PROMPT}", f"{margin}..."]
        elif not inside:
            lines.append(line)
    if inside:
        raise CourseError(f"{where} has {BEGIN!r} without its partner; the markers come in pairs.")
    return "\n".join(lines)


def exercise_of(name):
    """Return the text of the exercise notebook that is made from the solution `name`.

    Raises `CourseError` for a solution that is not there or whose markers do not pair.
    """
    path = ROOT / SOLUTIONS / f"{name}.ipynb"
    if not path.exists():
        raise CourseError(
            f"There is no solution {path.name} in {SOLUTIONS}/; there are {', '.join(names()) or 'none'}."
        )
    notebook = nbformat.read(path, as_version=4)
    cells = []
    for number, cell in enumerate(notebook.cells):
        if TAG in cell.metadata.get("tags", ()):
            continue
        if cell.cell_type == "code":
            cell.source = handed_out(cell.source, f"Cell {number} of {path.name}")
            cell.outputs, cell.execution_count = [], None
        cells.append(cell)
    notebook.cells = cells
    return nbformat.writes(notebook) + "\n"


def gap_names():
    """Return the names of the gaps that there are solutions for."""
    return sorted(path.stem for path in (ROOT / GAPS).glob("*.py"))


def chapter_with_gaps(chapter, solved=False):
    """Return a chapter's notebook with its gaps as they are handed out, or solved; `chapter` is its file's stem.

    Raises `CourseError` for a solution whose chapter has no cell for it.
    """
    notebook = nbformat.read(ROOT / CHAPTERS / f"{chapter}.ipynb", as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    for name in gap_names():
        if name[:2] != chapter[:2]:
            continue
        if f"gap-{name}" not in cells:
            raise CourseError(f"The chapter {chapter} has no cell gap-{name} for the solution {GAPS}/{name}.py.")
        source = (ROOT / GAPS / f"{name}.py").read_text().rstrip("\n")
        handed = handed_out(source, f"{GAPS}/{name}.py")
        kept = "\n".join(line for line in source.splitlines() if line.strip() not in (BEGIN, END))
        cells[f"gap-{name}"].source = kept if solved else handed
    return notebook


def generate():
    """Write all of `exercises/*.ipynb`, and the chapters' gaps; remove exercises without a solution.

    Returns the names that changed.
    """
    changed = []
    for name in names():
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
        if path.stem not in names():
            path.unlink()
            changed.append(path.stem)
    return changed

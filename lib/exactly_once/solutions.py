"""The texts in `solutions/`: exercises with their answers, the solved cells of the chapters' gaps, titles and hints.

`solutions/04-crash-points.py` is the notebook of chapter 04's exercises, `solutions/gaps/04.py` the cells of the
chapter in which the learner writes. Each is a text in the format py:percent, with the cell's id and its tags:

    # %% [markdown] id="04d-why" tags=["solution"]
    # **Why.** Each line of prose is a comment.

    # %% id="04d-answer"
    order = ...

A code cell may hold `### BEGIN SOLUTION` … `### END SOLUTION`, each on a line of its own; the lines between are
replaced by room for the learner. The cell "04d-hints" has a list of hints, and "gap-04-promise-hints" a title above.
What is alike in all exercises, or in all gaps, stands in no text, and `completed` adds it.
"""

import ast
import functools
import itertools
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from .errors import CourseError
from .paths import ROOT

FOLDER, GAPS = "solutions", "solutions/gaps"
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
PROMPT = "# Your answer goes here, in place of the three dots."
SOLUTION = "solution"  # the tag of cells that an exercise leaves out
HINTS = "hints"  # the tag of cells that stand in no notebook
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
HEAD = re.compile(r'# %%(?P<prose> \[markdown\])? id="(?P<id>[\w-]+)"(?: tags=(?P<tags>\[.*\]))?')
HINT = re.compile(r"(?m)^\d+\. ")
GAP = "from exactly_once.course import gap"
HEADING = re.compile(r"## \(\w\) (?P<title>.+?)[?.]? \((?P<tier>[\w-]+), .*\)")
OF_EXERCISE = re.compile(r"(\d\d([a-z]))-(.+)")


class Cell(NamedTuple):
    """One cell of a notebook; `kind` is "markdown" or "code", `line` the number of its first line in its file."""

    id: str
    kind: str
    source: str
    tags: tuple[str, ...] = ()
    line: int = 0


IN_TITLE = (
    "\n\nBelow each answer there are buttons for `show`, `check` and `hint`. They take your answer as its cell last "
    "left it: after a change, run the cell again.\n\nYour code runs in a process of its own, so it cannot harm this "
    "notebook. The folder `my-work/` keeps a list of the exercises that you have solved, and "
    "[chapter 00](../notebooks/00-start-here.ipynb) shows the list. To begin one exercise afresh, call `reset()` of "
    "its task, such as `task_a.reset()`; the others stay as they are."
)
SET_UP = (
    Cell("set-up-words", "markdown", "## Set-up (1 minute)"),
    Cell("set-up", "code", "from exactly_once.course import exercises"),
)
PROGRESS = (
    Cell(
        "progress-words",
        "markdown",
        "## How far you are\n\nYour progress is a file on this computer. `save_my_work()`, from "
        '`exactly_once.course`, writes all of your work into one file, and `bring_back("my-work.zip")` puts it back '
        "on another computer. (Binder keeps nothing between sessions.)",
    ),
    Cell("progress", "code", "exercises.progress()"),
)


class Words(NamedTuple):
    """The title of an exercise or a gap, and its hints, from a nudge to the decisive idea."""

    title: str
    hints: tuple[str, ...]


def cells_in(text: str, where: str = "the text") -> list[Cell]:
    """Return the cells of a text. Raises `CourseError` for a cell without an id, or with that of another."""
    cells: dict[str, Cell] = {}
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith("# %%")]
    for start, end in itertools.pairwise([*heads, len(lines)]):
        head = HEAD.fullmatch(lines[start])
        if head is None or head["id"] in cells:
            raise CourseError(f'{where}, line {start + 1}: a cell begins with # %% id="…", an id of its own.')
        prose, body = bool(head["prose"]), lines[start + 1 : end]
        source = "\n".join(line.removeprefix("#").removeprefix(" ") for line in body) if prose else "\n".join(body)
        tags = tuple(json.loads(head["tags"] or "[]"))
        cells[head["id"]] = Cell(head["id"], "markdown" if prose else "code", source.strip("\n"), tags, start + 2)
    return completed(cells)


def completed(cells: dict[str, Cell]) -> list[Cell]:
    """Return the cells of a text with what is alike in all of them: set-up, buttons, `show`, `check`, progress.

    An empty cell opens its exercise and shows the task; where none does, the answer's cell opens it. The answer's
    cell ends with the exercise, which shows its buttons.
    """
    found: list[Cell] = []
    opened: dict[str, str] = {}  # {exercise: what its answer is called}
    for cell in cells.values():
        parts = OF_EXERCISE.fullmatch(cell.id)
        name, letter, part = parts.groups() if parts else ("", "", "")
        opening = f'task_{letter} = exercises.open("{name}")'
        if name and cell.kind == "code":
            opens = name not in opened and opening not in cell.source
            if not cell.source:
                cell = cell._replace(source=f"{opening}\ntask_{letter}.show(...)")
            opened.setdefault(name, "")
            if part == "answer":
                body = ast.parse(cell.source).body
                opened[name] = defined(body[-1])
                source = f"{opening}{_apart(body[0])}{cell.source}" if opens else cell.source
                cell = cell._replace(source=f"{source}{_apart(body[-1])}task_{letter}")
        elif cell.id.startswith("gap-") and cell.kind == "code":
            cell = _completed_gap(cell)
        found += [cell]
        if part in ("show-words", "check-words"):
            call = part.removesuffix("-words")
            found += [Cell(f"{name}-{call}", "code", f"task_{letter}.{call}({opened[name]})")]
        elif cell.id == "title":
            found[-1] = cell._replace(source=cell.source + IN_TITLE)
            found += [one for one in SET_UP if one.id not in cells]
    return found + list(PROGRESS) if "title" in cells else found


def _completed_gap(cell: Cell) -> Cell:
    """Return the cell of a gap with the import of `gap`, where it needs no other, and the name that it ends with."""
    body = ast.parse(cell.source).body
    source = f"{cell.source}\n{defined(body[-1])}"
    if GAP in source:
        return cell._replace(source=source)
    head = f"{GAP}{_apart(body[0])}"
    return cell._replace(source=head + source, line=cell.line - head.count("\n"))


def defined(statement: ast.stmt) -> str:
    """Return the name that an assignment, or a definition of a function or class, defines, or ""."""
    named = statement.targets[0] if isinstance(statement, ast.Assign) else statement
    return str(getattr(named, "id", getattr(named, "name", "")))


def _apart(statement: ast.stmt) -> str:
    """Return the line ends between a statement at the top of a cell and the next one."""
    return "\n\n\n" if isinstance(statement, ast.FunctionDef | ast.ClassDef) else "\n\n"


def notebook_text(cells: Iterable[Cell]) -> str:
    """Return cells, but for those with hints, as the text of a notebook, in the form in which nbformat writes it."""
    import nbformat  # not needed where a learner's code runs, and slow to import

    found = []
    for cell in cells:
        if HINTS not in cell.tags:
            make = nbformat.v4.new_code_cell if cell.kind == "code" else nbformat.v4.new_markdown_cell
            metadata = {"tags": list(cell.tags)} if cell.tags else {}
            found.append(make(cell.source, id=cell.id, metadata=metadata))
    notebook = nbformat.v4.new_notebook(cells=found, metadata=KERNEL, nbformat_minor=5)
    return nbformat.writes(notebook) + "\n"


def chapters() -> list[str]:
    """Return the names of the notebooks that there are solutions for, such as "04-crash-points"."""
    return sorted(path.stem for path in (ROOT / FOLDER).glob("[0-9][0-9]-*.py"))


def cells_of(path: Path) -> list[Cell]:
    """Return the cells of a file of solutions, which is read once. Raises `CourseError` as `cells_in` does."""
    return _read(path, path.stat().st_mtime_ns)


@functools.lru_cache(64)
def _read(path: Path, changed: int) -> list[Cell]:
    return cells_in(path.read_text(), path.name)


@functools.cache
def gap_names() -> list[str]:
    """Return the names of the gaps that there are solutions for."""
    found = [cell.id for path in (ROOT / GAPS).glob("*.py") for cell in cells_of(path) if cell.kind == "code"]
    return sorted(name.removeprefix("gap-") for name in found)


@functools.cache
def exercise_names() -> list[str]:
    """Return the names of the exercises that there are solutions for, in the order of the course."""
    found = [cell.id for path in sorted((ROOT / FOLDER).glob("[0-9][0-9]-*.py")) for cell in cells_of(path)]
    return [name.removesuffix("-answer") for name in found if re.fullmatch(r"\d\d[a-z]-answer", name)]


def _cell(name: str, part: str) -> tuple[Cell, Path]:
    """Return a cell of an exercise, such as 04d, or of a gap, such as 04-promise, with its file."""
    gap = "-" in name
    folder, pattern = (GAPS, f"{name[:2]}.py") if gap else (FOLDER, f"{name[:2]}-*.py")
    wanted = (f"gap-{name}-{part}" if part else f"gap-{name}") if gap else f"{name}-{part or 'answer'}"
    for path in (ROOT / folder).glob(pattern):
        for cell in cells_of(path):
            if cell.id == wanted:
                return cell, path
    raise CourseError(f"There is no cell {wanted} in {folder}/{pattern}. Download the course again.")


def words(name: str) -> Words:
    """Return title and hints of an exercise, such as "04d", or of a gap. Raises `CourseError` where none stand.

    The title of an exercise is the heading of its task, that of a gap stands above its hints.
    """
    title, *hints = HINT.split(_cell(name, "hints")[0].source)
    if "-" not in name:
        title = _heading(name)["title"]
        title = title if title[1].isupper() else title[0].lower() + title[1:]
    return Words(
        title.strip().removeprefix("### "),
        tuple(" ".join(map(str.strip, hint.strip().split("\n"))) for hint in hints),
    )


def tier_of(name: str) -> str:
    """Return the tier of an exercise, as the heading of its task has it: "warm-up", "task" or "challenge"."""
    return _heading(name)["tier"]


def _heading(name: str) -> re.Match[str]:
    """Return the heading of an exercise's task, such as "## (d) At most one item lost (task, 15 minutes)"."""
    cell, path = _cell(name, "task")
    if found := HEADING.match(cell.source):
        return found
    raise CourseError(f"The task {name} in {path.name} begins with ## (letter) title (tier, minutes).")


def source_of(name: str) -> str:
    """Return the answer's cell of an exercise, such as "04d", or the cell of a gap, with its markers.

    `solved` makes of it the author's cell, and `handed_out` the learner's cell. Raises `CourseError` for a name
    without such a cell.
    """
    return _cell(name, "")[0].source


def set_up_of(name: str) -> str:
    """Return the first code cell of an exercise's notebook, with the imports of all; "" for a gap."""
    found = [cell.source for cell in cells_of(_cell(name, "")[1]) if cell.id == "set-up"]
    return "".join(found)


def solution_of(name: str) -> str:
    """Return the solved answer of an exercise, such as "04d", and why it is right, as Markdown.

    Raises `CourseError` for an exercise without a solution.
    """
    _, path = _cell(name, "")
    parts = [
        cell
        for cell in cells_of(path)
        if cell.id == f"{name}-answer" or (SOLUTION in cell.tags and cell.id.startswith(name))
    ]
    return "\n\n".join(
        cell.source if cell.kind == "markdown" else f"```python\n{solved(cell.source)}\n```" for cell in parts
    )


def solved(source: str) -> str:
    """Return the source of a code cell with its solution, without the markers."""
    return "\n".join(line for line in source.splitlines() if line.strip() not in (BEGIN, END))


def handed_out(source: str, where: str = "a cell") -> str:
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


@functools.cache
def library_of(gap: str) -> Any:
    """Return the library's version of a gap: the function or class that its solved cell hands to `gap(…)`.

    Its module is in no file and not in `sys.modules`, so cloudpickle sends it to other processes by value, as it does
    with the learner's own. Raises `CourseError` for a gap without a solved cell.
    """
    cell, path = _cell(gap, "")
    tree = ast.increment_lineno(ast.parse(cell.source), cell.line - 1)
    body = [each for each in tree.body if not (isinstance(each, ast.ImportFrom) and "course" in str(each.module))]
    place, answer = next((place, name) for place, each in enumerate(body) if (name := handed_over(each)))
    names = {"__name__": f"exactly_once.{FOLDER}.gap_{gap.replace('-', '_')}", "__file__": str(path)}
    exec(compile(ast.Module(body[:place], []), path, "exec"), names)
    return names[answer]


def handed_over(statement: ast.stmt) -> str | None:
    """Return the name that a statement `… = gap("…", name)` hands over."""
    match statement:
        case ast.Assign(value=ast.Call(func=ast.Name("gap"), args=[_, ast.Name(name)])):
            return name
    return None


def library_code(gap: str) -> str:
    """Return the definition of the library's version of a gap, as text, without markers."""
    cell, _ = _cell(gap, "")
    name = library_of(gap).__name__
    text = solved(cell.source)
    definitions = (each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef | ast.ClassDef))
    found = next(each for each in definitions if each.name == name)
    return ast.get_source_segment(text, found) or ""

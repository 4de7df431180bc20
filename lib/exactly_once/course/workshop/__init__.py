"""The notebooks for class: three labs and a demo, built from the cells of the chapters that carry the tags of `LABS`.

`python -m exactly_once workshop` builds them in `workshop/`, with the titles and goals of `frames.toml`. Nothing is
written twice: a lab's cells are the chapters' own, in the chapters' order, under headings that say where they come
from.

How long a notebook takes a median engineer is a model of counts, each with its minutes. The rates are those of a
reader with a clock who went through chapters 00 to 10: 150 words a minute, one wrong try at each gap, and a thought
before each answer of a prediction.
"""

import ast
import builtins
import inspect
import re
import symtable
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ...errors import BadInput, CourseError
from ...paths import ROOT, FileName, file_named, replaced
from .. import copies
from ..chapters import LABS
from ..parser import Parser
from ..predictions import Names

FRAMES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("frames.toml").read_text(encoding="utf-8"))
GIVEN = ("display", "get_ipython", "_", "__name__")  # a notebook's names that no cell defines
FROM = "From chapter [{title}](../notebooks/{chapter}.ipynb)."
NUMBER_AND_MINUTES = re.compile(r"^\d+ · |\s*\((?:about )?\d+ minutes?[^)]*\)")
LINK = re.compile(r'(\]\(|src=")(?![a-z]+:)([^)"\s]+)')
SLOTS = re.compile(r"\bcluster\((?:[^)]*\bslots=(\d))?")
SET_UP, SHUT_DOWN = re.compile(r"^chapter\(", re.MULTILINE), "shut_down_button()"
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
LAB_TAG = re.compile(r"lab\b.*|demo")
HAND_IN = """## Hand in

The button writes one file for your teacher, `my-work/hand-in.json`. It lists what the file holds, and asks first."""
BEHIND = """**Continue from here** if you are behind: select this cell, then *Run → Run All Above Selected Cell*. If a
syntax error stops it, put `...` in the place of your lines first. Predictions wait."""
STOP = """## Stop the cluster

The cell stops the cluster, and offers to free this notebook's memory."""
HANDOUT = """# Crash and repair: one page

```python
{handler}
```

The letters are the places at which the process dies.

| | A | B | C | D | E |
| --- | --- | --- | --- | --- | --- |
| your prediction | | | | | |
| what happened | | | | | |

At hour 3 the window holds six numbers, and the threshold is 4. The words: harmless, doubles, loses, corrupts.

Ask of each claim of *exactly once*:

1. Of what effect?
2. In which system?
3. Under which faults?
4. Proved within which bounds?
"""
STOPPING = f"""from exactly_once.course import shut_down_button
from exactly_once.spark import stop_cluster

stop_cluster()
{SHUT_DOWN}"""

WORD = 1 / 150  # minutes, as all of these; in a box or outside
LINE, CELL = 4 / 60, 10 / 60  # a line of code, or of source that a cell prints, is read; a cell is run
PREDICTION, BLANK = 1.2, 1.2 * 24 / 60  # the question is read; each row wants an answer
GAP, WIDGET, SCENE, PICTURE = 10.0, 5.0, 3.0, 1.0
CLUSTER = 4.0  # once in a chapter: its start, its runs and its stop

HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
LATER = ("Further on", "Further reading", "Reset this chapter", "Stop the cluster", "Exercises")
PLACE_TO_STOP = "A place to stop"
GAPS = re.compile(r'\bgap\(\s*"')
SCENES = re.compile(r"^scene\(", re.MULTILINE)
WIDGETS = re.compile(
    r"^(?:crash_console|clock_playground|debugger|log_viewer|adversary|transaction_timeline|same_stop|"
    r"twins_console|\w+_lab)\(",
    re.MULTILINE,
)
PICTURES = re.compile(r"\bshow\.(?!code\b|words?\b|Picture\b|table_html\b)\w+\(")
ON_CLUSTER = re.compile(r"exactly_once\.spark import|on_cluster\(")
PRINTERS = ("show.code", "inspect.getsource")
PRINTS = re.compile(r"\bshow\.code\(|\binspect\.getsource\b")
Sections: TypeAlias = "dict[str, Counted]"


def main(arguments: list[str]) -> int:
    """Build all notebooks for class, hand them out, and print how long each takes. Returns the exit status.

    A notebook that cannot be built is named with the reason, and the others are built. Raises `CourseError` when the
    folder cannot be made.
    """
    Parser(prog="python -m exactly_once workshop", description="Build the notebooks for class.").parse_args(arguments)
    folder, failed = ROOT / copies.WORKSHOP, False
    try:
        folder.mkdir(exist_ok=True)
    except OSError as why:
        raise CourseError(f"The folder {folder} cannot be made: {why.strerror}. Free or unlock that place.") from why
    for tag in LABS:
        try:
            notebook = build(tag)
        except CourseError as why:
            print(f"{tag} is not built. {why}", file=sys.stderr)
            failed = True
            continue
        path, text = folder / f"{tag}.ipynb", nbformat.writes(notebook) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            replaced(path, text)
        for cell in notebook.cells:
            if tag == LABS[0] and cell.source.startswith("def naive(node):"):
                replaced(folder / "handout.md", HANDOUT.format(handler=cell.source))
        took, has = of_chapter(notebook).minutes, FRAMES[tag]["work"]
        print(f"{copies.WORKSHOP}/{path.name}: {took:.0f} minutes of work; a class has {has}.")
    for sentence in copies.hand_out():
        print(sentence)
    return int(failed)


def build(tag: str, folder: FileName | None = None) -> NotebookNode:
    """Return the notebook for class with this tag, built from the chapters in `folder` (default: the course's).

    Raises `BadInput` for a folder without a name, for an unknown tag, here or in a chapter, for a tag that no cell
    carries, and for cells that use a name that no cell with the tag defines; `CourseError` for a chapter that cannot
    be read.
    """
    if tag not in LABS:
        raise BadInput(f"There is no lab {tag!r}; there are {', '.join(LABS)}.")
    folder = ROOT / copies.CHAPTERS if folder is None else file_named("The folder of the chapters", folder)
    known, chapters, slots, place = set(GIVEN), [], FRAMES[tag].get("slots"), None
    cells: list[NotebookNode] = []
    for path in sorted(folder.glob("[0-9][0-9]-*.ipynb")):
        for title, section, cell in _tagged(path, tag):
            if place != (place := (path.stem, section)):
                lead = "" if path.stem in chapters else FROM.format(title=title, chapter=path.stem)
                heading = f"## {path.stem[:2]} · {section}\n\n{lead}".strip()
                cells.append(new_markdown_cell(heading, id=f"{tag}-{len(cells)}"))
                chapters += [] if path.stem in chapters else [path.stem]
            name = f"{path.stem[:2]}-{cell.id}"
            if cell.cell_type == "code":
                if missing := names_missing(cell.source, known):
                    raise BadInput(
                        f"{tag} would not run alone: A cell of {path.stem}, {section!r}, uses {', '.join(missing)}, "
                        f"which no cell with the tag {tag} defines before. Give the defining cell the tag as well."
                    )
                slots = max([slots or 0, *(int(found or 2) for found in SLOTS.findall(cell.source))]) or None
                cells.append(new_code_cell(cell.source, id=name))
            elif text := linked(HEADING.sub("", cell.source), path.stem).strip():
                cells.append(new_markdown_cell(text, id=name))
    if not cells:
        raise BadInput(f"No cell of the chapters carries the tag {tag}. Give the cells of a lab its tag.")
    return _framed(tag, cells, chapters, slots)


def linked(text: str, chapter: str) -> str:
    """Return a chapter's Markdown with links that lead from `workshop/` to the same places."""

    def there(found: re.Match[str]) -> str:
        opening, target = found.groups()
        if target.startswith("../"):
            return found[0]
        return f"{opening}../notebooks/{f'{chapter}.ipynb' if target.startswith('#') else ''}{target}"

    return LINK.sub(there, text)


def _read(path: Path) -> NotebookNode:
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except Exception as why:
        raise CourseError(f"The chapter {path.name} cannot be read. Bring it back with git.") from why
    return notebook


def _tagged(path: Path, tag: str) -> Iterator[tuple[str, str, NotebookNode]]:
    """Yield the cells of a chapter with the tag, each with the titles of its chapter and of its section.

    The cells that make a kernel ready and free it are left out: a notebook for class has its own.
    """
    notebook = _read(path)
    found = TITLE.search(notebook.cells[0].source) if notebook.cells else None
    title, section = found[1] if found else path.stem, ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (heading := HEADING.search(cell.source)):
            section = NUMBER_AND_MINUTES.sub("", heading[1])
        own = cell.cell_type == "code" and (SET_UP.search(cell.source) or SHUT_DOWN in cell.source)
        if tag in _tags(cell, path) and not own:
            yield title, section, cell


def _tags(cell: NotebookNode, path: Path) -> list[str]:
    tags = cell.metadata.get("tags", [])
    for tag in tags:
        if LAB_TAG.fullmatch(tag) and tag not in LABS:
            raise BadInput(f"A cell of {path.name} has the tag {tag}; there are {', '.join(LABS)}.")
    return tags


def names_missing(source: str, known: set[str]) -> list[str]:
    """Return the names that the code `source` reads and nobody has defined, sorted; add to `known` what it defines.

    Raises `SyntaxError` for text that is no Python.
    """
    whole = symtable.symtable(source, "a cell", "exec")
    scopes = [whole]
    for scope in scopes:
        scopes += scope.get_children()
    read = set()
    for scope in scopes:
        for symbol in scope.get_symbols():
            if scope is whole or symbol.is_global():
                if symbol.is_assigned() or symbol.is_imported():
                    known.add(symbol.get_name())
                if symbol.is_referenced():
                    read.add(symbol.get_name())
    return sorted(read - known - {*dir(builtins)})


def _framed(tag: str, cells: list[NotebookNode], chapters: list[str], slots: int | None) -> NotebookNode:
    """Return the notebook: title and goals, set-up, the cells with each section's minutes, and the end."""
    notebook = new_notebook(cells=cells)
    sections = of_sections(notebook)
    for cell in cells:
        if cell.cell_type == "markdown" and (found := HEADING.search(cell.source)):
            minutes = max(1, round(sections[found[1]].minutes))
            words = f"{found[1]} ({minutes} minute{'s' if minutes > 1 else ''})"
            cell.source = cell.source.replace(found[0], f"## {words}", 1)
    frame = FRAMES[tag]
    goals = "\n".join(f"{number}. {goal}" for number, goal in enumerate(frame["goals"], 1))
    shape = f", slots={slots}" if slots else ""
    numbers = ", ".join(chapter[:2] for chapter in chapters)
    minutes = max(1, round(of_chapter(notebook).minutes))
    title = (
        f"# {frame['title']}\n\nYou will be able to (about {minutes} minutes):\n\n{goals}\n\n"
        f"The cells come from the chapters {numbers}; what you predict here counts there, too."
    )
    recap = [new_markdown_cell(f"## What you need to know\n\n{frame['recap']}", id=f"{tag}-recap")]
    gaps = [place for place, cell in enumerate(cells) if GAPS.search(cell.source)]
    if gaps:
        cells.insert(gaps[-1] + 1, new_markdown_cell(BEHIND, id=f"{tag}-continue"))
        notebook.cells = cells
    before = [
        new_markdown_cell(title, id=f"{tag}-title"),
        new_markdown_cell("## Set-up (1 minute)", id=f"{tag}-ready"),
        new_code_cell(f'from exactly_once.course import chapter\n\nchapter("{tag}"{shape})', id=f"{tag}-set-up"),
        *recap,
    ]
    after = [
        new_markdown_cell(HAND_IN, id=f"{tag}-hands-in"),
        new_code_cell("from exactly_once.course import exercises\n\nexercises.hand_in()", id=f"{tag}-hand-in"),
    ]
    if slots:
        after += [new_markdown_cell(STOP, id=f"{tag}-stops"), new_code_cell(STOPPING, id=f"{tag}-stop")]
    notebook.cells = [*before, *cells, *after]
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


@dataclass
class Counted:
    """What a part of a notebook asks of its reader; two parts are added with `+`."""

    words: int = 0
    lines: int = 0  # of code, with those that a cell prints
    cells: int = 0
    predictions: int = 0
    blanks: int = 0
    gaps: int = 0
    widgets: int = 0
    scenes: int = 0
    pictures: int = 0
    cluster: int = 0  # 1 for a section that uses the cluster

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(*(mine + yours for mine, yours in zip(astuple(self), astuple(other), strict=True)))

    @property
    def minutes(self) -> float:
        """The minutes of the part."""
        rates = (WORD, LINE, CELL, PREDICTION, BLANK, GAP, WIDGET, SCENE, PICTURE, CLUSTER)
        return sum(count * rate for count, rate in zip(astuple(self), rates, strict=True))


def counted(cell: NotebookNode, names: Names) -> Counted:
    """Return what one cell asks. `names` are those of the cells before this one; the cell's own are added to them."""
    source = cell.source
    if cell.cell_type == "markdown":
        words = sum(any(map(str.isalnum, word)) for word in re.sub(r"<[^>]+>", " ", source).split())
        return Counted(words=words)
    if cell.cell_type != "code":
        return Counted()
    asked = names.questions(source)
    return Counted(
        lines=sum(bool(line.strip()) for line in source.splitlines()) + printed(source, names),
        cells=1,
        predictions=len(asked),
        blanks=sum(len(question.rows) or 1 for question in asked),
        gaps=len(GAPS.findall(source)),
        widgets=len(WIDGETS.findall(source)),
        scenes=len(SCENES.findall(source)),
        pictures=len(PICTURES.findall(source)),
        cluster=bool(ON_CLUSTER.search(source)),
    )


def printed(source: str, names: Names) -> int:
    """Return how many lines of source a cell prints of the course's functions and classes that it names."""
    if not PRINTS.search(source):
        return 0
    found, tree = 0, ast.parse(source)
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}  # `Queue` of `Queue.push`
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in inner:
            value = None if ast.unparse(node) in PRINTERS else names.value(node)
            if inspect.isfunction(value) or inspect.isclass(value):
                found += len(inspect.getsource(value).splitlines())
    return found


def of_sections(notebook: NotebookNode) -> Sections:
    """Return {heading of the second level: what its section asks}; what stands before the first one is under "".

    The start of the cluster counts in the first section that uses it.
    """
    found: Sections = {"": Counted()}
    heading, names, started = "", Names(), False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (title := HEADING.search(cell.source)):
            heading = title[1]
        here = counted(cell, names)
        if not heading.startswith(LATER):
            here.cluster, started = here.cluster and not started, started or bool(here.cluster)
        found[heading] = found.get(heading, Counted()) + here
        found[heading].cluster = min(found[heading].cluster, 1)
    return found


def main_line(notebook: NotebookNode) -> Sections:
    """Return the sections that everybody goes through: all but the exercises, *Further on* and what closes."""
    return {name: part for name, part in of_sections(notebook).items() if not name.startswith(LATER)}


def of_chapter(notebook: NotebookNode) -> Counted:
    """Return what the main line of a notebook asks in all."""
    return sum(main_line(notebook).values(), Counted())


def sittings(notebook: NotebookNode) -> list[float]:
    """Return the minutes of each sitting: *A place to stop* divides a notebook's main line in two."""
    found = [0.0]
    for name, part in main_line(notebook).items():
        found[-1] += part.minutes
        if name == PLACE_TO_STOP:
            found.append(0.0)
    return found

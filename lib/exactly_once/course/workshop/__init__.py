"""The notebooks for class: three labs and a demo, built from the cells of the chapters that carry the tags of `LABS`.

`python -m exactly_once workshop` builds them in `workshop/`, with the titles and goals of `frames.toml`. Nothing is
written twice: a lab's cells are the chapters' own, in the chapters' order, under headings that say where they come
from.
"""

import builtins
import re
import symtable
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ...errors import BadInput, CourseError
from ...paths import ROOT, FileName, file_named, replaced
from .. import copies
from ..chapters import LABS
from ..parser import Parser

FRAMES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("frames.toml").read_text(encoding="utf-8"))
HANDOUT = Path(__file__).with_name("handout.md")  # a page to print for lab 1
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
STOPPING = f"""from exactly_once.course import shut_down_button
from exactly_once.spark import stop_cluster

stop_cluster()
{SHUT_DOWN}"""
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
GAPS = re.compile(r'\bgap\(\s*"')


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
                replaced(folder / HANDOUT.name, HANDOUT.read_text(encoding="utf-8").format(handler=cell.source))
        print(f"{copies.WORKSHOP}/{path.name}: about {FRAMES[tag]['minutes']} minutes of work.")
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
    """Return the notebook: title and goals, set-up, the cells, and the end."""
    frame = FRAMES[tag]
    goals = "\n".join(f"{number}. {goal}" for number, goal in enumerate(frame["goals"], 1))
    shape = f", slots={slots}" if slots else ""
    numbers = ", ".join(chapter[:2] for chapter in chapters)
    title = (
        f"# {frame['title']}\n\nYou will be able to (about {frame['minutes']} minutes):\n\n{goals}\n\n"
        f"The cells come from the chapters {numbers}; what you predict here counts there, too."
    )
    recap = [new_markdown_cell(f"## What you need to know\n\n{frame['recap']}", id=f"{tag}-recap")]
    gaps = [place for place, cell in enumerate(cells) if GAPS.search(cell.source)]
    if gaps:
        cells.insert(gaps[-1] + 1, new_markdown_cell(BEHIND, id=f"{tag}-continue"))
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
    metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return new_notebook(cells=[*before, *cells, *after], metadata=metadata)

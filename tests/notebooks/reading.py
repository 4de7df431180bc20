"""Reading the course's prose: its notebooks and Markdown files, their links and the anchors that links can lead
to.
"""

import re
from pathlib import Path

import nbformat

from exactly_once.paths import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9][0-9]-*.ipynb"))
ASKS = {kind: re.compile(rf'\b{kind}\(\s*"([^"]+)"') for kind in ("predict", "gap")}
CHAPTERS = [path for path in NOTEBOOKS if not path.name.startswith("00")]
FRONT = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = [
    *FRONT,
    ROOT / "data" / "README.md",
    ROOT / "exercises" / "README.md",
    ROOT / "solutions" / "README.md",
    *sorted((ROOT / "notebooks").glob("*.md")),
]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
TERM = re.compile(r"\*\[([^\]]+)\]\(glossary\.md#([^)]+)\)\*")


def asked(kind):
    """Return the names of all predictions or gaps of the notebooks; `kind` is "predict" or "gap"."""
    return {name for path in NOTEBOOKS for source in code(read(path)) for name in ASKS[kind].findall(source)}


def read(path):
    """Return a notebook."""
    return nbformat.read(path, as_version=4)


def prose(notebook):
    """Return all Markdown of a notebook as one text."""
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def boxes(notebook, title=""):
    """Return the boxes of a notebook: cells of one block quote, whose bold title begins with `title`."""
    return [
        cell.source
        for cell in notebook.cells
        if cell.cell_type == "markdown" and cell.source.startswith(f"> **{title}")
    ]


def rows_of(box):
    """Return the cells of a box's table, row by row; the head is the first."""
    rows = [line.removeprefix("> ").strip() for line in box.splitlines() if line.startswith("> |")]
    found = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return [row for row in found if not set("".join(row)) <= set("-: ")]


def code(notebook):
    """Return the sources of a notebook's code cells."""
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def without_further_on(notebook):
    """Return a notebook with the cells of its main line, and those that close it."""
    kept, later = [], False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (heading := re.search(r"^## (.+)$", cell.source, re.MULTILINE)):
            later = heading[1].startswith("Further on")
        if not later:
            kept.append(cell)
    return nbformat.from_dict({**notebook, "cells": kept})


def sections(notebook):
    """Return the headings of the second level with what stands under each."""
    parts = re.split(r"^## (.+)$", prose(notebook), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def text_of(path):
    """Return the Markdown of a notebook or of a Markdown file, without blocks of code."""
    text = prose(read(path)) if path.suffix == ".ipynb" else path.read_text()
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def anchors(path):
    """Return the anchors of the headings of a notebook, as JupyterLab makes them, or of a Markdown file, as GitHub
    does too of lower-case headings. Pages that are read on GitHub have its anchors alone.
    """
    text = prose(read(path)) if path.suffix == ".ipynb" else path.read_text()
    headings = [heading.strip().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
    if path not in FRONT:
        return headings
    return [re.sub(r"[^\w-]", "", heading.lower()) for heading in headings]


def broken_links(path, text=None):
    """Return the links of a file, or of the `text` of one, that lead nowhere. Links to the web are not followed."""
    broken = []
    for link in LINK.findall(text_of(path) if text is None else text):
        if link.startswith(("http://", "https://")):
            continue
        name, _, anchor = link.partition("#")
        target = Path(path.parent, name).resolve() if name else path
        if not target.exists() or not target.is_relative_to(ROOT) or (anchor and anchor not in anchors(target)):
            broken.append(link)
    return broken

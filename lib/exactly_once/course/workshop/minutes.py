"""How long a notebook takes a median engineer: a model of counts, each with its minutes.

Prose is dense, and English a second language for many readers. The rates were set by two readers who went through
the chapters with a clock; a section agrees within a minute and a half, a chapter within a tenth.
"""

import re
from dataclasses import astuple, dataclass
from typing import TypeAlias

from nbformat import NotebookNode

WORDS, BOXED = 1 / 150, 1 / 200  # minutes for a word; a box is looked up rather than read
LINE, CELL = 5 / 60, 12 / 60  # a line of code is read, a cell is run
PREDICTION, GAP, WIDGET, PICTURE = 1.75, 7.0, 6.0, 1.2
CLUSTER = 5.0  # once in a section: its start, its runs and its stop

HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
LATER = ("Further on", "Further reading", "Reset this chapter", "Stop the cluster", "Exercises")
STOP = "A place to stop"
ASKED = {kind: re.compile(rf'\b{kind}\(\s*"') for kind in ("predict", "gap")}
WIDGETS = re.compile(
    r"^(?:crash_console|clock_playground|debugger|log_viewer|adversary|transaction_timeline|same_stop|"
    r"twins_console|\w+_lab)\(",
    re.MULTILINE,
)
PICTURES = re.compile(r"\bshow\.(?!code\b|words?\b|Picture\b|table_html\b)\w+\(")
ON_CLUSTER = re.compile(r"exactly_once\.spark import|on_cluster\(|spark=spark")
Sections: TypeAlias = "dict[str, Counted]"


@dataclass
class Counted:
    """What a part of a notebook asks of its reader; two parts are added with `+`."""

    words: int = 0
    boxed: int = 0
    lines: int = 0
    cells: int = 0
    predictions: int = 0
    gaps: int = 0
    widgets: int = 0
    pictures: int = 0
    cluster: int = 0  # 1 for a section that uses the cluster

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(*(mine + yours for mine, yours in zip(astuple(self), astuple(other), strict=True)))

    @property
    def minutes(self) -> float:
        """The minutes of the part."""
        rates = (WORDS, BOXED, LINE, CELL, PREDICTION, GAP, WIDGET, PICTURE, CLUSTER)
        return sum(count * rate for count, rate in zip(astuple(self), rates, strict=True))

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in vars(self).items() if count)


def counted(cell: NotebookNode) -> Counted:
    """Return what one cell asks."""
    source = cell.source
    if cell.cell_type == "markdown":
        words = sum(any(map(str.isalnum, word)) for word in re.sub(r"<[^>]+>", " ", source).split())
        return Counted(boxed=words) if source.startswith(">") else Counted(words=words)
    if cell.cell_type != "code":
        return Counted()
    predictions, gaps = (len(asked.findall(source)) for asked in ASKED.values())
    return Counted(
        lines=sum(bool(line.strip()) for line in source.splitlines()),
        cells=1,
        predictions=predictions,
        gaps=gaps,
        widgets=len(WIDGETS.findall(source)),
        pictures=len(PICTURES.findall(source)),
        cluster=bool(ON_CLUSTER.search(source)),
    )


def of_sections(notebook: NotebookNode) -> Sections:
    """Return {heading of the second level: what its section asks}; what stands before the first one is under ""."""
    found: Sections = {"": Counted()}
    heading = ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (title := HEADING.search(cell.source)):
            heading = title[1]
        found[heading] = found.get(heading, Counted()) + counted(cell)
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
        if name == STOP:
            found.append(0.0)
    return found

"""How long a notebook takes a median engineer: a model of counts, each with its minutes.

The rates are those of a reader with a clock who went through chapters 00 to 10: 150 words a minute, one wrong try at
each gap, and a thought before each answer of a prediction.
"""

import ast
import inspect
import re
from dataclasses import astuple, dataclass
from typing import TypeAlias

from nbformat import NotebookNode

from ..questions import Names

WORD = 1 / 150  # minutes, as all of these; in a box or outside
LINE, CELL = 4 / 60, 10 / 60  # a line of code, or of source that a cell prints, is read; a cell is run
PREDICTION, BLANK = 1.2, 1.2 * 24 / 60  # the question is read; each row wants an answer
GAP, WIDGET, SCENE, PICTURE = 10.0, 5.0, 3.0, 1.0
CLUSTER = 4.0  # once in a chapter: its start, its runs and its stop

HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
LATER = ("Further on", "Further reading", "Reset this chapter", "Stop the cluster", "Exercises")
STOP = "A place to stop"
GAPS = re.compile(r'\bgap\(\s*"')
SCENES = re.compile(r"^scene\(", re.MULTILINE)
WIDGETS = re.compile(
    r"^(?:crash_console|clock_playground|debugger|log_viewer|adversary|transaction_timeline|same_stop|"
    r"twins_console|\w+_lab)\(",
    re.MULTILINE,
)
PICTURES = re.compile(r"\bshow\.(?!code\b|words?\b|Picture\b|table_html\b)\w+\(")
ON_CLUSTER = re.compile(r"exactly_once\.spark import|on_cluster\(|spark=spark")
PRINTERS = ("show.code", "inspect.getsource")
PRINTS = re.compile(r"\bshow\.code\(|\binspect\.getsource\b")
Sections: TypeAlias = "dict[str, Counted]"


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
        if name == STOP:
            found.append(0.0)
    return found

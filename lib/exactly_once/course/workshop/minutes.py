"""How long a notebook takes a median engineer: a model of counts, each with its minutes.

The rates are those of a reader with a clock who went through chapters 00 to 10: 150 words a minute, one wrong try at
each gap, and a thought before each answer of a prediction.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import reduce
from importlib import import_module
from math import prod
from types import ModuleType
from typing import Any, TypeAlias

from nbformat import NotebookNode

WORD = 1 / 150  # minutes, as all of these; in a box or outside
LINE, CELL = 4 / 60, 10 / 60  # a line of code, or of source that a cell prints, is read; a cell is run
PREDICTION, BLANK = 1.2, 1.2 * 24 / 60  # the question is read; each row wants an answer
GAP, WIDGET, SCENE, PICTURE = 10.0, 5.0, 3.0, 1.0
CLUSTER = 4.0  # once in a chapter: its start, its runs and its stop

HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
LATER = ("Further on", "Further reading", "Reset this chapter", "Stop the cluster", "Exercises")
STOP = "A place to stop"
ASKED = {kind: re.compile(rf'\b{kind}\(\s*"') for kind in ("predict", "gap")}
SCENES = re.compile(r"^scene\(", re.MULTILINE)
WIDGETS = re.compile(
    r"^(?:crash_console|clock_playground|debugger|log_viewer|adversary|transaction_timeline|same_stop|"
    r"twins_console|\w+_lab)\(",
    re.MULTILINE,
)
PICTURES = re.compile(r"\bshow\.(?!code\b|words?\b|Picture\b|table_html\b)\w+\(")
ON_CLUSTER = re.compile(r"exactly_once\.spark import|on_cluster\(|spark=spark")
PRINTS = re.compile(r"\bshow\.code\(|\binspect\.getsource\b")
Sections: TypeAlias = "dict[str, Counted]"


@dataclass
class Counted:
    """What a part of a notebook asks of its reader; two parts are added with `+`."""

    words: int = 0
    lines: int = 0
    printed: int = 0
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
        rates = (WORD, LINE, LINE, CELL, PREDICTION, BLANK, GAP, WIDGET, SCENE, PICTURE, CLUSTER)
        return sum(count * rate for count, rate in zip(astuple(self), rates, strict=True))

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in vars(self).items() if count)


class Names:
    """What the names of a notebook stand for, as far as that is seen without running it."""

    def __init__(self) -> None:
        self.lengths: dict[str, int] = {}
        self.imported: dict[str, tuple[str, str]] = {}  # (module, name there); looked up when it is asked for

    def take(self, statement: ast.stmt) -> None:
        """Note what a statement imports from the course, and the lengths of the tables that it names."""
        for each in ast.walk(statement):
            if isinstance(each, ast.ImportFrom) and (each.module or "").startswith("exactly_once"):
                for alias in each.names:
                    self.imported[alias.asname or alias.name] = (each.module or "", alias.name)
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            self.lengths[name] = self.lengths.get(name, 0) + self.length(statement.value)
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                pairs: list[tuple[ast.expr, ast.expr]] = [(target, statement.value)]
                if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                    pairs = list(zip(target.elts, statement.value.elts, strict=False))
                for place, value in pairs:
                    if isinstance(place, ast.Name):
                        self.lengths[place.id] = self.length(value)
                    elif isinstance(place, ast.Subscript) and isinstance(place.value, ast.Name):  # a row more
                        self.lengths[place.value.id] = self.lengths.get(place.value.id, 0) + 1

    def length(self, node: ast.expr) -> int:
        """Return how many items a table has; 1 where that is not seen."""
        if isinstance(node, ast.Dict):
            return len(node.keys)
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return sum(self.length(each.value) if isinstance(each, ast.Starred) else 1 for each in node.elts)
        if isinstance(node, ast.Name):
            value = self.value(node.id)
            return len(value) if hasattr(value, "__len__") else self.lengths.get(node.id, 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.Add):
            return self.length(node.left) + self.length(node.right)
        if isinstance(node, ast.Call) and node.args:  # tuple(…), dict.fromkeys(…), zip(…)
            return self.length(node.args[0])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # ….values()
            return self.length(node.func.value)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp | ast.SetComp):
            return prod(self.length(each.iter) for each in node.generators)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            ends = [ast.literal_eval(each) if each else None for each in (node.slice.lower, node.slice.upper)]
            return len(range(self.length(node.value))[slice(*ends)])
        return len(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else 1

    def value(self, dotted: str) -> Any:
        """Return what was imported from the course under a name such as `Queue.push`; None for any other name."""
        first, *others = dotted.split(".")
        if first not in self.imported:
            return None
        module, imported = self.imported[first]
        return reduce(part, (imported, *others), import_module(module))

    def source(self, node: ast.AST) -> int:
        """Return how many lines the course's functions and classes that are named there have."""
        found = 0
        for dotted in outermost(node):
            value = self.value(dotted)
            if inspect.isfunction(value) or inspect.isclass(value):
                found += len(inspect.getsource(value).splitlines())
        return found


def part(whole: Any, name: str) -> Any:
    """Return an attribute, or the module of this name in a package; None if there is neither."""
    if isinstance(whole, ModuleType) and not hasattr(whole, name) and hasattr(whole, "__path__"):
        return import_module(f"{whole.__name__}.{name}")
    return getattr(whole, name, None)


def outermost(node: ast.AST) -> Iterator[str]:
    """Yield the dotted names of an expression or a statement: `Queue.push`, without its `Queue`."""
    text = ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""
    if text and all(word.isidentifier() for word in text.split(".")):
        yield text
    else:
        for child in ast.iter_child_nodes(node):
            yield from outermost(child)


def counted(cell: NotebookNode, names: Names) -> Counted:
    """Return what one cell asks. `names` are those of the cells before this one; the cell's own are added to them."""
    source = cell.source
    if cell.cell_type == "markdown":
        words = sum(any(map(str.isalnum, word)) for word in re.sub(r"<[^>]+>", " ", source).split())
        return Counted(words=words)
    if cell.cell_type != "code":
        return Counted()
    blanks, printed = asked_and_printed(source, names)
    predictions, gaps = (len(asked.findall(source)) for asked in ASKED.values())
    return Counted(
        lines=sum(bool(line.strip()) for line in source.splitlines()),
        printed=printed,
        cells=1,
        predictions=predictions,
        blanks=blanks,
        gaps=gaps,
        widgets=len(WIDGETS.findall(source)),
        scenes=len(SCENES.findall(source)),
        pictures=len(PICTURES.findall(source)),
        cluster=bool(ON_CLUSTER.search(source)),
    )


def asked_and_printed(source: str, names: Names) -> tuple[int, int]:
    """Return how many answers the predictions of a cell ask for, and how many lines of source the cell prints."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a line that begins with % or !
        return 0, 0
    blanks = printed = 0
    for statement in tree.body:
        names.take(statement)
        for call in ast.walk(statement):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "predict":
                rows = [each.value for each in call.keywords if each.arg == "rows"] + call.args[3:4]
                blanks += names.length(rows[0]) if rows else 1
    if PRINTS.search(source):
        printed = sum(names.source(each) for each in tree.body if not isinstance(each, ast.Import | ast.ImportFrom))
    return blanks, printed


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

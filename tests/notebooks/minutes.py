"""How long a notebook takes a median engineer: a model of counts, each with its minutes.

The rates are those of a reader with a clock who went through chapters 00 to 10: 150 words a minute, one wrong try at
each gap, and a thought before each answer of a prediction. A notebook's questions are read without a run: each
question's words, rows and choices.
"""

import ast
import builtins
import copy
import inspect
import re
from dataclasses import astuple, dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, TypeAlias

from nbformat import NotebookNode

from .reading import NOTEBOOKS, code, read

WORD = 1 / 150  # minutes, as all of these; in a box or outside
LINE, CELL = 4 / 60, 10 / 60  # a line of code, or of source that a cell prints, is read; a cell is run
PREDICTION, BLANK = 1.2, 1.2 * 24 / 60  # the question is read; each row wants an answer
GAP, WIDGET, SCENE, PICTURE = 10.0, 5.0, 3.0, 1.0
CLUSTER = 4.0  # once in a chapter: its start, its runs and its stop

LATER = ("Further on", "Further reading", "Reset this chapter", "Stop the cluster", "Exercises")
PLACE_TO_STOP = "A place to stop"
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
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
Rows = dict[str, tuple[str, ...]]
SAFE = {
    name: getattr(builtins, name) for name in "dict enumerate int len list range set sorted str tuple zip".split()
}
PLAIN = ("Event", "History")  # classes of the course: making one does nothing else
METHODS = ("items", "keys", "values", "fromkeys", "split", "name")
UNSEEN = object()  # what only a run of the notebook would show


@dataclass(frozen=True)
class Question:
    """A question: its words, and {row: choices} as far as the notebook says them; () for numbers."""

    name: str
    text: str
    rows: Rows


def questions() -> dict[str, Question]:
    """Return the questions of all chapters by name, in the chapters' order."""
    found: dict[str, Question] = {}
    for path in NOTEBOOKS:
        names = Names()
        found |= {each.name: each for source in code(read(path)) for each in names.questions(source)}
    return found


class Names:
    """What the names of a notebook stand for, as far as that is seen without a run: imports, and tables of them."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        # What a name comes from is looked up when it is asked for: most need more of the library than the tables do.
        self.imported: dict[str, tuple[str, str]] = {}  # (module, name there)
        self.assigned: dict[str, list[ast.Assign | ast.AugAssign]] = {}
        self.done: set[ast.stmt] = set()

    def questions(self, source: str) -> list[Question]:
        """Return the questions that a cell asks, and note what its names stand for."""
        try:
            statements = ast.parse(source).body
        except SyntaxError:  # a line that begins with % or !
            return []
        found = []
        for statement in statements:
            self._take(statement)
            for call in ast.walk(statement):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "predict":
                    given = dict(zip(("name", "question", "choices", "rows"), call.args, strict=False))
                    given |= {each.arg: each.value for each in call.keywords if each.arg}
                    values = {key: self.value(value) for key, value in given.items()}
                    if isinstance(values.get("name"), str):
                        text = values.get("question")
                        words = text if isinstance(text, str) else values["name"]
                        found.append(Question(values["name"], words, _rows(values)))
        return found

    def value(self, node: ast.expr) -> Any:
        """Return what an expression comes to, or `UNSEEN`."""
        return self._run(ast.Assign([ast.Name("_", ast.Store())], node)).get("_", UNSEEN)

    def _take(self, statement: ast.stmt) -> None:
        for each in ast.walk(statement):
            if isinstance(each, ast.ImportFrom) and (each.module or "").startswith("exactly_once"):
                for alias in each.names:
                    self.imported[alias.asname or alias.name] = (each.module or "", alias.name)
        if isinstance(statement, ast.Assign | ast.AugAssign):
            for name in {name for target in _targets(statement) for name in _names(target)}:
                self.assigned.setdefault(name, []).append(statement)

    def _run(self, statement: ast.Assign | ast.AugAssign) -> dict[str, Any]:
        """Return the names that an assignment changes, with their values; calls that might do more are not made."""
        statement = ast.fix_missing_locations(_Unseen().visit(copy.deepcopy(statement)))
        used = _names(statement)
        stored = {name for target in _targets(statement) for name in used & _names(target)}
        try:
            names = {name: self._known(name) for name in used - SAFE.keys()} | {"__builtins__": SAFE}
            exec(compile(ast.Module([statement], []), "<cell>", "exec"), names)
        except Exception:  # noqa: BLE001 - it needs a run, or a package that is not here
            return {}
        return {name: names[name] for name in stored}

    def _known(self, name: str) -> Any:
        if name in self.imported and name not in self.values:
            module, imported = self.imported[name]
            found = part(import_module(module), imported)
            # A copy: a cell that adds a row to a table of the course's adds it to its own.
            self.values[name] = copy.copy(found) if isinstance(found, dict | list | set) else found
        for statement in self.assigned.pop(name, ()):
            if statement not in self.done:
                self.done.add(statement)
                self.values |= self._run(statement)
        return self.values.get(name, UNSEEN)


class _Unseen(ast.NodeTransformer):
    """Put `UNSEEN`, as an unknown name, in place of calls that only a run would make."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        safe = isinstance(function, ast.Name) and function.id in (*SAFE, *PLAIN)
        if safe or (isinstance(function, ast.Attribute) and function.attr in METHODS):
            return self.generic_visit(node)
        return ast.Name("unseen call", ast.Load())


def part(whole: Any, name: str) -> Any:
    """Return an attribute, or the module of this name in a package; `UNSEEN` if there is neither."""
    if isinstance(whole, ModuleType) and not hasattr(whole, name) and hasattr(whole, "__path__"):
        return import_module(f"{whole.__name__}.{name}")
    return getattr(whole, name, UNSEEN)


def _targets(statement: ast.Assign | ast.AugAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _rows(values: dict[str, Any]) -> Rows:
    rows, choices = values.get("rows", UNSEEN), _texts(values.get("choices"))
    if isinstance(rows, dict):
        return {str(row): _texts(each) for row, each in rows.items()}
    if isinstance(rows, str | tuple | list | set):
        return {str(row): choices for row in rows}
    return {"": choices} if "rows" not in values else {}


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, tuple | list | dict) else ()


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

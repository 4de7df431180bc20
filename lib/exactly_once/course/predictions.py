"""The learner's predictions, in a small file in `my-work/`, and the chapters' questions.

The questions are read from the notebooks without a run: each question's words, rows and choices.
"""

import ast
import builtins
import copy
import datetime
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from ..paths import ROOT, replaced
from . import my_work
from .copies import CHAPTERS

FILE = "predictions.json"
RENAMED = {  # questions that moved with chapter 10's second half to chapter 11; work under their old names counts
    f"10-{name}": f"11-{name}" for name in ("articles", "blocked", "mutants", "waits", "years")
}
ASKED = {kind: re.compile(rf'\b{kind}\(\s*"([^"]+)"') for kind in ("predict", "gap")}

Rows = dict[str, tuple[str, ...]]
Answer = dict[str, str | int]
SAFE = {
    name: getattr(builtins, name) for name in "dict enumerate int len list range set sorted str tuple zip".split()
}
PLAIN = ("Event", "History")  # classes of the course: making one does nothing else
METHODS = ("items", "keys", "values", "fromkeys", "split", "name")
UNSEEN = object()  # what only a run of the notebook would show


def kept(name: str) -> Answer | None:
    """Return the kept answer to a question, as {row: text or number}, or None."""
    return _read().get(RENAMED.get(name, name), {}).get("said")


def keep(name: str, answer: Answer | None) -> None:
    """Keep an answer, or take it back with None. The first answer stays noted, as the first answer counts."""
    with my_work.locked(FILE):
        found = _read()
        entry = found.setdefault(RENAMED.get(name, name), {})
        entry["said"] = answer
        if answer is not None:
            entry.setdefault("first", answer)
            entry.setdefault("since", datetime.date.today().isoformat())
            entry.setdefault("at", my_work.now())
        _write(found)


def judge(name: str, right: Callable[[Answer], object], truth: Answer | None = None) -> None:
    """Note whether a question's first answer came out, once the truth is computed; `right` compares an answer.

    `truth`, {row: text or number}, is noted beside it, for the table of a class.
    """
    name = RENAMED.get(name, name)
    entry = _read().get(name, {})
    if entry.get("first") is None or "right" in entry:
        return
    with my_work.locked(FILE):
        found = _read()
        entry = found.setdefault(name, entry)
        entry["right"] = bool(right(entry["first"]))
        if truth is not None:
            entry["truth"] = truth
        _write(found)


def counts() -> dict[str, tuple[int, int, int]]:
    """Return {chapter: (questions, predicted, came out)} for every chapter."""
    found = _read()
    return {
        chapter: (
            len(names),
            sum(bool(found.get(name, {}).get("first")) for name in names),
            sum(bool(found.get(name, {}).get("right")) for name in names),
        )
        for chapter, names in asked("predict").items()
    }


def asked(kind: str) -> dict[str, list[str]]:
    """Return {chapter: names of its questions or gaps}, in order; `kind` is "predict" or "gap"."""
    return {
        chapter: [name for cell in cells for name in ASKED[kind].findall(cell) if name.startswith(f"{chapter}-")]
        for chapter, cells in sources()
    }


def entries() -> dict[str, dict[str, Any]]:
    """Return all kept entries: {question: {"said", "first", "right", "truth", "since", "at"}}, as far as known."""
    return _read()


def _read() -> dict[str, dict[str, Any]]:
    found = my_work.read_json(my_work.folder() / FILE)
    entries = {name: entry for name, entry in found.items() if isinstance(entry, dict)}
    return {RENAMED.get(name, name): entry for name, entry in entries.items()} | {
        name: entry for name, entry in entries.items() if name not in RENAMED
    }


def _write(found: dict[str, dict[str, Any]]) -> None:
    replaced(my_work.folder() / FILE, json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


@dataclass(frozen=True)
class Question:
    """A question: its words, and {row: choices} as far as the notebook says them; () for numbers."""

    name: str
    text: str
    rows: Rows


def sources(folder: Path = ROOT / CHAPTERS) -> Iterator[tuple[str, list[str]]]:
    """Yield (the number of a chapter, the sources of its code cells), in the chapters' order."""
    for path in sorted(folder.glob("[0-9][0-9]-*.ipynb")):
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            found = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        except (OSError, ValueError, KeyError, TypeError):
            continue  # the learner's own notebook, perhaps half saved
        yield path.name[:2], found


def questions(folder: Path = ROOT / CHAPTERS) -> dict[str, Question]:
    """Return the questions of all chapters by name, in the chapters' order."""
    found: dict[str, Question] = {}
    for _, cells in sources(folder):
        names = Names()
        found |= {each.name: each for source in cells for each in names.questions(source)}
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

"""The chapters' questions, read from the notebooks without a run: each question's words, rows and choices."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from ...paths import ROOT
from ..chapter import FOLDER

Rows = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Question:
    """A question: its words, and {row: choices} as far as the notebook says them outright; () for numbers."""

    name: str
    text: str
    rows: Rows


def questions(folder: Path = ROOT / FOLDER) -> dict[str, Question]:
    """Return the questions of all chapters by name, in the chapters' order."""
    found: dict[str, Question] = {}
    for path in sorted(folder.glob("[0-9][0-9]-*.ipynb")):
        try:
            cells = nbformat.read(path, as_version=4).cells
        except (OSError, ValueError, AttributeError):
            continue  # the page says the question's name, then
        known: dict[str, object] = {}
        for cell in cells:
            if cell.cell_type == "code":
                found |= _in_cell(cell.source, known)
    return found


def _in_cell(source: str, known: dict[str, object]) -> dict[str, Question]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return {}
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = _value(node.value, known)
            if value is not None:
                known[node.targets[0].id] = value
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "predict":
            given = dict(zip(("name", "question", "choices", "rows"), node.args, strict=False))
            given |= {each.arg: each.value for each in node.keywords if each.arg}
            values = {key: _value(value, known) for key, value in given.items()}
            if isinstance(values.get("name"), str):
                name, text = str(values["name"]), values.get("question")
                found[name] = Question(name, text if isinstance(text, str) else name, _rows(values))
    return found


def _rows(values: dict[str, object]) -> Rows:
    rows, choices = values.get("rows"), _texts(values.get("choices"))
    if isinstance(rows, dict):
        return {str(row): _texts(each) for row, each in rows.items()}
    if isinstance(rows, (str, tuple, list)):
        return {str(row): choices for row in rows}
    return {"": choices} if "rows" not in values else {}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _value(node: ast.expr, known: dict[str, object]) -> object:
    """Return what an expression of literals, known names and `tuple("…")` comes to, or None."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Dict):
        keys = [_value(key, known) if key else None for key in node.keys]
        values = [_value(value, known) for value in node.values]
        return None if None in keys else dict(zip(map(str, keys), values, strict=True))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        inside = _value(node.args[0], known)
        if node.func.id in ("tuple", "list", "sorted") and isinstance(inside, (str, tuple, list, dict)):
            return sorted(inside) if node.func.id == "sorted" else tuple(inside)
        return None
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None

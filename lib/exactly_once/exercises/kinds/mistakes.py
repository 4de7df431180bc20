"""The solved cell of an item, and cells in which something is changed: mistakes.

A mistake is a change of the solved cell and a sentence for the learner who made that change. So the check, its
diagnosis and its tests are one thing.
"""

import ast
import functools
import linecache
import zlib
from collections.abc import Sequence
from typing import Any

from ...errors import CourseError
from ...solutions import defined, handed_over, set_up_of, solved, source_of

Change = Sequence[str]  # old, new, and so on: in the text, each old is replaced by the new behind it


def changed(text: str, change: Change) -> str:
    """Return a text with a change. Raises `CourseError` where an old is not there, or stands more than once."""
    for old, new in zip(change[::2], change[1::2], strict=True):
        if text.count(old) != 1:
            raise CourseError(
                f"What a change replaces stands {text.count(old)} times, not once: {old!r}. In:\n{text}"
            )
        text = text.replace(old, new)
    return text


def solved_cell(name: str) -> str:
    """Return the author's cell of an exercise, such as "04d", or of a gap, without the lines for the course.

    Before it stand the imports of the exercise's notebook.
    """
    imports = without_the_course(set_up_of(name)).strip()
    return (f"{imports}\n\n\n" if imports else "") + without_the_course(solved(source_of(name)))


def without_the_course(text: str) -> str:
    """Return a cell's text without what it says to the course: the call that opens an exercise, or fills a gap."""
    lines = text.splitlines()
    for statement in reversed(ast.parse(text).body):
        if _is_for_the_course(statement):
            lines[statement.lineno - 1 : statement.end_lineno] = []
    return "\n".join(lines).strip("\n") + "\n"


def _is_for_the_course(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return str(statement.module).startswith("exactly_once.course")
    called = statement.value if isinstance(statement, (ast.Assign, ast.Expr)) else None
    if isinstance(called, ast.Call):
        return ast.unparse(called.func) in ("gap", "exercises.open")
    return isinstance(statement, ast.Expr) and isinstance(called, ast.Name)


@functools.cache
def answer_named(name: str) -> str:
    """Return what the solved cell calls the answer: what it hands to `gap(…)`, or else defines last."""
    body = ast.parse(solved(source_of(name))).body
    if handed := next(filter(None, map(handed_over, body)), None):
        return handed
    return [defined(each) for each in body if not _is_for_the_course(each)][-1]


def answer_in(text: str, called: str, module: str, file: str = "a changed cell") -> Any:
    """Return what a cell defines under the name `called`; pickled by value, since `module` cannot be imported."""
    names: dict[str, Any] = {"__name__": module}
    file = f"{file} {zlib.crc32(text.encode())}"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file  # as a notebook does with its cells
    exec(compile(text, file, "exec"), names)
    return names[called]


def answer_with(name: str, change: Change = ()) -> Any:
    """Return the solved answer of an item, with a change: the course's own, which may run where the course does."""
    return _answer(name, tuple(change))


@functools.lru_cache(256)
def _answer(name: str, change: tuple[str, ...]) -> Any:
    return answer_in(changed(solved_cell(name), change), answer_named(name), f"exactly_once.solutions.{name}")

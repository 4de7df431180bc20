"""The handler's own source, with its crash points as letters and the relevant lines marked."""

import ast
import inspect
import textwrap
import weakref
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape

from ...errors import BadInput
from ...faults import POINTS
from ...node.node import Handler
from ...verdict import Verdict
from ..base.checks import given
from ..base.picture import Picture

FAULTS = {"pause": "falls asleep"}
NO_SOURCE = "The source of this handler cannot be shown: it was not read from a file or a cell."
SHORT = {
    "dies": "dies", "asleep": "sleeps", "lost request": "lost", "late": "late", "reply": "no reply", "dupl": "twice",
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One line of a handler: its number counted from the first, its text, and its crash point if it is one."""

    number: int
    text: str
    point: str | None = None


_read = weakref.WeakKeyDictionary[Handler, list["Line"]]()  # of each handler: a console asks for them again and again


def source_lines(handler: Handler) -> list[Line]:
    """Return the lines of a handler without decorators and docstring; none when its source cannot be read.

    If a handler has an attribute `listed`, the lines of that function are returned instead.
    """
    handler = getattr(handler, "listed", handler)
    try:
        if handler not in _read:
            _read[handler] = _lines(handler)
        return list(_read[handler])
    except TypeError:  # a callable that cannot be a key
        return _lines(handler)


def _lines(handler: Handler) -> list[Line]:
    try:
        source = inspect.getsource(handler)
    except (OSError, TypeError):
        return []
    source = textwrap.dedent(source)
    try:
        tree = ast.parse(source)
    except SyntaxError:
        tree = ast.Module([], [])
    points, prose = _points(tree), _prose(tree)
    return [
        Line(number, text, points.get(number))
        for number, text in enumerate(source.splitlines(), start=1)
        if number not in prose
    ]


def _points(tree: ast.AST) -> Mapping[int, str]:
    """Return {line number: letter} of the calls `….crash_point("X")`, or `….crash_point(node, "X")`."""
    found = {}
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "crash_point":
            letter = next((one.value for one in call.args if isinstance(one, ast.Constant)), None)
            if letter in POINTS:
                found[call.lineno] = letter
    return found


def _prose(tree: ast.Module) -> set[int]:
    """Return the lines of a handler's docstring, and those above its `def`: its deployment is no step of it."""
    first = tree.body[0] if tree.body else None
    if not isinstance(first, ast.FunctionDef):
        return set()
    said = first.body[0] if len(first.body) > 1 and ast.get_docstring(first) is not None else None
    docstring = range(said.lineno, (said.end_lineno or 0) + 1) if said else range(0)
    return {*range(1, first.lineno), *docstring}


def last_lines(verdict: Verdict | None) -> tuple[int | None, dict[int, str]]:
    """Return (the last line before the crash, {crash line: remark}) of a verdict; the line is None where it is
    unknown.
    """
    if verdict is None:
        return None, {}
    trace = given(verdict, Verdict).run.trace
    deaths, says = trace.deaths(), defaultdict[int, list[str]](list)
    for death in deaths:
        if death.line is not None:
            when = f", at hour {death.item}" if death.item else ""
            says[death.line].append(f"incarnation {death.life} dies here{when}")
    for event in trace:
        if event.verb == "fault" and event.line is not None:
            says[event.line].append(f"incarnation {event.life}: {FAULTS.get(event.text, event.text)}")
    ran = [
        event.line
        for event in (trace.of_life(deaths[0].life) if deaths else ())
        if event.line is not None and event.verb not in ("dies", "crash point")
        if event.process.startswith("incarnation")
    ]
    return ran[-1] if ran else None, {line: "✖ " + "; ".join(texts) for line, texts in says.items()}


def code(handler: Handler) -> Picture:
    """Return a handler's source with its crash points as letters."""
    if not callable(handler):
        raise BadInput(f"The handler is {handler!r}; give a function of one argument, the node.")
    return Picture(code_html(handler), text="\n".join(line.text for line in source_lines(handler)))


def code_html(
    handler: Handler,
    chosen: str | None = None,
    verdict: Verdict | None = None,
    armed: str | None = None,
    buttons: bool = False,
    last_line: int | None = None,
    remark: bool = True,
) -> str:
    """Return the listing of a handler.

    `chosen` is the selected crash point, `armed` the one that waits for its next pass, `verdict` marks the lines of
    the deaths and the last executed line, `last_line` overrides the latter. With `buttons` the letters can be
    clicked; with `remark` the listing notes when there are none.
    """
    ran, says = last_lines(verdict)
    lines = source_lines(handler)
    if not lines:
        return f'<p class="eo-dim">{NO_SOURCE}</p>'
    ran = last_line or ran
    if ran:  # at a crash point the line before it
        steps = [line.number for line in lines if line.text.strip() and not line.point]
        ran = max((number for number in steps if number <= ran), default=ran)
    rows = [_row(line, chosen, armed, buttons, line.number == ran, says.get(line.number, "")) for line in lines]
    note = ""
    if remark and not any(line.point for line in lines):
        note = '<p class="eo-dim">No line says node.crash_point("A") to "E", so no letter can be reached here.</p>'
    return f"{listing('Source of the handler', rows)}{note}"


def listing(label: str, rows: Iterable[tuple[Line, str, object, str]], sight: str = "") -> str:
    """Return lines of code in a frame, which a page scrolls to the last line with the class `sight`.

    A row is (a line of `source_lines`, its class, HTML in the gutter, HTML behind the line). Indentation is drawn at
    half its width, so that a line fits beside a tape.
    """
    found = []
    for line, kind, gutter, more in rows:
        body, indent = line.text.lstrip(), len(line.text) - len(line.text.lstrip())
        found.append(
            f'<div class="{kind}" data-line="{line.number}"><span class="eo-gutter">{gutter}</span>'
            f'<span style="padding-left:{indent / 2:g}ch">{escape(body)}</span>{more}</div>'
        )
    at = f' data-sight=".{sight}"' if sight else ""
    return (
        f'<div class="eo-listing" tabindex="0" role="region" aria-label="{escape(label)}"{at}>'
        f'<div class="eo-src">{"".join(found)}</div></div>'
    )


def _row(
    line: Line, chosen: str | None, armed: str | None, buttons: bool, ran: bool, says: str
) -> tuple[Line, str, object, str]:
    kinds, more = ["eo-point-line"] if line.point else [], ""
    if line.point and line.point == armed:
        kinds.append("eo-armed-line")
        line = replace(line, text=f"{line.text}   armed")
    if says and line.point:
        kinds.append("eo-death-line")
        line = replace(line, text=says)
    elif says:  # the statement at this line stays in sight
        kinds += ["eo-death-line", "eo-step-line"]
        short = next((word for words, word in SHORT.items() if words in says), "here")
        more = f'<b class="eo-dies" title="{escape(says)}">✖<i> {short}</i></b>'
    elif ran:
        kinds.append("eo-last-line")
    return line, " ".join(kinds), _letter(line.point, chosen, armed, buttons) if line.point else "", more


def _letter(point: str, chosen: str | None, armed: str | None, buttons: bool) -> str:
    state = " eo-armed" if point == armed else " eo-chosen" if point == chosen else ""
    kinds = f"eo-letter eo-letter-{point}{state}"
    if not buttons:
        return f'<span class="{kinds}">{point}</span>'
    do, what, pressed = ("arm", "Arm the crash at", armed) if buttons == "arm" else ("point", "Crash at", chosen)
    return (
        f'<button type="button" class="{kinds}" data-do="{do}" data-value="{point}" data-key="letter-{point}" '
        f'aria-pressed="{str(point == pressed).lower()}" aria-label="{what} {point}">{point}</button>'
    )

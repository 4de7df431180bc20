"""Tokens of schedules: a failing run as one short line that can be pasted, checked and replayed."""

import ast
import hashlib
import inspect
import itertools
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..errors import BadInput, whole
from ..faults import LONGEST, sealed, shown, unsealed
from ..node.program import Deployment, Program
from ..node.source import Source
from ..pipeline import Job
from ..simulate.decision import ARRIVAL, OPTION, STEP, Decision
from .bounds import MOST, SPENDS

FORMAT = "ep2"
WORLD = "simulated"
ARRIVALS: dict[Any, str] = {"together": "t", "as it comes": "c"}
TIMES: dict[Any, str] = {"event": "", "processing": "p"}
MOST_DECISIONS = 100_000
_NUMBER = "([0-9]{1,9})"
_CHOICE = re.compile(rf"{_NUMBER}([a-z])([0-9]{{0,9}})(?:x{_NUMBER})?")
_JOB = rf"i{_NUMBER}d{_NUMBER}h([0-9]{{1,99}})([tc])(p?)"  # a threshold may be any number
_TOKEN = re.compile(rf"{FORMAT}-(\w+)-([0-9a-f]{{10}})-n{_NUMBER}(?:{_JOB}|x)-([\w.]*)-(\w{{4}})")


def fingerprint(handlers: Iterable[Any]) -> str:
    """Return ten characters that stand for the syntax trees of handlers; layout and comments do not count.

    Of a `Program` its source, output and name count as well.
    """
    return hashlib.sha256("\n".join(map(_written, handlers)).encode()).hexdigest()[:10]


def _written(handler: Any) -> str:
    if isinstance(handler, Deployment):
        beside = "" if handler.beside is None else _tree(handler.beside)
        return f"{_tree(handler.handler)} {beside} {handler.protocol} {handler.fencing}"
    if isinstance(handler, Program):
        machine = f" {handler.machine} {handler.feeds}" if handler.machine else ""
        checkpoint = f" {handler.checkpoint}" if handler.checkpoint else ""
        return f"{_tree(handler.handler)} {handler.source} {handler.output} {handler.name}{machine}{checkpoint}"
    return _tree(handler)


def _tree(handler: Any) -> str:
    function = inspect.unwrap(getattr(handler, "func", handler))
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.dump(ast.parse(source))
    except (OSError, TypeError, SyntaxError, IndentationError):  # a console's function, or half an expression
        code = getattr(function, "__code__", None)
        tree = repr((code.co_names, code.co_varnames, code.co_code)) if code else repr(type(function))
    closure = getattr(function, "__closure__", None) or ()
    return tree + "".join(_cell(cell) for cell in closure)


def _cell(cell: Any) -> str:
    try:
        value = cell.cell_contents
    except ValueError:
        return ""
    if inspect.isfunction(value):
        return _tree(value) if value.__closure__ is None else value.__qualname__
    return repr(value) if isinstance(value, (int, str, float, tuple, type(None))) else type(value).__name__


def write(handlers: Sequence[Any], job: Source, nodes: int, schedule: Iterable[Decision]) -> str:
    """Return the token of a schedule."""
    body = ".".join(_runs(schedule))
    settings = f"n{nodes}x"  # programs say themselves where their inputs come from
    if isinstance(job, Job) and not any(isinstance(handler, Program) for handler in handlers):
        settings = f"n{nodes}i{job.items}d{job.duration}h{job.threshold}{ARRIVALS[job.arrival]}{TIMES[job.time]}"
    return sealed(f"{FORMAT}-{WORLD}-{fingerprint(handlers)}-{settings}-{body}")


def read(token: str, handlers: Sequence[Any]) -> tuple[Job | None, int, list[Decision]]:
    """Return (job, nodes, schedule) of a token; the job is None where programs have sources of their own.

    Raises `BadInput` for a mistyped one, or one of another handler.
    """
    text = str(token).strip()
    if len(text) > LONGEST:
        raise BadInput(f"The token has {len(text):,} characters; none has more than {LONGEST:,}. Copy it again.")
    if not text.startswith(FORMAT + "-"):
        raise BadInput(f"{shown(text)} is no token of a schedule of this version, which begins with {FORMAT}-.")
    found = _TOKEN.fullmatch(text)
    if not found or unsealed(text) is None:
        raise BadInput(f"The token {shown(text)} was changed or cut: its last part does not fit. Copy it again.")
    world, mark, nodes, items, duration, threshold, arrival, time, body, _ = found.groups()
    if world != WORLD:
        raise BadInput(f"The token {shown(text)} is for the world {world!r}; this is the {WORLD} world.")
    if mark != fingerprint(handlers):
        raise BadInput(f"The token {shown(text)} is for another handler, or this one was changed; prove it again.")
    arrivals, times = ({short: long for long, short in words.items()} for words in (ARRIVALS, TIMES))
    job = Job(int(items), int(duration), int(threshold), arrivals[arrival], times[time]) if items else None
    nodes = whole("the number of nodes of a token", int(nodes), least=1, most=MOST)
    decisions = itertools.chain.from_iterable(map(_decisions, body.split(".") if body else ()))
    schedule = list(itertools.islice(decisions, MOST_DECISIONS + 1))
    if len(schedule) > MOST_DECISIONS:
        raise BadInput(
            f"The token {shown(text)} says more than {MOST_DECISIONS:,} decisions. Prove the handler again."
        )
    for kind, number in Counter(SPENDS[one.kind] for one in schedule if one.kind in SPENDS).items():
        whole(f"the number of {kind.replace('_', ' ')} in a token", number, most=MOST)
    return job, nodes, schedule


def _runs(schedule: Iterable[Decision]) -> Iterator[str]:
    for decision, group in itertools.groupby(schedule):
        number = sum(1 for _ in group)
        option = decision.option if decision.option or decision.kind in (OPTION, ARRIVAL) else ""
        yield f"{decision.actor}{decision.kind}{option}{f'x{number}' if number > 1 else ''}"


def _decisions(text: str) -> list[Decision]:
    found = _CHOICE.fullmatch(text)
    if not found or found[2] not in {STEP, OPTION, ARRIVAL, *SPENDS} or int(found[4] or 1) > MOST_DECISIONS:
        raise BadInput(f"{text!r} is no decision of a schedule; two steps of the first node read '0sx2'.")
    return [Decision(int(found[1]), found[2], int(found[3] or 0))] * int(found[4] or 1)

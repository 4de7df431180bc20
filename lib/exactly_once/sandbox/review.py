"""Review a pure function: its purity, proofs of its handler, the failure without PREPARING, and its cost.

The review is a page for a design review, as HTML and as text; `show.report` shows the same in a notebook.
"""

import ast
import datetime
import inspect
import textwrap
import time
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from .. import __version__
from ..costs.counted import duration, rated
from ..errors import BadInput, CourseError, cut, in_one_line, message_of, whole
from ..explore.case import KINDS, WORDS
from ..explore.proof import Counterexample, Proof
from ..explore.prove import checked_seconds
from ..stores.codec import Value, encode
from .pure import Cost, Setting, calls_of, cost_of, loader_of, name_of, prove_loaded

SECONDS, SHARE = 60.0, 3  # one exploration takes a third of the time at most
ARRIVING = "crashes, while the queues are being filled"
HEAVY = ("pauses",)  # of these one input is explored where there are twins
SOURCE_LINES, LINE_CHARACTERS, SCHEDULE_CHARACTERS = 12, 96, 280
COLUMNS = ("nodes", "fault", "how often", "inputs", "proved", "states")
FAULTS = {
    "crashes": "a node dies between two steps",
    "pauses": "a node stalls; wakes up later, or never",
    "lost_requests": "a request to a store is lost",
    "lost_replies": "a store’s reply is lost",
    "duplicates": "a request arrives twice",
    "late_requests": "a request arrives late, or never",
    ARRIVING: "a node dies while queues are being filled",
}
NEEDS = (
    "Versioned cells with a linearizable compare-and-swap, for the machine and for each cell of a queue; the stores "
    "may be different products, since no step touches two of them.",
    "Cells that are not emptied while a node may still be late; an emptied cell keeps its version.",
    "Of a database that consumes an output: index and effect in one transaction, serializable, or the index’s row "
    "locked or compared; at read committed, reading and then writing counts twice.",
)
LATENCIES = {"one machine": 0.0001, "one region": 0.001, "two regions, near": 0.005, "two regions, far": 0.05}  # s
BEYOND = (
    "more nodes, inputs or simultaneous faults than the table says; a store that loses what it acknowledged; effects "
    "of the function outside its return value; how long a step takes."
)
CSS = """
.eo-report { --line: #c9ced6; background: #fff; color: #1b1f24; font: 11.5px/1.38 system-ui, "Segoe UI", Roboto,
  "DejaVu Sans", sans-serif; max-width: 182mm; padding: 10px 14px; box-sizing: border-box; color-scheme: light; }
.eo-report h1 { font-size: 1.6em; font-weight: 700; line-height: 1.2; margin: 0 0 2px; color: inherit; }
.eo-report h2 { font-size: 1.09em; font-weight: 700; line-height: 1.38; margin: 0.75em 0 0.25em; padding-top: 0.4em;
  border-top: 1px solid var(--line); color: inherit; }
.eo-report tr { background: none; text-align: left; }
.eo-report p, .eo-report ul, .eo-report ol { margin: 0.15em 0; }
.eo-report ul, .eo-report ol { padding-left: 1.7em; }
.eo-report code, .eo-report pre { font: 0.91em/1.35 ui-monospace, "DejaVu Sans Mono", monospace; color: inherit;
  background: none; padding: 0; }
.eo-report pre { background: #f5f6f8; padding: 5px 8px; margin: 4px 0; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.eo-report .says { font-weight: 600; font-size: 1.13em; padding: 0.4em 0.7em; margin: 5px 0; border-left: 5px solid; }
.eo-report .good { background: #e9f6f0; border-color: #009e73; }
.eo-report .bad { background: #fdefe6; border-color: #d55e00; }
.eo-report .open { background: #f1f2f4; border-color: #6b7280; }
.eo-report table { border-collapse: collapse; width: 100%; margin: 3px 0; font-size: 1em; color: inherit; }
.eo-report th, .eo-report td { border: 1px solid var(--line); padding: 0.1em 0.5em; text-align: left;
  vertical-align: top; font-size: 1em; line-height: inherit; color: inherit; background: none; white-space: normal; }
.eo-report thead th { background: #f1f2f4; } .eo-report tbody th { font-weight: 400; width: 38%; }
.eo-report .dim { color: #57606a; }
.eo-report li, .eo-report h1 { overflow-wrap: anywhere; }
@page { size: A4; margin: 12mm 14mm; }
@media print {
  .eo-report { max-width: none; padding: 0; font-size: 10px; line-height: 1.32;
    print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .eo-report h2, .eo-report li, .eo-report tr { break-inside: avoid; }
}
""".replace(".eo-report", ".eo-report" * 3)  # before JupyterLab's own styles of tables and headings


@dataclass(frozen=True)
class Row:
    """One exploration: of so many nodes, inputs and faults of a kind. `proof` is None for want of time."""

    nodes: int
    kind: str
    faults: int
    items: int
    proof: Proof | None


@dataclass(frozen=True)
class Review:
    """The findings about a function.

    `refused` is the reason why nothing was proved, "" without one. `calls` are the calls of the test for purity,
    `rows` the explorations. `broken` is the simplest schedule that breaks the same function without PREPARING, if
    there is one (then `tried` gives the bounds), and `costs` counts its operations on stores, with one node and two.
    """

    name: str
    source: str
    where: str
    setting: Setting
    seconds: float
    refused: str = ""
    calls: int = 0
    rows: tuple[Row, ...] = ()
    broken: Counterexample | None = None
    tried: str = ""
    costs: tuple[Cost, ...] = ()

    @property
    def ok(self) -> bool:
        """True when the function is pure, and all that was to be explored is proved."""
        return bool(self.rows) and all(row.proof is not None and row.proof.ok for row in self.rows)

    @property
    def failed(self) -> Row | None:
        """The first exploration that found a schedule that fails, or None."""
        return next((row for row in self.rows if row.proof is not None and row.proof.counterexample), None)

    def json(self) -> dict:
        """Return the review as plain data."""
        return {
            "function": self.name,
            "ok": self.ok,
            "refused": self.refused,
            "calls": self.calls,
            "proofs": [
                {"nodes": row.nodes, "faults": row.faults, "kind": row.kind, "items": row.items,
                 "proof": row.proof and row.proof.json()}
                for row in self.rows
            ],
            "without_preparing": self.broken and self.broken.json(),
            "costs": [
                {"nodes": one.nodes, "counted": one.counted, "inputs": one.inputs, "steps": one.steps,
                 "messages": one.messages, "expected": one.expected if one.nodes == 1 else None}
                for one in self.costs
            ],
            "seconds": round(self.seconds, 3),
        }  # fmt: skip


def review(
    function: object, setting: Setting | None = None, nodes: Sequence[int] = (2, 3), seconds: float = SECONDS
) -> Review:
    """Review a function, or the one that "PATH.py:FUNCTION" names, as `nodes` twins run it. Returns a `Review`.

    One node is explored in any case. A case that is not explored within `seconds` is reported as unknown. Raises
    `BadInput` for a value that is no function or out of range; a function that is not pure, or fails, has a review
    that says so.
    """
    setting, began = Setting() if setting is None else setting, time.perf_counter()
    if not isinstance(setting, Setting):
        raise BadInput(f"The setting is {setting!r}; give a Setting, such as Setting(inputs=('orders',)).")
    if isinstance(nodes, int) or not nodes:
        raise BadInput(f"The numbers of twins are {nodes!r}; give a list, such as (2, 3).")
    nodes = sorted({whole("a number of twins", one, least=2, most=4) for one in nodes})
    checked_seconds(seconds)
    loader = loader_of(function)
    name, source, where = written(function)
    found = Review(name, source, where, setting, 0.0)
    try:
        calls = calls_of(function, setting)
        rows = tuple(_rows(loader, setting, nodes, began + seconds, seconds / SHARE))
        bare = prove_loaded(loader, setting, 1, False, False, SECONDS, {"crashes": 1})
        costs = tuple(cost_of(function, setting, count) for count in (1, 2))
        found = replace(
            found, calls=len(calls), rows=rows, broken=bare.counterexample, tried=str(bare.bounds), costs=costs
        )
    except BadInput:
        raise
    except CourseError as why:  # it is not pure, fails, or does not finish
        found = replace(found, refused=message_of(why)[0])
    return replace(found, seconds=time.perf_counter() - began)


def _rows(loader: Any, setting: Setting, nodes: Sequence[int], until: float, longest: float) -> Iterator[Row]:
    """Yield each exploration: one node with two crashes, then each kind of fault for each number of twins."""
    plan = [(1, "crashes", 2, setting.items or 2, False)]
    for kinds in ([kind for kind in KINDS if kind not in HEAVY], HEAVY):  # slow cases come last
        for count in nodes:
            for kind in kinds:
                items = 1 if kind in HEAVY or count > 2 else min(2, setting.items or 2)
                plan.append((count, kind, 1, items, False))
    plan += [(nodes[0], ARRIVING, 1, 1, True)] * bool(setting.inputs)
    for count, kind, faults, items, arriving in plan:
        left = until - time.perf_counter()
        proof = None
        if left > 0:
            bounds = {"crashes": 0} | {"crashes" if arriving else kind: faults}
            proof = prove_loaded(loader, setting.on(items), count, True, arriving, min(longest, left), bounds)
        yield Row(count, kind, faults, items, proof)


def written(function: Any) -> tuple[str, str, str]:
    """Return (name, source text or "", its file or "") of a function, or of the one in a file. Nothing runs."""
    if isinstance(function, str):
        path, _, name = function.rpartition(":")
        try:
            with tokenize.open(path) as file:  # in the encoding that it names
                text = file.read()
            tree = ast.parse(text)
        except (OSError, ValueError, SyntaxError):
            return name, "", path
        found = [one for one in tree.body if getattr(one, "name", "") == name]
        return name, (ast.get_source_segment(text, found[-1]) or "") if found else "", Path(path).name
    try:
        return name_of(function), inspect.getsource(function).rstrip(), ""
    except (OSError, TypeError):
        return name_of(function), "", ""


def document(found: Review, date: datetime.date) -> str:
    """Return the page as an HTML document that needs no other file."""
    title = escape(f"Design review: {found.name}")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>body {{ margin: 0; background: #fff; }}{CSS}</style></head>\n"
        f"<body>{page(found, date)}</body></html>\n"
    )


def saved(found: Review, path: str | Path, date: datetime.date) -> Path:
    """Write the page to a file, and return its path. Raises `BadInput` where the file cannot be written."""
    path = Path(path)
    try:
        path.write_text(document(found, date), encoding="utf-8")
    except OSError as why:
        raise BadInput(f"The report cannot be written to {str(path)!r}: {in_one_line(why)}.") from why
    return path


def verdict(found: Review) -> tuple[str, str, str]:
    """Return (sign, words, mood) of a review; the mood is "good", "bad" or "open"."""
    if found.refused:
        return "✗", "Nothing is proved of this function.", "bad"
    if found.failed:
        return "✗", "A schedule was found that fails.", "bad"
    if found.ok:
        return "✓", "Exactly once in every schedule within the bounds below.", "good"
    return "–", "No schedule was found that fails, but the time ended before every schedule was explored.", "open"


def page(found: Review, date: datetime.date) -> str:
    """Return the page as a fragment of HTML. Everything in it is escaped."""
    sign, words, mood = verdict(found)
    named = f" in {found.where}" if found.where else ""
    parts = [
        '<article class="eo-report">',
        f"<h1>Design review: {escape(found.name)}</h1>",
        f'<p class="dim">A pure function{escape(named)}, run by the lock-free machine (HANDLING, PREPARING, WRITING) '
        f"on one or more nodes at once.</p>",
        f'<p class="says {mood}">{sign} {escape(words)}</p>',
        *([f"<pre>{escape(_source(found.source))}</pre>"] if found.source else []),
        f"<p>{escape(_setting(found.setting))}</p>",
        _h2("Why nothing is proved" if found.refused else "Is it pure?"),
        f"<p>{escape(_pure(found))}</p>",
    ]
    if found.rows:
        parts += [_h2("What was proved"), _matrix(found), *(f"<p>{escape(text)}</p>" for text in _left(found))]
        parts += _failed(found)
        parts += [_h2("The simplest break of the same function without PREPARING"), *_broken(found)]
        parts += [_h2("Cost in operations on stores"), *_cost(found)]
        parts += [
            _h2("What it needs of the stores"),
            f"<ul>{''.join(f'<li>{escape(need)}</li>' for need in NEEDS)}</ul>",
            f'<p class="dim">Not covered: {escape(BEYOND)}</p>',
        ]
    parts += [
        f'<p class="dim">{date.isoformat()} · exactly_once {escape(__version__)} · explored in '
        f"{found.seconds:.0f} s</p></article>",
    ]
    return "\n".join(parts)


def _h2(words: str) -> str:
    return f"<h2>{escape(words)}</h2>"


def _source(text: str) -> str:
    lines = textwrap.dedent(text).splitlines()
    kept = [cut_line(line) for line in lines[:SOURCE_LINES]]
    if len(lines) > SOURCE_LINES:
        kept.append(f"… and {len(lines) - SOURCE_LINES} more lines")
    return "\n".join(kept)


def cut_line(line: str) -> str:
    """Return a line of source, cut to what fits the page."""
    if len(line) <= LINE_CHARACTERS:
        return line
    start = line[: LINE_CHARACTERS - 1]
    return f"{start.rpartition(' ')[0].rstrip() or start[:-1]} …"


def _setting(setting: Setting) -> str:
    outputs = ", ".join(setting.outputs) or "none"
    said = f"First state: {cut(encode(setting.first), 120)}. Outputs: {outputs}. "
    if not setting.inputs:
        return f"{said}Inputs: readings of two streams, an hour at a time."
    values = "; ".join(
        f"{queue}: {cut(', '.join(map(encode, values)), 80)}"
        for queue, values in zip(setting.inputs, setting.held, strict=True)
    )
    return f"{said}Inputs: the queues {values}."


def _pure(found: Review) -> str:
    if found.refused:
        return found.refused
    inputs = f"{found.calls} pair{'s' if found.calls != 1 else ''} of a state and inputs"
    return (
        f"As far as calls can show: on copies of {inputs} it returned the same twice in a row, again after the "
        "others, from a fresh copy of it that remembers nothing, and in a process with another hash seed and time "
        "zone. What it prints or writes elsewhere is not seen."
    )


def _matrix(found: Review) -> str:
    nodes = sorted({row.nodes for row in found.rows})
    heads = "".join(f'<th scope="col">{"1 node" if count == 1 else f"{count} twins"}</th>' for count in nodes)
    lines = []
    for kind in (*WORDS, ARRIVING):
        rows = {row.nodes: row for row in found.rows if row.kind == kind}
        if rows:
            cells = "".join(f"<td>{escape(_cell(rows[count])) if count in rows else ''}</td>" for count in nodes)
            lines.append(f'<tr><th scope="row">{escape(FAULTS[kind])}</th>{cells}</tr>')
    return (
        f'<table><thead><tr><th scope="col">fault, at any step</th>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
        '<p class="dim">✓: every schedule within these bounds ends as a run without faults does, in the state and in '
        "every queue; as a cell is written once, an output shows at every moment the beginning of what it will hold. "
        "The number is of the states looked at.</p>"
    )


def _cell(row: Row) -> str:
    if row.proof is None:
        return "– no time left"
    times = "twice, " if row.faults > 1 else ""
    inputs = f"{times}{row.items} input{'s' if row.items != 1 else ''}"
    if row.proof.counterexample is not None:
        return f"✗ {inputs}: broken"
    states = f"{inputs} · {row.proof.states:,}"
    return f"✓ {states}" if row.proof.ok else f"– {states}, and not all"


def _left(found: Review) -> list[str]:
    """Return the sentence on what a run without a fault leaves, in a list, or an empty list."""
    proof = found.rows[0].proof
    return [f"A run without a fault leaves: {proof.leaves}."] if proof and proof.leaves else []


def _failed(found: Review) -> list[str]:
    proof = found.failed and found.failed.proof
    if not proof or not proof.counterexample:
        return []
    return [_h2("The simplest schedule that fails"), *_schedule(proof.counterexample)]


def _broken(found: Review) -> list[str]:
    if found.broken is None:
        return [
            f"<p>None within {escape(found.tried)}: what has nothing to write to a queue moves on in one step, and "
            "needs no PREPARING.</p>"
        ]
    return [
        f"<p>Outputs pushed first, the machine moved afterwards: broken within {escape(found.tried)}.</p>",
        *_schedule(found.broken),
    ]


def _schedule(example: Counterexample) -> list[str]:
    lines = "".join(f"<li>{escape(cut_words(line))}</li>" for line in example.explanation)
    return [
        f"<p>{escape(cut(example.sentence, 400))}</p>",
        f"<ol>{lines}</ol>",
        f'<p>Token: <code class="eo-token">{escape(example.token)}</code></p>',
    ]


def cut_words(line: str) -> str:
    """Return a line of a schedule, cut at a step so that it fits the page."""
    if len(line) <= SCHEDULE_CHARACTERS:
        return line
    return f"{line[:SCHEDULE_CHARACTERS].rpartition('; ')[0] or line[:SCHEDULE_CHARACTERS]}; …"


def _cost(found: Review) -> list[str]:
    alone, twins = found.costs
    head = "".join(f'<th scope="col">{name}</th>' for name in ("", "in all", "for each input"))
    rows = "".join(
        f'<tr><th scope="row">{"one node" if cost.nodes == 1 else "two twins in step"}</th>'
        f"<td>{cost.counted}</td><td>{cost.counted / cost.inputs:.1f}</td></tr>"
        for cost in (alone, twins)
    )
    heads = "".join(f'<th scope="col">{name}, {duration(latency)}</th>' for name, latency in LATENCIES.items())
    rates = "".join(f"<td>{rated(1 / (alone.of_input * latency))}</td>" for latency in LATENCIES.values())
    same = "as counted" if alone.expected == alone.counted else f"and {alone.counted} were counted"
    return [
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>",
        f"<p>Without faults. By the machine’s rules one node asks once for each input ({alone.inputs}), twice for "
        f"each step ({alone.steps}) and seven times for each message ({alone.messages}), two less for the first in a "
        f"queue ({alone.queues}), and {alone.end} at the end: {alone.expected}, {same}.</p>",
        f'<table><thead><tr><th scope="col">stores’ latency</th>{heads}</tr></thead><tbody><tr>'
        f'<th scope="row">inputs a second, one node or its twins</th>{rates}</tr></tbody></table>',
    ]


def rows(found: Review) -> list[tuple[Value, ...]]:
    """Return the review's explorations, each with the columns of `COLUMNS`."""
    return [
        (row.nodes, FAULTS[row.kind], row.faults, row.items, _cell(row).partition(" ")[0],
         None if row.proof is None else row.proof.states)
        for row in found.rows
    ]  # fmt: skip


def in_words(found: Review) -> str:
    """Return the review as text for a terminal."""
    sign, words, _ = verdict(found)
    lines = [f"{sign} {found.name}: {words}", _pure(found)]
    if found.rows:
        lines += [_aligned([COLUMNS, *rows(found)]), *_left(found)]
        if found.broken is not None:
            lines += [f"Without PREPARING: {found.broken.sentence}", f"Token: {found.broken.token}"]
        alone = found.costs[0]
        rates = (f"{rated(1 / (alone.of_input * one))} at {duration(one)}" for one in LATENCIES.values())
        lines += [f"One node asks its stores {alone.counted} times for {alone.inputs} inputs."]
        lines += [f"Inputs a second, by the stores' latency: {', '.join(rates)}."]
    return "\n".join(lines)


def _aligned(table: Sequence[Sequence[Value]]) -> str:
    """Return a table as text whose columns end below each other. None is written as a dash."""
    words = [["–" if cell is None else str(cell) for cell in row] for row in table]
    widths = [max(map(len, column)) for column in zip(*words, strict=True)]
    return "\n".join("  ".join(map(str.rjust, row, widths)) for row in words)

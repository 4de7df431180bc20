"""The output tape: all pushed values in order; a double, missing or wrong value has a colour, a sign and a word."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import Any

import pandas as pd

from ...pipeline.window import spans
from ...stores.codec import Value, describe
from ...stores.interface import Inputs
from ...verdict import Verdict
from ...verdict.damage import pass_of
from ...verdict.run import Push
from ..base.checks import given
from ..base.tape import Cell, cells_html, table_of

SHOWN = 60
TIMES = {2: "twice", 3: "3 times", 4: "4 times"}


@dataclass(frozen=True)
class Entry:
    """One place of the output: a record, or (`life` None) the gap where a record is missing."""

    item: int | None
    value: Value
    life: int | None = None
    inputs: Inputs = ()
    times: int = 1
    wrong: bool = False
    step: int | None = None
    line: int | None = None

    @property
    def gap(self) -> bool:
        """True where a record is missing."""
        return self.life is None

    @property
    def marks(self) -> list[str]:
        """The marks of the place: a sign and a word for each fault; empty when there is none."""
        if self.gap:
            return ["○ missing"]
        found = [f"× {TIMES.get(self.times, f'{self.times} times')}"] if self.times > 1 else []
        return [*found, "≠ wrong"] if self.wrong else found

    @property
    def number(self) -> str:
        """The value for display: one decimal."""
        if self.gap:
            return "—"
        is_number = isinstance(self.value, (int, float, Fraction)) and -(10**15) < self.value < 10**15
        return f"{float(self.value):.1f}" if is_number else describe(self.value)


def entries(verdict: Verdict) -> list[Entry]:
    """Return the places of a verdict's output log, in its order, with a gap where a record is missing."""
    damage, tape = given(verdict, Verdict).damage, list[Entry]()
    right = _right_passes(verdict)
    of: Callable[[Push], Any] = pass_of if right else attrgetter("item")
    found, seen = Counter(map(of, verdict.run.pushes)), Counter[Any]()
    lines = {(event.life, event.step): event.line for event in verdict.run.trace if event.line is not None}
    for push in verdict.run.pushes:
        seen[of(push)] += 1
        again = push.item in damage.duplicated and (not right or found[of(push)] > len(right.get(of(push), ())))
        wrong = push.item in damage.wrong and (
            push.value not in right.get(of(push), ())
            if right
            else push.item not in damage.duplicated or _odd(verdict, push)
        )
        line = lines.get((push.life, push.step))
        times = seen[of(push)] if again else 1
        tape.append(Entry(push.item, push.value, push.life, push.inputs, times, wrong, push.step, line))
    if right:
        return _with_missing_passes(verdict, tape)
    for item in damage.missing:
        if item is not None:
            place = next((n for n, cell in enumerate(tape) if cell.item is not None and cell.item > item), len(tape))
            tape.insert(place, Entry(item, None))
    return tape


def _right_passes(verdict: Verdict) -> dict[Any, list[Value]]:
    """Return {pass: the right values of it} where an hour has several passes; an empty dict where it has one."""
    if verdict.nearest is None or getattr(verdict.run.job, "arrival", "together") == "together":
        return {}
    right: dict[Any, list[Value]] = {}
    for push in verdict.nearest:
        right.setdefault(pass_of(push), []).append(push.value)
    return right


def _with_missing_passes(verdict: Verdict, tape: list[Entry]) -> list[Entry]:
    """Return the tape with a gap for each missing pass, behind the pass that should come before it."""
    pushes = verdict.nearest or ()
    for number, push in enumerate(pushes):
        if push.item not in verdict.damage.missing or push.inputs[-1:] in [cell.inputs[-1:] for cell in tape]:
            continue
        before = {other.inputs[-1:] for other in pushes[:number]}
        place = 1 + max((n for n, cell in enumerate(tape) if cell.inputs[-1:] in before), default=-1)
        tape.insert(place, Entry(push.item, None, inputs=push.inputs[-1:]))
    return tape


def _odd(verdict: Verdict, push: Push) -> bool:
    """Tell whether this one of an item's records is wrong: its window holds an input twice or lacks one."""
    reasons = verdict.damage.wrong_because.get(push.item, ())
    hours = Counter(hour for hour, _ in push.inputs)
    usual = max(1, min(hours.values(), default=1))
    return not reasons or any(hours[hour] > usual if kind == "twice" else not hours[hour] for kind, hour in reasons)


def cells(verdict: Verdict) -> list[Cell]:
    """Return the cells of a verdict's output log, each with its line in the table."""
    found, place = list[Cell](), 0
    for entry in entries(verdict):
        place += not entry.gap
        of = spans(hour for hour, _ in entry.inputs)
        readings = f"{len(entry.inputs)} readings of {of}" if entry.inputs and not entry.gap else ""
        by = "nobody" if entry.gap else f"incarnation {entry.life}"
        about = "nobody pushed it" if entry.gap else f"pushed by {by}{f' from {readings}' if readings else ''}"
        step = {} if entry.gap else {"step": f"{entry.life}.{entry.step}"}
        row = {
            "place": "" if entry.gap else place, "hour": entry.item, "average": entry.number, "pushed by": by,
            "readings": readings, "mark": ", ".join(entry.marks) or "✓",
        }  # fmt: skip
        kinds = "gap" if entry.gap else "again " * (entry.times > 1) + "odd" * entry.wrong
        hour = "" if entry.item is None else f"hour {entry.item}"
        data = step | ({"line": entry.line} if entry.line else {})
        found.append(Cell(entry.number, hour, entry.marks, kinds, about, data=data, row=row))
    return found


def tape_html(verdict: Verdict, one_line: bool = False) -> str:
    """Return the tape. A long tape shows the last 60 cells, and the number of earlier cells."""
    tape = cells(verdict)
    if not tape:
        return '<p class="eo-dim">Nothing has been pushed.</p>'
    if hidden := tape[:-SHOWN]:
        odd = sum(1 for cell in hidden if cell.marks)
        before = Cell("", f"… {len(hidden)} before", [f"{odd} damaged"] if odd else (), "before")
        tape = [before, *tape[-SHOWN:]]
    lines = ("eo-one-line", 'data-follow="end" tabindex="0"') if one_line else ()
    return cells_html(tape, "Output log, oldest first", *lines)


def tape_table(verdict: Verdict) -> pd.DataFrame:
    """Return the tape as a DataFrame: place, hour, average, pushed by, readings, mark."""
    return table_of(cells(verdict), ["place", "hour", "average", "pushed by", "readings", "mark"])

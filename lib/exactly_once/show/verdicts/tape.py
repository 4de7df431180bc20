"""The output tape: all pushed values in order; a double, missing or wrong value has a colour, a sign and a word."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from ...pipeline import spans
from ...stores.codec import Value, describe
from ...stores.interface import Inputs
from ...verdict import Verdict
from ...verdict.damage import pass_of
from ..base.checks import given
from ..base.picture import Cell, cells_html, table_of

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
    """Return the places of a verdict's output log, in its order, with a gap where a record is missing.

    A record is compared with the right values of its pass; a gap stands behind the passes that should come before it.
    """
    run, damage, nearest = given(verdict, Verdict).run, verdict.damage, verdict.nearest or ()
    tape, passes, right = list[Entry](), list(map(pass_of, run.pushes)), defaultdict[Any, list[Value]](list)
    for push in nearest:
        right[pass_of(push)].append(push.value)
    lines = {(event.life, event.step): event.line for event in run.trace if event.line is not None}
    for number, (push, of) in enumerate(zip(run.pushes, passes, strict=True), 1):
        again = push.item in damage.duplicated and passes.count(of) > len(right[of])
        wrong = push.item in damage.wrong and push.value not in right[of]
        times, line = passes[:number].count(of) if again else 1, lines.get((push.life, push.step))
        tape.append(Entry(push.item, push.value, push.life, push.inputs, times, wrong, push.step, line))
    for number, push in enumerate(nearest):
        if push.item in damage.missing and pass_of(push) not in passes:
            before = set(map(pass_of, nearest[:number]))
            place = 1 + max((n for n, of in enumerate(passes) if of in before), default=-1)
            tape.insert(place, Entry(push.item, None, inputs=push.inputs[-1:]))
            passes.insert(place, pass_of(push))
    return tape


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

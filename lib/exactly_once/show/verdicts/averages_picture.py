"""The averages of a run over time: wrong ones beside their right values, all above the windows of their readings. And
all right outcomes of a job, side by side, each as a tape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import NamedTuple

import pandas as pd

from ...errors import BadInput
from ...pipeline import STREAMS, spans
from ...verdict import Verdict
from ...verdict.damage import pass_of
from ...verdict.run import Ideal
from ..base.canvas import diamond, dot, line, svg
from ..base.checks import given, several
from ..base.picture import Cell, Picture, cells_html, cells_table, scrolling, word_html
from .verdict_picture import Entry, entries

MOST = 28  # columns in one picture
MOST_OUTCOMES = 12  # in one picture; the table has all of them
BEFORE = 2  # columns kept before the first odd one
WIDE, HIGH, EDGE = 62, 130, 12  # pixels of the picture in a column, and above and below its marks
LEGEND = "● right · ◆ wrong · – – what it should be · ○ pushed again, or missing."
FULL, EMPTY = "●■◆", "○□◇"  # a reading of each stream, and one that is left out


class Column(NamedTuple):
    """One record of the output, or a gap: its value, its right value (None: no value is right), and its window.

    `window` counts each (hour, stream) of the average's readings; `twice` are those that it holds too often,
    `lacking` those that it lacks.
    """

    cell: Entry
    value: Fraction | None
    should: Fraction | None
    window: Counter[tuple[int, str]]
    twice: list[tuple[int, str]]
    lacking: list[tuple[int, str]]


def averages(judged: Verdict) -> Picture:
    """Return the averages of a `Verdict`'s run over time, with the windows of their readings beneath.

    A column is one record of the output, in its order: its value, and, where it is wrong, the right value. For each
    hour of its window there are signs beneath, one for each reading: a circle for the first stream, a square for the
    second. A reading that is twice in the window has two signs, red. Of a long output the part around the first
    damage is drawn; the table has all of it.

    Raises `BadInput` for a verdict on a run in which the handler failed, and for an output that is not numbers.
    """
    columns = _columns(given(judged, Verdict))
    if not columns:
        return Picture('<p class="eo-dim">Nothing has been pushed.</p>')
    first = next((number for number, column in enumerate(columns) if column.cell.marks), 0)
    first = max(0, min(first - BEFORE, len(columns) - MOST))
    shown = columns[first : first + MOST]
    seen = {stream for column in shown for _, stream in (*column.window, *column.lacking)}
    streams = _in_order(seen)
    signs = [f"{sign} reading of {_title(one)}" for sign, one in zip(FULL, streams, strict=False)]
    signs += ["red: in the window twice"] * any(one.twice for one in shown)
    told = " · ".join(signs + ["○ □: left out of it"] * any(one.lacking for one in shown))
    drawn = scrolling(_windows(shown, streams), "Averages over time, and their windows")
    html = f'{drawn}<p class="eo-dim">{LEGEND} The windows: {told}.</p>'
    left_out = {"before": first, "after": len(columns) - first - len(shown)}
    if said := [f"{count} {where}" for where, count in left_out.items() if count]:
        html += f'<p class="eo-dim">Records that are not drawn: {" and ".join(said)}.</p>'
    return Picture(html, _table(columns), unfold="The averages and their windows as a table")


def _table(columns: Sequence[Column]) -> pd.DataFrame:
    rows = [
        (
            column.cell.item, _number(column.value, "—"), _number(column.should, "nothing"),
            ", ".join(column.cell.marks) or "✓", *map(_hours, (column.window, column.twice, column.lacking)),
        )
        for column in columns
    ]  # fmt: skip
    titles = ["hour", "average", "should be", "mark", "window", "in it twice", "left out of it"]
    return pd.DataFrame(rows, columns=titles)


def _hours(readings: Iterable[tuple[int, str]]) -> str:
    hours = {hour for hour, _ in readings}
    return spans(hours) if hours else ""


def _columns(judged: Verdict) -> list[Column]:
    if judged.nearest is None:
        raise BadInput("The handler failed in this run, so nobody knows what its averages should be; mend it first.")
    right = {pass_of(push): push for push in judged.nearest}
    of_item = {push.item: push for push in judged.nearest}
    found = []
    for cell in entries(judged):
        push = right.get(cell.inputs[-1] if cell.inputs else cell.item, of_item.get(cell.item))
        should = None if push is None else Fraction(_checked(push.value, " over time"))
        value = None if cell.gap else Fraction(_checked(cell.value, " over time"))
        window, usual = Counter(() if cell.gap else cell.inputs), Counter(() if push is None else push.inputs)
        twice = sorted(key for key, count in window.items() if count > max(1, usual[key]))
        lacking = [] if cell.gap else sorted(usual - window)
        found.append(Column(cell, value, should, window, twice, lacking))
    return found


def _checked(value: object, how: str = "") -> float | Fraction:
    if isinstance(value, (int, float, Fraction)) and not isinstance(value, bool):
        return value
    raise BadInput(f"The output holds {value!r}, which is no number; only averages can be drawn{how}.")


def _in_order(streams: set[str]) -> list[str]:
    """Return streams in their order, unknown ones behind those of the course."""
    return sorted(streams, key=lambda one: (STREAMS.index(one) if one in STREAMS else len(STREAMS), one))


def _title(stream: str) -> str:
    return stream.replace("_", " ").title()


def _number(value: Fraction | None, otherwise: str = "") -> str:
    return otherwise if value is None else f"{float(value):.2f}".replace("-", "−")


def _heights(columns: Sequence[Column]) -> Callable[[Fraction], float]:
    """Return a function from a value to its pixels below the top of the picture in its column."""
    values = [value for one in columns for value in (one.value, one.should) if value is not None]
    least, most = min(values), max(values)
    return lambda value: float(EDGE + (HIGH - 2 * EDGE) * (most - value) / ((most - least) or 1))


def _marks(column: Column, height: Callable[[Fraction], float]) -> str:
    """Return the average of a column at its height, above the line on which it should be."""
    cell, value, should, middle, marks = column.cell, column.value, column.should, WIDE / 2, []
    if should is not None:
        marks.append(line(0, height(should), WIDE, height(should), stroke="blue", wide=1.6, dash="5 4"))
    if cell.times > 1 or cell.gap:
        at = height(value if value is not None else should or Fraction())
        marks.append(dot(middle, at, 7, fill="none", stroke="amber" if cell.gap else "red", wide=2))
    if value is not None:
        at = height(value)
        marks.append(diamond(middle, at, 5, fill="red") if cell.wrong else dot(middle, at, 4, fill="blue"))
    about = _number(value, "missing") + ("" if should is None else f", should be {_number(should)}")
    return svg(marks, WIDE, HIGH, about)


def _windows(columns: Sequence[Column], streams: Sequence[str]) -> str:
    """Return a table with a column for each average: its marks, its values, and the readings in its window."""
    (head, before), height = ([], None), _heights(columns)
    for one in columns:
        told = [f"hour {'—' if one.cell.item is None else one.cell.item}"]
        told += [f'<span class="eo-bad">{escape(mark)}</span>' for mark in one.cell.marks]
        if one.cell.life is not None and before not in (None, one.cell.life):
            told.append(f'<span class="eo-bad">✖ incarnation {one.cell.life} goes on</span>')
        before = before if one.cell.life is None else one.cell.life
        head.append("<br>".join(told))
    rows = [["°F", *(_marks(one, height) for one in columns)]]
    rows += [["average", *(_number(one.value, "—") for one in columns)]]
    if any(one.cell.wrong for one in columns):
        rows.append(["should be", *(_number(one.should) if one.cell.wrong else "" for one in columns)])
    hours = sorted({hour for one in columns for hour, _ in (*one.window, *one.lacking)})
    rows += [[f"hour {hour}", *(_cell(one, hour, streams) for one in columns)] for hour in hours]
    return cells_table(["", *head], rows, "eo-grid eo-many eo-windows")


def _cell(column: Column, hour: int, streams: Sequence[str]) -> str:
    """Return the readings of an hour in a window as signs: one for each, empty for those that it lacks."""
    inside = "".join(FULL[n % 3] * column.window[hour, stream] for n, stream in enumerate(streams))
    lacks = "".join(EMPTY[n % 3] for n, stream in enumerate(streams) if (hour, stream) in column.lacking)
    if not inside and not lacks:
        return ""
    twice = any(at == hour for at, _ in column.twice)
    about = "in the window twice" if twice else "left out of it" if lacks else "in the window"
    return word_html(
        "", inside + lacks, "doubles" if twice else "loses" if lacks else "holds", f"hour {hour}: {about}"
    )


def right_outcomes(ideals: Sequence[Ideal]) -> Picture:
    """Return the right outcomes of a job side by side, each with its averages in the order of the output.

    `ideals` are a result of `ideal_outcomes(handler, job)`. The sign of an average shows the stream of the last
    reading (a circle for the first, a square for the second); beside it stands the hour of this reading, beneath it
    the number of readings in the window. Up to 12 are drawn, the table has all. Raises `BadInput` for anything but
    ideals, and for an output that is not numbers.
    """
    found = list({ideal.outcome: ideal for ideal in several(ideals, Ideal)}.values())
    pushes = [push for one in found for push in one.pushes if _checked(push.value) is not None]
    streams = _in_order({push.inputs[-1][1] for push in pushes if push.inputs})
    signs = dict(zip(streams, FULL, strict=False)) if len(streams) > 1 else {}
    drawn, rows = "", []
    for number, one in enumerate(found, 1):
        cells, read, counts = [], [], [len(push.inputs) for push in one.pushes]
        for push, count in zip(one.pushes, counts, strict=True):
            hour, stream = push.inputs[-1] if push.inputs else (push.item, "")
            read.append(f"{_title(stream) or 'hour'} {hour}")
            middle, under = f"{signs.get(stream, '')} hour {hour}".strip(), f"{count} reading{'s' * (count != 1)}"
            cells.append(Cell(f"{float(push.value):.1f}", middle, under=under))
        averages = ", ".join(cell.top for cell in cells)
        rows.append((number, ", ".join(read), averages, ", ".join(map(str, counts)), one.outcome.counter))
        if number <= MOST_OUTCOMES:
            tape = cells_html(cells, f"outcome {number}, oldest first")
            counter = f'<p class="eo-dim">counter {one.outcome.counter}</p>'
            drawn += f'<div class="eo-outcome"><p class="eo-h">outcome {number}</p>{tape}{counter}</div>'
    said = [f"{sign} {_title(stream)} was read last" for stream, sign in signs.items()]
    said += ["beneath each average its hour, and how many readings the window held"]
    left = len(found) - MOST_OUTCOMES
    said += [f"{left:,} more are not drawn; the table has them"] * (left > 0)
    html = f'<div class="eo-rights" role="group" aria-label="Right outcomes">{drawn}</div>'
    table = pd.DataFrame(rows, columns=["outcome", "read", "averages", "readings in the window", "counter"])
    return Picture(f'{html}<p class="eo-dim">{" · ".join(said)}</p>', table, unfold="The right outcomes as a table")

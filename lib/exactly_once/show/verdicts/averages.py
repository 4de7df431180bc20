"""The averages of a run over time: wrong ones beside their right values, all above the windows of their readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from ...errors import BadInput, whole
from ...pipeline import Job
from ...pipeline.window import spans
from ...verdict import Verdict
from ...verdict.damage import pass_of
from ..base.canvas import CHARACTER, Mark, box, diamond, dot, group, line, svg, way, words
from ..base.chart import Scale, legend
from ..base.checks import given
from ..base.picture import Picture, scrolling
from .tape import Entry, entries

MOST = 28  # columns in one picture
BEFORE = 2  # columns kept before the first odd one
LEFT, RIGHT, TOP = 118, 16, 24
PLOT, WINDOWS = 168, 254  # the height of the plot, and the top of the windows
LEAST_STEP, MOST_STEP, ROW = 24, 96, 17


@dataclass(frozen=True)
class Column:
    """One record of the output, or a gap: its value, its right value (None: no value is right), and its window.

    `window` counts each (hour, stream) of the average's readings, `lacking` are the readings that it lacks.
    """

    cell: Entry
    value: Fraction | None
    should: Fraction | None
    window: Counter[tuple[int, str]]
    usual: Counter[tuple[int, str]]

    @property
    def twice(self) -> list[tuple[int, str]]:
        """The readings that the window holds too often."""
        return sorted(key for key, count in self.window.items() if count > max(1, self.usual[key]))

    @property
    def lacking(self) -> list[tuple[int, str]]:
        """The readings that the window lacks."""
        return [] if self.cell.gap else sorted(self.usual - self.window)


def averages(judged: Verdict, width: int = 780) -> Picture:
    """Return the averages of a `Verdict`'s run over time, with the windows of their readings beneath.

    A column is one record of the output, in its order. The value stands above, and, where it is wrong, the right
    value. For each hour of its window there are marks beneath, one for each reading: a circle for the first stream, a
    square for the second. A reading that is twice in the window has two marks, red and framed. Of a long output the
    part around the first damage is drawn; the table has all of it. `width` in pixels.

    Raises `BadInput` for a verdict on a run in which the handler failed, and for an output that is not numbers.
    """
    columns = _columns(given(judged, Verdict))
    whole("the width of the picture", width, least=300)
    if not columns:
        return Picture('<p class="eo-dim">Nothing has been pushed.</p>')
    first = next((number for number, column in enumerate(columns) if column.cell.marks), 0)
    first = max(0, min(first - BEFORE, len(columns) - MOST))
    shown = columns[first : first + MOST]
    job = judged.run.job
    drawing = _Drawing(shown, list(job.inputs()) if isinstance(job, Job) else [], width)
    drawn = scrolling(drawing.svg(), "Averages over time, and their windows")
    html = f"{drawn}{_left_out(first, len(columns) - first - len(shown))}"
    return Picture(html, averages_table(judged), unfold="The averages and their windows as a table")


def averages_table(judged: Verdict) -> pd.DataFrame:
    """Return a `Verdict`'s averages as a DataFrame: hour, average, right value, mark, and the window."""
    rows = [
        {
            "hour": column.cell.item,
            "average": _number(column.value) if column.value is not None else "—",
            "should be": _number(column.should) if column.should is not None else "nothing",
            "mark": ", ".join(column.cell.marks) or "✓",
            "window": spans(hour for hour, _ in column.window) if column.window else "",
            "in it twice": spans(hour for hour, _ in column.twice) if column.twice else "",
            "left out of it": spans(hour for hour, _ in column.lacking) if column.lacking else "",
        }
        for column in _columns(given(judged, Verdict))
    ]
    names = ["hour", "average", "should be", "mark", "window", "in it twice", "left out of it"]
    return pd.DataFrame(rows, columns=names)


def _columns(judged: Verdict) -> list[Column]:
    if judged.nearest is None:
        raise BadInput("The handler failed in this run, so nobody knows what its averages should be; mend it first.")
    right = {pass_of(push): push for push in judged.nearest}
    of_item = {push.item: push for push in judged.nearest}
    found = []
    for cell in entries(judged):
        push = right.get(cell.inputs[-1] if cell.inputs else cell.item, of_item.get(cell.item))
        should = None if push is None else _fraction(push.value)
        usual = Counter(() if push is None else push.inputs)
        value = None if cell.gap else _fraction(cell.value)
        found.append(Column(cell, value, should, Counter(cell.inputs), usual))
    return found


def _fraction(value: object) -> Fraction:
    if isinstance(value, (int, float, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    raise BadInput(f"The output holds {value!r}, which is no number; only averages can be drawn over time.")


def _number(value: Fraction) -> str:
    return f"{float(value):.2f}".replace("-", "−")


def _left_out(before: int, after: int) -> str:
    said = [f"{count} {where}" for count, where in ((before, "before"), (after, "after")) if count]
    return f'<p class="eo-dim">Records that are not drawn: {" and ".join(said)}.</p>' if said else ""


class _Drawing:
    """The laid out columns: the plot above, a row for each hour below."""

    def __init__(self, columns: Sequence[Column], streams: Sequence[str], width: int) -> None:
        self.columns = columns
        seen = {stream for column in columns for _, stream in (*column.window, *column.usual)}
        self.streams = [stream for stream in streams if stream in seen] + sorted(seen - set(streams))
        hours = sorted({hour for column in columns for hour, _ in (*column.window, *column.lacking)})
        self.step = max(LEAST_STEP, min(MOST_STEP, (width - LEFT - RIGHT) / len(columns)))
        self.width = max(width, LEFT + RIGHT + self.step * len(columns))
        self.rows = {hour: WINDOWS + ROW * (number + 0.5) for number, hour in enumerate(hours)}  # their middles
        self.under = WINDOWS + ROW * len(hours) + 10  # the bottom of the windows, and the top of the legend
        values = [float(one) for column in columns for one in (column.value, column.should) if one is not None]
        low, high = min(values, default=0.0), max(values, default=1.0)
        room = (high - low) * 0.12 or 0.5
        self.y = Scale(TOP + PLOT, TOP, low - room, high + room)

    def x(self, number: int) -> float:
        """Return the middle of a column."""
        return LEFT + self.step * (number + 0.5)

    def svg(self) -> str:
        """Return all of it as SVG."""
        names, bottom = legend(self._legend(), LEFT, self.width, self.under)
        marks = [*self._scale(), *self._windows(), *self._lives(), *self._right(), *self._values(), names]
        return svg(marks, self.width, bottom, self._summary(), "eo-st eo-averages")

    def _summary(self) -> str:
        odd = [
            f"hour {column.cell.item}: {', '.join(column.cell.marks)}" for column in self.columns if column.cell.marks
        ]
        said = "; ".join(odd) or "None is odd"
        return f"{len(self.columns)} averages over time. {said}. The table below says the same."

    def _scale(self) -> Iterator[Mark]:
        """Yield the values' scale on the left, and the rows' names."""
        yield from self.y.upward(LEFT, self.width - RIGHT)
        yield words(2, TOP - 9, "average, °F", "lane")
        yield words(2, WINDOWS - 8, "its window", "lane")
        for hour, y in self.rows.items():
            yield words(LEFT - 8, y + 4, f"hour {hour}", "sub", "end")
        for number, column in enumerate(self.columns):
            text = "—" if column.cell.item is None else str(column.cell.item)
            yield words(self.x(number), TOP + PLOT + 20, f"hour {text}" if self.step >= 48 else text, "at")
            for below, sign in enumerate(column.cell.marks):
                said = sign if self.step >= 60 else sign.partition(" ")[0]
                kind = "gap" if column.cell.gap else "bad"
                yield words(self.x(number), TOP + PLOT + 34 + 13 * below, said, f"at {kind}")

    def _lives(self) -> Iterator[Mark]:
        """Yield the borders between the records of one incarnation and the next."""
        before = None
        for number, column in enumerate(self.columns):
            life = column.cell.life
            if life is not None and before is not None and life != before:
                x = LEFT + self.step * number
                yield line(x, TOP - 6, x, self.under - 8, "death")
                yield words(x + 5, TOP - 9, f"✖ incarnation {life} goes on", "bad")
            before = before if life is None else life

    def _right(self) -> Iterator[Mark]:
        """Yield the right values, as a line."""
        points = [(self.x(n), self.y(one.should)) for n, one in enumerate(self.columns) if one.should is not None]
        yield way(points, "should")

    def _values(self) -> Iterator[Mark]:
        """Yield the values: a filled circle where right, a diamond where wrong, an empty circle where missing."""
        for number, column in enumerate(self.columns):
            marks = list(self._value(self.x(number), column))
            if marks:
                yield group(*marks, title=self._told(column))

    def _value(self, x: float, column: Column) -> Iterator[Mark]:
        there = None if column.should is None else self.y(column.should)
        if column.value is None:
            if there is not None:
                yield dot(x, there, 6, "missing")
            return
        y = self.y(column.value)
        if not column.cell.wrong:
            yield dot(x, y, 5.5, "right")
            if column.cell.times > 1:
                yield dot(x, y, 10, "again")
            return
        if there is not None and column.should is not None:
            yield line(x, y, x, there, "apart")
            yield dot(x, there, 4.5, "shouldbe")
            if self.step >= 5 * CHARACTER + 20:
                apart = float(column.value - column.should)
                yield words(x + 10, (y + there) / 2 + 4, f"{apart:+.2f}".replace("-", "−"), "bad halo")
        yield diamond(x, y, 8, "wrong")

    def _told(self, column: Column) -> str:
        is_ = "nothing was pushed" if column.value is None else _number(column.value)
        should = "" if column.should is None or not column.cell.marks else f", should be {_number(column.should)}"
        return f"hour {column.cell.item}: {is_}{should}{'; ' * bool(column.cell.marks)}{', '.join(column.cell.marks)}"

    def _windows(self) -> Iterator[Mark]:
        """Yield for each column and hour a mark for each reading in the window."""
        for number, column in enumerate(self.columns):
            odd = {hour for hour, _ in column.twice}
            for hour, y in self.rows.items():
                inside = [stream for stream in self.streams for _ in range(column.window[hour, stream])]
                lacks = [stream for stream in self.streams if (hour, stream) in column.lacking]
                if inside or lacks:
                    kind = "double" if hour in odd else "lacks" if lacks else "holds"
                    yield self._cell(self.x(number), y, kind, inside, lacks)

    def _cell(self, x: float, y: float, kind: str, inside: Sequence[str], lacks: Sequence[str]) -> Mark:
        wide, marks = self.step - 4, [*inside, *lacks]
        pitch = min(11.0, (wide - 4) / max(len(marks), 1))
        drawn = [box(x - wide / 2, y - ROW / 2 + 1, wide, ROW - 2, kind, rx=3)]
        for number, stream in enumerate(marks):
            at = x + pitch * (number - (len(marks) - 1) / 2)
            look = "reading" if number < len(inside) else "hole"
            drawn.append(_mark(self.streams.index(stream), at, y, min(3.6, pitch / 2 - 0.4), look))
        return group(*drawn, css=f"in-{kind}")

    def _legend(self) -> list[tuple[list[Mark], str]]:
        """Return the legend's entries for the marks in the drawing."""
        kinds = {kind for column in self.columns for kind in self._kinds(column)}
        entries = [
            ("right", dot(6, -4, 5, "right"), "right"),
            ("wrong", diamond(6, -4, 7, "wrong"), "≠ wrong"),
            ("wrong", dot(6, -4, 4.5, "shouldbe"), "what it should be"),
            ("again", dot(6, -4, 6.5, "again"), "× pushed again"),
            ("missing", dot(6, -4, 5, "missing"), "○ missing"),
            *(("", _mark(n, 6, -4, 4, "reading"), f"reading of {_title(one)}") for n, one in enumerate(self.streams)),
            ("twice", box(-2, -11, 17, 14, "double", rx=3), "in the window twice"),
            ("lacks", box(-2, -11, 17, 14, "lacks", rx=3), "left out of it"),
        ]
        return [([sign], said) for kind, sign, said in entries if not kind or kind in kinds]

    @staticmethod
    def _kinds(column: Column) -> Iterator[str]:
        cell = column.cell
        yield "missing" if cell.gap else "wrong" if cell.wrong else "again" if cell.times > 1 else "right"
        yield from ["twice"] * bool(column.twice) + ["lacks"] * bool(column.lacking)


def _title(stream: str) -> str:
    return stream.replace("_", " ").title()


def _mark(number: int, x: float, y: float, r: float, look: str) -> Mark:
    """Return the mark of a reading: a circle for the first stream, a square for the second, a diamond for others."""
    if number == 0:
        return dot(x, y, r, look)
    return box(x - r, y - r, 2 * r, 2 * r, look) if number == 1 else diamond(x, y, r, look)

"""The averages of a run over time: wrong ones beside their right values, all above the windows of their readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

import pandas as pd

from ...errors import BadInput, whole
from ...node.words import spans
from ...pipeline import Job
from ...verdict import Verdict
from ...verdict.damage import pass_of
from ..base.checks import given
from ..base.picture import Picture, scrolling
from .tape import Cell, cells

MOST = 28  # columns in one picture
BEFORE = 2  # columns kept before the first odd one
LEFT, RIGHT, TOP = 118, 16, 24
PLOT, GAP = 168, 62  # the heights of the plot, and of the space between it and the windows
LEAST_STEP, MOST_STEP, ROW = 24, 96, 17
LEGEND = 20  # the height of one of its lines
CHARACTER = 6.4  # pixels, on the average


@dataclass(frozen=True)
class Column:
    """One record of the output, or a gap: its value, its right value (None: no value is right), and its window.

    `window` counts each (hour, stream) of the average's readings, `lacking` are the readings that it lacks.
    """

    cell: Cell
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
    for cell in cells(judged):
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
    return f"{float(value):.2f}"


def _left_out(before: int, after: int) -> str:
    said = [f"{count} {where}" for count, where in ((before, "before"), (after, "after")) if count]
    return f'<p class="eo-dim">Records that are not drawn: {" and ".join(said)}.</p>' if said else ""


class _Drawing:
    """The laid out columns: the plot above, a row for each hour below."""

    def __init__(self, columns: Sequence[Column], streams: Sequence[str], width: int) -> None:
        self.columns = columns
        seen = {stream for column in columns for _, stream in (*column.window, *column.usual)}
        self.streams = [stream for stream in streams if stream in seen] + sorted(seen - set(streams))
        self.hours = sorted({hour for column in columns for hour, _ in (*column.window, *column.lacking)})
        self.step = max(LEAST_STEP, min(MOST_STEP, (width - LEFT - RIGHT) / len(columns)))
        self.width = max(width, LEFT + RIGHT + self.step * len(columns))
        self.rows = TOP + PLOT + GAP  # the top of the windows
        self.under = self.rows + ROW * len(self.hours) + 10  # the bottom of the windows, and the top of the legend
        self.legend, lines = self._legend()
        self.height = self.under + LEGEND * lines
        values = [float(one) for column in columns for one in (column.value, column.should) if one is not None]
        low, high = min(values, default=0.0), max(values, default=1.0)
        room = (high - low) * 0.12 or 0.5
        self.low, self.high = low - room, high + room

    def x(self, number: int) -> float:
        """Return the middle of a column."""
        return LEFT + self.step * (number + 0.5)

    def y(self, value: Fraction | float) -> float:
        """Return the height of a value."""
        return TOP + PLOT * (self.high - float(value)) / (self.high - self.low)

    def row(self, hour: int) -> float:
        """Return the middle of an hour's row."""
        return self.rows + ROW * (self.hours.index(hour) + 0.5)

    def svg(self) -> str:
        """Return all of it as SVG."""
        parts = [*self._scale(), *self._windows(), *self._lives(), *self._right(), *self._values(), *self.legend]
        size = f'width="{self.width:.0f}" height="{self.height:.0f}"'
        box = f'viewBox="0 0 {self.width:.0f} {self.height:.0f}"'
        return (
            f'<svg class="eo-st eo-averages" xmlns="http://www.w3.org/2000/svg" {size} {box} role="img" '
            f'aria-label="{escape(self._summary())}">{"".join(parts)}</svg>'
        )

    def _summary(self) -> str:
        odd = [
            f"hour {column.cell.item}: {', '.join(column.cell.marks)}" for column in self.columns if column.cell.marks
        ]
        said = "; ".join(odd) or "None is odd"
        return f"{len(self.columns)} averages over time. {said}. The table below says the same."

    def _scale(self) -> Iterator[str]:
        """Draw the values' scale on the left, and the rows' names."""
        for share in (0, 0.25, 0.5, 0.75, 1):
            value = self.low + share * (self.high - self.low)
            y = self.y(value)
            yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{self.width - RIGHT}" y2="{y:.1f}"/>'
            yield f'<text class="sub" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.1f}</text>'
        yield f'<text class="lane" x="2" y="{TOP - 9}">average, °F</text>'
        yield f'<text class="lane" x="2" y="{self.rows - 8}">its window</text>'
        for hour in self.hours:
            words = f"hour {hour}"
            yield f'<text class="sub" x="{LEFT - 8}" y="{self.row(hour) + 4:.1f}" text-anchor="end">{words}</text>'
        for number, column in enumerate(self.columns):
            text = "—" if column.cell.item is None else str(column.cell.item)
            words = f"hour {text}" if self.step >= 48 else text
            yield f'<text class="at" x="{self.x(number):.1f}" y="{TOP + PLOT + 20}">{words}</text>'
            for line, mark in enumerate(column.cell.marks):
                sign = mark if self.step >= 60 else mark.partition(" ")[0]
                kind = "gap" if column.cell.gap else "bad"
                y = TOP + PLOT + 34 + 13 * line
                yield f'<text class="at {kind}" x="{self.x(number):.1f}" y="{y}">{sign}</text>'

    def _lives(self) -> Iterator[str]:
        """Draw the borders between the records of one incarnation and the next."""
        before = None
        for number, column in enumerate(self.columns):
            life = column.cell.life
            if life is not None and before is not None and life != before:
                x = LEFT + self.step * number
                yield f'<line class="death" x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{self.under - 8}"/>'
                yield f'<text class="bad" x="{x + 5:.1f}" y="{TOP - 9}">✖ incarnation {life} goes on</text>'
            before = before if life is None else life

    def _right(self) -> Iterator[str]:
        """Draw the right values, as a line."""
        points = [(self.x(n), self.y(one.should)) for n, one in enumerate(self.columns) if one.should is not None]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline class="should" points="{path}"/>'

    def _values(self) -> Iterator[str]:
        """Draw the values: a filled circle where right, a diamond where wrong, an empty circle where missing."""
        for number, column in enumerate(self.columns):
            x, cell = self.x(number), column.cell
            about = f"<title>{escape(self._told(column))}</title>"
            if column.value is None:
                if column.should is not None:
                    y = self.y(column.should)
                    yield f'<g>{about}<circle class="missing" cx="{x:.1f}" cy="{y:.1f}" r="6"/></g>'
                continue
            y = self.y(column.value)
            if not cell.wrong:
                ring = f'<circle class="again" cx="{x:.1f}" cy="{y:.1f}" r="10"/>' if cell.times > 1 else ""
                yield f'<g>{about}<circle class="right" cx="{x:.1f}" cy="{y:.1f}" r="5.5"/>{ring}</g>'
                continue
            up = ""
            if column.should is not None:
                there = self.y(column.should)
                apart = float(column.value - column.should)
                up = (
                    f'<line class="apart" x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{there:.1f}"/>'
                    f'<circle class="shouldbe" cx="{x:.1f}" cy="{there:.1f}" r="4.5"/>'
                )
                if self.step >= 2 * CHARACTER + 32:
                    up += f'<text class="bad halo" x="{x + 10:.1f}" y="{(y + there) / 2 + 4:.1f}">{apart:+.2f}</text>'
            d = f"M{x:.1f} {y - 8:.1f} l8 8 -8 8 -8 -8z"
            yield f'<g>{about}{up}<path class="wrong" d="{d}"/></g>'

    def _told(self, column: Column) -> str:
        is_ = "nothing was pushed" if column.value is None else _number(column.value)
        should = "" if column.should is None or not column.cell.marks else f", should be {_number(column.should)}"
        return f"hour {column.cell.item}: {is_}{should}{'; ' * bool(column.cell.marks)}{', '.join(column.cell.marks)}"

    def _windows(self) -> Iterator[str]:
        """Draw for each column and hour a mark for each reading in the window."""
        for number, column in enumerate(self.columns):
            odd = {hour for hour, _ in column.twice}
            for hour in self.hours:
                inside = [stream for stream in self.streams for _ in range(column.window[hour, stream])]
                lacks = [stream for stream in self.streams if (hour, stream) in column.lacking]
                if inside or lacks:
                    kind = "double" if hour in odd else "lacks" if lacks else "holds"
                    yield self._cell(self.x(number), self.row(hour), kind, inside, lacks)

    def _cell(self, x: float, y: float, kind: str, inside: Sequence[str], lacks: Sequence[str]) -> str:
        wide, marks = self.step - 4, [*inside, *lacks]
        pitch = min(11.0, (wide - 4) / max(len(marks), 1))
        drawn = [
            f'<rect class="{kind}" x="{x - wide / 2:.1f}" y="{y - ROW / 2 + 1:.1f}" width="{wide:.1f}" '
            f'height="{ROW - 2}" rx="3"/>'
        ]
        for number, stream in enumerate(marks):
            at = x + pitch * (number - (len(marks) - 1) / 2)
            look = "reading" if number < len(inside) else "hole"
            drawn.append(_mark(self.streams.index(stream), at, y, min(3.6, pitch / 2 - 0.4), look))
        return f'<g class="in-{kind}">{"".join(drawn)}</g>'

    def _legend(self) -> tuple[list[str], int]:
        """Return the legend's entries for the marks in the drawing, and the number of its lines."""
        kinds = {kind for column in self.columns for kind in self._kinds(column)}
        drawn, x, line = [], float(LEFT), 0
        entries = [
            ("right", '<circle class="right" cx="6" cy="-4" r="5"/>', "right"),
            ("wrong", '<path class="wrong" d="M6 -11 l7 7 -7 7 -7 -7z"/>', "≠ wrong"),
            ("wrong", '<circle class="shouldbe" cx="6" cy="-4" r="4.5"/>', "what it should be"),
            ("again", '<circle class="again" cx="6" cy="-4" r="6.5"/>', "× pushed again"),
            ("missing", '<circle class="missing" cx="6" cy="-4" r="5"/>', "○ missing"),
            *(
                ("", _mark(n, 6, -4, 4, "reading"), f"reading of {_title(name)}")
                for n, name in enumerate(self.streams)
            ),
            ("twice", '<rect class="double" x="-2" y="-11" width="17" height="14" rx="3"/>', "in the window twice"),
            ("lacks", '<rect class="lacks" x="-2" y="-11" width="17" height="14" rx="3"/>', "left out of it"),
        ]
        for kind, mark, words in entries:
            if kind and kind not in kinds:
                continue
            if x + 20 + CHARACTER * len(words) > self.width:
                x, line = float(LEFT), line + 1
            place = f"translate({x:.0f} {self.under + LEGEND * (line + 0.7):.0f})"
            drawn.append(f'<g transform="{place}">{mark}<text class="sub" x="20" y="0">{words}</text></g>')
            x += 38 + CHARACTER * len(words)
        return drawn, line + 1

    @staticmethod
    def _kinds(column: Column) -> Iterator[str]:
        cell = column.cell
        yield "missing" if cell.gap else "wrong" if cell.wrong else "again" if cell.times > 1 else "right"
        yield from ["twice"] * bool(column.twice) + ["lacks"] * bool(column.lacking)


def _title(stream: str) -> str:
    return escape(stream.replace("_", " ").title())


def _mark(number: int, x: float, y: float, r: float, look: str) -> str:
    """Return the mark of a reading: a circle for the first stream, a square for the second, a diamond for others."""
    if number == 0:
        return f'<circle class="{look}" cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"/>'
    if number == 1:
        return f'<rect class="{look}" x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r:.1f}" height="{2 * r:.1f}"/>'
    return f'<path class="{look}" d="M{x:.1f} {y - r:.1f} l{r:.1f} {r:.1f} {-r:.1f} {r:.1f} {-r:.1f} {-r:.1f}z"/>'

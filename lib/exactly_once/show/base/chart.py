"""The parts that all charts share: scales with their grids, the legend, and a chart of lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .canvas import CHARACTER, Mark, diamond, dot, group, line, svg, way, words

APART = 34  # pixels between the numbers of a scale from left to right, at least
LEGEND = 20  # the height of a line of the legend
LEFT, RIGHT, TOP, UNDER = 76, 16, 26, 46  # around the plot of a chart of lines


class Scale:
    """Values as pixels, `low` at `start` and `high` at `end`; with `log` their logarithms."""

    def __init__(self, start: float, end: float, low: float, high: float, log: bool = False) -> None:
        self.start, self.end, self.low, self.high, self.log = start, end, low, high, log

    def __call__(self, value: float | Fraction) -> float:
        """Return the place of a value."""
        low, high, at = map(math.log if self.log else float, (self.low, self.high, value))
        return self.start + (self.end - self.start) * (at - low) / ((high - low) or 1)

    def round_values(self, most: int = 6) -> list[float]:
        """Return about `most` round values of the scale: tenths, fifths or halves of a power of ten apart."""
        if self.log and self.high > 8 * self.low:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            found = [step * 10.0**power for power in powers for step in (1, 2, 5)]
        else:
            unit = 10.0 ** math.floor(math.log10((self.high - self.low or 1) / most))
            step = next(unit * times for times in (1, 2, 5, 10) if unit * times * most >= self.high - self.low)
            found = [step * n for n in range(math.floor(self.low / step), math.ceil(self.high / step) + 1)]
        return [value for value in found if self.low <= value <= self.high]

    def across(self, top: float, bottom: float) -> Iterator[Mark]:
        """Yield upright lines with their numbers beneath; 1 has room before all others."""
        kept: list[float] = []
        for value in sorted(self.round_values(10), key=lambda one: (one != 1, abs(one))):
            x = self(value)
            if all(abs(x - other) >= APART for other in kept):
                kept.append(x)
                yield line(x, top, x, bottom, stroke="line", wide=1)
                yield words(x, bottom + 16, _number(value), "sub", "middle")

    def upward(self, left: float, right: float) -> Iterator[Mark]:
        """Yield level lines with their numbers at the left."""
        for value in self.round_values(5):
            yield line(left, self(value), right, self(value), stroke="line", wide=1)
            yield words(left - 8, self(value) + 4, _number(value), "sub", "end")


def _number(value: float) -> str:
    return f"{value:,.6g}".replace("-", "−")


def legend(
    entries: Sequence[tuple[Sequence[Mark], str]], left: float, right: float, top: float
) -> tuple[Mark, float]:
    """Return a legend as (its marks, its bottom): the sign of each entry, drawn about (6, −4), with its words."""
    drawn, x, y = [], left, top + 14
    for sign, said in entries:
        if x > left and x + 20 + CHARACTER * len(said) > right:
            x, y = left, y + LEGEND
        drawn.append(group(*sign, words(20, 0, said, "sub"), transform=f"translate({x:.0f} {y:.0f})"))
        x += 38 + CHARACTER * len(said)
    return group(*drawn), y + 6


@dataclass(frozen=True)
class Series:
    """Points of a chart in a colour: joined by a line, `wide` pixels and perhaps dashed, or each with a mark."""

    name: str
    points: Sequence[tuple[float, float]]
    colour: str
    wide: float = 0
    dash: str = ""
    shape: str = ""
    said: str = "{:,.0f}"

    def drawn(self, points: Sequence[tuple[float, float]], hints: Sequence[str] = ()) -> Iterator[Mark]:
        """Yield the series at these places."""
        if self.wide:
            yield way(points, stroke=self.colour, wide=self.wide, dash=self.dash, fill="none")
        for number, (x, y) in enumerate(points if self.shape else ()):
            hint = hints[number] if hints else ""
            look: dict[str, Any] = {"fill": self.colour, "title": hint}
            if self.shape == "ring":
                yield dot(x, y, 7, fill="none", stroke=self.colour, wide=2, title=hint)
            else:
                yield diamond(x, y, 5, **look) if self.shape == "diamond" else dot(x, y, 4, **look)


def line_chart(
    series: Sequence[Series], titles: tuple[str, str], about: str, width: float = 820, height: float = 340,
    ends: tuple[float, float] | None = None, css: str = "eo-st",
) -> str:  # fmt: skip
    """Return a chart of lines as SVG.

    `titles` are those of its axes; `ends` are the ends of the one across, if that has no numbers.
    """
    series, under = [one for one in series if one.points], UNDER if ends is None else 4
    points = [point for one in series for point in one.points]
    (first, last), least, highest = ends or _ends([x for x, _ in points]), *_ends([y for _, y in points])
    x = Scale(LEFT, width - RIGHT, first, last)
    y = Scale(height - under, TOP, least, highest + 0.12 * (highest - least))
    marks = [*(x.across(TOP, height - under) if ends is None else ()), *y.upward(LEFT, width - RIGHT)]
    for one in series:
        hints = [one.said.format(value) for _, value in one.points]
        marks += one.drawn([(x(a), y(b)) for a, b in one.points], hints)
    marks += [words(2, 12, titles[1], "lane"), words(width - RIGHT, height - 12, titles[0], "sub", "end")]
    signs = [
        (list(one.drawn([(-2, -4), (14, -4)] if one.wide else [(6, -4)])), one.name) for one in series if one.name
    ]
    names, bottom = legend(signs, LEFT, width, height)
    return svg([*marks, names], width, bottom, about, css)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)

"""The canvas: a picture as a list of marks, which are data, and the one place in which marks become SVG.

Lengths are pixels. `Labels` finds a free place for words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

CHARACTER, BOLD = 6.9, 7.7  # pixels of a letter, on the average
LINE = 13  # pixels from a line of words to the next
LOOKS = {  # the names of a mark's looks, and the properties behind them
    "fill": "fill", "stroke": "stroke", "tone": "--c",
    "wide": "stroke-width", "dash": "stroke-dasharray", "opacity": "opacity",
    "moved": "transform",
}  # fmt: skip
COLOURED = ("fill", "stroke", "tone")  # those whose value is the name of one of the pictures' colours, or a pattern


@dataclass(frozen=True)
class Mark:
    """One element of a picture: an SVG tag, its attributes, its words, and the marks in it.

    `title` is the hint at the mark.
    """

    tag: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    words: str = ""
    title: str = ""
    within: tuple[Mark, ...] = ()

    def svg(self) -> str:
        """Return the mark as SVG."""
        said = "".join(f' {name}="{_said(value)}"' for name, value in self.attributes.items() if value != "")
        hint = f"<title>{escape(self.title)}</title>" if self.title else ""
        inside = f"{hint}{escape(self.words)}{''.join(mark.svg() for mark in self.within)}"
        return f"<{self.tag}{said}>{inside}</{self.tag}>" if inside or self.tag == "tspan" else f"<{self.tag}{said}/>"


def _said(value: Any) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else escape(str(value))


def mark(tag: str, css: str = "", title: str = "", words: str = "", within: Iterable[Mark] = (), **at: Any) -> Mark:
    """Return a mark. `at` has its attributes, and among them its looks: `fill`, `stroke` and `tone` name a colour,
    `wide` and `dash` are of a line, `opacity` of all, `moved` is a transformation that the page
    may change, such as "translateX(20px)".
    """
    looks = {name: at.pop(name) for name in LOOKS if name in at}
    style = ";".join(f"{LOOKS[name]}:{_look(name, value)}" for name, value in looks.items())
    named = {name.replace("_", "-"): value for name, value in at.items()}
    return Mark(tag, {"class": css, **named, "style": style}, words, title, tuple(within))


def _look(name: str, value: Any) -> Any:
    is_colour = name in COLOURED and value != "none" and not value.startswith("url(")
    return f"var(--eo-{value})" if is_colour else value


def line(x1: float, y1: float, x2: float, y2: float, css: str = "", **more: Any) -> Mark:
    """Return a straight line; its looks are `stroke`, `wide` and `dash`."""
    return mark("line", css, x1=x1, y1=y1, x2=x2, y2=y2, **more)


def way(points: Iterable[tuple[float, float]], css: str = "", **more: Any) -> Mark:
    """Return a line through points."""
    return mark("polyline", css, points=_points(points), **more)


def box(x: float, y: float, width: float, height: float, css: str = "", **more: Any) -> Mark:
    """Return a rectangle by its left upper corner; `rx` rounds its corners."""
    return mark("rect", css, x=x, y=y, width=width, height=height, **more)


def dot(x: float, y: float, radius: float, css: str = "", **more: Any) -> Mark:
    """Return a circle."""
    return mark("circle", css, cx=x, cy=y, r=radius, **more)


def diamond(x: float, y: float, half: float, css: str = "", **more: Any) -> Mark:
    """Return a square that stands on a corner, by its middle."""
    way = f"M{x:.1f} {y - half:.1f}l{half:g} {half:g}l{-half:g} {half:g}l{-half:g} {-half:g}z"
    return mark("path", css, d=way, **more)


def cross(x: float, y: float, half: float = 7, css: str = "cross", **more: Any) -> Mark:
    """Return a cross by its middle: a death, or a lost message."""
    way = f"M{x - half:.1f} {y - half:.1f}l{2 * half:g} {2 * half:g}m0 {-2 * half:g}l{-2 * half:g} {2 * half:g}"
    return mark("path", css, d=way, **more)


def arrow(start: tuple[float, float], end: tuple[float, float], css: str, tip_css: str, rim: float) -> Mark:
    """Return a straight arrow between the rims of two dots, `rim` pixels from their middles."""
    (x1, y1), (x2, y2) = start, end
    length = math.dist(start, end) or 1
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    x2, y2 = x2 - dx * (rim + 2), y2 - dy * (rim + 2)
    back, aside = (x2 - 7 * dx, y2 - 7 * dy), (3.5 * dy, -3.5 * dx)
    tip = [(x2, y2), *((back[0] + side * aside[0], back[1] + side * aside[1]) for side in (-1, 1))]
    shaft = line(x1 + dx * rim, y1 + dy * rim, x2, y2, css)
    return group(shaft, mark("polygon", tip_css, points=_points(tip)))


def words(x: float, y: float, said: object, css: str = "", anchor: str = "", **more: Any) -> Mark:
    """Return words at a place; `anchor` is "middle" or "end", else the words begin there."""
    return mark("text", css, words=str(said), text_anchor=anchor, x=x, y=y, **more)


def group(*marks: Mark, css: str = "", title: str = "", **more: Any) -> Mark:
    """Return marks as one, with a common hint."""
    return mark("g", css, title, within=marks, **more)


def lane(title: object, y: float, under: object = "") -> Mark:
    """Return the name of a lane at the left edge of a picture, with a second line of words `under` it."""
    if not under:
        return words(2, y + 4, title, "lane")
    return group(words(2, y - 2, title, "lane"), words(2, y + 12, under, "sub"))


def hatchings(name: str, gaps: Mapping[str, float]) -> Mark:
    """Return patterns of slanted lines: {kind: pixels between its lines}. The name "url(#name-kind)" is their `fill`,
    and "hatch-kind" the class of their lines.
    """
    looks = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    patterns = (
        mark(
            "pattern",
            id=f"{name}-{kind}",
            width=gap,
            height=gap,
            within=[line(0, 0, 0, gap, f"hatch-{kind}")],
            **looks,
        )
        for kind, gap in gaps.items()
    )
    return mark("defs", within=patterns)


def svg(marks: Iterable[Mark], width: float, height: float, about: str, css: str = "eo-st") -> str:
    """Return marks as a picture in SVG; a screen reader reads `about` aloud."""
    size = {"width": round(width), "height": round(height), "viewBox": f"0 0 {width:.0f} {height:.0f}"}
    size["style"] = f"--wide:{width:.0f}px"
    head = {"class": css, "xmlns": "http://www.w3.org/2000/svg", **size, "role": "img", "aria-label": about}
    return Mark("svg", head, within=tuple(marks)).svg()


def fits(said: str, width: float) -> bool:
    """Tell whether words have room in so many pixels."""
    return len(said) * CHARACTER + 11 <= width


class Labels:
    """Words beside marks, each as near to its mark as it can be without covering the words before it.

    `right` is the picture's right edge; words stand between `top` and `bottom`.
    """

    def __init__(self, right: float, top: float = 11, bottom: float = math.inf) -> None:
        self.right, self.top, self.bottom = right, top, bottom
        self.taken: list[tuple[float, float, float]] = []

    def beside(self, x: float, y: float, said: str, css: str = "", gap: float = 10, away: int = 0) -> Mark:
        """Return words at a height, right of a mark, or left of it where the picture ends.

        They go up to `away` lines further up or down for a free place; without one they stay.
        """
        wide = (BOLD if css in ("bad", "strong") else 7) * len(said)
        left = x + gap + wide > self.right
        start = x - gap - wide if left else x + gap
        steps = [0, *(16 * number * sign for number in range(1, away + 1) for sign in (1, -1))]
        tries = [y + step for step in steps if self.top <= y + step <= self.bottom]
        y = next((one for one in tries if self.is_free(start, start + wide, one)), y)
        self.taken.append((start, start + wide, y))
        return words(x - gap if left else x + gap, y, said, f"{css} halo".strip(), "end" if left else "")

    def above(self, x: float, y: float, said: str, css: str = "", least: float = 0) -> Mark:
        """Return words at a height with their middle at `x`, or as near to it as leaves all words apart.

        They begin at `least` or right of it.
        """
        half = len(said) * (BOLD if "strong" in css or "bad" in css else CHARACTER) / 2
        x = min(x, self.right - half - 2)
        there = [(start, end) for start, end, at in self.taken if at == y]
        spots = [x, least + half, *(edge for first, last in there for edge in (first - 6 - half, last + 6 + half))]
        free = [
            spot
            for spot in spots
            if spot >= least + half
            and not any(spot - half < last + 5 and spot + half > first - 5 for first, last in there)
        ]
        x = min(free, key=lambda spot: abs(spot - x))
        self.taken.append((x - half, x + half, y))
        return words(x, y, said, css, "middle")

    def is_free(self, start: float, end: float, y: float) -> bool:
        """Tell whether nothing was written between two edges, at a height."""
        return all(start > right or end < left or abs(y - at) > LINE for left, right, at in self.taken)


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)

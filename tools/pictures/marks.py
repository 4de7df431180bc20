"""The marks of which the pictures at the head of the chapters are made, as SVG: one look for all of them.

Colours are those of the course's own pictures, `exactly_once.show.base.theme`, for light and for dark pages. A picture
has a background of its own, so it can be read on a page whose theme is not the browser's.
"""

import math
import re
from html import escape

from exactly_once.show.base.theme import CSS

WIDTH, HEIGHT = 680, 210
COLOURS = re.findall(r"--eo-(\w+): (#[0-9a-fA-F]+)", CSS)
NEEDED = ("blue", "green", "red", "amber", "purple", "grey", "on")
GROUND = {"bg": ("#ffffff", "#161b22"), "ink": ("#111827", "#f0f3f6"), "dim": ("#4b5563", "#a9b3bf")}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
RADIUS = 13  # of a dot, in pixels


def picture(title: str, about: str, caption: str, *marks: str, height: int = HEIGHT) -> str:
    """Return a picture as a file of SVG: its marks on a card, and a caption of one sentence below them.

    about: what the picture shows, for readers who cannot see it
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-labelledby="title about">\n<title id="title">{escape(title)}</title>\n'
        f'<desc id="about">{escape(about)}</desc>\n<style>{_style()}</style>\n'
        f'<rect class="card" x=".75" y=".75" width="{WIDTH - 1.5}" height="{height - 1.5}" rx="10"/>\n'
        + "\n".join(marks)
        + f"\n{words(WIDTH / 2, height - 18, caption, 'caption')}\n</svg>\n"
    )


def _style() -> str:
    light, dark = ({name: value for name, value in reversed(COLOURS[part])} for part in (slice(0, 8), slice(8, None)))
    light |= {name: pair[0] for name, pair in GROUND.items()}
    dark |= {name: pair[1] for name, pair in GROUND.items()}
    chosen = (*NEEDED, *GROUND)
    variables = [";".join(f"--{name}:{theme[name]}" for name in chosen) for theme in (light, dark)]
    kinds = "".join(f".{name}{{--c:var(--{name})}}" for name in NEEDED)
    return (
        f"svg{{{variables[0]};--c:var(--grey);font:13px {FONT};color-scheme:light dark}}"
        f"@media (prefers-color-scheme:dark){{svg{{{variables[1]}}}}}{kinds}"
        ".card{fill:var(--bg);stroke:var(--grey);stroke-opacity:.4;stroke-width:1.5}"
        "text{fill:var(--ink)}.mid,.caption{text-anchor:middle}.end{text-anchor:end}.caption{font-size:12.5px}"
        ".dim{fill:var(--dim)}.tone{fill:var(--c);font-weight:700}.head{font-weight:700}.small{font-size:12px}"
        ".line{stroke:var(--grey);stroke-width:1.5;opacity:.6}.dash{stroke-dasharray:5 4}"
        ".way{stroke:var(--c);stroke-width:1.8;fill:none}.tip{fill:var(--c)}"
        ".cross{stroke:var(--red);stroke-width:3.4;stroke-linecap:round;fill:none}"
        ".full{fill:var(--c)}.open{fill:var(--bg);stroke:var(--c);stroke-width:1.8}"
        ".box{fill:var(--c);fill-opacity:.11;stroke:var(--c);stroke-width:1.5}"
        ".none{fill:none;stroke:var(--c);stroke-width:1.5;stroke-dasharray:5 4}"
        ".stamp{text-anchor:middle;font-weight:700;fill:var(--on)}.open+.stamp{fill:var(--c)}"
    )


def words(x: float, y: float, text: str, kind: str = "", colour: str = "") -> str:
    """Write words. `kind` has classes of the style, such as "mid dim small"; a colour makes the words bold."""
    kinds = f"{kind} tone {colour}" if colour else kind
    return f'<text class="{kinds.strip()}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "line") -> str:
    """Draw a line: the time of a process, or a border."""
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def dot(x: float, y: float, stamp: object, colour: str = "blue", style: str = "full") -> str:
    """Draw an event with its stamp; the style is "full" or "open"."""
    return (
        f'<g class="{colour}"><circle class="{style}" cx="{x:g}" cy="{y:g}" r="{RADIUS}"/>'
        f'<text class="stamp" x="{x:g}" y="{y + 4.6:g}">{escape(str(stamp))}</text></g>'
    )


def cross(x: float, y: float, size: float = 6.5) -> str:
    """Draw a death, or the end of a lost message."""
    return (
        f'<path class="cross" d="M{x - size:g} {y - size:g}L{x + size:g} {y + size:g}'
        f'M{x - size:g} {y + size:g}L{x + size:g} {y - size:g}"/>'
    )


def arrow(
    x1: float, y1: float, x2: float, y2: float, colour: str = "grey", dashed: bool = False, thick: bool = False
) -> str:
    """Draw a message."""
    length = math.hypot(x2 - x1, y2 - y1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    left, right = (f"{x2 - 9 * dx - side * dy:.1f},{y2 - 9 * dy + side * dx:.1f}" for side in (4.5, -4.5))
    kind = "way dash" if dashed else "way"
    shaft = line(x1, y1, round(x2 - 6 * dx, 1), round(y2 - 6 * dy, 1), kind)
    if thick:
        shaft = shaft.replace("<line ", '<line style="stroke-width:4" ')
    return f'<g class="{colour}">{shaft}<polygon class="tip" points="{x2:g},{y2:g} {left} {right}"/></g>'


def box(x: float, y: float, wide: float, high: float, colour: str = "grey", kind: str = "box") -> str:
    """Draw a system or a place; the kind "none" is an outline for what is missing, or for what belongs together."""
    return f'<rect class="{kind} {colour}" x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="5"/>'


def cell(x: float, y: float, value: object, colour: str = "blue", wide: float = 32, kind: str = "box") -> str:
    """Draw a record of a log, 30 pixels high, from its left upper corner."""
    return box(x, y, wide, 30, colour, kind) + words(x + wide / 2, y + 20, str(value), "mid head")


def cells(x: float, y: float, values: str, colour: str = "blue", wide: float = 32) -> str:
    """Draw the records of a log beside one another; `values` has the value of each, between spaces."""
    return "".join(
        cell(x + number * (wide + 3), y, value, colour, wide) for number, value in enumerate(values.split())
    )

"""The tape: rows of cells, which are data, and the one place in which cells become HTML and lines of a table.

Cells stand one behind the other (`cells_html`), or each at its offset, in rows that stand under each other (`Tape`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

import pandas as pd


@dataclass(frozen=True)
class Cell:
    """One place of a tape.

    `top` is its value; `sign` is a small sign behind it, read aloud as `spoken`; `middle` stands below; `marks`
    are a sign and a word for each thing that is wrong with it; `under` is HTML of a last line. `title` is the hint at
    it, `data` what the page has to know of it, `row` its line in the table. `at` is its offset; without one it stands
    behind the cell before it. `kind` has the names of its looks, with spaces between them: "again" (written more than
    once), "odd" (a wrong value), "gap" (missing), "now" (the newest), "open" (not committed), "parts" (not in the
    leader's log), "lost", "deleted" (or never there), "done", "missing" (an entry that has to come), "first" (of its
    segment or epoch), "empty" (in the place of a tape without cells), "before" (in the place of earlier cells).
    """

    top: str
    middle: str = ""
    marks: Sequence[str] = ()
    kind: str = ""
    title: str = ""
    at: int | None = None
    sign: str = ""
    spoken: str = ""
    under: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
    row: Mapping[str, Any] | None = None

    def html(self, gap: int = 0) -> str:
        """Return the cell as HTML, behind a gap of so many empty places."""
        css = " ".join(["eo-cell", *(f"eo-{kind}" for kind in self.kind.split())])
        said = f' title="{escape(self.title)}"' if self.title else ""
        said += "".join(f' data-{name}="{escape(str(value))}"' for name, value in self.data.items())
        said += ' tabindex="0"' if "step" in self.data else ""
        said += f' style="--gap:{gap}"' if gap else ""
        sign = f'<i aria-label="{escape(self.spoken)}">{self.sign}</i>' if self.sign else ""
        inside = f"<b>{escape(self.top)}{sign}</b>" if self.top else ""
        inside += f"<small>{escape(self.middle)}</small>" if self.middle else ""
        inside += "".join(f'<small class="eo-mark">{escape(mark)}</small>' for mark in self.marks)
        inside += f"<small>{self.under}</small>" if self.under else ""
        return f'<li class="{css}"{said}>{inside}</li>'


class Flag(NamedTuple):
    """A sign such as "▲ reader" at the left edge of an offset, or in its middle, which is half an offset further.

    `kind` is "", or "high", which is the colour of high watermarks.
    """

    at: float
    said: str
    kind: str = ""


@dataclass(frozen=True)
class Tape:
    """A row of cells at their offsets, under its name.

    `role` says what it is in a word, `kind` is "leads", "dead" or "", `high` its high watermark, `acts` HTML of its
    buttons, `spoken` what a screen reader says of the row.
    """

    title: str
    cells: Sequence[Cell]
    role: str = ""
    kind: str = ""
    high: int | None = None
    acts: str = ""
    spoken: str = ""

    def html(self, first: int = 0) -> str:
        """Return the row as HTML; `first` is the offset at its left edge."""
        cells, end = "", first
        for cell in self.cells:
            at = end if cell.at is None else cell.at
            if at >= first and (cell.kind != "empty" or cell.middle):
                cells += cell.html(at - end)
                end = at + 1
        high = f"its high watermark: {self.high}"
        bar = (
            f'<span class="eo-tape-high" style="--at:{self.high - first}" title="{high}"></span>'
            if self.high is not None and self.high >= first
            else ""
        )
        role = f" <small>{escape(self.role)}</small>" if self.role else ""
        who = f"<b>{escape(self.title)}</b>{role}{self.acts}"
        label = f' role="group" aria-label="{escape(self.spoken)}"' if self.spoken else ""
        return _row(self.kind, who, f'<ol class="eo-tape">{cells}</ol>{bar}', label)


def thin_html(who: str, numbers: Sequence[object] = (), flags: Iterable[Flag] = (), first: int = 0) -> str:
    """Return a thin row between tapes as HTML: numbers or names of offsets, and flags at them. `who` is HTML."""
    inside = "".join(f"<i>{number}</i>" for number in numbers)
    inside += "".join(
        f'<b class="eo-tape-flag{f" eo-{flag.kind}" if flag.kind else ""}" style="--at:{flag.at - first}">'
        f"{escape(flag.said)}</b>"
        for flag in flags
    )
    hidden = ' aria-hidden="true"' if numbers else ""
    return _row("thin", who, f'<span class="eo-tape-places"{hidden}>{inside}</span>')


def _row(kind: str, who: str, inside: str, label: str = "") -> str:
    css = f"eo-tape-row eo-{kind}" if kind else "eo-tape-row"
    return f'<div class="{css}"{label}><span class="eo-tape-who">{who}</span>{inside}</div>'


def cells_html(cells: Sequence[Cell], label: str, css: str = "", more: str = "") -> str:
    """Return cells one behind the other as HTML; `label` names the tape, `css` and `more` are for its list."""
    inside = "".join(cell.html() for cell in cells)
    css = f"eo-cells {css}".rstrip()
    return f'<ol class="{css}" aria-label="{escape(label)}"{f" {more}" if more else ""}>{inside}</ol>'


def table_of(cells: Iterable[Cell], columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the lines of cells as a table, in the order of the cells."""
    rows = [cell.row for cell in cells if cell.row is not None]
    names = columns or list(dict.fromkeys(name for row in rows for name in row))
    return pd.DataFrame([[row.get(name) for name in names] for row in rows], columns=names, dtype=object)

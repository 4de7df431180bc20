"""The tape: rows of cells, which are data, and the one place in which cells become HTML and lines of a table.

Cells stand one behind the other (`cells_html`), or each at its offset, in rows under each other (`slots`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import pandas as pd


@dataclass(frozen=True)
class Cell:
    """One place of a tape.

    `top` is its value; `middle` stands below; `marks` are a sign and a word for each thing that is wrong with it;
    `under` is HTML of a last line. `title` is the hint at it, `data` what the page has to know of it, `row` its line
    in the table. `at` is its offset. `kind` has the names of its looks, with spaces between them: "again" (written
    more than once), "odd" (a wrong value), "gap" (missing), "now" (the newest), "open" (not committed), "parts" (not
    in the leader's log), "deleted" (or never there), "done", "missing" (an entry that has to come), "first" (of its
    segment), "empty" (in the place of a tape without cells), "before" (in the place of earlier cells).
    """

    top: str
    middle: str = ""
    marks: Sequence[str] = ()
    kind: str = ""
    title: str = ""
    at: int = 0
    under: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
    row: Mapping[str, Any] | None = None

    def html(self, tag: str = "li") -> str:
        """Return the cell as HTML."""
        css = " ".join(["eo-cell", *(f"eo-{kind}" for kind in self.kind.split())])
        said = f' title="{escape(self.title)}"' if self.title else ""
        said += "".join(f' data-{name}="{escape(str(value))}"' for name, value in self.data.items())
        said += ' tabindex="0"' if "step" in self.data else ""
        inside = f"<b>{escape(self.top)}</b>" if self.top else ""
        inside += f"<small>{escape(self.middle)}</small>" if self.middle else ""
        inside += "".join(f'<small class="eo-mark">{escape(mark)}</small>' for mark in self.marks)
        inside += f"<small>{self.under}</small>" if self.under else ""
        return f'<{tag} class="{css}"{said}>{inside}</{tag}>'


def slots(cells: Iterable[Cell], offsets: Iterable[int], high: int | None = None) -> list[str]:
    """Return the cells at these offsets as HTML, "" where there is none; `high` is the tape's high watermark."""
    there = {cell.at: cell.html("div") for cell in cells}
    bar = f'<div class="eo-high" title="its high watermark: {high}">'
    return [f"{bar}{there.get(at, '')}</div>" if at == high else there.get(at, "") for at in offsets]


def cells_html(cells: Sequence[Cell], label: str, css: str = "", more: str = "") -> str:
    """Return cells one behind the other as HTML; `label` names the tape, `css` and `more` are for its list."""
    inside = "".join(cell.html() for cell in cells)
    css = f"eo-cells {css}".rstrip()
    return f'<ol class="{css}" aria-label="{escape(label)}"{f" {more}" if more else ""}>{inside}</ol>'


def table_of(cells: Iterable[Cell], columns: Sequence[str]) -> pd.DataFrame:
    """Return the lines of cells as a table, in the order of the cells."""
    rows = [[cell.row.get(name) for name in columns] for cell in cells if cell.row is not None]
    return pd.DataFrame(rows, columns=columns, dtype=object)

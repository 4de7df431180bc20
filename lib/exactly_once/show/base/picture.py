"""A picture: HTML for the notebook, and beside it a table with the same content in words. And the parts of its HTML:
tables, boxes, facts, and the tape, which is rows of cells.

The cells of a tape are data. They stand one behind the other (`cells_html`), or each at its offset (`slots`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any

import pandas as pd

from .checks import given
from .theme import CSS


class Picture:
    """A displayable object. `html` is a fragment; `table` a DataFrame with the same content, or None; `unfold` is the
    title under which the page has it, or "" where the fragment is a table itself.

    A notebook draws the picture by itself; `str` and a terminal get the table or the text.
    """

    def __init__(
        self, html: str, table: pd.DataFrame | None = None, text: str = "", unfold: str = "The same as a table"
    ) -> None:
        self.html = html
        self.table = table
        self.text = text
        self.unfold = unfold

    def fragment(self) -> str:
        """Return the picture and its folded table, without the style sheet."""
        if self.table is None or not self.unfold:
            return self.html
        return self.html + folded(self.table, self.unfold)

    def _repr_html_(self) -> str:
        return f'<style>{CSS}</style><div class="eo">{self.fragment()}</div>'

    def __repr__(self) -> str:
        return self.text or ("" if self.table is None else self.table.to_string(index=False))


def scrolling(html: str, label: str, css: str = "") -> str:
    """Return HTML in a frame that scrolls where it is wider than its place; a screen reader reads `label` aloud."""
    css = f"eo-scroll {css}".strip()
    return f'<div class="{css}" tabindex="0" role="region" aria-label="{escape(label)}">{html}</div>'


def table_html(table: pd.DataFrame) -> str:
    """Return a DataFrame as an HTML table; every cell is escaped, an absent value is an empty cell."""
    columns = given(table, pd.DataFrame).columns
    head = "".join(f'<th scope="col">{escape(str(name))}</th>' for name in columns)
    rows = [
        "<tr>" + "".join(f"<td>{'' if pd.isna(cell) else escape(str(cell))}</td>" for cell in row) + "</tr>"
        for row in table.itertuples(index=False, name=None)
    ]
    return f'<table class="eo-table"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def cells_table(
    head: Sequence[str], rows: Iterable[Sequence[str | tuple[str, int]]], css: str = "eo-table",
    widths: Sequence[int] = (), caption: str = "",
) -> str:  # fmt: skip
    """Return cells of HTML as a table; the first of a row is its name, and a row of one cell stands above others.

    A cell may be (HTML, how many columns wide). `widths` are those of the columns, in percent; `caption` is a text.
    """
    about = f"<caption>{escape(caption)}</caption>" if caption else ""
    top = "".join(f'<th scope="col">{title}</th>' if title else "<td></td>" for title in head)
    columns = "".join(f'<col style="width:{width}%">' for width in widths)
    about += f"<colgroup>{columns}</colgroup>" if columns else ""
    body = ""
    for name, *cells in rows:
        of = '"row"' if cells else f'"rowgroup" colspan="{len(head)}" class="eo-heading"'
        body += f"<tr><th scope={of}>{name}</th>{''.join(map(_td, cells))}</tr>"
    return f'<table class="{css}">{about}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'


def plain_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> pd.DataFrame:
    """Return cells of HTML as a DataFrame of their words, without the rows that stand above others."""
    words = [[_plain(cell) for cell in row] for row in rows if len(row) > 1]
    return pd.DataFrame(words, columns=[_plain(title) for title in head])


def _plain(html: str) -> str:
    return unescape(re.sub("<[^>]*>", "", re.sub("<br>|<(p|li)[^>]*>", " ", html))).strip()


def _td(cell: str | tuple[str, int]) -> str:
    return f"<td>{cell}</td>" if isinstance(cell, str) else f'<td colspan="{cell[1]}">{cell[0]}</td>'


def marked(text: str) -> str:
    """Return a text as HTML, with words between backticks as code and words between ** as bold."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)


def word_html(sign: str, said: object, kind: str = "", about: str = "") -> str:
    """Return a word behind its sign, in the colour of its kind; `about` is the hint at it."""
    css, title = f"eo-word eo-{kind}" if kind else "eo-word", f' title="{escape(about)}"' if about else ""
    sign = f'<i aria-hidden="true">{sign}</i> ' if sign else ""
    return f'<span class="{css}"{title}>{sign}{escape(str(said))}</span>'


def says(mood: str, head: str, rest: str = "", css: str = "") -> str:
    """Return a verdict in a box: a head that can be read across a room, and what follows it; both are HTML."""
    return f'<div class="{css}eo-says eo-is-{mood}"><strong>{head}</strong> {rest}</div>'


def facts_row(*facts: tuple[str, str]) -> str:
    """Return pairs of a title and HTML as facts in a row."""
    row = "".join(f'<div class="eo-fact"><p class="eo-h">{title}</p><p>{html}</p></div>' for title, html in facts)
    return f'<div class="eo-fact-row">{row}</div>'


def table_picture(table: pd.DataFrame) -> Picture:
    """Return a DataFrame as a picture."""
    return Picture(table_html(table), text=table.to_string(index=False))


def folded(table: pd.DataFrame, title: str) -> str:
    """Return a DataFrame as HTML that unfolds on demand."""
    inside = scrolling(table_html(table), title)
    return f'<details class="eo-folded"><summary>{escape(title)}</summary>{inside}</details>'


@dataclass(frozen=True)
class Cell:
    """One place of a tape.

    `top` is its value; `middle` stands below; `marks` are a sign and a word for each thing that is wrong with it;
    `under` is HTML of a last line. `title` is the hint at it, `data` what the page has to know of it, `row` its line
    in the table. `at` is its offset. `kind` has the names of its looks, with spaces between them: "again" (written
    more than once), "odd" (a wrong value), "gap" (missing), "open" (not committed), "parts" (not
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

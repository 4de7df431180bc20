"""A picture: HTML for the notebook, and beside it a table with the same content in words."""

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape

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

"""Strategies × crash points: in each cell the word for the effect of a crash there, as HTML and as a table."""

from collections.abc import Hashable
from html import escape

import pandas as pd

from ...faults import POINTS
from ...verdict import Verdict
from ..base.checks import Results, Rows, given_results, given_rows
from .headline import explanation, headline
from .marks import MEANING, SIGNS, word, words


def matrix_html(rows: Rows, results: Results, here: tuple[Hashable, str] | None = None, buttons: bool = False) -> str:
    """Return the matrix as an HTML table.

    `rows` is a list of (key, title); `results` maps (key, point) to a `Verdict`; an absent pair was not run. `here`
    is the (key, point) to outline. With `buttons` each cell can be clicked.
    """
    rows, results = given_rows(rows), given_results(results)
    head = "".join(f'<th scope="col">{point}</th>' for point in POINTS)
    body = "".join(
        f'<tr><th scope="row">{escape(title)}</th>'
        + "".join(
            f"<td>{_cell(key, title, point, results.get((key, point)), here, buttons)}</td>" for point in POINTS
        )
        + "</tr>"
        for key, title in rows
    )
    return f'<table class="eo-grid"><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cell(
    key: Hashable, title: str, point: str, verdict: Verdict | None, here: tuple[Hashable, str] | None, buttons: bool
) -> str:
    said = word(verdict)
    kinds = f"eo-word eo-{said.replace(' ', '-')}" + (" eo-here" if here == (key, point) else "")
    inside = f'<i aria-hidden="true">{SIGNS[said]}</i> {said}'
    about = f"{title}, {point}: {' and '.join(words(verdict))}. "
    about += MEANING[said] if verdict is None else f"{headline(verdict)[1]} {explanation(verdict)}"
    if not buttons:
        return f'<span class="{kinds}" title="{escape(about)}">{inside}</span>'
    return (
        f'<button type="button" class="{kinds}" title="{escape(about)}" aria-label="{escape(title)}, '
        f'{point}: {said}" '
        f'data-do="cell" data-value="{escape(f"{key}|{point}")}" data-key="cell-{escape(f"{key}-{point}")}">'
        f"{inside}</button>"
    )


def matrix_table(rows: Rows, results: Results) -> pd.DataFrame:
    """Return the matrix as a DataFrame of words: one row a strategy, one column a crash point."""
    rows, results = given_rows(rows), given_results(results)
    table = {
        point: [f"{SIGNS[found]} {found}" for found in (word(results.get((key, point))) for key, _ in rows)]
        for point in POINTS
    }
    frame = pd.DataFrame(table, index=[title for _, title in rows])
    frame.index.name = "strategy"
    return frame

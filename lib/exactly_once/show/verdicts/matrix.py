"""Strategies × crash points, and orders of the writes × crash points: in each cell the words for a crash there."""

from collections.abc import Hashable, Mapping
from html import escape
from typing import TypeAlias

import pandas as pd

from ...errors import BadInput
from ...faults import POINTS
from ...handlers import ORDERS
from ...verdict import Verdict
from ..base.canvas import CHARACTER, Mark, box, group, svg, table_of
from ..base.canvas import words as written
from ..base.checks import Results, Rows, given_results, given_rows
from ..base.picture import Picture, scrolling
from .headline import explanation, headline
from .marks import MEANING, SIGNS, word, words

ByOrder: TypeAlias = Mapping[tuple[tuple[str, ...], str], Verdict | None]  # by (order of the writes, crash point)
TONES = {"harmless": "green", "doubles": "red", "loses": "amber", "corrupts": "purple", "fails": "purple"}
LINE, HEAD = 25, 24  # pixels of a row, and of the letters above the rows


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
    about = f"{title}, {point}: {' and '.join(words(verdict))}. {_told(verdict)}"
    if not buttons:
        return f'<span class="{kinds}" title="{escape(about)}">{inside}</span>'
    return (
        f'<button type="button" class="{kinds}" title="{escape(about)}" aria-label="{escape(title)}, '
        f'{point}: {said}" '
        f'data-do="cell" data-value="{escape(f"{key}|{point}")}" data-key="cell-{escape(f"{key}-{point}")}">'
        f"{inside}</button>"
    )


def _told(verdict: Verdict | None) -> str:
    """Return a verdict in sentences."""
    return MEANING["not run"] if verdict is None else f"{headline(verdict)[1]} {explanation(verdict)}"


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


def orders(results: ByOrder) -> Picture:
    """Return the picture of orders × crash points: in each cell the words for a crash there, as a hint sentences.

    `results` maps (order, point) to a `Verdict`; an order is a tuple of the four writes. The picture's table has a
    line for each cell, with the sentences. Raises `BadInput`.
    """
    titles = _titles(results)
    who = max(map(len, titles.values())) * CHARACTER + 10
    said = {point: [_said(results.get((order, point))) for order in titles] for point in POINTS}
    wide = {point: max(map(len, said[point])) * CHARACTER + 12 for point in POINTS}
    edges = {point: who + sum([wide[one] for one in POINTS[:number]]) for number, point in enumerate(POINTS)}
    marks = [written(0, 15, "order of the writes", "sub")]
    marks += [written(edges[point] + wide[point] / 2, 15, point, "lane", "middle", weight=700) for point in POINTS]
    for number, (order, title) in enumerate(titles.items()):
        y = HEAD + LINE * number
        cells = [
            _drawn(title, point, results.get((order, point)), edges[point], y, wide[point] - 3) for point in POINTS
        ]
        spoken = f"{title}: {', '.join(f'{point} {said[point][number]}' for point in POINTS)}"
        name = written(0, y + 16, title)
        marks.append(group(name, *cells, css="order", tabindex=0, role="img", aria_label=spoken))
    width = edges[POINTS[-1]] + wide[POINTS[-1]]
    about = f"The damage that a crash does, for {len(titles)} orders of the writes and {len(POINTS)} crash points"
    drawn = svg(marks, width, HEAD + LINE * len(titles), about, "eo-st eo-orders", role="group")
    return Picture(scrolling(drawn, "Orders of the writes and crash points"), table_of(marks))


def _drawn(title: str, point: str, verdict: Verdict | None, x: float, y: float, width: float) -> Mark:
    """Return one cell of `orders`, with its line in the table."""
    said, told = _said(verdict), _told(verdict)
    row = {"order of the writes": title, "crash at": point, "damage": said, "in sentences": told}
    ground = box(x, y, width, LINE - 3, rx=3)
    text = written(x + width / 2, y + 15.5, said, "", "middle")
    hint = f"{title}, {point}: {told}"
    return group(ground, text, css="cell", title=hint, row=row, tone=TONES.get(word(verdict), "grey"))


def _titles(results: ByOrder) -> dict[tuple[str, ...], str]:
    """Return {order: its title} of results. Raises `BadInput` for anything else."""
    if not given_results(results):
        raise BadInput("There are no results to show; give a mapping from (order, point) to verdicts.")
    found = list(dict.fromkeys(order for order, _ in results))
    if odd := [order for order in found if order not in ORDERS]:
        raise BadInput(f"The results are of the order {odd[0]!r}; an order is a tuple such as {ORDERS[0]!r}.")
    return {order: " → ".join(order) for order in found}


def _said(verdict: Verdict | None) -> str:
    found = words(verdict)
    return f"{SIGNS[found[0]]} {' + '.join(found)}"

"""Strategies × crash points, and orders of the writes × crash points: in each cell the words for a crash there."""

import reprlib
from collections.abc import Hashable, Mapping, Sequence
from html import escape
from typing import Any, TypeAlias, TypeVar

import pandas as pd

from ...errors import BadInput
from ...faults import POINTS
from ...handlers import ORDERS
from ...verdict import Verdict
from ...verdict.words import MEANING, SIGNS, words
from ..base.checks import given
from ..base.picture import Picture, cells_table, plain_table, scrolling, word_html
from .verdict_picture import explanation, headline

Rows: TypeAlias = Sequence[tuple[Hashable, str]]  # (key, title)
Results: TypeAlias = Mapping[tuple[Hashable, str], Verdict | None]  # by (key of the row, crash point); None: not run
ByOrder: TypeAlias = Mapping[tuple[tuple[str, ...], str], Verdict | None]  # by (order of the writes, crash point)
ByCell = TypeVar("ByCell", bound=Mapping[Any, Verdict | None])


def matrix(rows: Rows, results: Results) -> Picture:
    """Return the matrix strategies × crash points. `rows`: (key, title) pairs; `results`: (key, point) to
    `Verdict`.
    """
    table = plain_table(["strategy", *POINTS], _rows(rows, results))
    return Picture(matrix_html(rows, results), table, unfold="")


def matrix_html(rows: Rows, results: Results, here: tuple[Hashable, str] | None = None, buttons: bool = False) -> str:
    """Return the matrix as an HTML table.

    `rows` is a list of (key, title); `results` maps (key, point) to a `Verdict`; an absent pair was not run. `here`
    is the (key, point) to outline. With `buttons` each cell can be clicked.
    """
    return cells_table(["", *POINTS], _rows(rows, results, here, buttons), "eo-grid")


def _rows(
    rows: Rows, results: Results, here: tuple[Hashable, str] | None = None, buttons: bool = False
) -> list[list[str]]:
    if not isinstance(rows, (list, tuple)) or not all(isinstance(row, tuple) and len(row) == 2 for row in rows):
        raise BadInput(f"The rows of the matrix are {reprlib.repr(rows)}; give a list of pairs (key, title).")
    results, found = _given(results), []
    for key, title in rows:
        found.append([escape(str(title))])
        for point in POINTS:
            verdict = results.get((key, point))
            (said, *_), told = words(verdict), f"{title}, {point}: {' and '.join(words(verdict))}. {_told(verdict)}"
            kind = said.replace(" ", "-") + (" eo-here" if here == (key, point) else "")
            cell = word_html(SIGNS[said], said, kind, told)
            if buttons:
                about = (
                    f'type="button" aria-label="{escape(title)}, {point}: {said}" data-do="cell" '
                    f'data-value="{escape(f"{key}|{point}")}" data-key="cell-{escape(f"{key}-{point}")}"'
                )
                cell = f"<button {about}{cell.removeprefix('<span').removesuffix('</span>')}</button>"
            found[-1].append(cell)
    return found


def _given(results: ByCell) -> ByCell:
    """Return results if they map (row, crash point) to verdicts, or to None. Raises `BadInput` for anything else."""
    wanted = f"from (row, crash point) to verdicts; the points are {', '.join(POINTS)}"
    if not isinstance(results, Mapping):
        raise BadInput(f"The results are {reprlib.repr(results)}; give a mapping {wanted}.")
    for key, verdict in results.items():
        if not isinstance(key, tuple) or len(key) != 2 or key[1] not in POINTS:
            raise BadInput(f"A result stands under {key!r}; give a mapping {wanted}.")
        if verdict is not None:
            given(verdict, Verdict)
    return results


def _told(verdict: Verdict | None) -> str:
    """Return a verdict in sentences."""
    return MEANING["not run"] if verdict is None else f"{headline(verdict)[1]} {explanation(verdict)}"


def orders(results: ByOrder) -> Picture:
    """Return the picture of orders × crash points: in each cell the words for a crash there, as a hint sentences.

    `results` maps (order, point) to a `Verdict`; an order is a tuple of the four writes. The picture's table has a
    line for each cell, with the sentences. Raises `BadInput`.
    """
    if not _given(results):
        raise BadInput("There are no results to show; give a mapping from (order, point) to verdicts.")
    found = list(dict.fromkeys(order for order, _ in results))
    if odd := [order for order in found if order not in ORDERS]:
        raise BadInput(f"The results are of the order {odd[0]!r}; an order is a tuple such as {ORDERS[0]!r}.")
    cells, table = [], []
    for order in found:
        cells.append([" → ".join(order)])
        for point in POINTS:
            verdict = results.get((order, point))
            said, told = " + ".join(words(verdict)), _told(verdict)
            sign, kind = SIGNS[words(verdict)[0]], words(verdict)[0]
            cells[-1].append(word_html(sign, said, kind, f"{cells[-1][0]}, {point}: {told}"))
            table.append((cells[-1][0], point, f"{sign} {said}", told))
    drawn = cells_table(["order of the writes", *POINTS], cells, "eo-grid eo-many")
    columns = ["order of the writes", "crash at", "damage", "in sentences"]
    return Picture(scrolling(drawn, "Orders of the writes and crash points"), pd.DataFrame(table, columns=columns))

"""The right outcomes, side by side, each as a tape."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pandas as pd

from ...errors import BadInput
from ...pipeline import STREAMS
from ...verdict.run import Ideal
from ..base.checks import several
from ..base.picture import Picture
from ..base.tape import Cell, cells_html

MOST = 12  # number of drawn outcomes; the table has all of them
COLUMNS = ["outcome", "read", "averages", "readings in the window", "counter"]


def right_outcomes(ideals: Sequence[Ideal]) -> Picture:
    """Return the right outcomes of a job side by side, each with its averages in the order of the output.

    `ideals` are a result of `ideal_outcomes(handler, job)`. The sign of an average shows the stream of the last
    reading (a circle for the first, a square for the second); beside it stands the hour of this reading, beneath it
    the number of readings in the window. Up to 12 are drawn, the table has all. Raises `BadInput` for anything but
    ideals, and for an output that is not numbers.
    """
    found = list({ideal.outcome: ideal for ideal in several(ideals, Ideal)}.values())
    pushes = [push for one in found for push in one.pushes]
    for push in pushes:
        if isinstance(push.value, bool) or not isinstance(push.value, (int, float, Fraction)):
            raise BadInput(f"The output holds {push.value!r}, which is no number; only averages can be drawn.")
    last = {push.inputs[-1][1] for push in pushes if push.inputs}
    streams = sorted(last, key=lambda one: STREAMS.index(one) if one in STREAMS else len(STREAMS))
    signs = dict(zip(streams, "●■◆", strict=False)) if len(streams) > 1 else {}
    drawn, rows = "", []
    for number, one in enumerate(found, 1):
        cells, read = [], []
        for push in one.pushes:
            hour, stream = push.inputs[-1] if push.inputs else (push.item, "")
            many = f"{len(push.inputs)} reading{'s' * (len(push.inputs) != 1)}"
            read.append(f"{_name(stream) or 'hour'} {hour}")
            cells.append(Cell(f"{float(push.value):.1f}", f"{signs.get(stream, '')} hour {hour}".strip(), under=many))
        averages, counts = (
            ", ".join(cell.top for cell in cells),
            ", ".join(str(len(push.inputs)) for push in one.pushes),
        )
        rows.append((number, ", ".join(read), averages, counts, one.outcome.counter))
        if number <= MOST:
            tape = cells_html(cells, f"outcome {number}, oldest first")
            counter = f'<p class="eo-dim">counter {one.outcome.counter}</p>'
            drawn += f'<div class="eo-outcome"><p class="eo-h">outcome {number}</p>{tape}{counter}</div>'
    said = [f"{sign} {_name(stream)} was read last" for stream, sign in signs.items()]
    said += ["beneath each average its hour, and how many readings the window held"]
    left = len(found) - MOST
    said += [f"{left:,} more are not drawn; the table has them"] * (left > 0)
    html = f'<div class="eo-rights" role="group" aria-label="Right outcomes">{drawn}</div>'
    table = pd.DataFrame(rows, columns=COLUMNS)
    return Picture(f'{html}<p class="eo-dim">{" · ".join(said)}</p>', table, unfold="The right outcomes as a table")


def _name(stream: str) -> str:
    return stream.replace("_", " ").title()

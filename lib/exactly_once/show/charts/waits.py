"""The waiting time of each record and the number of waiting records while a node is killed or stopped, for two
ways.
"""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ...errors import BadInput
from ...spark.experiments.waits import KILL, SIDES, SLOW, Waits
from .figures import BLUE, GREEN, GREY, ORANGE, surface

AROUND = 1.5, 2.0  # s shown before the fault, and after the struck nodes are back
NODES = {1: (BLUE, "circle"), 2: (GREEN, "square"), 3: (ORANGE, "triangle-up")}
TICKS = [1, 10, 100, 1_000, 10_000, 100_000]
AMBER = "rgba(230,159,0,0.16)"


def waits_figure(waits: Waits) -> go.Figure:
    """Return a plotly figure of the results of `waits`: the waiting time of each record, on a logarithmic scale.

    The twins' records are a line, with ● or ■ for the node that wrote each; the records of the other way are ◇ on a
    dashed line. The time in which the struck nodes were away is amber. Raises `BadInput` for anything else.
    """
    found = _checked(waits)
    figure = _figure(found, "a record waited, ms", "seconds since the fault; a record stands where it arrived")
    for side, series in zip(SIDES, (_seen(found, found.twins), _seen(found, found.other)), strict=True):
        x = [one.arrived - found.struck for one in series]
        y = [1000 * one.seconds for one in series]
        if side == "other":
            figure.add_scatter(
                x=x, y=y, name=found.beside, mode="lines+markers",
                line={"color": GREY, "dash": "dash", "width": 1},
                marker={"symbol": "diamond-open", "size": 8}, hovertemplate="%{y:,.0f} ms",
            )  # fmt: skip
            continue
        figure.add_scatter(
            x=x, y=y, mode="lines", line={"color": GREEN, "width": 1.5}, showlegend=False, hoverinfo="skip"
        )
        for node in sorted({one.node for one in series}):
            colour, symbol = NODES[node]
            mine = [place for place, one in enumerate(series) if one.node == node]
            figure.add_scatter(
                x=[x[place] for place in mine], y=[y[place] for place in mine], name=f"twins, written by {node}",
                mode="markers", marker={"color": colour, "symbol": symbol, "size": 7}, hovertemplate="%{y:,.0f} ms",
            )  # fmt: skip
    highest = max(1000 * one.seconds for one in (*found.twins, *found.other) if one.ended > found.struck)
    room = [0, math.log10(highest) + 0.8]  # for the words above the lines
    figure.update_yaxes(type="log", tickvals=TICKS, ticktext=[f"{tick:,}" for tick in TICKS], range=room)
    return figure


def waiting_figure(waits: Waits) -> go.Figure:
    """Return a plotly figure of the number of waiting records at each moment: the twins' and the other way's.

    Raises `BadInput` for anything but results of `waits`.
    """
    found = _checked(waits)
    figure = _figure(found, "records that wait", "seconds since the fault")
    for side, name, line in (
        ("other", found.beside, {"color": GREY, "dash": "dash", "width": 2, "shape": "hv"}),
        ("twins", "twins", {"color": GREEN, "width": 2, "shape": "hv"}),
    ):
        steps = found.waiting(side)
        x, y = [moment - found.struck for moment, _ in steps], [count for _, count in steps]
        figure.add_scatter(x=x, y=y, name=name, mode="lines", line=line, hovertemplate="%{y} wait")
    figure.update_yaxes(range=[0, 1.4 * max(*found.most_waiting, 1)])
    return figure


def waits_table(waits: Waits | list[Waits]) -> pd.DataFrame:
    """Return the results of `waits` as a table with one row for each result."""
    several = waits if isinstance(waits, (list, tuple)) and waits else [waits]
    return pd.DataFrame([_row(_checked(one)) for one in several])


def _row(waits: Waits) -> dict[str, Any]:
    def ms(seconds: float) -> str:
        return f"{1000 * seconds:,.0f}"

    (before, after), (longest_before, longest) = waits.p99, waits.longest
    return {
        "one node is": _done(waits),
        "twins: p99 before, ms": ms(before),
        "p99 from then on, ms": ms(after),
        "longest before, ms": ms(longest_before),
        "longest from then on, ms": ms(longest),
        "beside them": waits.beside,
        "its longest, ms": ms(waits.gap),
        "most waiting, twins and other": " and ".join(map(str, waits.most_waiting)),
    }


def _done(waits: Waits) -> str:
    if waits.fault == SLOW:
        return "at half speed"
    return "killed" if waits.fault == KILL else f"stopped for {waits.away[1]:.1f} s"


def _figure(waits: Waits, what: str, across: str) -> go.Figure:
    figure = go.Figure()
    first = min(one.arrived for one in (*waits.twins, *waits.other))
    start, end = max(-AROUND[0], first - waits.struck), max(waits.away) + AROUND[1]
    figure.update_layout(
        **surface(),
        height=340,
        margin={"l": 70, "r": 10, "t": 40, "b": 90},
        legend={"orientation": "h", "y": -0.3, "yanchor": "top"},
        title={"text": f"One node of each is {_done(waits)}", "font": {"size": 14}, "x": 0.02},
    )
    figure.update_xaxes(title=across, range=[start, end])
    figure.update_yaxes(title=what)
    figure.add_vrect(
        0, waits.away[1], fillcolor=AMBER, line_width=0, annotation_position="top left",
        annotation_text=f"{waits.beside}: away {waits.away[1]:.1f} s",
    )  # fmt: skip
    return figure


def _seen(waits: Waits, series: tuple) -> list:
    return [one for one in series if one.arrived > waits.struck - AROUND[0]]


def _checked(waits: object) -> Waits:
    if not isinstance(waits, Waits):
        raise BadInput(f"The waits are {str(waits)[:60]!r}; give what waits() or waits_of_two_phase() returned.")
    return waits

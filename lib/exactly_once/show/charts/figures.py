"""Figures for the notebooks, by plotly: the two series with the window's average, and all orders of the writes."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import pandas as pd
import plotly.graph_objects as go

from ...errors import BadInput
from ...faults import POINTS
from ...handlers import ORDERS
from ...pipeline import Job, Window
from ...verdict import Verdict
from ..base.checks import given, given_results
from ..base.theme import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION, YELLOW
from ..verdicts.marks import SIGNS, words

NAMES = {"seattle": "Seattle", "san_francisco": "San Francisco"}
SCALE = {
    "not run": "#ececec",
    "not reached": "#d5d8dd",
    "harmless": GREEN,
    "doubles": VERMILLION,
    "loses": YELLOW,
    "corrupts": PURPLE,
    "fails": "#333333",
}
DARK = ("harmless", "doubles", "fails")

ByOrder: TypeAlias = Mapping[tuple[tuple[str, ...], str], Verdict | None]  # by (order of the writes, crash point)


def series_table(job: Job | None = None) -> pd.DataFrame:
    """Return the inputs of a job as a DataFrame: hour, one column for each stream, and the window's average, °F."""
    job = Job(items=None) if job is None else given(job, Job)
    streams = job.inputs()
    rows, window = [], Window()
    for readings in zip(*streams.values(), strict=True):
        window.push(readings)
        window.trim(job.duration)
        row = {"hour": readings[0].hour} | {reading.stream: float(reading.value) for reading in readings}
        rows.append(row | {"average": round(float(window.average()), 3)})
    return pd.DataFrame(rows)


def series_figure(job: Job | None = None) -> go.Figure:
    """Return a plotly figure of a job's two input streams and the average of its window, over event time in hours."""
    job = Job(items=7 * 24) if job is None else given(job, Job)
    table = series_table(job)
    figure = go.Figure()
    for stream, colour, dash in (("seattle", SKY, "dot"), ("san_francisco", ORANGE, "dash")):
        line = {"color": colour, "width": 1.5, "dash": dash}
        figure.add_scatter(x=table["hour"], y=table[stream], name=NAMES[stream], mode="lines", line=line)
    name = f"average of the last {job.duration} h, both streams"
    figure.add_scatter(x=table["hour"], y=table["average"], name=name, mode="lines", line={"color": BLUE, "width": 3})
    figure.update_layout(
        xaxis_title="hour of 2010 (event time)",
        yaxis_title="°F",
        height=340,
        hovermode="x unified",
        margin={"l": 50, "r": 10, "t": 30, "b": 45},
        legend={"orientation": "h", "y": 1.12},
        **surface(),
    )
    return figure


def orders_table(results: ByOrder) -> pd.DataFrame:
    """Return a DataFrame of words, one row for each order of the writes and one column for each crash point.

    `results` maps (order, point) to a `Verdict`, the order a tuple of the four writes.
    """
    if not given_results(results):
        raise BadInput("There are no results to show; give a mapping from (order, point) to verdicts.")
    orders = list(dict.fromkeys(order for order, _ in results))
    if odd := [order for order in orders if order not in ORDERS]:
        raise BadInput(f"The results are of the order {odd[0]!r}; an order is a tuple such as {ORDERS[0]!r}.")
    cells = {point: [_words(results.get((order, point))) for order in orders] for point in POINTS}
    return pd.DataFrame(cells, index=pd.Index([" → ".join(order) for order in orders], name="order of the writes"))


def orders_figure(results: ByOrder) -> go.Figure:
    """Return a plotly heat-map of orders × crash points with the words in its cells.

    `results` are those of `orders_table`.
    """
    table = orders_table(results)
    kinds, steps = list(SCALE), len(SCALE)
    gravest = table.map(lambda cell: cell.split(" ", 1)[1].split(" + ")[0])
    colours = [[(number + edge) / steps, SCALE[kind]] for number, kind in enumerate(kinds) for edge in (0, 1)]
    figure = go.Figure(
        go.Heatmap(
            z=gravest.map(kinds.index).to_numpy(), x=list(POINTS), y=list(table.index), zmin=-0.5, zmax=steps - 0.5,
            colorscale=colours, showscale=False, xgap=2, ygap=2, hoverinfo="x+y+text", text=table.to_numpy(),
        )
    )  # fmt: skip
    for order in table.index:
        for point in POINTS:
            ink = "#fff" if gravest.loc[order, point] in DARK else "#111"
            figure.add_annotation(
                x=point, y=order, text=table.loc[order, point], showarrow=False, font={"color": ink, "size": 11}
            )
    figure.update_layout(
        height=60 + 24 * len(table),
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        **surface(),
        xaxis={"side": "top", "fixedrange": True},
        yaxis={"autorange": "reversed", "automargin": True, "fixedrange": True},
    )
    return figure


def _words(verdict: Verdict | None) -> str:
    found = words(verdict)
    return f"{SIGNS[found[0]]} {' + '.join(found)}"


def surface() -> dict[str, Any]:
    """Return a layout without backgrounds of its own, readable on a light and on a dark page."""
    grid = "rgba(128,128,128,0.25)"
    bare = "rgba(0,0,0,0)"
    return {
        "template": "none",
        "paper_bgcolor": bare,
        "plot_bgcolor": bare,
        "font": {"color": "#808080"},
        "xaxis_gridcolor": grid,
        "yaxis_gridcolor": grid,
    }

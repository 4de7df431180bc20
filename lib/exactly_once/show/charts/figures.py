"""The two series with the window's average, by plotly, and the look that all of plotly's figures share."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ...pipeline import Job, Window
from ..base.checks import given

BLUE, SKY, GREEN, ORANGE, GREY = "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#6b7280"  # those of `base.theme`
NAMES = {"seattle": "Seattle", "san_francisco": "San Francisco"}


def series_table(job: Job) -> pd.DataFrame:
    """Return the inputs of a job as a DataFrame: hour, one column for each stream, and the window's average, °F."""
    streams, rows, window = job.inputs(), [], Window()
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

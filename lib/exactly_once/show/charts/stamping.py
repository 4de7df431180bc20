"""A figure of the cost of stamping a log: time and passes over the number of events."""

import pandas
from plotly import graph_objects as go
from plotly.subplots import make_subplots

from ...errors import BadInput
from ..base.theme import BLUE, ORANGE, PURPLE
from .figures import surface

COLUMNS = ("events", "passes", "seconds", "reference")
DECADES = range(10)


def stamping_figure(table: pandas.DataFrame) -> go.Figure:
    """Return a plotly figure of a table with a row for each log: time above, passes below, over the number of events.

    table: a pandas DataFrame with the columns `events`, `passes`, `seconds` (on the cluster) and `reference` (seconds
        of the single process). Both axes of time and events are logarithmic. Raises `BadInput` for any other table.
    """
    if not isinstance(table, pandas.DataFrame) or not set(COLUMNS) <= set(table.columns) or table.empty:
        raise BadInput(f"The table is {type(table).__name__}; give a DataFrame with columns {', '.join(COLUMNS)}.")
    table = table.sort_values("events")
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.65, 0.35], vertical_spacing=0.09)
    for column, label, colour, symbol, dash, row in (
        ("seconds", "on the cluster", BLUE, "circle", "solid", 1),
        ("reference", "by a single process", ORANGE, "square", "dash", 1),
        ("passes", "passes", PURPLE, "diamond", "solid", 2),
    ):
        figure.add_scatter(
            x=table["events"],
            y=table[column],
            name=label,
            mode="lines+markers",
            line={"color": colour, "dash": dash},
            marker={"symbol": symbol, "size": 9},
            hovertemplate="%{x:,} events: %{y:,.4g}",
            row=row,
            col=1,
        )
    ticks = {"type": "log", "tickvals": [10**power for power in DECADES]}
    look = surface()
    grid = look.pop("xaxis_gridcolor")
    look.pop("yaxis_gridcolor")
    figure.update_layout(
        height=420, margin={"l": 60, "r": 10, "t": 30, "b": 50}, legend={"orientation": "h", "y": 1.1}, **look
    )
    figure.update_xaxes(gridcolor=grid, **ticks)
    figure.update_xaxes(title_text="events", ticktext=[f"{10**power:,}" for power in DECADES], row=2)
    figure.update_yaxes(gridcolor=grid)
    seconds = ["0.001", "0.01", "0.1", "1", "10", "100", "1,000"]
    figure.update_yaxes(
        title_text="seconds",
        type="log",
        tickvals=[float(one.replace(",", "")) for one in seconds],
        ticktext=seconds,
        row=1,
    )
    figure.update_yaxes(title_text="passes", rangemode="tozero", row=2)
    return figure

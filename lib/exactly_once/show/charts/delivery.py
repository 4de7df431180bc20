"""Lost and doubled records of the four settings of producer and consumer, found and predicted, by plotly."""

import pandas as pd
import plotly.graph_objects as go

from ...errors import BadInput
from ..base.checks import given
from ..base.theme import BLUE, ORANGE, VERMILLION
from .figures import surface

KINDS = {"lost": ("○ lost", ORANGE, "/"), "doubled": ("× doubled", VERMILLION, "")}
NEEDED = ["producer", "position", *KINDS, *(f"{kind}, predicted" for kind in KINDS)]


def delivery_figure(table: pd.DataFrame) -> go.Figure:
    """Return a plotly figure of a table of deliveries: bars for the counted records, diamonds for the predicted ones.

    `table` is a DataFrame with the columns producer, position, lost, doubled, and "…, predicted" of the last two.
    Raises `BadInput` when a column is missing.
    """
    if missing := [column for column in NEEDED if column not in given(table, pd.DataFrame).columns]:
        raise BadInput(f"The table of deliveries lacks {', '.join(missing)}; delivery_table() makes one.")
    names = [f"{one.producer},<br>position {one.position}" for one in table.itertuples()]
    figure = go.Figure()
    for kind, (title, colour, hatch) in KINDS.items():
        bar = {"color": colour, "pattern": {"shape": hatch}}
        figure.add_bar(x=names, y=table[kind], name=title, offsetgroup=kind, marker=bar)
        places = [place + (-0.2 if kind == "lost" else 0.2) for place in range(len(names))]
        look = {"mode": "markers+text", "textposition": "top center", "cliponaxis": False, "xaxis": "x2"}
        mark = {"symbol": "diamond-open", "size": 12, "color": BLUE, "line": {"width": 2}}
        predicted = f"{kind}, predicted"
        figure.add_scatter(x=places, y=table[predicted], text=table[kind], name=predicted, marker=mark, **look)
    figure.update_layout(
        **surface(),
        barmode="group",
        height=360,
        margin={"l": 55, "r": 10, "t": 40, "b": 50},
        legend={"orientation": "h", "y": 1.16},
        yaxis={"title": "records", "rangemode": "tozero"},
        xaxis2={"overlaying": "x", "range": [-0.5, len(names) - 0.5], "visible": False},
    )
    return figure

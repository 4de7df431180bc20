"""Real processes at one queue: the number of pushes of each over time, and the time in which one stood still."""

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ...errors import BadInput
from ...lockfree.contention import CAS, STEP, Contention
from ..base.theme import BLUE, GREEN, ORANGE, PURPLE
from .figures import surface

COLOURS, DASHES = (PURPLE, BLUE, GREEN, ORANGE), ("solid", "dash", "dot", "dashdot")
QUEUES = {CAS: "lock-free", "lock": "behind a lock"}
ROOM = 1.3  # of the panel's height, for the words above the lines
STOPPED = {None: "nobody is stopped", STEP: "stopped at a step", "transaction": "stopped in a transaction"}


def contention_figure(results: list[Contention]) -> go.Figure:
    """Return a plotly figure of one or several results of `contend`: a panel for each, side by side.

    A line for each process rises with its pushes; the panel is grey where a process stood still. Raises `BadInput`
    for anything else.
    """
    found = _checked(results)
    titles = [f"{QUEUES[one.queue]}, {STOPPED[one.stopped]}" for one in found]
    figure = make_subplots(1, len(found), subplot_titles=titles, shared_yaxes=True, horizontal_spacing=0.05)
    for column, result in enumerate(found, 1):
        for number, pushes in enumerate(result.pushes):
            figure.add_scatter(
                x=[0, *(ended for _, ended in pushes)],
                y=list(range(len(pushes) + 1)),
                line={"shape": "hv", "color": COLOURS[number], "dash": DASHES[number], "width": 2},
                name=f"process {number + 1}",
                legendgroup=f"process {number + 1}",
                showlegend=f"process {number + 1}" not in {trace.name for trace in figure.data},
                row=1,
                col=column,
                hovertemplate="%{y} pushes after %{x:.3f} s",
            )
        if result.still is not None:
            figure.add_vrect(
                *result.still, fillcolor="rgba(128,128,128,0.22)", line_width=0, row=1, col=column,
                annotation_text=f"stands still:<br>others + {result.meanwhile}", annotation_position="top left",
            )  # fmt: skip
    figure.update_layout(
        **surface(),
        height=350,
        margin={"l": 60, "r": 10, "t": 50, "b": 90},
        legend={"orientation": "h", "y": -0.32, "yanchor": "top"},
    )
    figure.update_xaxes(title="seconds", rangemode="tozero")
    figure.update_yaxes(range=[0, ROOM * max(len(pushes) for one in found for pushes in one.pushes)])
    figure.update_yaxes(title="pushes", row=1, col=1)
    figure.update_annotations(font_size=12)
    return figure


def contention_table(results: list[Contention]) -> pd.DataFrame:
    """Return the same as a table: the settings of each run, the pushes of the others while one stood still, the
    seconds.
    """
    return pd.DataFrame(
        [
            {
                "queue": QUEUES[one.queue],
                "processes": one.processes,
                "one of them is": STOPPED[one.stopped].replace("nobody is stopped", "–"),
                "stood still, s": "–" if one.still is None else f"{one.still[1] - one.still[0]:.2f}",
                "pushes of the others meanwhile": "–" if one.still is None else str(one.meanwhile),
                "all ended after, s": f"{one.seconds:.2f}",
            }
            for one in _checked(results)
        ]
    )


def _checked(results: object) -> list[Contention]:
    found = [results] if isinstance(results, Contention) else results
    if not isinstance(found, (list, tuple)) or not found or not all(isinstance(one, Contention) for one in found):
        raise BadInput(f"The results are {str(results)[:60]!r}; give what contend() returned, once or as a list.")
    return list(found)

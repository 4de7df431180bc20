"""How seldom all nodes are down at once, against the assumptions of the estimate: quick repair, no common causes."""

from collections.abc import Iterable
from dataclasses import replace

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ...errors import BadInput
from ...lockfree.estimate import DAY, YEAR, Estimate
from ..base.theme import BLUE, GREEN, PURPLE, VERMILLION
from .figures import surface

STEPS = 8  # points for each power of ten
LEAST_SHARE = -7  # as a power of ten
LOOKS = ((VERMILLION, "dot"), (BLUE, "solid"), (GREEN, "dash"), (PURPLE, "dashdot"))
UNITS = (("year", YEAR), ("day", DAY), ("hour", 3600.0), ("min", 60.0), ("s", 1.0))


def estimate_figure(estimate: Estimate | None = None, nodes: Iterable[int] = (1, 2, 3)) -> go.Figure:
    """Return a plotly figure of the mean time until no node is up: a line for each number of nodes, against the
    repair time in batches on the left and the share of common causes on the right. All axes are logarithmic.

    The mark is the value of `estimate` itself. Raises `BadInput` for an argument that is no `Estimate`, for an
    estimate without mishaps, and for wrong numbers of nodes.
    """
    given_, counts = _checked(estimate, nodes)
    figure = make_subplots(
        1, 2, shared_yaxes=True, horizontal_spacing=0.06,
        subplot_titles=["a struck node is back later", "mishaps have a common cause"],
    )  # fmt: skip
    longest = max(2880, given_.repair)
    repairs = sorted(
        {round(10 ** (step / STEPS)) for step in range(100) if 10 ** (step / STEPS) <= longest} | {longest}
    )
    shares = [10 ** (step / STEPS) for step in range(LEAST_SHARE * STEPS, 1)]
    for number, count in enumerate(counts):
        colour, dash = LOOKS[number % len(LOOKS)]
        late = [replace(given_, nodes=count, repair=repair) for repair in repairs]
        alike = [replace(given_, nodes=count, common=share) for share in shares]
        xs = ([one.repair * one.batch for one in late], [one.common for one in alike])
        marked = replace(given_, nodes=count)
        marks = (given_.repair * given_.batch, given_.common or None)  # a logarithmic axis has no 0
        for column, (x, line, at) in enumerate(zip(xs, (late, alike), marks, strict=True), 1):
            name = f"{count} node{'s' if count > 1 else ''}"
            figure.add_scatter(
                x=x, y=[one.years for one in line], name=name, legendgroup=name, showlegend=column == 1, row=1,
                col=column, line={"color": colour, "dash": dash, "width": 2.5},
                customdata=[words_for(one.years * YEAR) for one in line], hovertemplate=f"{name}: %{{customdata}}",
            )  # fmt: skip
            figure.add_scatter(
                x=[at], y=[marked.years], mode="markers+text", showlegend=False, row=1, col=column, hoverinfo="skip",
                text=[words_for(marked.years * YEAR)], textposition="top right",
                marker={"color": colour, "size": 9, "symbol": "circle"}, cliponaxis=False,
            )  # fmt: skip
    ticks = [value for value in (10, 60, 600, 3600, 28_800, DAY) if value <= longest * given_.batch]
    figure.update_layout(
        **surface(),
        height=380,
        margin={"l": 130, "r": 20, "t": 40, "b": 90},
        legend={"orientation": "h", "y": -0.24, "yanchor": "top"},
    )
    figure.update_xaxes(type="log", gridcolor="rgba(128,128,128,0.25)")
    figure.update_xaxes(title="repair time", tickvals=ticks, ticktext=[words_for(one) for one in ticks], row=1, col=1)
    powers = range(LEAST_SHARE + 1, 1, 2)
    labels = ["1" if power == 0 else f"10<sup>−{-power}</sup>" for power in powers]
    title = "share of mishaps that strike all nodes"
    figure.update_xaxes(title=title, tickvals=[10.0**power for power in powers], ticktext=labels, row=1, col=2)
    heights = (DAY, 30 * DAY, YEAR, 100 * YEAR, 1e4 * YEAR, 1e6 * YEAR)
    figure.update_yaxes(
        type="log", gridcolor="rgba(128,128,128,0.25)",
        tickvals=[value / YEAR for value in heights], ticktext=[words_for(value) for value in heights],
    )  # fmt: skip
    figure.update_yaxes(title={"text": "until no node is left up,<br>on the average", "standoff": 14}, row=1, col=1)
    figure.update_annotations(font_size=12)
    return figure


def words_for(seconds: float) -> str:
    """Return a length of time in words, in the largest unit that it reaches."""
    unit, length = next(((unit, length) for unit, length in UNITS if seconds >= length), UNITS[-1])
    value = seconds / length
    if value == float("inf"):
        return "for ever"
    shown = f"{value:,.0f}" if value >= 99.95 else f"{value:.1f}".removesuffix(".0")
    return f"{shown} {unit}{'s' if unit in ('year', 'day', 'hour') and shown != '1' else ''}"


def _checked(estimate: Estimate | None, nodes: Iterable[int]) -> tuple[Estimate, list[int]]:
    one = Estimate() if estimate is None else estimate
    if not isinstance(one, Estimate):
        raise BadInput(f"The estimate is {one!r}; give an Estimate, such as Estimate(batch=10, a_day=1).")
    if not one.a_day:
        raise BadInput("The estimate is one without mishaps; give it some a day, such as Estimate(a_day=1).")
    counts = list(nodes) if isinstance(nodes, Iterable) else []
    if not 1 <= len(counts) <= len(LOOKS):
        raise BadInput(f"The numbers of nodes are {nodes!r}; give one to {len(LOOKS)} of them, such as (2, 3).")
    return one, [replace(one, nodes=count).nodes for count in counts]

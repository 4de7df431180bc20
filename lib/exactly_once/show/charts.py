"""Charts by plotly in one look: a job's inputs, what guarantees cost, how long records wait; and their tables."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from ..costs.measured import Batched, Measured
from ..costs.spread import NOISE, Comparison
from ..errors import BadInput
from ..lockfree.contention import CAS, STEP, Contention
from ..pipeline import Job, Window
from ..spark.experiments.waits import KILL, SLOW, Wait, Waits
from .base.checks import given, several

BLUE, SKY, GREEN, ORANGE, GREY = "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#6b7280"  # those of `base.theme`
AMBER, BAND, GRID, BARE = "rgba(230,159,0,0.16)", "rgba(107,114,128,0.2)", "rgba(128,128,128,0.25)", "rgba(0,0,0,0)"
STREAMS = {"seattle": ("Seattle", SKY, "dot"), "san_francisco": ("San Francisco", ORANGE, "dash")}
AROUND = 1.5, 2.0  # s shown before the fault, and after the struck nodes are back
NODES = {1: (BLUE, "circle"), 2: (GREEN, "square"), 3: (ORANGE, "triangle-up")}
TICKS = [1, 10, 100, 1_000, 10_000, 100_000]
QUEUES = {CAS: "lock-free", "lock": "behind a lock"}
STOPPED = {None: "–", STEP: "stopped at a step", "transaction": "stopped in a transaction"}


def _figure(across: str, up: str = "", height: int = 340, under: int = 45, **layout: Any) -> go.Figure:
    """Return a figure without lines: the titles of its axes, and no background, readable on light and dark."""
    return go.Figure(
        layout={
            "template": "none", "paper_bgcolor": BARE, "plot_bgcolor": BARE, "font": {"color": "#808080"},
            "xaxis": {"title": across, "gridcolor": GRID}, "yaxis": {"title": up, "gridcolor": GRID},
            "margin": {"l": 70, "r": 10, "t": 40, "b": under}, "height": height, "legend": {"orientation": "h"},
            **layout,
        }
    )  # fmt: skip


def _line(figure: go.Figure, x: Sequence[Any], y: Sequence[Any], name: str, colour: str, wide: float, dash: str = "",
          **more: Any) -> None:  # fmt: skip
    """Add a line to a figure; without a name it is not in the legend."""
    looks = {"color": colour, "width": wide, "dash": dash or "solid", **more.pop("line", {})}
    figure.add_scatter(x=x, y=y, name=name, showlegend=bool(name), line=looks, **{"mode": "lines", **more})


def series_figure(job: Job | None = None) -> go.Figure:
    """Return a plotly figure of a job's two input streams and the average of its window, over event time in hours."""
    job = Job(items=7 * 24) if job is None else given(job, Job)
    streams, window, hours, averages = job.inputs(), Window(), [], []
    for readings in zip(*streams.values(), strict=True):
        window.push(readings)
        window.trim(job.duration)
        hours.append(readings[0].hour)
        averages.append(round(float(window.average()), 3))
    figure = _figure("hour of 2010 (event time)", "°F", hovermode="x unified", legend={"orientation": "h", "y": 1.12})
    for stream, (name, colour, dash) in STREAMS.items():
        _line(figure, hours, [float(reading.value) for reading in streams[stream]], name, colour, 1.5, dash)
    _line(figure, hours, averages, f"average of the last {job.duration} h, both streams", BLUE, 3)
    return figure


class Spread(NamedTuple):
    """A row of a chart: a name, a line from `low` to `high` with a dot at `middle`, and the same in words.

    A row that is not `sure` is grey, with an open dot.
    """

    name: str
    said: str
    low: float
    middle: float
    high: float
    sure: bool = True


def _spreads(rows: Sequence[Spread], across: str) -> go.Figure:
    """Return rows under each other on a logarithmic scale, the first one on top, with their words at the right."""
    figure = _figure(across, height=110 + 30 * len(rows), under=60, showlegend=False)
    for sure, colour, symbol in ((True, BLUE, "circle"), (False, GREY, "circle-open")):
        mine = [(place, row) for place, row in enumerate(rows) if row.sure == sure]
        figure.add_scatter(
            x=[row.middle for _, row in mine], y=[place for place, _ in mine], mode="markers",
            text=[f"{row.name}: {row.said}" for _, row in mine], hoverinfo="text",
            marker={"color": colour, "symbol": symbol, "size": 10, "line": {"color": colour, "width": 2}},
            error_x={
                "array": [row.high - row.middle for _, row in mine],
                "arrayminus": [row.middle - row.low for _, row in mine], "color": colour,
            },
        )  # fmt: skip
    for place, row in enumerate(rows):
        figure.add_annotation(x=1.01, xref="paper", y=place, text=row.said, showarrow=False, xanchor="left")
    names = {"tickvals": list(range(len(rows))), "ticktext": [row.name for row in rows]}
    figure.update_yaxes(range=[len(rows) - 0.5, -0.5], automargin=True, showgrid=False, zeroline=False, **names)
    figure.update_xaxes(type="log", dtick="D2")  # 1, 2 and 5
    figure.update_layout(margin_r=30 + 6.5 * max(len(row.said) for row in rows))
    return figure


def costs(comparison: Comparison) -> go.Figure:
    """Return a plotly figure of a comparison, such as `compare_costs` returns: each case's ratio to the base.

    A dot is the median of the ratios, a line its 95 % interval, both on a logarithmic scale; the grey band is the
    noise, within which the base itself lies when it runs once more. A case whose interval touches the band is grey
    and has an open dot. Raises `BadInput` for anything else.
    """
    found, rows = given(comparison, Comparison), []
    for name in found.ratios:
        (low, high), median, sure = found.interval(name), found.median(name), found.sure(name)
        unsure = "" if sure or name == NOISE else ", not told apart from noise"
        rows.append(Spread(name, f"{median:.2f} ({low:.2f} to {high:.2f}){unsure}", low, median, high, sure))
    rounds = f"dot: median of {found.rounds} rounds; line: its 95 % interval; grey band: noise"
    figure = _spreads(rows, f"times {found.base}<br>{rounds}")
    figure.add_vrect(*found.noise, fillcolor=BAND, line_width=0)
    figure.add_vline(1, line_width=1.5, line_color=GREY)
    return figure


def latencies(results: Sequence[Batched | Measured]) -> go.Figure:
    """Return a plotly figure of the latencies of results of `batched` or `measured`: a row for each, in their order.

    A dot is the median, a line goes up to the longest, and a diamond on it is the p99, on a logarithmic scale of
    milliseconds; in words stand these three, and the records a second. Raises `BadInput` for anything else, and for
    results without latencies.
    """
    found: list[Batched | Measured] = several(results, Batched, Measured)
    if not all(one.latencies for one in found):
        raise BadInput("A result has no latencies; give results of batched with a rate, or of measured.")
    rows, p99s = [], [1000 * one.p99 for one in found]
    for one, p99 in zip(found, p99s, strict=True):
        median, longest = 1000 * one.median, 1000 * one.longest
        said = f"{' / '.join(map(_ms, (median, p99, longest)))} ms; {one.rate:,.0f} records/s"
        rows.append(Spread(_named(one), said, median, median, longest))
    figure = _spreads(rows, "a record waits, ms<br>dot: the median; diamond: the p99; end of the line: the longest")
    marker = {"color": BLUE, "symbol": "diamond-open", "size": 11, "line": {"width": 2}}
    figure.add_scatter(x=p99s, y=list(range(len(rows))), mode="markers", marker=marker, hoverinfo="skip")
    return figure


def _named(one: Batched | Measured) -> str:
    stores = one.stores.partition(":")[0]
    if isinstance(one, Measured):
        return f"{one.strategy}, {stores}"
    return f"{one.way}, {stores}, {one.interval_ms:g} ms" + f", {one.partitions} partitions" * (one.partitions > 1)


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def contention_table(results: list[Contention]) -> pd.DataFrame:
    """Return results of `contend` as a table: the settings of each run, the pushes of the others while one stood
    still, the seconds. Raises `BadInput` for anything else.
    """
    return pd.DataFrame(
        [
            {
                "queue": QUEUES[one.queue],
                "processes": one.processes,
                "one of them is": STOPPED[one.stopped],
                "stood still, s": "–" if one.still is None else f"{one.still[1] - one.still[0]:.2f}",
                "pushes of the others meanwhile": "–" if one.still is None else str(one.meanwhile),
                "all ended after, s": f"{one.seconds:.2f}",
            }
            for one in several(results, Contention)
        ]
    )


def waits_figure(waits: Waits) -> go.Figure:
    """Return a plotly figure of the results of `waits`: the waiting time of each record, on a logarithmic scale.

    The twins' records are a line, with ● or ■ for the node that wrote each; the records of the other way are ◇ on a
    dashed line. The time in which the struck nodes were away is amber. Raises `BadInput` for anything else.
    """
    found = given(waits, Waits)
    title = {"text": f"One node of each is {_done(found)}", "font": {"size": 14}, "x": 0.02}
    legend = {"orientation": "h", "y": -0.3, "yanchor": "top"}
    across = "seconds since the fault; a record stands where it arrived"
    figure = _figure(across, "a record waited, ms", under=90, title=title, legend=legend)
    first = min(one.arrived for one in (*found.twins, *found.other))
    figure.update_xaxes(range=[max(-AROUND[0], first - found.struck), max(found.away) + AROUND[1]])
    figure.add_vrect(
        0, found.away[1], fillcolor=AMBER, line_width=0, annotation_position="top left",
        annotation_text=f"{found.beside}: away {found.away[1]:.1f} s",
    )  # fmt: skip

    def places(series: Sequence[Wait]) -> tuple[list[float], list[float]]:
        return [one.arrived - found.struck for one in series], [1000 * one.seconds for one in series]

    twins, other = (
        [one for one in getattr(found, side) if one.arrived > found.struck - AROUND[0]] for side in ("twins", "other")
    )
    _line(figure, *places(twins), "", GREEN, 1.5, hoverinfo="skip")
    for node in sorted({one.node for one in twins}):
        (x, y), (colour, symbol) = places([one for one in twins if one.node == node]), NODES[node]
        marker = {"color": colour, "symbol": symbol, "size": 7}
        _line(figure, x, y, f"twins, written by {node}", colour, 0, mode="markers", marker=marker,
              hovertemplate="%{y:,.0f} ms")  # fmt: skip
    marker = {"symbol": "diamond-open", "size": 8}
    _line(figure, *places(other), found.beside, GREY, 1, "dash", mode="lines+markers", marker=marker,
          hovertemplate="%{y:,.0f} ms")  # fmt: skip
    highest = max(1000 * one.seconds for one in (*found.twins, *found.other) if one.ended > found.struck)
    room = [0, math.log10(highest) + 0.8]  # for the words above the lines
    figure.update_yaxes(type="log", tickvals=TICKS, ticktext=[f"{tick:,}" for tick in TICKS], range=room)
    return figure


def waits_table(waits: Waits | list[Waits]) -> pd.DataFrame:
    """Return the results of `waits` as a table with one row for each result."""
    return pd.DataFrame(
        [
            {
                "one node is": _done(one),
                "twins: p99 before, ms": f"{1000 * one.p99[0]:,.0f}",
                "p99 from then on, ms": f"{1000 * one.p99[1]:,.0f}",
                "longest before, ms": f"{1000 * one.longest[0]:,.0f}",
                "longest from then on, ms": f"{1000 * one.longest[1]:,.0f}",
                "beside them": one.beside,
                "its longest, ms": f"{1000 * one.gap:,.0f}",
                "most waiting, twins and other": " and ".join(map(str, one.most_waiting)),
            }
            for one in several(waits, Waits)
        ]
    )


def _done(waits: Waits) -> str:
    if waits.fault == SLOW:
        return "at half speed"
    return "killed" if waits.fault == KILL else f"stopped for {waits.away[1]:.1f} s"

"""The waiting time of each record and the number of waiting records while a node is killed or stopped, for two
ways.
"""

import itertools
from typing import Any

import pandas as pd

from ...delivery.waits import KILL, SIDES, SLOW, Waits
from ...lockfree.contention import CAS, STEP, Contention
from ..base.chart import Series, line_chart
from ..base.checks import given, several
from ..base.picture import Picture, scrolling

QUEUES = {CAS: "lock-free", "lock": "behind a lock"}
STOPPED = {None: "–", STEP: "stopped at a step", "transaction": "stopped in a transaction"}
AROUND = 1.5  # s shown before the fault
NODES = {1: ("blue", "dot"), 2: ("green", "box"), 3: ("amber", "diamond")}


def waits_figure(waits: Waits) -> Picture:
    """Return the picture of the results of `waits`: the waiting time of each record, on a logarithmic scale.

    The twins' records are a line, with ● or ■ for the node that wrote each; the records of the other way are ◆ on a
    dashed line. The time in which the struck nodes were away is amber. Raises `BadInput` for anything else.
    """
    found = given(waits, Waits)
    seen = {
        side: [
            (one.arrived - found.struck, 1000 * one.seconds, one.node)
            for one in series
            if one.arrived > found.struck - AROUND
        ]
        for side, series in zip(SIDES, (found.twins, found.other), strict=True)
    }
    twins, other = ([(x, y) for x, y, _ in seen[side]] for side in ("twins", "other"))
    series = [Series("", twins, "green", 1.5)]
    for node in sorted({node for *_, node in seen["twins"]}):
        mine = [(x, y) for x, y, by in seen["twins"] if by == node]
        colour, shape = NODES[node]
        series.append(Series(f"twins, written by {node}", mine, colour, 0, "", shape, "{:,.0f} ms"))
    series.append(Series(found.beside, other, "grey", 1, "4 3", "diamond", "{:,.0f} ms"))
    rows = [(name, x, y) for name, some in (("twins", twins), (found.beside, other)) for x, y in some]
    table = pd.DataFrame(rows, columns=["who", "seconds since the fault", "waited, ms"]).round(2)
    titles = "seconds since the fault; a record stands where it arrived", "a record waited, ms"
    return _picture(found, series, titles, table, log=True)


def waiting_figure(waits: Waits) -> Picture:
    """Return the picture of the number of waiting records at each moment: the twins' and the other way's.

    Raises `BadInput` for anything but results of `waits`.
    """
    found, series, rows = given(waits, Waits), [], []
    for side, name, colour, dash in (("other", found.beside, "grey", "4 3"), ("twins", "twins", "green", "")):
        steps = [(moment - found.struck, count) for moment, count in found.waiting(side)]
        steps = [(x, count) for x, count in steps if x > -AROUND]
        corners = [(after, count) for (_, count), (after, _) in itertools.pairwise(steps)]
        series.append(Series(name, sorted([*corners, *steps], key=lambda point: point[0]), colour, 2, dash))
        rows += [(name, round(x, 2), count) for x, count in steps]
    table = pd.DataFrame(rows, columns=["who", "seconds since the fault", "records that wait"])
    return _picture(found, series, ("seconds since the fault", "records that wait"), table, low=0)


def waits_table(waits: Waits | list[Waits]) -> pd.DataFrame:
    """Return the results of `waits` as a table with one row for each result."""
    return pd.DataFrame([_row(one) for one in several(waits, Waits)])


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


def _picture(
    found: Waits, series: list[Series], titles: tuple[str, str], table: pd.DataFrame, low: float | None = None,
    log: bool = False,
) -> Picture:  # fmt: skip
    title = f"One node of each is {_done(found)}"
    band = (0.0, found.away[1], f"{found.beside}: away {found.away[1]:.1f} s")
    drawn = line_chart(series, titles, f"{title}. The table below says the same.", low, log, band)
    return Picture(f'<p class="eo-h">{title}</p>{scrolling(drawn, title)}', table)


def contention_table(results: list[Contention]) -> pd.DataFrame:
    """Return results of `contend` as a table: the settings of each run, the pushes of the others while one stood
    still, the seconds. Raises `BadInput` for anything else.
    """
    columns = ["queue", "processes", "one of them is", "stood still, s", "pushes of the others meanwhile"]
    rows = [
        (
            QUEUES[one.queue],
            one.processes,
            STOPPED[one.stopped],
            "–" if one.still is None else f"{one.still[1] - one.still[0]:.2f}",
            "–" if one.still is None else str(one.meanwhile),
            f"{one.seconds:.2f}",
        )
        for one in several(results, Contention)
    ]
    return pd.DataFrame(rows, columns=[*columns, "all ended after, s"])

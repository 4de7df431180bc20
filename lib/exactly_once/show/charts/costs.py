"""What guarantees cost, drawn: ratios with their intervals over the band of the noise, and latencies."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from ...costs.batched import Batched
from ...costs.measured import Measured
from ...costs.spread import NOISE, Comparison
from ...errors import BadInput
from ..base.canvas import CHARACTER, Mark, box, diamond, dot, group, line, svg, words
from ..base.chart import Scale
from ..base.checks import given, several
from ..base.picture import Picture, scrolling

WIDTH, TOP, ROW, UNDER, GAP = 820, 30, 26, 34, 14
SAYS = 215  # pixels of the words right of the plot, at least
WITHIN = "not told apart from noise"


@dataclass(frozen=True)
class Spread:
    """A row of the picture: a name, a line from `low` to `high` with a dot on it, and the same in words.

    `ends` are the places of the line's upright ends; a row that is not `sure` is grey, with an open dot; `beyond` is
    the place of a diamond.
    """

    name: str
    said: str
    low: float
    high: float
    middle: float
    ends: tuple[float, ...]
    sure: bool = True
    beyond: float | None = None

    def drawn(self, x: Scale, y: float) -> Mark:
        """Return the row at a height."""
        colour = "blue" if self.sure else "grey"
        more = [] if self.beyond is None else [diamond(x(self.beyond), y, 6, fill="bg", stroke=colour, wide=2)]
        return group(
            words(x.start - 8, y + 4, self.name, "lane" if self.sure else "sub", "end"),
            line(x(self.low), y, x(self.high), y, stroke=colour, wide=2.5),
            *(line(x(end), y - 5, x(end), y + 5, stroke=colour, wide=2) for end in self.ends),
            dot(x(self.middle), y, 5, fill=colour if self.sure else "bg", stroke=colour, wide=2),
            *more,
            words(x.end + GAP, y + 4, self.said, "" if self.sure else "sub"),
            title=f"{self.name}: {self.said}",
        )


def _drawn(
    rows: Sequence[Spread], head: str, under: Sequence[str], about: str,
    band: tuple[float, float] | None = None,
) -> str:  # fmt: skip
    """Return rows on a logarithmic scale as SVG, with the words above and `under` them, over the noise's band."""
    left = 16 + CHARACTER * max(len(row.name) for row in rows)
    right = WIDTH - max(SAYS, GAP + CHARACTER * max(len(row.said) for row in rows))
    ends = [end for row in rows for end in (row.low, row.high)] + ([*band, 1.0] if band else [])
    low, high = min(ends), max(ends)
    room, bottom = (high / low) ** 0.04 * 1.02, TOP + ROW * len(rows)
    x = Scale(left, right, low / room, high * room, log=True)
    marks = []
    if band is not None:
        marks = [
            box(x(band[0]), TOP - 8, x(band[1]) - x(band[0]), bottom - TOP + 8, fill="grey", opacity=0.18),
            line(x(1), TOP - 8, x(1), bottom, stroke="text", wide=1.5),
        ]
    above = words(x(1), TOP - 14, head, "sub", "middle") if band else words(x.end + GAP, TOP - 14, head, "sub")
    marks += [*x.across(TOP - 8, bottom), above]
    marks += [row.drawn(x, TOP + ROW * (place + 0.5)) for place, row in enumerate(rows)]
    marks += [words(left, bottom + UNDER + 16 * place, said, "sub") for place, said in enumerate(under)]
    return svg(marks, WIDTH, bottom + UNDER + 16 * (len(under) - 1) + GAP, f"{about} The table below says the same.")


def costs(comparison: Comparison) -> Picture:
    """Return the picture of a comparison, such as `compare_costs` returns: each case's ratio to the base.

    A dot is the median of the ratios, a line its 95 % interval, both on a logarithmic scale; the grey band is the
    noise, within which the base itself lies when it runs once more. A case whose interval touches the band is grey
    and has an open dot.
    """
    found = given(comparison, Comparison)
    rows = []
    for name in found.ratios:
        (low, high), median = found.interval(name), found.median(name)
        unsure = "" if found.sure(name) or name == NOISE else f", {WITHIN}"
        said = f"{median:.2f} ({low:.2f} to {high:.2f}){unsure}"
        rows.append(Spread(name, said, low, high, median, (low, high), found.sure(name)))
    under = f"times the base; dot: median of {found.rounds} rounds", "line: its 95 % interval; grey band: noise"
    about = f"Costs against {found.base}. {'; '.join(f'{row.name}: {row.said}' for row in rows)}."
    drawn = _drawn(rows, f"1 = {found.base}", under, about, found.noise)
    return Picture(scrolling(drawn, "Costs, with their spread"), found.table.reset_index())


def latencies(results: Sequence[Batched | Measured]) -> Picture:
    """Return the picture of the latencies of results of `batched` or `measured`: a row for each, in their order.

    A dot is the median, a line goes up to the longest, and a diamond on it is the p99, on a logarithmic scale of
    milliseconds. Raises `BadInput` for anything else, and for results without latencies.
    """
    found: list[Batched | Measured] = several(results, Batched, Measured)
    if not all(one.latencies for one in found):
        raise BadInput("A result has no latencies; give results of batched with a rate, or of measured.")
    rows, table = [], []
    for one in found:
        median, p99, longest = (1000 * value for value in (one.median, one.p99, one.longest))
        said = [_ms(value) for value in (median, p99, longest)]
        rows.append(Spread(_named(one), " / ".join(said), median, longest, median, (longest,), beyond=p99))
        every = f"{one.interval_ms:g}" if isinstance(one, Batched) else ""
        table.append((_named(one), every, *said, f"{one.rate:,.0f}"))
    under = ["a record waits, ms; dot: the median; diamond: the p99; end of the line: the longest"]
    about = f"Latencies of {len(found)} runs."
    drawn = _drawn(rows, "median / p99 / longest, ms", under, about)
    columns = ["run", "commit every, ms", "median, ms", "p99, ms", "longest, ms", "records a second"]
    return Picture(scrolling(drawn, "Latencies"), pd.DataFrame(table, columns=columns))


def _named(one: Batched | Measured) -> str:
    stores = one.stores.partition(":")[0]
    if isinstance(one, Measured):
        return f"{one.strategy}, {stores}"
    return f"{one.way}, {stores}, {one.interval_ms:g} ms" + f", {one.partitions} partitions" * (one.partitions > 1)


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

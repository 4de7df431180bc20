"""What guarantees cost, drawn: ratios with their intervals over the band of the noise, and latencies."""

import math
from collections.abc import Iterator, Sequence

from ...costs.batched import Batched
from ...costs.measured import Measured
from ...costs.spread import NOISE, Comparison
from ...errors import BadInput, whole
from ..base.canvas import CHARACTER, Mark, box, diamond, dot, group, line, svg, table_of, words
from ..base.checks import given
from ..base.picture import Picture, scrolling

TOP, ROW, UNDER, GAP = 30, 26, 34, 14
SAYS = 290  # pixels of the words right of the plot, at least
RATIOS = (0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
APART = 34  # pixels between the numbers of a scale, at least
MS = tuple(step * 10.0**power for power in range(-2, 6) for step in (1, 2, 5))
WITHIN = "not told apart from noise"


class _Scale:
    """A logarithmic scale from left to right."""

    def __init__(self, left: float, right: float, low: float, high: float) -> None:
        self.left, self.right = left, right
        room = (high / low) ** 0.04 * 1.02
        self.low, self.high = math.log(low / room), math.log(high * room)

    def x(self, value: float) -> float:
        """Return the place of a value."""
        return self.left + (self.right - self.left) * (math.log(value) - self.low) / (self.high - self.low)

    def grid(self, values: Sequence[float], bottom: float) -> Iterator[Mark]:
        """Yield lines with numbers under them, for those of `values` that have room; 1 comes before all others."""
        kept: list[float] = []
        for value in sorted(values, key=lambda one: (one != 1, abs(math.log(one)))):
            x = self.x(value)
            if self.left <= x <= self.right and all(abs(x - other) >= APART for other in kept):
                kept.append(x)
                yield line(x, TOP - 8, x, bottom, stroke="line", wide=1)
                yield words(x, bottom + 16, f"{value:,g}", "sub", "middle")


def costs(comparison: Comparison, width: int = 820) -> Picture:
    """Return the picture of a comparison, such as `compare_costs` returns: each case's ratio to the base.

    A dot is the median of the ratios, a line its 95 % interval, both on a logarithmic scale; the grey band is the
    noise, within which the base itself lies when it runs once more. A case whose interval touches the band is grey
    and has an open dot. `width` in pixels.
    """
    found = given(comparison, Comparison)
    whole("the width of the picture", width, least=500)
    names = list(found.ratios)
    ends = [end for name in names for end in found.interval(name)]
    says = max(SAYS, GAP + CHARACTER * max(len(_beside(found, name)) for name in names))
    scale = _Scale(_left(names), width - says, min(*ends, 1.0), max(*ends, 1.0))
    bottom = TOP + ROW * len(names)
    low, high = found.noise
    marks = [
        box(scale.x(low), TOP - 8, scale.x(high) - scale.x(low), bottom - TOP + 8, fill="grey", opacity=0.18),
        *scale.grid(RATIOS, bottom),
        line(scale.x(1), TOP - 8, scale.x(1), bottom, stroke="text", wide=1.5),
        words(scale.x(1), TOP - 14, f"1 = {found.base}", "sub", "middle"),
        *(_whisker(found, name, scale, TOP + ROW * (place + 0.5)) for place, name in enumerate(names)),
        words(scale.left, bottom + UNDER, f"times the base; dot: median of {found.rounds} rounds", "sub"),
        words(scale.left, bottom + UNDER + 16, "line: its 95 % interval; grey band: noise", "sub"),
    ]
    said = "; ".join(f"{name}: {_told(found, name)}" for name in names)
    about = f"Costs against {found.base}. {said}. The table below says the same."
    drawn = svg(marks, width, bottom + UNDER + 16 + GAP, about)
    return Picture(scrolling(drawn, "Costs, with their spread"), found.table.reset_index())


def _left(names: Sequence[str]) -> float:
    return 16 + CHARACTER * max(map(len, names))


def _told(found: Comparison, name: str) -> str:
    low, high = found.interval(name)
    return f"{found.median(name):.2f} ({low:.2f} to {high:.2f})"


def _beside(found: Comparison, name: str) -> str:
    return _told(found, name) + ("" if found.sure(name) or name == NOISE else f", {WITHIN}")


def _whisker(found: Comparison, name: str, scale: _Scale, y: float) -> Mark:
    """Return a case's row: its name, its interval with its median, and both in words."""
    (low, high), sure = found.interval(name), found.sure(name)
    colour = "blue" if sure else "grey"
    said, middle = _beside(found, name), scale.x(found.median(name))
    return group(
        words(scale.left - 8, y + 4, name, "lane" if sure else "sub", "end"),
        line(scale.x(low), y, scale.x(high), y, stroke=colour, wide=2.5),
        *(line(scale.x(end), y - 5, scale.x(end), y + 5, stroke=colour, wide=2) for end in (low, high)),
        dot(middle, y, 5, fill=colour if sure else "bg", stroke=colour, wide=2),
        words(scale.right + GAP, y + 4, said, "" if sure else "sub"),
        title=f"{name}: {said}",
    )


def latencies(results: Sequence[Batched | Measured], width: int = 820) -> Picture:
    """Return the picture of the latencies of results of `batched` or `measured`: a row for each, in their order.

    A dot is the median, a line goes up to the longest, and a diamond on it is the p99, on a logarithmic scale of
    milliseconds. `width` in pixels. Raises `BadInput` for anything else, and for results without latencies.
    """
    found = [results] if isinstance(results, (Batched, Measured)) else results
    if (
        not isinstance(found, (list, tuple))
        or not found
        or not all(isinstance(one, (Batched, Measured)) and one.latencies for one in found)
    ):
        raise BadInput(f"{str(results)[:60]!r} cannot be shown here; give results of batched or measured, as a list.")
    whole("the width of the picture", width, least=500)
    names = [_named(one) for one in found]
    scale = _Scale(
        16 + CHARACTER * max(map(len, names)), width - SAYS,
        1000 * min(one.median for one in found), 1000 * max(one.longest for one in found),
    )  # fmt: skip
    bottom = TOP + ROW * len(found)
    rows = [_latency(one, name, scale, TOP + ROW * (place + 0.5)) for place, (one, name) in enumerate(
        zip(found, names, strict=True)
    )]  # fmt: skip
    told = "a record waits, ms; dot: the median; diamond: the p99; end of the line: the longest"
    head = words(scale.right + GAP, TOP - 14, "median / p99 / longest, ms", "sub")
    marks = [*scale.grid(MS, bottom), *rows, head, words(scale.left, bottom + UNDER, told, "sub")]
    about = f"Latencies of {len(found)} runs. The table below says the same."
    return Picture(scrolling(svg(marks, width, bottom + UNDER + GAP, about), "Latencies"), table_of(rows))


def _named(one: Batched | Measured) -> str:
    stores = one.stores.partition(":")[0]
    if isinstance(one, Measured):
        return f"{one.strategy}, {stores}"
    return f"{one.way}, {stores}, {one.interval_ms:g} ms" + f", {one.partitions} partitions" * (one.partitions > 1)


def _latency(one: Batched | Measured, name: str, scale: _Scale, y: float) -> Mark:
    """Return a result's row: its name, its latencies, and the same in words and for the table."""
    median, p99, longest = (1000 * value for value in (one.median, one.p99, one.longest))
    said = {"median, ms": _ms(median), "p99, ms": _ms(p99), "longest, ms": _ms(longest)}
    end = scale.x(longest)
    return group(
        words(scale.left - 8, y + 4, name, "lane", "end"),
        line(scale.x(median), y, end, y, stroke="blue", wide=2.5),
        line(end, y - 5, end, y + 5, stroke="blue", wide=2),
        dot(scale.x(median), y, 5, fill="blue"),
        diamond(scale.x(p99), y, 6, fill="bg", stroke="blue", wide=2),
        words(scale.right + GAP, y + 4, " / ".join(said.values())),
        title=f"{name}: {one.waits}",
        row={"run": name, "commit every, ms": f"{one.interval_ms:g}" if isinstance(one, Batched) else "",
             **said, "records a second": f"{one.rate:,.0f}"},
    )  # fmt: skip


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

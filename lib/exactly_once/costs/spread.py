"""Comparing what takes time on a machine that does other work too: rounds in shuffled order, ratios, intervals.

What slows the machine down for a while slows all cases of a round, so cases are compared within a round. A median of
ratios has an interval by order statistics, which supposes nothing about how the ratios are spread.
"""

import math
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any, TypeAlias

from ..errors import BadInput, is_number, one_of, whole

Case: TypeAlias = Callable[[], Any]  # it returns seconds, or something with `.seconds`
NOISE = "noise: the same once more"
FIGURES = {"seconds": "a record", "median": "median", "p99": "p99", "longest": "longest"}
LEAST_ROUNDS = 6  # with fewer, the interval from the least to the greatest value is not yet one of 95 %


def interval(ordered: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the median of ordered values, by their order statistics."""
    count, below, rank = len(ordered), 0.0, 0
    while rank < count // 2 and (below := below + comb(count, rank) / 2**count) <= 0.025:
        rank += 1
    return ordered[max(rank - 1, 0)], ordered[min(count - rank, count - 1)]


def quantile(values: Sequence[float], share: float) -> float:
    """Return the least of the values that so large a share of them does not exceed; 0.99 gives the p99.

    Raises `BadInput` where there are none.
    """
    if not values:
        raise BadInput("This run has no latencies; let its records arrive at a rate, such as rate=500.")
    return sorted(values)[max(math.ceil(share * len(values)) - 1, 0)]


class Times:
    """The figures of a run that has `seconds`, the time for a record, and `latencies`, those of each record in s."""

    seconds: float
    latencies: tuple[float, ...]

    @property
    def rate(self) -> float:
        """Records a second."""
        return 1 / self.seconds

    @property
    def median(self) -> float:
        """The latency in s that half of the records do not exceed."""
        return quantile(self.latencies, 0.5)

    @property
    def p99(self) -> float:
        """The latency in s that 99 of 100 records do not exceed."""
        return quantile(self.latencies, 0.99)

    @property
    def longest(self) -> float:
        """The longest latency in s."""
        return quantile(self.latencies, 1.0)

    @property
    def waits(self) -> str:
        """The latencies in words."""
        return ", ".join(f"{name} {1000 * getattr(self, name):.3g} ms" for name in ("median", "p99", "longest"))


@dataclass(frozen=True)
class Comparison:
    """The results of `compared`: {case: what it returned in each round}, the base first and then the base once more.

    `by` is the figure that is compared. `ratios` are those to the base in the same round, ordered. `table` is all of
    it, as a pandas table.
    """

    base: str
    rounds: int
    by: str
    results: Mapping[str, Sequence[Any]] = field(repr=False)

    @property
    def ratios(self) -> dict[str, list[float]]:
        """{case: its time over the base's in the same round, from the least to the greatest}, without the base."""
        base = self.seconds(self.base)
        return {
            name: sorted(one / other for one, other in zip(self.seconds(name), base, strict=True))
            for name in self.results
            if name != self.base
        }

    def seconds(self, name: str) -> list[float]:
        """Return a case's figure in each round, in seconds."""
        return [seconds_of(one, self.by) for one in self.results[one_of("the case", name, self.results)]]

    @property
    def noise(self) -> tuple[float, float]:
        """The ratios between which a case is not told apart from the base: 1, and the interval of the noise."""
        low, high = interval(self.ratios[NOISE])
        return min(low, 1.0), max(high, 1.0)

    def median(self, name: str) -> float:
        """Return a case's median ratio to the base."""
        return statistics.median(self.ratios[one_of("the case", name, self.ratios)])

    def interval(self, name: str) -> tuple[float, float]:
        """Return the 95 % interval of a case's median ratio."""
        return interval(self.ratios[one_of("the case", name, self.ratios)])

    def sure(self, name: str) -> bool:
        """Tell whether a case differs from the base by more than the noise: its interval is outside of `noise`.

        That of the noise itself never is.
        """
        (low, high), (least, most) = self.interval(name), self.noise
        return low > most or high < least

    def rows(self) -> list[dict[str, str]]:
        """Return the rows of the table."""
        found = [(self.base, "1", "", "it is the base")]
        unit, factor = ("ms", 1e3) if min(self.seconds(self.base)) >= 1e-4 else ("µs", 1e6)
        for name in self.ratios:
            low, high = self.interval(name)
            said = "" if name == NOISE else "yes" if self.sure(name) else "no: within the noise"
            found.append((name, f"{self.median(name):.2f}", f"{low:.2f} to {high:.2f}", said))
        return [
            {
                "case": name,
                f"{FIGURES[self.by]}, {unit}": f"{factor * statistics.median(self.seconds(name)):.3g}",
                "times the base": median,
                "95 % interval": between,
                "differs for sure": said,
            }
            for name, median, between, said in found
        ]

    @property
    def table(self) -> Any:
        """The rows as a pandas table. Raises `ModuleNotFoundError` where pandas is not installed."""
        import pandas as pd

        return pd.DataFrame(self.rows()).set_index("case")

    def __repr__(self) -> str:
        said = [f"{name} {self.median(name):.2f} ({self.rounds} rounds)" for name in self.ratios if self.sure(name)]
        return f"against {self.base}, for sure: {', '.join(said) or 'nothing differs'}"

    def _repr_html_(self) -> str:
        return self.table.to_html()


def seconds_of(result: Any, by: str) -> float:
    """Return a result's figure in seconds: the number itself, or its `by`. Raises `BadInput` for what has none."""
    found = getattr(result, by, result)
    if not is_number(found) or not 0 < found < math.inf:
        raise BadInput(f"A case returned {result!r}; it has to return seconds above 0, or a result of `measured`.")
    return float(found)


def compared(cases: Mapping[str, Case], rounds: int = 7, base: str | None = None, by: str = "seconds") -> Comparison:
    """Run each case once a round, in an order that is drawn, and compare it with the base. Returns a `Comparison`.

    `cases` are {name: a function without arguments} that returns seconds a record, or a result of `measured` or
    `batched`; `base` names one of them (default: the first). The base runs twice in a round, and what differs between
    both is noise. `by` is the figure that is compared: "seconds" a record, on the average, or the "median", "p99" or
    "longest" of the latencies. What the machine does beside it falls on the average, and hardly on the median.

    Each case runs once before the first round, which warms up caches and starts servers, and does not count. Raises
    `BadInput`, also for fewer than 6 rounds: their spread would not give a 95 % interval.
    """
    one_of("by", by, FIGURES)
    whole("the number of rounds", rounds, least=LEAST_ROUNDS)
    if not isinstance(cases, Mapping) or len(cases) < 1 or not all(map(callable, cases.values())):
        raise BadInput(f"The cases are {str(cases)[:60]!r}; give {{name: a function without arguments}}.")
    base = one_of("the base", next(iter(cases)) if base is None else base, cases)
    if NOISE in cases:
        raise BadInput(f"A case is named {NOISE!r}; this is the name of the base's second run. Give it another one.")
    runs = {base: cases[base], NOISE: cases[base], **{name: case for name, case in cases.items() if name != base}}
    for case in cases.values():
        seconds_of(case(), by)
    rng, found = random.Random(14), {name: [] for name in runs}
    for _ in range(rounds):
        for name in rng.sample(list(runs), len(runs)):
            found[name].append(runs[name]())
            seconds_of(found[name][-1], by)
    return Comparison(base, rounds, by, found)

"""The estimate behind twins: how often are all nodes down at once, and under which assumptions?

The article: one mishap a day and a batch every 10 s make p about 1e-4 for one handler and 1e-8 for two, so that both
fail in the same batch once in 23 years. That is p² as long as mishaps strike the nodes independently and a node that
was struck is back with the next batch. `repair` and `common` say how far it holds otherwise.
Sources: the article on heterogeneous concurrent exactly-once processing by lock-free half-transactions; the share of
common causes is the beta factor of K. N. Fleming, "A Reliability Model for Common Mode Failures in Redundant Safety
Systems", General Atomic Report GA-A13284, 1974.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import between, whole

DAY = 86_400  # s
YEAR = 365.25 * DAY
MOST_NODES = 9


@dataclass(frozen=True)
class Estimate:
    """How often all `nodes` are down at once, when each has so many mishaps `a_day` and a batch takes `batch` s.

    A node that is struck is down for `repair` batches, the one in which it was struck included, and is not struck
    again meanwhile. `common` is the share of mishaps that strike all nodes at once: both run on one machine, get the
    same poisonous input, are deployed together. Mishaps are otherwise independent of each other and of the past.
    Raises `BadInput` for numbers that make no sense.
    """

    nodes: int = 2
    batch: float = 10.0
    a_day: float = 1.0
    repair: int = 1
    common: float = 0.0

    def __post_init__(self) -> None:
        whole("the number of nodes", self.nodes, 1, MOST_NODES)
        whole("the repair time in batches", self.repair, least=1)
        between("the length of a batch in seconds", self.batch, 1e-6, DAY)
        between("the number of mishaps a day, of which a batch has one at most,", self.a_day, 0.0, DAY / self.batch)
        between("the share of mishaps with a common cause", self.common, 0.0, 1.0)

    @property
    def p(self) -> float:
        """The probability that a node which is up is struck in a batch."""
        return self.a_day * self.batch / DAY

    @property
    def own(self) -> float:
        """The probability that a mishap of its own strikes such a node in a batch without a common one."""
        shared = self.common * self.p
        return (self.p - shared) / (1 - shared) if shared < 1 else 0.0

    @property
    def all_struck(self) -> float:
        """The probability that mishaps in a batch leave no node up: all are down, and one or more was struck in it.

        Of nodes that are struck independently that is a difference of two powers: all are down, but not all were
        struck earlier. A common cause adds its own strikes. Exact without common causes and for `repair` 1; otherwise
        to first order in p.
        """
        shared = self.common * self.p
        down = _down(self.own, self.repair)
        return shared + (1 - shared) * (down**self.nodes - (down - down / self.repair) ** self.nodes)

    @property
    def years(self) -> float:
        """How many years, on the average, until no node is left up once more: infinite when there are no mishaps."""
        return self.batch / self.all_struck / YEAR if self.all_struck else math.inf


def _down(p: float, repair: int) -> float:
    return repair * p / (1 - p + repair * p)

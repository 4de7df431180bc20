"""The model: a record takes its operations one after the other, times the latency of the stores."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import BadInput, is_number
from .counted import Counted, number

Key: TypeAlias = str | tuple[str, str]
Latency: TypeAlias = float | Mapping[Key, float] | Callable[[str, str], float]
UNITS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(frozen=True)
class Prediction:
    """What a record takes by the model. `by_node` has the seconds a record of each node.

    `seconds` are those of node 1, which handles the records. `rate` is how many records a second all nodes keep up
    with: that of the slowest, since the others wait for it in the end. Only the stores' latency takes time here.
    """

    counted: Counted
    by_node: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """The seconds that a record takes at node 1, with its waits for other nodes."""
        return self.by_node[0]

    @property
    def rate(self) -> float:
        """How many records a second one handler makes, with all its nodes."""
        return 1 / max(self.by_node) if max(self.by_node) else math.inf

    def partitions(self, rate: float) -> int:
        """Return how many partitions, each with a handler of its own, make `rate` records a second.

        A handler whose step takes as many records with the same operations makes the rate alone. Raises `BadInput`
        for a rate that is none.
        """
        if not is_number(rate) or not 0 < rate < math.inf:
            raise BadInput(f"The rate is {rate!r}; give records a second, a number above 0, such as 2000.")
        return max(1, math.ceil(rate / self.rate - 1e-9))

    def needs(self, rate: float) -> str:
        """Return a sentence on what `rate` records a second need."""
        count = self.partitions(rate)
        if count == 1:
            return f"One handler makes the {rate:,g} records a second."
        return (
            f"For {rate:,g} records a second it needs {count:,} partitions, each with a handler of its own, on "
            f"stores that keep up; or steps that take {count:,} records each with no more operations than now."
        )

    def json(self) -> dict:
        """Return what was counted and predicted as plain data; the times are in seconds."""
        nodes = [{f"{store}.{verb}": count for (store, verb), count in node.items()} for node in self.counted.nodes]
        return {
            "handler": self.counted.name,
            "operations": self.counted.operations,
            "waits": self.counted.waits,
            "nodes": nodes,
            "seconds": self.seconds,
            "seconds_by_node": list(self.by_node),
            "rate": self.rate,
        }

    def __repr__(self) -> str:
        slowest = self.by_node.index(max(self.by_node))
        slow = f" Node {slowest + 1} is slower, with {duration(max(self.by_node))} a record." * bool(slowest)
        return f"A record takes {duration(self.seconds)}.{slow} So one handler makes {rated(self.rate)} a second."


def predicted(counted: Counted, latency: Latency) -> Prediction:
    """Return the `Prediction` for operations that were counted, on stores of this latency.

    `latency` is in seconds: a number for every operation, or {verb: seconds} or {(store, verb): seconds}, or a
    function of the store and the verb. Raises `BadInput` for one that is none, and for an operation without one.
    """
    if not isinstance(counted, Counted):
        raise BadInput(f"What was counted is {counted!r}; give the result of counted(handler).")

    def of(store: str, verb: str) -> float:
        given: object = latency
        if callable(latency):
            given = latency(store, verb)
        elif isinstance(latency, Mapping):
            given = latency.get((store, verb), latency.get(verb, None))
        if not is_number(given) or not 0 <= given < math.inf:
            raise BadInput(
                f"The latency of the operation {verb} on the store {store} is {given!r}; give seconds, such as 0.005."
            )
        return given

    known = {key for node in counted.nodes for key in node}  # what only starts or ends a run may have no latency
    return Prediction(counted, tuple(counted.took(lambda *key: of(*key) if key in known else 0.0)))


def seconds_in(text: str) -> float:
    """Return the seconds of a text such as "5ms", "0.2ms", "1s" or "500us". Raises `BadInput` for another."""
    found = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,9})?)\s*(us|µs|ms|s)\s*", str(text))
    if found is None:
        raise BadInput(f"The latency is {text!r}; give a number with its unit, such as 5ms, 0.2ms, 500us or 1s.")
    return float(found[1]) * UNITS[found[2]]


def duration(seconds: float) -> str:
    """Return seconds in words: "25 ms", "0.3 s"."""
    if seconds >= 1:
        return f"{number(seconds)} s"
    return f"{seconds * 1e3:.3g} ms"


def rated(rate: float) -> str:
    """Return a rate: "1,250", or "0.5" where there are few."""
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"

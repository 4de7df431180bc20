"""The case of a search: the programs of the nodes, the bounds, and the rules for a correct outcome; checked once.

`Bounds` say how many nodes, items and faults a proof covers, and have the fault budget that a search spends.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ..errors import BadInput, one_of, plural, whole
from ..node import Program, Source
from ..node.program import Deployment, deployment_of
from ..pipeline import Handlers, Job, Listed, listed, programs_of
from ..simulate.schedule import MOST_OF_EACH, spent
from .model.states import Budget

WORDS = {
    "crashes": "how many crashes there may be in a run",
    "pauses": "how many incarnations may fall asleep, and wake up later or never",
    "lost_requests": "how many requests may be lost",
    "lost_replies": "how many replies of stores may be lost",
    "duplicates": "how many requests may arrive twice",
    "late_requests": "how many requests may be late, and arrive later or never",
}
KINDS = tuple(WORDS)


@dataclass(frozen=True)
class Bounds:
    """How many nodes, hours of input and faults. Raises `BadInput` for a value that is no whole number in range."""

    nodes: int = 1
    items: int = 3
    crashes: int = 1
    pauses: int = 0
    lost_requests: int = 0
    lost_replies: int = 0
    duplicates: int = 0
    late_requests: int = 0

    def __post_init__(self) -> None:
        whole("the number of nodes", self.nodes, least=1, most=MOST_OF_EACH)
        whole("the number of items", self.items, least=1)
        for kind in KINDS:
            whole(f"the number of {kind.replace('_', ' ')}", getattr(self, kind), most=MOST_OF_EACH)

    @classmethod
    def of(cls, nodes: int, items: int, faults: Mapping[str, int]) -> Self:
        """Return the bounds for so many nodes and items, with these `faults` by name. Raises `BadInput` for
        others.
        """
        for name in faults:
            one_of("the kind of fault that is bounded", name, KINDS)
        return cls(nodes, items, **faults)

    @property
    def budget(self) -> Budget:
        """All faults as one number, four bits for each kind."""
        return Budget(sum(getattr(self, kind) << 4 * place for place, kind in enumerate(KINDS)))

    @property
    def faults(self) -> int:
        """How many faults there can be in all."""
        return sum(getattr(self, kind) for kind in KINDS)

    def __str__(self) -> str:
        counts = [(self.nodes, "node"), (self.items, "item")]
        counts += [(getattr(self, kind), _one(kind)) for kind in KINDS if getattr(self, kind)]
        return f"{', '.join(plural(*one) for one in counts)}{'' if self.budget else ', no fault'}"


def cost_of(kind: str) -> Budget:
    """Return the cost of a decision of this kind in the budget: 0 for a step or a choice."""
    return Budget(sum(1 << 4 * KINDS.index(one) for one in spent(kind)))


@functools.cache
def remaining(budget: Budget) -> int:
    """Return how many faults are left in a budget."""
    return sum(budget >> 4 * place & 15 for place in range(len(KINDS)))


@functools.cache
def holds(more: Budget, budget: Budget) -> bool:
    """Tell whether a budget holds as many faults of each kind as another."""
    return all(more >> 4 * place & 15 >= budget >> 4 * place & 15 for place in range(len(KINDS)))


def _one(kind: str) -> str:
    return {"crashes": "crash", "lost_replies": "lost reply"}.get(kind, kind.removesuffix("s").replace("_", " "))


@dataclass(frozen=True, eq=False)
class Case:
    """The handlers of a search as they were given, the `programs` of all nodes, and the bounds.

    `handlers` is a list of one for all nodes, of one for each node, or of one `Deployment`; tokens are for these.
    `reference`, `invariant` and `counter` define a right outcome, as in `prove`.
    """

    handlers: Listed
    job: Source
    bounds: Bounds
    programs: Sequence[Program]
    reference: Handlers | None = None
    invariant: Callable[[Any], object] | None = None
    counter: bool = True

    @classmethod
    def within(cls, handlers: Listed, job: Source, bounds: Bounds, **rules: Any) -> Self:
        """Return the case of a list of handlers within known bounds; `rules` define a right outcome."""
        return cls(handlers, job, bounds, programs_of(handlers, job, bounds.nodes), **rules)

    @property
    def symmetric(self) -> bool:
        """True when equal nodes can be taken for each other, as long as none of them asks for its number."""
        return self.bounds.nodes > 1 and len(self.handlers) == 1 and not deployment_of(self.handlers[0])

    @functools.cached_property
    def reference_programs(self) -> list[Program]:
        """The program of the reference, or the programs of its nodes where it is a list. Only with a reference."""
        assert self.reference is not None
        nodes = len(self.reference) if isinstance(self.reference, (list, tuple)) else 1
        return programs_of(self.reference, self.job)[:nodes]


def bounded(
    handler: Handlers, nodes: int | None, items: int, job: Source | None, faults: Mapping[str, int], **rules: Any
) -> Case:
    """Return the `Case` of a search with the arguments of `prove`; `rules` are its rules for a correct outcome.

    A `Deployment` is judged by its own reference, unless `rules` hold another one. Raises `BadInput` for arguments
    that contradict each other or are out of range.
    """
    job = job or Job(items=items)
    handlers = listed(handler, nodes)
    several = isinstance(handler, (list, tuple))
    deployment = handlers[0] if not several and isinstance(handlers[0], Deployment) else None
    programs = programs_of(handlers, job, None if deployment else nodes)
    if getattr(job, "items", items) is None:
        raise BadInput("The job has no number of items; a proof needs one, such as 3.")
    if nodes is None or deployment:
        nodes = len(programs)
    if deployment and rules.get("reference") is None and rules.get("invariant") is None:
        rules["reference"] = deployment.reference
    bounds = Bounds.of(nodes, _items(handlers, programs) or getattr(job, "items", items), faults)
    return Case(handlers, job, bounds, programs, **rules)


def _items(handlers: Sequence[object], programs: Sequence[Program]) -> int:
    """Return how many items programs with sources of their own handle, as far as all of them know; else 0."""
    own = all(isinstance(one, Program) or "source" in getattr(one, "runs_as", ()) for one in handlers)
    return sum({one.source: len(one.source.hours()) for one in programs}.values()) if own else 0

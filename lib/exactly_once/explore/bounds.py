"""The bounds of a proof: how many nodes, items and faults it covers, and the fault budget that a search spends."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Self

from ..errors import one_of, whole
from ..simulate.decision import (
    CRASH,
    DUPLICATE,
    LATE_DUPLICATE,
    LATE_REQUEST,
    LOST_REPLY,
    LOST_REQUEST,
    PAUSE,
    STEP_AND_CRASH,
)
from .model.states import Budget

MOST = 15
WORDS = {
    "crashes": "how many crashes there may be in a run",
    "pauses": "how many incarnations may fall asleep, and wake up later or never",
    "lost_requests": "how many requests may be lost",
    "lost_replies": "how many replies of stores may be lost",
    "duplicates": "how many requests may arrive twice",
    "late_requests": "how many requests may be late, and arrive later or never",
}
KINDS = tuple(WORDS)
SPENDS = {
    CRASH: "crashes",
    STEP_AND_CRASH: "crashes",
    PAUSE: "pauses",
    LOST_REQUEST: "lost_requests",
    LOST_REPLY: "lost_replies",
    DUPLICATE: "duplicates",
    LATE_REQUEST: "late_requests",
    LATE_DUPLICATE: "duplicates",  # where requests can be late at all, the second copy can be, too
}


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
        whole("the number of nodes", self.nodes, least=1, most=MOST)
        whole("the number of items", self.items, least=1)
        for kind in KINDS:
            whole(f"the number of {kind.replace('_', ' ')}", getattr(self, kind), most=MOST)

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

    def json(self) -> dict[str, int]:
        """Return the bounds as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        counts = [(self.nodes, "node"), (self.items, "item")]
        counts += [(getattr(self, kind), _one(kind)) for kind in KINDS if getattr(self, kind)]
        said = [f"{number} {_many(word) if number != 1 else word}" for number, word in counts]
        return f"{', '.join(said)}{'' if self.budget else ', no fault'}"


def cost_of(kind: str) -> Budget:
    """Return the cost of a decision of this kind in the budget: 0 for a step or a choice."""
    return Budget(1 << 4 * KINDS.index(SPENDS[kind]) if kind in SPENDS else 0)


def _one(kind: str) -> str:
    return {"crashes": "crash", "lost_replies": "lost reply"}.get(kind, kind.removesuffix("s").replace("_", " "))


def _many(word: str) -> str:
    return {"crash": "crashes", "lost reply": "lost replies"}.get(word, word + "s")

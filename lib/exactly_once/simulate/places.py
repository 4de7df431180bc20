"""All places of one run where a fault of a kind can strike the handler: before and after every step, in their order.

One run without any fault finds them: an incarnation asks its fault plan at each place whether a fault strikes there,
and this plan records each question.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import whole
from ..faults import POINTS, SURE, Fault, FaultKind, FaultPlan, Kill
from ..node import Source
from ..pipeline import Handlers, programs_of
from .simulated_world import simulate

# The learner's names of the kinds of faults, each with its kinds of `Fault`, in the order of a step.
KINDS: dict[str, tuple[FaultKind, ...]] = {
    "crash": ("crash before", "crash after"),
    "lost request": ("lost request",),
    "late request": ("late request",),
    "lost reply": ("lost reply",),
    "duplicated request": ("duplicated request",),
    "pause": ("pause",),
}
IN_PLACE = ("crash before", "crash after", "pause")  # these need no message that could get lost


@dataclass(frozen=True)
class Place:
    """One place where a fault can strike.

    `at` is the step, such as "output.push", `kind` that of the `Fault`, `item` the hour (None: before the first),
    `step` the step's number in the run, from 1 on, `line` the handler's line, counted from its first, or None;
    `point` is the crash point A–E that stands there, or "", and `point_item` its hour: before the step of an hour
    the last point of the hour before may stand. A point without a step beside it is a place of its own, of the kind
    "crash". `node` is the node that is struck, from 1 on, or None where there is one only.
    """

    at: str
    kind: FaultKind
    item: int | None
    step: int
    line: int | None
    point: Any = ""
    point_item: int | None = None
    node: int | None = None

    @property
    def words(self) -> str:
        """The place in words, such as "after push of hour 3"."""
        if self.kind == "crash" or (self.kind == "crash after" and self.point_item not in (None, self.item)):
            return f"at {self.point} of hour {self.point_item}"
        when = self.kind.removeprefix("crash ") if self.kind.startswith("crash") else f"{self.kind} at"
        when = "asleep before" if self.kind == "pause" else when
        part, _, verb = self.at.partition(".")
        step = f"{verb} of {part}" if part in ("positions", "state") else verb.replace("_", " ") or part
        step = "read of the database" if self.at == "database.read" else step
        return f"{when} {step} {f'of hour {self.item}' if self.item else 'at the start'}"

    def plan(self, kill: Kill = "worker", lives: Sequence[int] | None = None) -> FaultPlan:
        """Return the fault plan that strikes here; where a crash point stands, that of a crash there."""
        if self.point:
            return FaultPlan.crash(self.point, self.point_item, kill, lives, self.node)
        return FaultPlan((Fault(self.at, self.item, self.kind, kill, lives, self.node),))


class AskedPlan(FaultPlan):
    """A plan without faults that records each question for a fault on a node: (step or point, kind, hour)."""

    asked: list[Any]
    node: int

    def __init__(self, node: int) -> None:
        super().__init__()
        object.__setattr__(self, "asked", [])
        object.__setattr__(self, "node", node)

    def striking(self, at: str, kind: FaultKind, items: Any, life: int, node: int = 1) -> Any:
        """Record the question for the node; nothing strikes."""
        if node == self.node and kind != "crash-stop":
            self.asked.append((at, kind, items[0] if items else None))
        return ()


def places(handler: Handlers, job: Source | None = None, node: int | None = None) -> dict[str, tuple[Place, ...]]:
    """Return {kind of `KINDS`: list of `Place`}, in the order of a run of `handler` in which nothing goes wrong.

    `node` is the node that is to be struck; where there are several, None stands for the first, and for a fault that
    strikes whichever comes there first. A step that comes several times in one hour has the places of its first time:
    a plan cannot tell them apart. A run that fails has the places that it came to. Raises `BadInput` for a node that
    is not there, and as `simulate` does.
    """
    if node is not None:
        whole("the node", node, least=1, most=len(programs_of(handler, job)))
    plan = AskedPlan(node or 1)
    run = simulate(handler, plan, job)
    life = next(start.life for start in run.trace.lives() if start.detail.get("node", 0) == (node or 1) - 1)
    lines = {event.step: event.line for event in run.trace.of_life(life) if event.line is not None}
    steps = _steps(plan.asked)
    found = {kind: [] for kind in KINDS}
    seen = Counter()
    for number, (at, asked, item) in enumerate(steps, start=1):
        seen[at, item] += 1
        if at in POINTS or seen[at, item] > 1:
            continue
        for kind, strikes in KINDS.items():
            for strike in strikes:
                if strike in asked and (at not in SURE or strike in IN_PLACE):
                    found[kind].append(Place(at, strike, item, number, lines.get(number), node=node))
    points = [(number, at, item) for number, (at, _, item) in enumerate(steps, start=1) if at in POINTS]
    found["crash"] = _with_points(found["crash"], points, lines, node)
    return {kind: tuple(several) for kind, several in found.items()}


def _steps(asked: Iterable[tuple[str, str, int | None]]) -> list[tuple[str, set[str], int | None]]:
    """Return [(step, kinds that can strike it, hour)] from the questions; each step asks for a kind once."""
    steps = []
    for at, kind, item in asked:
        if not steps or steps[-1][0] != at or kind in steps[-1][1]:
            steps.append((at, set(), item))
        steps[-1][1].add(kind)
    return steps


def _with_points(
    found: Iterable[Place], points: Iterable[tuple[int, str, int | None]], lines: Mapping[int, int], node: int | None
) -> list[Place]:
    """Return the crashes with the crash points that stand there.

    Of the points between two steps the first stands after the one, the last before the other, unless it is the first,
    and any between at a place of its own.
    """
    found, between = list(found), {}
    for point in points:
        between.setdefault(sum(place.step < point[0] for place in found), []).append(point)
    added = []
    for index, several in between.items():
        slots = {0: index - 1} if index else {}
        if index < len(found) and len(several) > len(slots):
            slots[len(several) - 1] = index
        for order, (number, letter, item) in enumerate(several):
            if order in slots:
                place = found[slots[order]]
                found[slots[order]] = replace(place, line=lines.get(number), point=letter, point_item=item)
            else:
                added.append(Place(letter, "crash", item, number, lines.get(number), letter, item, node))
    return sorted([*found, *added], key=lambda place: place.step)

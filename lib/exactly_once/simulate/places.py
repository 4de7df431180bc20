"""All places of one run where a fault of a kind can strike the handler: before and after every step, in their order.

They are found by living the run once without any fault: a life asks its fault plan at each place whether something
strikes there, and a plan that writes down what it is asked knows them all.
"""

from collections import Counter
from dataclasses import dataclass, replace

from ..faults import POINTS, Fault, FaultPlan
from .world import simulate

# What the learner calls a kind of fault, and the kinds of `Fault` that it stands for, in the order of a step.
KINDS = {
    "crash": ("crash before", "crash after"),
    "lost request": ("lost request",),
    "late request": ("late request",),
    "lost reply": ("lost reply",),
    "duplicated request": ("duplicated request",),
    "pause": ("pause",),
}


@dataclass(frozen=True)
class Place:
    """One place where a fault can strike.

    `at` is the step, such as "output.push", `kind` that of the `Fault`, `item` the hour (None: before the first),
    `step` the step's number in the run, from 1 on, `line` the handler's line, counted from its first, or None;
    `point` is the crash point A–E that stands there, or "", and `point_item` its hour: before the step of an hour
    the last point of the hour before may stand.
    """

    at: str
    kind: str
    item: int | None
    step: int
    line: int | None
    point: str = ""
    point_item: int | None = None

    @property
    def words(self):
        """The place in words, such as "after push of hour 3"."""
        when = self.kind.removeprefix("crash ") if self.kind.startswith("crash") else f"{self.kind} at"
        when = "asleep before" if self.kind == "pause" else when
        part, _, verb = self.at.partition(".")
        step = f"{verb} of {part}" if part in ("positions", "state") else verb.replace("_", " ") or part
        return f"{when} {step} {f'of hour {self.item}' if self.item else 'at the start'}"

    def plan(self, kill="worker", lives=None):
        """Return the fault plan that strikes here; where a crash point stands, that of a crash there."""
        if self.point:
            return FaultPlan.crash(self.point, self.point_item, kill, lives)
        return FaultPlan((Fault(self.at, self.item, self.kind, kill, lives),))


class AskedPlan(FaultPlan):
    """A plan without faults that writes down where a life asked for one: (step or crash point, kind, hour)."""

    def __init__(self, node=1):
        super().__init__()
        object.__setattr__(self, "asked", [])
        object.__setattr__(self, "of", node)

    def striking(self, at, kind, items, life, node=1):
        """Write down what is asked of the node; nothing strikes."""
        if node == self.of and kind != "crash-stop":
            self.asked.append((at, kind, items[0] if items else None))
        return ()


def places(handler, job=None, node=1):
    """Return {kind of `KINDS`: list of `Place`}, in the order of a run of `handler` in which nothing goes wrong.

    They are those of one `node`.

    A step that comes several times in one hour has the places of its first time: a plan cannot tell them apart.
    A run that fails has the places that it came to. Raises as `simulate` does.
    """
    plan = AskedPlan(node)
    run = simulate(handler, plan, job)
    lines = {event.step: event.line for event in run.trace.of_life(node) if event.line is not None}
    steps = _steps(plan.asked)
    found = {kind: [] for kind in KINDS}
    seen = Counter()
    for number, (at, asked, item) in enumerate(steps, start=1):
        seen[at, item] += 1
        if at in POINTS or seen[at, item] > 1:
            continue
        for kind, strikes in KINDS.items():
            for strike in strikes:
                if strike in asked:
                    found[kind].append(Place(at, strike, item, number, lines.get(number)))
    points = [(number, at, item) for number, (at, _, item) in enumerate(steps, start=1) if at in POINTS]
    found["crash"] = _with_points(found["crash"], points, lines)
    return {kind: tuple(several) for kind, several in found.items()}


def _steps(asked):
    """Return [(step, kinds that can strike it, hour)] of what a life asked: each step asks for a kind once."""
    steps = []
    for at, kind, item in asked:
        if not steps or steps[-1][0] != at or kind in steps[-1][1]:
            steps.append((at, set(), item))
        steps[-1][1].add(kind)
    return steps


def _with_points(found, points, lines):
    """Return the crashes with the crash points that stand there: after a step, or else before the next."""
    found = list(found)
    for number, letter, item in points:
        # The nearest places around the point; the one after a step is the point itself, unless another is there.
        before = [index for index, place in enumerate(found) if place.step < number]
        after = [index for index, place in enumerate(found) if place.step > number]
        for index in [*before[-1:], *after[:1]]:
            if not found[index].point:
                place = found[index]
                found[index] = replace(place, line=lines.get(number), point=letter, point_item=item)
                break
    return found

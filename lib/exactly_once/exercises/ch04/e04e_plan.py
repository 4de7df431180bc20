"""Exercise 04e: a fault plan of one fault that breaks a handler with an incomplete repair."""

import functools

from ... import show as drawing
from ...errors import BadInput
from ...explore import prove
from ...faults import POINTS, Fault, FaultPlan
from ...pipeline import Job
from ...simulate import simulate
from ...verdict import judge
from ..kinds.reply import right, unsolved, wrong
from ..kinds.task import Task

JOB = Job()
BOUNDS = {"lost request": "lost_requests", "lost reply": "lost_replies", "duplicated request": "duplicates"}


def repaired(node):
    """Give each average a key, keep each hour in the window once, and note in a register which hours were counted."""
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        node.crash_point("A")
        node.registers.cas(f"output.{hour - 1}", 0, window.average())
        node.crash_point("B")
        if len(window) > node.threshold and node.registers.cas(f"counted.{hour}", 0, True):
            node.database.increment()
        node.crash_point("C")
        node.state.save(window)
        node.crash_point("D")
        node.positions.save(next_positions)
        node.crash_point("E")
        positions = next_positions


def read(answer):
    """Return the `FaultPlan` of an answer: a plan, a fault, a list of faults, or a token; None for dots.

    Raises `BadInput` for anything else, and for a plan that does not hold one fault.
    """
    if answer is ... or answer is None:
        return None
    if isinstance(answer, str):
        answer = FaultPlan.parse(answer)
    elif isinstance(answer, Fault):
        answer = FaultPlan([answer])
    elif isinstance(answer, (list, tuple)):
        answer = FaultPlan(answer)
    if not isinstance(answer, FaultPlan):
        raise BadInput(f"The plan is {answer!r}; give FaultPlan([Fault(…)]), or FaultPlan.crash(…).")
    if len(answer.faults) != 1:
        raise BadInput(f"The plan has {len(answer.faults)} faults; give a plan of one fault.")
    return answer


def verdict(plan):
    """Return the `Verdict` on the repaired handler under a plan."""
    return judge(simulate(repaired, plan, JOB), repaired)


@functools.cache
def simplest(kind):
    """Return the simplest schedule with one fault of a kind that breaks the repaired handler, or None."""
    bounds = {"crashes": 0, BOUNDS.get(kind, "crashes"): 1}
    return prove(repaired, job=JOB, **bounds).counterexample


def check(answer):
    """Run the repaired handler under the plan; a plan is right if it breaks the handler."""
    plan = read(answer)
    if plan is None:
        return unsolved("a fault plan")
    judged = verdict(plan)
    if not judged.reached:
        return wrong(judged.sentence, judged, repaired)
    kind = plan.faults[0].kind
    if judged.exactly_once:
        why = (
            "At all five letters the handler is safe; but a process can also die between them."
            if plan.faults[0].at in POINTS
            else "The step that it hits can be repeated, or was complete. Look for two steps that belong together."
        )
        what = "crash" if kind.startswith("crash") else kind
        other = f"Another {what} breaks it: prove finds one." if simplest(kind) else f"No {what} breaks it."
        return wrong(f"The handler survives this plan. {why} {other} {judged.sentence}", judged, repaired)
    found = simplest(kind)
    return right(
        f"Broken. {judged.sentence} The simplest such fault that prove finds: {found.sentence}", judged, repaired
    )


def show(answer):
    """Draw the repaired handler's run under the plan."""
    plan = read(answer)
    if plan is None:
        return drawing.code(repaired)
    return drawing.spacetime(verdict(plan))


TASK = Task(
    answer="plan",
    show=show,
    check=check,
)

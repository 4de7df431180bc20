"""Exercise 04e: a fault plan of one fault that breaks a handler which somebody takes for repaired."""

import functools

from .... import show as drawing
from ....errors import BadInput
from ....explore import prove
from ....faults import POINTS, Fault, FaultPlan
from ....pipeline import Job
from ....simulate import simulate
from ....verdict import judge
from ..reply import right, unsolved, wrong
from ..task import Task

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
        raise BadInput(f"The plan has {len(answer.faults)} faults; one is enough, and one is asked for.")
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
    """Run the repaired handler under the plan; the plan is right when it breaks it."""
    plan = read(answer)
    if plan is None:
        return unsolved("a fault plan")
    judged = verdict(plan)
    if not judged.reached:
        return wrong(judged.sentence, judged, repaired)
    kind = plan.faults[0].kind
    if judged.exactly_once:
        why = (
            "At all five letters it is safe; a process dies between them, too."
            if plan.faults[0].at in POINTS
            else "What this fault hits can be repeated, or was complete. Look for two steps that belong together."
        )
        what = "crash" if kind.startswith("crash") else kind
        other = f"Another {what} does break it: prove finds one." if simplest(kind) else f"No {what} breaks it."
        return wrong(f"The handler survives this plan. {why} {other} {judged.sentence}", judged, repaired)
    found = simplest(kind)
    return right(
        f"Broken. {judged.sentence} Asked for one such fault, prove answers: {found.sentence}", judged, repaired
    )


def show(answer):
    """Draw what the repaired handler does under the plan."""
    plan = read(answer)
    if plan is None:
        return drawing.code(repaired)
    return drawing.spacetime(verdict(plan))


TASK = Task(
    title="break a handler that somebody repaired",
    answer="plan",
    show=show,
    check=check,
    hints=(
        "Four of its writes can be repeated without harm. The fifth is made to happen only once. By what?",
        "Note and increment are two writes to two systems. What if only one of them takes place?",
        "There is no letter between the two. A fault can strike at a step as well: Fault(step, hour, kind), where "
        "kind is 'crash before', 'crash after', 'lost request', 'lost reply' or 'duplicated request'.",
        "The steps are 'register.cas' and 'database.increment'. Two crash plans of one fault fall between them, at "
        "an hour from 3 on. Mind that the first register.cas of an hour is the output's.",
    ),
)

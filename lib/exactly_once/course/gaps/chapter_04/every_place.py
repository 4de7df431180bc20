"""Gap 04-every-place: a fault plan for each moment of one pass at which a crash can strike."""

from ....errors import BadInput
from ....faults import Fault, FaultPlan
from ....handlers import at_least_once
from ....simulate import simulate
from ....verdict import judge
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

HOUR = 3
STEPS = ("input.read", "output.push", "database.increment", "state.save", "positions.save")
WRITES = STEPS[1:]


def every_place(steps):
    """Return fault plans for hour 3: a crash right before each step, and one right after it."""
    return [FaultPlan([Fault(step, HOUR, kind)]) for step in steps for kind in ("crash before", "crash after")]


def plans_of(function):
    """Return the tokens of the plans that the learner's function gives; None for no answer.

    Raises `BadInput` for what is no list of fault plans. It runs in the sandbox.
    """
    said = function(list(STEPS))
    if said is None or said is ...:
        return None
    try:
        plans = list(said)
    except TypeError:
        raise BadInput(f"It returns {said!r}; give a list of fault plans.") from None
    for plan in plans:
        if not isinstance(plan, FaultPlan):
            raise BadInput(f"Its list holds {plan!r}, which is no fault plan; one is FaultPlan([a fault]).")
    return [plan.token for plan in plans]


def check(answer):
    """Run the chapter's handler under each of the plans, and see between which writes it died."""
    try:
        tokens = called(plans_of, answer)
    except BadInput as why:
        return wrong(str(why))
    if tokens is None:
        return unsolved("your lines, with a return at their end,")
    places = set()
    for plan in map(FaultPlan.parse, tokens):
        judged = judge(simulate(at_least_once, plan), at_least_once)
        if not judged.reached or [(one.deadly, one.item) for one in plan.faults] != [(True, HOUR)]:
            what = judged.sentence if not judged.reached else "Each plan is of one crash at hour 3, and no more."
            return wrong(f"One of your plans is {plan.token}. {what}", judged, at_least_once)
        places.add(sum(entry.life == 1 and entry.item == HOUR for entry in judged.run.writes))
    for count in range(len(WRITES) + 1):
        if count not in places:
            return wrong(f"{_gap(count)} No plan of yours kills the process there.")
    return right(f"{len(tokens)} plans: a crash before the first write, in each gap between two, and after the last.")


def _gap(count):
    """Say which moment of the pass is the one after `count` writes."""
    if not count:
        return f"A process can die before its first write, {WRITES[0]}."
    if count == len(WRITES):
        return f"A process can die after its last write, {WRITES[-1]}."
    return f"A process can die after {WRITES[count - 1]} and before {WRITES[count]}."


GAP = Gap(
    title="a crash at every place",
    judge=check,
    library=every_place,
    hints=(
        "Four writes have three gaps between them, and one before the first, and one after the last.",
        "A fault has three parts: `Fault(step, 3, 'crash before')`, or `'crash after'`. A plan is made of a list of "
        "faults: `FaultPlan([fault])`.",
        "Two loops, one over `steps` and one over the two kinds. Each turn makes one `FaultPlan`.",
    ),
)

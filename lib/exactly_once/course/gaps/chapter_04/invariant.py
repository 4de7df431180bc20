"""Gap 04-invariant: what holds at every moment of a run in which no average is doubled."""

import functools

from ....errors import BadInput
from ....faults import FaultPlan
from ....handlers import at_least_once, at_most_once
from ....pipeline import Job
from ....simulate import simulate
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import proved
from ..registry import Gap

JOB = Job(items=2)
NOTHING = "it gives no answer"


def nothing_twice(view):
    """Tell whether no average is in the output twice."""
    return len(set(view.outputs)) == len(view.outputs)


def goes_back(node):
    """A handler that pushes the first average once more, behind all others; no fault is needed."""
    positions, window, first = node.positions.load(), node.state.load(), None
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        node.output.push(window.average())
        first = first or window.average()
    node.output.push(first)


CALM = Job(items=3)  # one hour more than in the runs that double something: the number of averages does not tell
DOUBLING = ((at_least_once, FaultPlan.crash("C", 1)), (goes_back, FaultPlan()))


def asked(rule, view):
    """Return what a learner's rule says; of one that says nothing, that."""
    said = rule(view)
    return NOTHING if said is None or said is ... else said


def check(answer):
    """Explore handlers that double something and one that does not, under the learner's invariant."""
    rule = functools.partial(asked, answer)
    try:
        found = proved(at_most_once, rule, CALM, crashes=1).counterexample
        if found and NOTHING in found.sentence:
            return unsolved("your lines, with a return at their end,")
        if found:
            hours = len(found.run.pushes)
            return wrong(
                f"It says no where nothing is doubled: at a moment with {hours or 'no'} "
                f"{'average' if hours == 1 else 'averages'} in the output.",
                found,
                at_most_once,
            )
        for handler, plan in DOUBLING:
            if proved(handler, rule, JOB, crashes=len(plan.faults)).ok:
                run = simulate(handler, plan, JOB)
                values = list(dict.fromkeys(push.value for push in run.pushes))
                hours = " ".join(str(values.index(push.value) + 1) for push in run.pushes)
                return wrong(f"It holds in a run that doubles an average: this one pushes {hours}.", run, handler)
    except BadInput as why:
        return wrong(str(why))
    return right("It holds where nothing is doubled, and is broken where something is.")


GAP = Gap(
    title="an invariant: nothing twice",
    judge=check,
    library=nothing_twice,
    hints=(
        "`view.outputs` is the list of the averages that are in the output at this moment. Return True or False.",
        "The invariant is asked at the first moment, too, when the list is empty, and what is doubled need not stand "
        "side by side.",
        "A set holds each value once. Compare its length with that of the list.",
    ),
)

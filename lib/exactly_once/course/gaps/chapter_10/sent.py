"""Gap 10-sent: what a message must carry where two handlers share a queue."""

from ....pipeline import Job
from ...tasks.chapter_10.form import Machine, named, said, values_in
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..chapter_01.runs import untouched
from ..registry import Gap
from .common import refused

STEP, VALUE = 4, "17.5"


def message(node, name, step, value):
    """Return what the cell is to hold: a list whose last entry is the value."""
    return [name, step, value]


def hours(state, inputs):
    """A function whose values are equal to those of another handler over the same hours."""
    return state, [f"hour {inputs[0].hour}"]


def all_there(handlers, hours):
    """Return the invariant: in the end each of so many handlers has each hour in the queue once."""
    values = sorted(f"hour {hour}" for hour in range(1, hours + 1) for _ in range(handlers))

    def rule(view):
        found = values_in(view, "output")
        fine = sorted(found) == values if view.done else all(found.count(one) <= handlers for one in found)
        return fine or f"the queue holds {said(found)}; right is {said(values)}"

    return rule


def check(answer):
    """Explore two handlers that share a queue; then twins of one, with faults."""
    if untouched(answer):
        return unsolved("your lines")
    [(fine, found)] = answers(of_nobody(answer), [["averages", STEP, VALUE]])
    if not fine:
        return wrong(f"Your function fails with {found}.")
    if not isinstance(found, list) or not found or found[-1] != VALUE:
        return wrong(f"Your function returns {found!r}; give a list whose last entry is the value.")
    one, two = (handler(answer, name) for name in ("one", "two"))
    return (
        refused([one, two], all_there(2, 1), "Two handlers, whose values are equal: ")
        or refused([one, one], all_there(1, 1), "Twins of one handler: ")
        or refused([one, one], all_there(1, 1), "Twins of one handler, one of which dies: ", crashes=1)
        or right(
            "Twins write the same message, and two handlers never do: so whoever finds an equal one in a cell knows "
            "whose it is."
        )
    )


def of_nobody(answer):
    """Return the learner's function for a node that has a number and nothing else."""
    return lambda name, step, value: answer(Numbered(), name, step, value)


class Numbered:
    """A node that has a number."""

    number = 1


def handler(answer, name):
    """Return the program of a handler that sends the learner's messages."""
    return Machine(hours, Job(items=1), name=name, message=answer).program


GAP = Gap(
    title="whose message it is",
    judge=check,
    library=message,
    refuses=(named,),
    hints=(
        "`push_at_idempotent` takes an equal cell for its own. Two nodes that run one handler should find that, "
        "two different handlers should not. What do twins have in common, and handlers not?",
        "A twin has its own number, and the same `name`, `step` and `value`. So what of these tells handlers apart?",
        "`return [name, step, value]`.",
    ),
)

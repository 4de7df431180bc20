"""Gap 04-silent-harm: an order of the writes and a crash that leave wrong averages, and right counts."""

from ....errors import CourseError
from ....faults import POINTS, FaultPlan
from ....handlers import handler_in_order
from ....simulate import simulate
from ....verdict import judge
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap

HOUR = 3


def silent_harm():
    """Return (order, letter): the four writes in an order, and where the process dies at hour 3."""
    order = ("state", "output", "counter", "positions")
    return order, "B"


def check(answer):
    """Kill the handler with its writes in that order at that letter, and count what is left."""
    if callable(answer):
        ((fine, said),) = answers(answer, [[]])
        if not fine:
            return wrong(f"Your function fails with {said}.")
    else:
        said = answer
    if said is None or said is ...:
        return unsolved("an order and a letter, returned together,")
    try:
        order, letter = said
        handler = handler_in_order(order)
    except CourseError as why:
        return wrong(str(why))
    except (TypeError, ValueError):
        return wrong(f"It gives {said!r}; give two things, an order of the four writes and a letter.")
    if letter not in POINTS:
        return wrong(f"The letter is {letter!r}; it is one of A, B, C, D and E.")
    judged = judge(simulate(handler, FaultPlan.crash(letter, HOUR)), handler)
    harm = judged.damage
    if judged.consistent:
        return wrong(f"A crash at {letter} does no harm in this order. {judged.sentence}", judged, handler)
    for what, hours in (("more than once", harm.duplicated), ("missing", harm.missing)):
        if hours:
            return wrong(
                f"Counting the averages shows this crash: that of hour {hours[0]} is {what}. {judged.sentence}",
                judged,
                handler,
            )
    if harm.counter != harm.expected_counter:
        return wrong(f"The counter tells of this crash. {judged.sentence}", judged, handler)
    if not harm.wrong:
        return wrong(f"No average is wrong after this crash. {judged.sentence}", judged, handler)
    return right(f"Each hour is there once, the counter is right, and values are wrong. {judged.sentence}", judged)


GAP = Gap(
    title="harm that nobody can count",
    judge=check,
    library=silent_harm,
    takes=(list, tuple),
    hints=(
        "Wrong values come from a wrong window. Which two writes must be torn apart by the crash?",
        "State saved and positions not: the hour is done again. So the output and the counter must come after the "
        "crash, and not before it. The other way round works as well: then both must come before it.",
        "With the state first and the positions last, a crash right after the state has been saved. A is before the "
        "first write, so this is B.",
    ),
)

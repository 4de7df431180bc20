"""Gap 03-nothing-lost: the promise at-least-once, as a rule for the explorer."""

from ..registry import Gap
from ..sides import judged_by_moments

MOMENTS = (
    ([], False, True),
    ([1], False, True),
    ([1, 2, 3], False, True),
    ([1, 2, 3], True, True),
    ([1, 2, 2, 3], True, True),
    ([1, 1, 2, 2, 3], True, True),
    ([1, 3], True, False),
    ([1, 1, 3], True, False),
    ([1, 2], True, False),
    ([], True, False),
)


def nothing_lost(view):
    """In the end each of the records 1, 2 and 3 is in the log."""
    return not view.done or set(view.outputs) >= {1, 2, 3}


def check(answer):
    """Ask the rule about moments at which the promise is kept, and at which it is broken."""
    moments = [(outputs, done, kept, _why(outputs, done, kept)) for outputs, done, kept in MOMENTS]
    praise = "It asks at the end, it asks for each of the three records, and it does not mind repetitions."
    return judged_by_moments(answer, moments, praise)


def _why(outputs, done, kept):
    if not kept:
        return "At-least-once is broken: a record is lost."
    if not done:
        return "At-least-once is kept: what is not there yet may still come."
    return "At-least-once is kept: " + ("repetitions are allowed." if len(outputs) > 3 else "each record is there.")


GAP = Gap(
    title="at-least-once as a rule",
    judge=check,
    library=nothing_lost,
    hints=(
        "At which moment is a record lost, rather than not there yet?",
        "`view.done` tells whether the producer has come to its end. Before that, the rule returns True.",
        "`set(view.outputs)` is what is in the log, without its repetitions; `>=` between sets asks whether one "
        "contains the other. `return not view.done or …`",
    ),
)

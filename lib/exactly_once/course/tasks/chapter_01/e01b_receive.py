"""Exercise 01b: the receive rule of a Lamport clock, as a function."""

from itertools import product

from .... import show as drawing
from ..cases import CasesTask
from .runs import one_receipt

SMALL = sorted(product(range(5), range(1, 6)), key=lambda case: (sum(case), case))
CASES = [*SMALL, (0, 1_000_000), (999_999, 3), *SMALL[:8]]


def received(clock, stamp):
    """Return the stamp of a receipt, by the rule."""
    return max(clock, stamp) + 1


def objection(clock, stamp, said):
    """Return a sentence on what is wrong with one stamp, or None."""
    called = f"receive({clock}, {stamp}) gives {said!r}"
    if isinstance(said, bool) or not isinstance(said, int):
        return f"{called}, which is no whole number. Return the clock after the receipt."
    if said <= stamp:
        return f"{called}: the message was sent at {stamp}, and its receipt must have a larger stamp than its send."
    if said <= clock:
        return (
            f"{called}: the process's clock was at {clock} already, so the receipt must have a larger "
            f"stamp than that."
        )
    if said != received(clock, stamp):
        return f"{called}: larger than both, but the rule goes 1 beyond the larger, to {received(clock, stamp)}."
    return None


def drawn(clock, stamp, said):
    """Return the picture of one receipt as a rule stamps it, or None where the clocks are too far for one."""
    if clock + stamp > 40:
        return None
    run = one_receipt(clock, stamp)
    stamps, last = list(run.lamport), len(run) - 1
    right_one, stamps[last] = stamps[last], "?" if said is None else str(said)[:6]
    return drawing.history(run, stamps, marked={} if said == right_one else {last: f"it should be {right_one}"})


def sketch(told):
    """Draw one receipt as this rule stamps it."""
    [(fine, said)] = told or [(True, None)]
    return drawn(1, 3, said if fine else None)


TASK = CasesTask(
    title="write the receive rule",
    answer="receive",
    tier="warm-up",
    signature="a function of two numbers, the clock and the message's stamp",
    cases=CASES,
    oracle=received,
    objection=objection,
    fails=lambda clock, stamp, said: f"receive({clock}, {stamp}) fails with {said}.",
    draw=drawn,
    sketch=sketch,
    praise="The receipt comes after the process's last event and after the send, and 1 step beyond both is enough.",
    example=(1, 3),
    hints=(
        "Two events come before a receipt: which? Both have stamps already.",
        "The receipt needs a stamp larger than the clock and larger than the message's stamp, and no "
        "larger than that.",
        "Python has max. What has to be added to the larger of the two, so that it is beyond both?",
    ),
)

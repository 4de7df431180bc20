"""Exercise 01b: the receive rule of a Lamport clock, as a function."""

from itertools import product

from .... import show as drawing
from ....errors import BadInput
from ..reply import has_dots, right, unsolved, wrong
from ..run_answer import answers
from ..task import Task
from .runs import one_receipt

SMALL = sorted(product(range(5), range(1, 6)), key=lambda case: (sum(case), case))
CASES = [list(case) for case in [*SMALL, (0, 1_000_000), (999_999, 3), *SMALL[:8]]]


def check(answer):
    """Try the rule on receipts, the smallest first; the first wrong one is drawn."""
    if has_dots(answer):
        return unsolved("your function")
    told = _told(answer)
    if all(fine and said is None for fine, said in told):
        return unsolved("the body of your function")
    for (clock, stamp), (fine, said) in zip(CASES, told, strict=True):
        if not fine:
            return wrong(f"receive({clock}, {stamp}) fails with {said}.", picture=_drawn(clock, stamp, "?"))
        if said != max(clock, stamp) + 1 or isinstance(said, bool):
            return wrong(_reason(clock, stamp, said), picture=_drawn(clock, stamp, said))
    return right(
        "The receipt comes after the process's last event and after the send, and 1 step beyond both is enough.",
        picture=_drawn(2, 4, 5),
    )


def _told(answer):
    if not callable(answer):
        raise BadInput(f"The rule is {answer!r}; it is a function of two numbers, the clock and the message's stamp.")
    return answers(answer, CASES)


def _reason(clock, stamp, said):
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
    return (
        f"{called}: larger than both, but the rule goes 1 beyond the larger of the two, to {max(clock, stamp) + 1}."
    )


def _drawn(clock, stamp, said):
    if clock + stamp > 40:
        return None
    run = one_receipt(clock, stamp)
    stamps, last = list(run.lamport), len(run) - 1
    right_one, stamps[last] = stamps[last], str(said)[:6]
    return drawing.history(run, stamps, marked={} if said == right_one else {last: f"it should be {right_one}"})


def show(answer):
    """Draw one receipt as this rule stamps it: the clock is at 1, and the message carries 3."""
    if has_dots(answer):
        return _drawn(1, 3, "?")
    [(fine, said)] = answers(answer, [[1, 3]]) if callable(answer) else _told(answer)
    return _drawn(1, 3, said if fine and said is not None else "?")


TASK = Task(
    title="write the receive rule",
    show=show,
    check=check,
    hints=(
        "Two events come before a receipt: which? Both have stamps already.",
        "The receipt needs a stamp larger than the clock and larger than the message's stamp, and no "
        "larger than that.",
        "Python has max. What has to be added to the larger of the two, so that it is beyond both?",
    ),
)

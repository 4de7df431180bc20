"""Gap 10-pure: a function that remembers something outside its state, and is to keep it in the state."""

from copy import deepcopy
from dataclasses import replace
from functools import partial

from ...tasks.chapter_10.form import Machine, filled, holds
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap
from .common import refused

ORDERS, INVOICES = ["tea", "milk", "salt"], [[1, "tea"], [2, "milk"], [3, "salt"]]


def invoices(state, inputs):
    """Give each order the next number: the state is the number that was given last; None before the first."""
    [order] = inputs
    number = (state or 0) + 1
    return number, [[number, order]]


def twice(theirs, orders):
    """Call a function for each order, each time twice with the same state; return the list of both answers."""
    state, found = None, []
    for order in orders:
        pair = [deepcopy(theirs(deepcopy(state), [order])) for _ in range(2)]
        found.append(pair)
        state = pair[0][0] if isinstance(pair[0], tuple) and pair[0] else None
    return found


def check(answer):
    """Call the learner's function twice with the same; then explore it in the machine, on two nodes."""
    pairs = called(twice, answer, ORDERS)
    if all(one is None for pair in pairs for one in pair):
        return unsolved("your lines")
    for order, (first, second) in zip(ORDERS, pairs, strict=True):
        for one in (first, second):
            if not isinstance(one, tuple) or len(one) != 2 or not isinstance(one[1], (list, tuple)):
                return wrong(f"Your function returns {one!r}; return (state, outputs), and outputs is a list.")
        if first != second:
            return wrong(
                f"Called twice with the same state and with {order!r}, your function gives {first[1]!r}, and then "
                f"{second[1]!r}: it remembers the first call. A twin that calls it again may be the one whose answer "
                "counts."
            )
    one = Machine(answer, filled(orders=ORDERS)).program
    rule, rule_of_two = (partial(holds, wanted={"output": INVOICES[:count]}) for count in (3, 2))
    return (
        refused([one], rule, "One node, which dies: ", crashes=1)
        or refused([replace(one, source=filled(orders=ORDERS[:2]))] * 2, rule_of_two, "Two nodes at once: ")
        or right("It remembers nothing outside its state: whoever calls it, and however often, all is right.")
    )


GAP = Gap(
    title="no memory outside the state",
    judge=check,
    library=invoices,
    hints=(
        "Who calls the function? Any node, any number of times, for the same order. So what may the number depend "
        "on?",
        "The state is what the machine keeps: let it be the number that was given last. It is None before the first.",
        "`number = (state or 0) + 1`, and `return number, [[number, order]]`.",
    ),
)

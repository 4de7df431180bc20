"""Gap 10-withdraw: half of a transfer as a pure function, whose state is the account."""

from functools import partial

from ...tasks.chapter_10.form import Machine, encode, filled, holds
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap
from .common import refused

CASES = (  # balance, order, the balance after it, what is sent on
    (10, 7, 3, 7),
    (10, 10, 0, 10),
    (10, 11, 10, None),
    (0, 1, 0, None),
)


def withdraw(balance, inputs):
    """Take the amount of an order out of the account, and send it on; an order that it does not cover is refused."""
    [amount] = inputs
    if amount > balance:
        return balance, [None]
    return balance - amount, [amount]


def check(answer):
    """Try cases, then explore it in the machine, on two nodes with a crash."""
    told = answers(answer, [[balance, [amount]] for balance, amount, _, _ in CASES])
    if all(fine and said is None for fine, said in told):
        return unsolved("your lines")
    for (balance, amount, left, sent), (fine, said) in zip(CASES, told, strict=True):
        asked = f"With {balance} in the account and an order of {amount}"
        if not fine:
            return wrong(f"{asked} your function fails with {said}.")
        if not isinstance(said, tuple) or len(said) != 2 or not isinstance(said[1], (list, tuple)):
            return wrong(f"{asked} your function returns {said!r}; return (balance, outputs), and outputs is a list.")
        if said[0] != left:
            return wrong(f"{asked} your function leaves {said[0]!r} in it; right is {left}.")
        if list(said[1] or [None]) != [sent]:
            return wrong(f"{asked} your function sends {said[1]!r} on; right is {[sent]!r}.")
    one = Machine(answer, filled(orders=[7, 9]), encode(10), ("transfers",), "withdraw", "bank_a").program
    rule = partial(holds, wanted={"transfers": [7]})
    return refused([one] * 2, rule, "Two nodes, of which one dies: ", crashes=1) or right(
        "What leaves the account is what is sent on, in one and the same stage of the machine; what the account does "
        "not cover leaves no trace."
    )


GAP = Gap(
    title="withdraw, as a pure function",
    judge=check,
    library=withdraw,
    hints=(
        "The state is the balance. What are balance and outputs after an order that the account covers, and after "
        "one that it does not?",
        "Return a tuple: the new balance, and a list with what is sent on, which is `[None]` where nothing is.",
        "`if amount > balance: return balance, [None]`, and below it `return balance - amount, [amount]`.",
    ),
)

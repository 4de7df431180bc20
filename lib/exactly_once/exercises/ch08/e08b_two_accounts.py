"""Exercise 08b: an amount withdrawn from two accounts, each by compare-and-swap; all of it, or nothing.

If the second account has too little, the amount of the first account is put back: a compensation, as in
H. Garcia-Molina and K. Salem, "Sagas", SIGMOD 1987.
"""

from dataclasses import dataclass

from ... import show as drawing
from ...errors import BadInput, is_whole, what_failed
from ...node import Program
from ...simulate import simulate
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import called, proved
from ..kinds.task import Task
from .bank import accounts

BANK, NAMES = "bank", ("savings", "current")
CASES = (  # the two balances, and the amounts that are withdrawn at once; the simplest stand first
    ((6, 4), (3,)),
    ((6, 4), (8,)),
    ((6, 4), (10,)),
    ((6, 4), (11,)),
    ((0, 4), (3,)),
    ((0, 4), (5,)),
    ((6, 4), (3, 3)),
    ((6, 4), (7, 3)),
    ((6, 4), (8, 3)),
    ((2, 2), (3, 3)),
    ((6, 4), (11, 5)),
)
SHOWN = CASES[1]


def programs(answer, case):
    """Return the programs of concurrent withdrawals, each of one amount."""
    balances, amounts = case
    source = accounts((BANK, name, balance) for name, balance in zip(NAMES, balances, strict=True))
    return [Program(withdrawing(answer, amount), source, name=f"customer{n}") for n, amount in enumerate(amounts, 1)]


def withdrawing(answer, amount):
    """Return a handler that withdraws an amount by the learner's function, and pushes [amount, result]."""

    def customer(node):
        said = answer(node.store(BANK), *NAMES, amount)
        node.output.push([amount, said])

    return customer


@dataclass(frozen=True)
class AllOrNothing:
    """The specification for one case, as an invariant that another process can have."""

    case: tuple

    def __call__(self, view):
        balances, amounts = self.case
        held = {name: view.look(BANK, name, "cell") for name in NAMES}
        if below := next((name for name, balance in held.items() if not _is_balance(balance)), None):
            return f"the account {below} holds {held[below]!r}"
        if not view.done:
            return True
        told = [(amount, said) for amount, said in view.outputs]
        if strange := next((said for _, said in told if not isinstance(said, bool)), None):
            return f"it returned {strange!r}; return True or False"
        paid, left = [amount for amount, said in told if said], sum(held.values())
        if sum(balances) - left != sum(paid):
            out = f"{' and '.join(map(str, paid))} {'was' if len(paid) == 1 else 'were'}" if paid else "nothing was"
            return f"{out} paid out, and the accounts hold {left} of {sum(balances)}: {_held(held)}"
        if len(paid) < len(amounts) and sum(amounts) <= sum(balances):
            refused = next(amount for amount, said in told if not said)
            return f"{refused} was refused, and there was enough for everybody"
        return True


def _is_balance(value):
    return is_whole(value) and value >= 0


def _held(held):
    return ", ".join(f"{name} {balance}" for name, balance in held.items())


def calm(answer, case):
    """Return the run of one case without other customers."""
    return simulate(programs(answer, case))


def check(answer):
    """Prove the function in each case: every order of the steps of all withdrawals."""
    if has_dots(answer):
        return unsolved("your function")
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of bank, first, second and amount.")
    run = called(calm, answer, CASES[0])
    if run.error:
        return wrong(f"It fails by itself: {what_failed(run.error)}", traceback=run.error)
    if not any(write.part.startswith(f"{BANK}.") for write in run.writes) and run.pushes[0].value[1] is None:
        return unsolved("the body of your function")
    states = 0
    for case in CASES:
        customers = programs(answer, case)
        proof = proved(customers, AllOrNothing(case), None, crashes=0)
        if (found := proof.counterexample) is not None:
            return wrong(f"{_said(case)}: {found.sentence[:1].lower()}{found.sentence[1:]}", found, customers)
        if not proof.exhausted:
            return wrong(f"{_said(case)}: not proved: {proof.stopped}. Write it with fewer steps.")
        states += proof.states
    return right(
        "The whole amount is withdrawn, or nothing, and no account is ever below zero, in every order of the steps. "
        f"Proved for {len(CASES)} cases with one or two customers; no process dies in them ({states:,} states)."
    )


def _said(case):
    balances, amounts = case
    held = ", ".join(f"{name} {balance}" for name, balance in zip(NAMES, balances, strict=True))
    return f"With {held}, and {' and '.join(map(str, amounts))} to be withdrawn"


def show(answer):
    """Draw a run of the function alone."""
    if has_dots(answer):
        lines = [f"{_said(case)}." for case in CASES[:4]]
        return drawing.Picture("".join(f"<p>{line}</p>" for line in lines), text="\n".join(lines))
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of bank, first, second and amount.")
    return drawing.spacetime(called(calm, answer, SHOWN))


TASK = Task(
    answer="withdraw_both",
    show=show,
    check=check,
)

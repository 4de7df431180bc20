"""What the gaps of chapter 08 share: a learner's transfer, run once and explored in banks of all kinds."""

from typing import NamedTuple

from ....errors import what_failed
from ....explore import prove
from ....handlers.transfer import DONE, INSUFFICIENT, Bank
from ....sandbox import prove_safely
from ....simulate import simulate
from ...tasks.reply import unsolved, wrong
from ...tasks.run_answer import called

THREE = {"a": 5, "b": 5, "c": 5}
RING = ((("a", "b", 2),), (("b", "c", 2),), (("c", "a", 2),))
CALM = ((("a", "b", 7), ("a", "b", 7)),)
ANSWERS = [DONE, INSUFFICIENT]


class Case(NamedTuple):
    """A bank in which a transfer is explored: what it is about, in words, orders, accounts, crashes, the rule."""

    about: str
    orders: tuple
    accounts: dict | None = None
    crashes: int = 0
    rule: str = "as_answered"

    def of(self, transfer):
        """Return the `Bank` for a way to transfer."""
        return Bank(transfer, self.orders, self.accounts)

    def proof(self, transfer, explore=prove):
        """Return the `Proof` of a way to transfer in this bank."""
        bank = self.of(transfer)
        return explore(bank.programs, invariant=getattr(bank, self.rule), crashes=self.crashes)


def carried_out(transfer, orders=CALM):
    """Return the `Run` of one mover with these orders, when nothing goes wrong."""
    return simulate(Bank(transfer, orders).programs)


def first_look(answer):
    """Return the `Reply` to a transfer that fails, or answers or moves otherwise than asked, in a calm run; or None.

    The mover is to move 7 of 10 twice: the second time it is too much.
    """
    run = called(carried_out, answer)
    said = [push.value[2] for push in run.pushes]
    if not any(name in event.text for event in run.trace for name in ("cas ", "write ")) and not any(said):
        return unsolved("your lines")
    if run.error:
        return wrong(f"When nothing goes wrong, your lines fail: {what_failed(run.error)}", run, traceback=run.error)
    balances = Bank(answer, CALM).balances(run.outcome)
    if said != ANSWERS:
        return wrong(f"It is asked to move 7 of 10, twice, and answers {said}; it should answer {ANSWERS}.", run)
    if balances != {"a": 3, "b": 7}:
        return wrong(f"It was asked to move 7 of 10, twice; the accounts hold {balances} after it.", run)
    return None


def first_broken(transfer, cases):
    """Return the number of the first case in which a way to transfer is broken, or None."""
    return next((number for number, case in enumerate(cases) if not case.proof(transfer).ok), None)


def explored(answer, cases):
    """Return the `Reply` to a transfer that is broken in one of the cases, with the schedule; or None."""
    number = called(first_broken, answer, cases)
    if number is None:
        return None
    found = cases[number].proof(answer, prove_safely).counterexample  # with the token of this process
    return wrong(f"{cases[number].about}: {found.sentence}", found)

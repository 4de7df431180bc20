"""Exercise 08c: an invariant that a right transfer keeps at every moment, and that a wrong one breaks at some."""

import functools
from dataclasses import dataclass

import pandas as pd

from ... import show as drawing
from ...handlers.transfer import (
    DONE,
    INSUFFICIENT,
    Bank,
    deposit,
    one_lock_at_a_time,
    one_transaction,
    ordered_locks,
    two_stores,
    withdraw,
)
from ...handlers.transfer.stages import BANK
from ..kinds.invariant import Invariant, System

OPENING = {"a": 10, "b": 0, "c": 0}


@dataclass(frozen=True)
class Moment:
    """The argument of the learner's function: balances, opening balances, all answers, whether all have ended.

    An answer is (source, target, amount, "done" or "insufficient funds").
    """

    balances: dict
    opening: dict
    answers: tuple
    done: bool


def deposits_first(node, source, target, amount):
    """Deposits, then withdraws; takes the deposit back where the funds are insufficient."""
    bank = node.store(BANK)
    deposit(bank, target, amount)
    if withdraw(bank, source, amount):
        return DONE
    withdraw(bank, target, amount)
    return INSUFFICIENT


def looks_too_early(node, source, target, amount):
    """Looks whether there is enough, and withdraws later."""
    bank = node.store(BANK)
    _, balance = bank.read(source)
    if balance < amount:
        return INSUFFICIENT
    deposit(bank, source, -amount)
    deposit(bank, target, amount)
    return DONE


def overwrites(node, source, target, amount):
    """Deposits with a plain write, which overwrites concurrent writes."""
    bank = node.store(BANK)
    if not withdraw(bank, source, amount):
        return INSUFFICIENT
    _, held = bank.read(target)
    bank.write(target, held + amount)
    return DONE


def says_done(node, source, target, amount):
    """Answers without having moved anything."""
    _, balance = node.store(BANK).read(source)
    return DONE if balance >= amount else INSUFFICIENT


def says_insufficient(node, source, target, amount):
    """Moves the money, reads the balance again, and answers by this balance."""
    bank = node.store(BANK)
    if not withdraw(bank, source, amount):
        return INSUFFICIENT
    deposit(bank, target, amount)
    _, balance = bank.read(source)
    return DONE if balance >= amount else INSUFFICIENT


def moves_what_is_there(node, source, target, amount):
    """Moves less where there is less, and calls it done."""
    bank = node.store(BANK)
    _, balance = bank.read(source)
    return two_cells(bank, source, target, min(amount, balance))


def two_cells(bank, source, target, amount):
    """Move an amount by two CAS loops over cells of one store."""
    if not withdraw(bank, source, amount):
        return INSUFFICIENT
    deposit(bank, target, amount)
    return DONE


def to_another_account(node, source, target, amount):
    """Deposits in the wrong account."""
    return two_cells(node.store(BANK), source, "c" if target == "b" else "b", amount)


SAME_TARGET = ((("a", "b", 3),), (("a", "b", 4),))
TOO_MUCH = ((("a", "b", 7),), (("a", "c", 5),))
THERE_AND_BACK = ((("a", "b", 7),), (("b", "a", 3),))
RIGHT = {
    "one transaction": Bank(one_transaction, TOO_MUCH, OPENING),
    "ordered locks": Bank(ordered_locks, THERE_AND_BACK, OPENING),
    "one lock at a time": Bank(one_lock_at_a_time, THERE_AND_BACK, OPENING),
    "two CAS loops": Bank(two_stores, TOO_MUCH, OPENING, apart=True),
}
WRONG = {
    "overwrites a deposit that comes in between": Bank(overwrites, SAME_TARGET, OPENING),
    "looks for the funds too early, so that an account can fall below zero": Bank(looks_too_early, TOO_MUCH, OPENING),
    "answers “done” and has moved nothing": Bank(says_done, TOO_MUCH, OPENING),
    "deposits first: for a moment there is money that nobody has paid in": Bank(deposits_first, TOO_MUCH, OPENING),
    "moves the money and answers “insufficient funds”": Bank(says_insufficient, TOO_MUCH, OPENING),
    "moves less than the order says": Bank(moves_what_is_there, TOO_MUCH, OPENING),
    "deposits in another account": Bank(to_another_account, TOO_MUCH, OPENING),
}


@dataclass(frozen=True)
class Asked:
    """A function of a `Moment` as an invariant of a bank, which another process can have."""

    holds: object
    bank: Bank

    def __call__(self, view):
        return self.holds(moment(self.bank, view, view.outputs, view.done))


def moment(bank, seen, outputs, done):
    """Return the `Moment` of a `View`, or of an outcome with these outputs."""
    answers = tuple((*bank.orders[mover - 1][number - 1], said) for mover, number, said in outputs)
    return Moment(bank.balances(seen), dict(bank.accounts), answers, done)


def holds_always(seen):
    """Tell whether a moment is one of a right transfer: the exercise's own rule, which finds missed mistakes."""
    held = dict(seen.opening)
    for source, target, amount, said in seen.answers if seen.done else ():
        if said == DONE:
            held[source] -= amount
            held[target] += amount
    total = sum(seen.balances.values()) <= sum(seen.opening.values())
    return min(seen.balances.values()) >= 0 and total and (not seen.done or held == seen.balances)


def _left(bank, found):
    """Return the accounts at the end of a counterexample, in words."""
    run = found.run
    held = ", ".join(f"{account} {balance}" for account, balance in bank.balances(run.outcome).items())
    seen = moment(bank, run.outcome, [push.value for push in run.pushes], True)
    answers = [f"{amount} from {source} to {target}: {said}" for source, target, amount, said in seen.answers]
    opened = ", ".join(f"{account} {balance}" for account, balance in bank.accounts.items())
    return f"opened with {opened}, the accounts hold {held}; answered: {'; '.join(answers) or 'nothing yet'}."


END = {"a": 3, "b": 7, "c": 0}
MOMENTS = (  # (event, moment) of a transfer with one lock at a time, and of an interrupted transfer
    ("the bank opens", Moment(OPENING, OPENING, (), False)),
    ("7 are withdrawn", Moment({"a": 3, "b": 0, "c": 0}, OPENING, (), False)),
    ("7 are deposited", Moment(END, OPENING, (), False)),
    ("all have ended", Moment(END, OPENING, (("a", "b", 7, DONE),), True)),
    ("all have ended", Moment({"a": 3, "b": 0, "c": 0}, OPENING, (("a", "b", 7, DONE),), True)),
)


def drawn(said):
    """Draw a function's answers to `MOMENTS`."""
    rows = [
        {
            "what happened": what,
            **seen.balances,
            "answers": "; ".join(f"{amount} from {a} to {b}: {answer}" for a, b, amount, answer in seen.answers),
            "done": seen.done,
            "yours": yours,
        }
        for (what, seen), yours in zip(MOMENTS, said, strict=True)
    ]
    listed = pd.DataFrame(rows)
    return drawing.Picture(drawing.table_html(listed), text=listed.to_string(index=False))


def system(bank):
    """Return a bank with its orders as a `System` for a learner's rule."""
    return System(bank.programs, lambda holds: Asked(holds, bank), functools.partial(_left, bank))


TASK = Invariant(
    answer="holds",
    form="a function of a moment",
    subject="a transfer",
    keeps={name: system(bank) for name, bank in RIGHT.items()},
    breaks={what: system(bank) for what, bank in WRONG.items()},
    truth=holds_always,
    views=[seen for _, seen in MOMENTS],
    drawn=drawn,
    praise="It holds at every moment of {keeps} right transfers, and notices each of {breaks} wrong ones ({states} "
    "states, no mover dies). While money is in transit the accounts hold too little, and never too much; what they "
    "hold in the end is for the answers to say.",
)

"""Exercise 08c: an invariant that a right transfer keeps at every moment, and that a wrong one breaks at some."""

from dataclasses import dataclass

import pandas as pd

from .... import show as drawing
from ....errors import BadInput
from ....handlers.transfer import (
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
from ....handlers.transfer.stages import BANK
from ..reply import has_dots, right, unsolved, wrong
from ..run_answer import called, proved
from ..task import Task

OPENING = {"a": 10, "b": 0, "c": 0}


@dataclass(frozen=True)
class Moment:
    """What the learner's function sees: the balances, the opening ones, all answers, whether everybody has ended.

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
    """Deposits with a plain write, whoever came in between."""
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
    """Moves the money, looks once more, and answers by what is left."""
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
    """Tell whether a moment is one of a right transfer: the exercise's own rule, which finds what is missed."""
    held = dict(seen.opening)
    for source, target, amount, said in seen.answers if seen.done else ():
        if said == DONE:
            held[source] -= amount
            held[target] += amount
    total = sum(seen.balances.values()) <= sum(seen.opening.values())
    return min(seen.balances.values()) >= 0 and total and (not seen.done or held == seen.balances)


def asked(holds):
    """Return what a function says of two moments, the first and the last of one transfer."""
    end = {"a": 3, "b": 7, "c": 0}
    moments = Moment(OPENING, OPENING, (), False), Moment(end, OPENING, (("a", "b", 7, DONE),), True)
    return [holds(each) for each in moments]


def check(answer):
    """Explore right transfers, in which the invariant always holds, and wrong ones, in which it must not."""
    if unwritten(answer):
        return unsolved("your function")
    if called(asked, answer) == [None, None]:
        return unsolved("the body of your function")
    states = 0
    for name, bank in RIGHT.items():
        proof = proved(bank.programs, Asked(answer, bank), None, crashes=0)
        if (found := proof.counterexample) is not None:
            return wrong(f"It refuses a transfer that is right ({name}): {_left(bank, found)}", found, bank.programs)
        states += proof.states
    for what, bank in WRONG.items():
        proof = proved(bank.programs, Asked(answer, bank), None, crashes=0)
        states += proof.states
        if proof.counterexample is None:
            found = proved(bank.programs, Asked(holds_always, bank), None, crashes=0).counterexample
            return wrong(f"It does not notice a transfer that {what}: {_left(bank, found)}", found, bank.programs)
    return right(
        f"It holds at every moment of {len(RIGHT)} right transfers, and notices each of {len(WRONG)} wrong ones "
        f"({states:,} states, nobody dies). While money is on its way the accounts hold too little, and never too "
        "much; what they hold in the end is for the answers to say."
    )


def _left(bank, found):
    """Return in words what the accounts hold where a counterexample ends."""
    run = found.run
    held = ", ".join(f"{account} {balance}" for account, balance in bank.balances(run.outcome).items())
    seen = moment(bank, run.outcome, [push.value for push in run.pushes], True)
    answers = [f"{amount} from {source} to {target}: {said}" for source, target, amount, said in seen.answers]
    opened = ", ".join(f"{account} {balance}" for account, balance in bank.accounts.items())
    return f"opened with {opened}, the accounts hold {held}; answered: {'; '.join(answers) or 'nothing yet'}."


def unwritten(answer):
    """Tell whether this is no answer yet. Raises `BadInput` for what is no function."""
    if has_dots(answer):
        return True
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of a moment.")
    return False


def show(answer):
    """Draw what the function says of the moments of a transfer by one lock at a time."""
    moments = [
        (Moment(OPENING, OPENING, (), False), "the bank opens"),
        (Moment({"a": 3, "b": 0, "c": 0}, OPENING, (), False), "7 are withdrawn"),
        (Moment({"a": 3, "b": 7, "c": 0}, OPENING, (), False), "7 are deposited"),
        (Moment({"a": 3, "b": 7, "c": 0}, OPENING, (("a", "b", 7, DONE),), True), "all have ended"),
        (Moment({"a": 3, "b": 0, "c": 0}, OPENING, (("a", "b", 7, DONE),), True), "all have ended"),
    ]
    told = ["–"] * len(moments)
    if not unwritten(answer):
        told = called(said_of, answer, [each for each, _ in moments])
    rows = [
        {
            "what happened": what,
            **each.balances,
            "answers": "; ".join(f"{amount} from {a} to {b}: {said}" for a, b, amount, said in each.answers),
            "done": each.done,
            "yours": said,
        }
        for (each, what), said in zip(moments, told, strict=True)
    ]
    listed = pd.DataFrame(rows)
    return drawing.Picture(drawing.table_html(listed), text=listed.to_string(index=False))


def said_of(holds, moments):
    """Return what a function says of some moments, in words."""
    return [str(holds(each)) for each in moments]


TASK = Task(
    title="what must hold, and when",
    answer="holds",
    show=show,
    check=check,
    hints=(
        "What can be asked at every moment is less than what can be asked in the end. The total, for one: when is "
        "it right, when may it be too small, and when may it be too large?",
        "A transfer that answers “done” and moves nothing leaves the total as it was. So in the end the accounts "
        "have to be compared with the answers, one account at a time.",
        "At every moment: no balance is below zero, and the sum is no larger than the opening one. When view.done: "
        "each account holds its opening balance, less what was done from it, and more what was done to it.",
        "held = dict(view.opening); for source, target, amount, said in view.answers: if said == 'done': "
        "held[source] -= amount; held[target] += amount. In the end: view.balances == held.",
    ),
)

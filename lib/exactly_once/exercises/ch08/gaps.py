"""The gaps of chapter 08: how the lines that a learner writes in it are judged."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ...errors import what_failed
from ...explore import prove
from ...handlers.transfer import DONE, INSUFFICIENT, Bank, bank_of, one_transaction, withdraw
from ...handlers.transfer.stages import deposit
from ...sandbox import prove_safely
from ...simulate import simulate
from ..kinds.old_gap import gap
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called

THREE = {"a": 5, "b": 5, "c": 5}
RING = ((("a", "b", 2),), (("b", "c", 2),), (("c", "a", 2),))
CALM = ((("a", "b", 7), ("a", "b", 7), ("a", "b", 3)),)
ANSWERS = [DONE, INSUFFICIENT, DONE]


class Case(NamedTuple):
    """A bank for exploring a transfer: its description, orders, accounts, number of crashes, and the rule's name."""

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

        def rule(view):
            below = bank.none_below_zero(view)
            return getattr(bank, self.rule)(view) if below is True else below

        return explore(bank.programs, invariant=rule, crashes=self.crashes)


def carried_out(transfer, orders=CALM):
    """Return the `Run` of one mover with these orders, when nothing goes wrong."""
    return simulate(Bank(transfer, orders).programs)


def first_look(answer):
    """Return the `Reply` to a transfer that fails, or answers or moves otherwise than asked, in a calm run; or None.

    The mover is to move 7 of 10 twice, where the second time it is too much, and then the 3 that are left.
    """
    run = called(carried_out, answer)
    said = [push.value[2] for push in run.pushes]
    if not any(name in event.text for event in run.trace for name in ("cas ", "write ")) and not any(said):
        return unsolved("your lines")
    if run.error:
        return wrong(f"When nothing goes wrong, your lines fail: {what_failed(run.error)}", run, traceback=run.error)
    balances = Bank(answer, CALM).balances(run.outcome)
    if said != ANSWERS:
        return wrong(
            f"A mover is asked to move 7 of 10, then 7, and then 3. It answers {said}; it should answer {ANSWERS}.",
            run,
        )
    if balances != {"a": 0, "b": 10}:
        return wrong(
            f"A mover is asked to move 7 of 10, then 7, and then 3. After it the accounts hold {balances}; they "
            "should hold 0 and 10.",
            run,
        )
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


# 08-commit: check the funds, and change both accounts in one transaction that refuses what has changed.

COMMIT_CASES = (
    Case("One mover", ((("a", "b", 7),),), crashes=1, rule="total_in_the_end"),
    Case("Two movers take from one account", ((("a", "b", 7),), (("a", "b", 7),))),
    Case("Two movers give to one account", ((("a", "c", 2),), (("b", "c", 2),)), THREE),
    Case("One takes from the account to which the other gives", ((("a", "b", 2),), (("b", "c", 2),)), THREE),
    Case("Three movers in a ring", RING, THREE),
)


@gap("08-commit", refuses=(one_transaction,))
def check_commit(answer):
    """Run it once; then explore it, alone with a crash, and beside others."""
    return (
        first_look(answer)
        or explored(answer, COMMIT_CASES)
        or right("No schedule of one to three movers loses or makes money, or takes an account below zero.")
    )


# The halves of a transfer between two stores, of which a learner writes one; their movers are run and explored alike.

ENOUGH, MOVED = {"a": 20, "b": 0}, {"a": 13, "b": 7}
SEVEN = (("a", "b", 7),)
THREE_ORDERS = ((("a", "b", 7), ("a", "b", 5), ("a", "b", 3)),)


def in_two_halves(once):
    """Return the transfer that withdraws and deposits by `once`, with a mark that is named after the order."""

    def marked(node, source, target, amount):
        order = f"{amount} from {source} to {target}"
        if not once(node.store(bank_of(source)), source, -amount, order):
            return INSUFFICIENT
        once(node.store(bank_of(target)), target, amount, order)
        return DONE

    return marked


def with_deposit(first_half):
    """Return the transfer that withdraws by `first_half`, and deposits as the library does."""

    def over_two_stores(node, source, target, amount):
        if not first_half(node.store(bank_of(source)), source, amount):
            return INSUFFICIENT
        deposit(node.store(bank_of(target)), target, amount)
        return DONE

    return over_two_stores


class Halves(NamedTuple):
    """A bank over two stores in which a transfer of two halves, as `made` makes it, is explored.

    `moved` are the balances in the end; without them the accounts must hold what the answers say.
    """

    about: str
    orders: tuple
    accounts: dict | None = None
    crashes: int = 0
    moved: dict | None = None
    made: Callable[..., Any] = in_two_halves

    def proof(self, answer, explore=prove):
        """Return the `Proof` of two such halves in this bank; a dead mover's next process repeats its order."""
        bank = Bank(self.made(answer), self.orders, self.accounts, apart=True, again=True)

        def rule(view):
            below = bank.none_below_zero(view)
            if below is not True or not view.done:
                return below
            if self.moved is None:
                return bank.as_answered(view)
            held = bank.balances(view)
            return held == self.moved or f"the accounts hold {held}; right is {self.moved}"

        return explore(bank.programs, invariant=rule, crashes=self.crashes)


def calm_halves(answer, made):
    """Return the `Run` of one mover that is to move 7 of 10, then 5, and then 3."""
    return simulate(Bank(made(answer), THREE_ORDERS, apart=True).programs)


def first_look_at_halves(answer, made):
    """Return the `Reply` to halves that fail, or answer or move otherwise than asked, in a calm run; or None."""
    run = called(calm_halves, answer, made)
    if not any(name in event.text for event in run.trace for name in ("transact", "cas ", "write ")):
        return (
            unsolved("your lines") if run.error is None else wrong(what_failed(run.error), run, traceback=run.error)
        )
    if run.error:
        return wrong(f"When nothing goes wrong, your lines fail: {what_failed(run.error)}", run, traceback=run.error)
    said = [push.value[2] for push in run.pushes]
    held = Bank(calm_halves, THREE_ORDERS, apart=True).balances(run.outcome)
    if (said, held) == (ANSWERS, {"a": 0, "b": 10}):
        return None
    return wrong(
        f"A mover is asked to move 7 of 10, then 5, and then 3. It answers {said}, and the accounts hold {held}; it "
        f"should answer {ANSWERS}, and they should hold 0 and 10.", run,
    )  # fmt: skip


# 08-once: a half that can be repeated, with a mark in the transaction that changes its account.

ONCE_CASES = (
    Halves("A mover dies once, and its next process repeats the order", (SEVEN,), ENOUGH, 1, MOVED),
    Halves("A mover that moves nearly all dies once, and its next process repeats the order", (SEVEN,), None, 1,
           {"a": 3, "b": 7}),
    Halves("Two movers carry out the same order", (SEVEN, SEVEN), ENOUGH, 0, MOVED),
    Halves("There is enough for one of two orders", (SEVEN, (("a", "b", 5),))),
    Halves("Two movers give to one account", ((("a", "c", 2),), (("b", "c", 2),)), THREE),
    Halves("One takes from the account to which the other gives", ((("a", "b", 2),), (("b", "c", 2),)), THREE),
)  # fmt: skip


@gap("08-once")
def check_once(answer):
    """Run a mover with such halves; then explore it with a crash, and beside others."""
    return (
        first_look_at_halves(answer, in_two_halves)
        or explored(answer, ONCE_CASES)
        or right("Each change is made once, by this process or an earlier one, and no account is below zero.")
    )


# 08-withdraw: the first half, which takes an amount from one row if it is there.

TWO = (("a", "b", 2),)
WITHDRAW_CASES = (
    Halves("Two movers take from one account, and there is enough for both", (TWO, TWO), None, 0, {"a": 6, "b": 4},
           with_deposit),
    Halves("There is enough for one of two orders", (SEVEN, (("a", "b", 5),)), made=with_deposit),
    Halves("One takes from the account to which the other gives", (TWO, (("b", "c", 2),)), THREE, made=with_deposit),
)  # fmt: skip


@gap("08-withdraw", refuses=(withdraw,))
def check_withdraw(answer):
    """Run a mover with the learner's withdrawal and the library's deposit; then explore it beside others."""
    return (
        first_look_at_halves(answer, with_deposit)
        or explored(answer, WITHDRAW_CASES)
        or right("No schedule of two movers takes what is not there, or refuses what is there.")
    )

"""The gaps of chapter 08: how the lines that a learner writes in it are judged."""

from itertools import combinations
from typing import NamedTuple

from ...errors import BadInput, what_failed
from ...explore import prove
from ...faults import Fault, FaultPlan
from ...handlers.transfer import (
    DONE,
    INSUFFICIENT,
    STAGES,
    Bank,
    bank_of,
    one_transaction,
    two_locks,
)
from ...sandbox import prove_safely
from ...simulate import simulate
from ..kinds.by_cases import by_cases
from ..kinds.gap import gap
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import answers, called

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
        return wrong(f"It is asked to move 7 of 10, 7, and 3, and answers {said}; it should answer {ANSWERS}.", run)
    if balances != {"a": 0, "b": 10}:
        return wrong(f"It was asked to move 7 of 10, 7, and 3; the accounts hold {balances} after it.", run)
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


# 08-collide: orders for three movers that can wait for each other all three, and no two of them.

COLLIDE_ACCOUNTS = {"a": 5, "b": 5, "c": 5}


def proof(orders):
    """Return the `Proof` of movers with one order each, under two locks."""
    bank = Bank(two_locks, [[order] for order in orders], COLLIDE_ACCOUNTS)
    return prove(bank.programs, invariant=bank.total_in_the_end, crashes=0)


@gap("08-collide")
def check_collide(answer):
    """Explore each two of the movers, and then all three."""
    ((went, said),) = answers(answer, [[]])
    if not went:
        return wrong(f"It fails with {said}.")
    if said in (None, ...):
        return unsolved("three orders")
    if not isinstance(said, (list, tuple)) or len(said) != 3:
        return wrong(f"It returns {said!r:.60}; give a list of three orders, such as ('a', 'b', 1).")
    try:
        for pair in combinations(said, 2):
            found = proof(pair).counterexample
            if found is not None:
                return wrong(f"Two of them are enough: {pair[0]} and {pair[1]}. {found.sentence}", found)
        found = proof(said).counterexample
    except (BadInput, TypeError, ValueError) as why:
        return wrong(f"The orders are {said!r:.90}; each is (source, target, amount). {why}")
    if found is None:
        return wrong("No schedule of these three ends in a deadlock.")
    return right("Each mover waits for the next, in a ring. Any two of them always finish.", found)


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


# 08-missing: how much money is gone when a mover is killed at a step of a transfer.

STEPS = {  # the steps of a transfer at which a fault plan can strike; where there are several, it is the first
    "transaction": ("store.transact", "output.push"),
    "ordered": ("lock.acquire", "store.read", "store.write", "lock.release", "output.push"),
    "halves": ("lock.acquire", "store.read", "store.write", "lock.release", "output.push"),
    "cas": ("store.read", "store.cas", "output.push"),
}
KINDS = ("crash before", "crash after")
AMOUNTS = {"crash before": 7, "crash after": 4}  # by kind


def run_of(stage, step, kind):
    """Return (the `Run`, the money that is gone) of one mover that is killed there."""
    bank = Bank(STAGES[stage], [[("a", "b", AMOUNTS[kind])]], apart=stage == "cas")
    run = simulate(bank.programs, FaultPlan([Fault(step, 1, kind)]))
    return run, bank.total - sum(bank.balances(run.outcome).values())


@gap("08-missing")
def check_missing(answer):
    """Ask for each stage, step and kind; a run shows what is otherwise."""
    cases = [(stage, step, kind) for stage, steps in STEPS.items() for step in steps for kind in KINDS]
    return by_cases(
        answer, cases, _asked_missing, _objection_missing, arguments=lambda *case: [*case, AMOUNTS[case[2]]]
    ) or right(f"It says what is gone in each of the {len(cases)} runs.")


def _asked_missing(*case):
    return f"missing({', '.join(map(repr, case))}, {AMOUNTS[case[2]]})"


def _objection_missing(stage, step, kind, said):
    run, gone = run_of(stage, step, kind)
    if said == gone:
        return None
    return wrong(f"{_asked_missing(stage, step, kind)} returns {said!r}. In this run {gone} is gone.", run)


# 08-once: a half that can be repeated, with a mark in the transaction that changes its account.

ENOUGH, MOVED = {"a": 20, "b": 0}, {"a": 13, "b": 7}
SEVEN = (("a", "b", 7),)
ONCE_TWICE = ((("a", "b", 7), ("a", "b", 5), ("a", "b", 3)),)


class Marked(NamedTuple):
    """A bank over two stores in which a transfer of two marked halves is explored.

    `moved` are the balances in the end; without them the accounts must hold what the answers say.
    """

    about: str
    orders: tuple
    accounts: dict | None = None
    crashes: int = 0
    moved: dict | None = None

    def proof(self, once, explore=prove):
        """Return the `Proof` of two such halves in this bank; a dead mover's next process repeats its order."""
        bank = Bank(in_two_halves(once), self.orders, self.accounts, apart=True, again=True)

        def rule(view):
            below = bank.none_below_zero(view)
            if below is not True or not view.done:
                return below
            if self.moved is None:
                return bank.as_answered(view)
            held = bank.balances(view)
            return held == self.moved or f"the accounts hold {held}; right is {self.moved}"

        return explore(bank.programs, invariant=rule, crashes=self.crashes)


def in_two_halves(once):
    """Return the transfer that withdraws and deposits by `once`, with a mark that is named after the order."""

    def marked(node, source, target, amount):
        order = f"{amount} from {source} to {target}"
        if not once(node.store(bank_of(source)), source, -amount, order):
            return INSUFFICIENT
        once(node.store(bank_of(target)), target, amount, order)
        return DONE

    return marked


ONCE_CASES = (
    Marked(
        "A mover dies once, and its next process repeats the order", ((("a", "b", 7),),), ENOUGH, 1, {"a": 13, "b": 7}
    ),
    Marked("A mover that moves nearly all dies once, and its next process repeats the order", (SEVEN,), None, 1,
           {"a": 3, "b": 7}),
    Marked("Two movers carry out the same order", ((("a", "b", 7),), (("a", "b", 7),)), ENOUGH, 0, {"a": 13, "b": 7}),
    Marked("There is enough for one of two orders", ((("a", "b", 7),), (("a", "b", 5),))),
    Marked("Two movers give to one account", ((("a", "c", 2),), (("b", "c", 2),)), THREE),
    Marked("One takes from the account to which the other gives", ((("a", "b", 2),), (("b", "c", 2),)), THREE),
)  # fmt: skip


def calm_halves(once):
    """Return the `Run` of one mover that is to move 7 of 10, then 5, and then 3."""
    return simulate(Bank(in_two_halves(once), ONCE_TWICE, apart=True).programs)


def first_broken_half(once):
    """Return the number of the first case in which such halves are broken, or None."""
    return next((number for number, case in enumerate(ONCE_CASES) if not case.proof(once).ok), None)


@gap("08-once")
def check_once(answer):
    """Run a mover with such halves; then explore it with a crash, and beside others."""
    run = called(calm_halves, answer)
    if not any("transact" in event.text or "cas " in event.text for event in run.trace):
        return (
            unsolved("your lines") if run.error is None else wrong(what_failed(run.error), run, traceback=run.error)
        )
    if run.error:
        return wrong(f"When nothing goes wrong, your lines fail: {what_failed(run.error)}", run, traceback=run.error)
    said = [push.value[2] for push in run.pushes]
    held = Bank(calm_halves, ONCE_TWICE, apart=True).balances(run.outcome)
    if (said, held) != (ANSWERS, {"a": 0, "b": 10}):
        return wrong(
            f"A mover is asked to move 7 of 10, then 5, and then 3. It answers {said}, and the accounts hold {held}; "
            f"it should answer {ANSWERS}, and they should hold 0 and 10.", run,
        )  # fmt: skip
    number = called(first_broken_half, answer)
    if number is None:
        return right("Each change is made once, by this process or an earlier one, and no account is below zero.")
    found = ONCE_CASES[number].proof(answer, prove_safely).counterexample  # with the token of this process
    return wrong(f"{ONCE_CASES[number].about}: {found.sentence}", found)

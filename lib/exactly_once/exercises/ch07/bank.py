"""Two nodes that carry out the same payments at once, in a database of accounts and indexes."""

from dataclasses import dataclass
from typing import NamedTuple

from ...handlers.logs.database_consumer import SHOP, Messages
from ...node import Program
from ...stores.isolation import SerializationFailure
from ...stores.isolation.machine import KIND, PART

FIRST = 5  # the number of the first payment of each partition


class Payment(NamedTuple):
    """A message: its partition and number, the payer, the payee, and the amount."""

    partition: int
    number: int
    pays: str
    gets: str
    amount: int


@dataclass(frozen=True)
class Payments(Messages):
    """The payments of a case, in the order in which one node takes them; `accounts` as they stand before."""

    accounts: tuple[tuple[str, int], ...] = ()
    payments: tuple[Payment, ...] = ()

    def settings(self):
        """Return the payments."""
        return {"payments": self.payments}

    def rows(self):
        """Return the accounts, and the index of each partition."""
        return dict(self.accounts) | {f"index {one.partition}": FIRST for one in self.payments}


class Case(NamedTuple):
    """One case of the check: its name in words, the accounts, the payments, and the number of crashes."""

    words: str
    accounts: tuple[tuple[str, int], ...]
    payments: tuple[Payment, ...]
    crashes: int = 0


A, B, C = "Ada", "Ben", "Cleo"
CASES = (
    Case("one payment", ((A, 100), (B, 100)), (Payment(0, 5, A, B, 40),)),
    Case("a payment that the account does not cover", ((A, 100), (B, 100)), (Payment(0, 5, A, B, 170),)),
    Case("two in turn, of which the first is not covered", ((A, 10), (B, 100)),
         (Payment(0, 5, A, B, 70), Payment(0, 6, B, A, 70))),
    Case("one account pays twice", ((A, 100), (B, 100), (C, 100)),
         (Payment(0, 5, A, B, 70), Payment(1, 5, A, C, 70))),
    Case("one account gets twice", ((A, 100), (B, 100), (C, 100)),
         (Payment(0, 5, A, C, 70), Payment(1, 5, B, C, 70))),
    Case("two accounts pay each other", ((A, 100), (B, 100)), (Payment(0, 5, A, B, 70), Payment(1, 5, B, A, 70))),
    Case("one payment, and a crash", ((A, 100), (B, 100)), (Payment(0, 5, A, B, 40),), 1),
)  # fmt: skip


def bank_of(apply, level):
    """Return the handler that has `apply(session, payment)` carry out each payment of its node."""

    def bank(node):
        for payment in node.payments:
            while True:
                session = node.store(SHOP).begin(level)
                try:
                    apply(session, payment)
                    break
                except SerializationFailure:
                    session.rollback()
        node.store(SHOP).begin(level).rollback()  # a transaction begins only after the last one has ended

    return bank


def banks(apply, level, case, nodes=2):
    """Return the programs: each node takes all payments, the second node those of the last partition first."""
    orders = case.payments, tuple(sorted(case.payments, key=lambda one: -one.partition))
    return [
        Program(bank_of(apply, level), Payments(accounts=case.accounts, payments=order)) for order in orders[:nodes]
    ]


def allowed(case):
    """Return {number of payments done in each partition: the set of accounts that they can leave}."""
    queues = {}
    for one in case.payments:
        queues.setdefault(one.partition, []).append(one)
    found, waiting = {}, [((0,) * len(queues), case.accounts)]
    while waiting:
        done, accounts = waiting.pop()
        found.setdefault(done, set()).add(accounts)
        for place, queue in enumerate(queues.values()):
            if done[place] < len(queue):
                after = tuple(many + (place == other) for other, many in enumerate(done))
                waiting.append((after, carried_out(dict(accounts), queue[done[place]])))
    return found


def carried_out(accounts, payment):
    """Return the accounts after a payment; a payment that is not covered changes nothing."""
    if accounts[payment.pays] >= payment.amount:
        accounts[payment.pays] -= payment.amount
        accounts[payment.gets] += payment.amount
    return tuple(accounts.items())


def rule_of(case):
    """Return the invariant: the committed accounts are those that the payments done so far leave in some order."""
    right, names = allowed(case), [name for name, _ in case.accounts]
    partitions = list(dict.fromkeys(one.partition for one in case.payments))

    def rule(view):
        rows = view.look(SHOP, PART, KIND)
        done = tuple(rows[f"index {partition}"] - FIRST for partition in partitions)
        accounts = tuple((name, rows[name]) for name in names)
        if view.done and done != max(right):
            left = next(one for one, many, most in zip(partitions, done, max(right), strict=True) if many != most)
            return f"index {left} is {rows[f'index {left}']} when all nodes have ended, so a payment is not consumed"
        if accounts in right.get(done, ()):
            return True
        held = ", ".join(f"{name} {money}" for name, money in accounts)
        indexes = ", ".join(f"index {one} is {rows[f'index {one}']}" for one in partitions)
        return f"the accounts are {held} where {indexes}: {_wrong_with(dict(accounts), case)}"

    return rule


def _wrong_with(accounts, case):
    before, now = sum(dict(case.accounts).values()), sum(accounts.values())
    for name, money in accounts.items():
        if money < 0:
            return f"{name} has paid more than was there"
    if now != before:
        return f"{now} in all, and there were {before}"
    return "no order of the payments leaves that"

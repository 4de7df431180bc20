"""Exercise 08d: an auditor who reads one account after the other, while halves of transfers are on their way.

Money in the channel between two accounts belongs to the total, as in K. M. Chandy and L. Lamport, "Distributed
Snapshots: Determining Global States of Distributed Systems", ACM TOCS 3(1), 1985, whose example is a token of money.
"""

from dataclasses import dataclass

from ... import show as drawing
from ...errors import BadInput, what_failed
from ...handlers.transfer import bank_of
from ...node import Program
from ...simulate import simulate
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import called, proved
from ..kinds.task import Task
from .bank import accounts


@dataclass(frozen=True)
class Case:
    """Opening balances by account, the orders of each mover as (order, source, target, amount), and how many die."""

    opening: tuple
    orders: tuple
    crashes: int = 0

    @property
    def total(self):
        """The sum of the opening balances."""
        return sum(balance for _, balance in self.opening)

    def __str__(self):
        opened = ", ".join(f"{account} {balance}" for account, balance in self.opening)
        orders = [order for mover in self.orders for order in mover]
        moves = [f"{amount} from {source} to {target}" for _, source, target, amount in orders]
        dies = ", one of whom may die" if self.crashes else ""
        return f"With {opened}, and {'movers of ' * bool(moves)}{' and '.join(moves) or 'no mover'}{dies}"


CASES = (  # the simplest stand first
    Case((("a", 10), ("b", 0)), ()),
    Case((("a", 10), ("b", 0)), ((("t1", "a", "b", 7),),)),
    Case((("a", 3), ("b", 9)), ((("t1", "b", "a", 4), ("t2", "b", "a", 4)),)),
    Case((("a", 10), ("b", 0)), ((("t1", "a", "b", 7),),), crashes=1),
    Case((("a", 10), ("b", 5)), ((("t1", "a", "b", 7),), (("t2", "b", "a", 3),))),
    Case((("a", 10), ("b", 1), ("c", 4)), ((("t1", "a", "b", 5), ("t2", "b", "c", 5)),)),
    Case((("a", 10), ("b", 1), ("c", 4)), ((("t1", "c", "b", 4),), (("t2", "b", "a", 5),))),
)
SHOWN = CASES[4]


def programs(answer, case):
    """Return the programs of the movers of a case, and of the auditor, who is the last node."""
    opened = {"sent": {}, "got": {}}
    source = accounts((bank_of(one), one, {"balance": balance, **opened}) for one, balance in case.opening)
    names = [account for account, _ in case.opening]
    movers = [Program(mover(orders), source, name=f"mover{n}") for n, orders in enumerate(case.orders, 1)]
    return [*movers, Program(auditor(answer, names), source, name="auditor")]


def mover(orders):
    """Return a handler that carries out orders in halves, each of which notes itself in the cell that it changes.

    An order whose first half a dead process has noted is left alone: its deposit is never made.
    """

    def moves(node):
        for order, source, target, amount in orders:
            if half(node.store(bank_of(source)), source, "sent", order, -amount):
                half(node.store(bank_of(target)), target, "got", order, amount)

    return moves


def half(store, account, noted, order, change):
    """Change one account by compare-and-swap, and note the order in the same cell; tell whether that was done."""
    while True:
        version, held = store.read(account)
        if order in held[noted] or held["balance"] + change < 0:
            return False
        after = held | {"balance": held["balance"] + change, noted: held[noted] | {order: abs(change)}}
        if store.cas(account, version, after):
            return True


def auditor(answer, names):
    """Return a handler that has the learner's function read the accounts, and pushes the result."""

    def audit(node):
        node.output.push(answer(lambda account: node.store(bank_of(account)).read(account), list(names)))

    return audit


@dataclass(frozen=True)
class NeverFooled:
    """The specification of a case, as an invariant that another process can have: the auditor says the total."""

    total: int

    def __call__(self, view):
        said = next((said for said in view.outputs if said != self.total), self.total)
        return said == self.total or f"the auditor says {said!r}"


def calm(answer, case):
    """Return the run of one case in which the auditor comes first."""
    return simulate(programs(answer, case))


def check(answer):
    """Prove in each case that the auditor returns the total, at whatever moments it reads, and finishes."""
    if unwritten(answer):
        return unsolved("your function")
    run = called(calm, answer, CASES[0])
    if run.error:
        return wrong(f"It fails by itself: {what_failed(run.error)}", traceback=run.error)
    if [push.value for push in run.pushes] == [None]:
        return unsolved("the body of your function")
    states = 0
    for case in CASES:
        nodes = programs(answer, case)
        proof = proved(nodes, NeverFooled(case.total), None, crashes=case.crashes, lock_free=True)
        if (found := proof.counterexample) is not None:
            total = f"; the bank has {case.total}" if found.kind == "invariant" else ""
            said = f"{found.sentence[:1].lower()}{found.sentence[1:].rstrip('.')}{total}."
            return wrong(f"{case}: {said}", found, nodes)
        if not proof.exhausted:
            return wrong(f"{case}: not proved: {proof.stopped}. Write it with fewer steps.")
        states += proof.states
    return right(
        "It returns the right total whenever it reads, holds up no mover, and waits for none: not for money in "
        f"transit, and not for a mover that is dead. Proved for {len(CASES)} cases ({states:,} states)."
    )


def unwritten(answer):
    """Tell whether this is no answer yet. Raises `BadInput` for another object than a function."""
    if has_dots(answer):
        return True
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of read and accounts.")
    return False


def show(answer):
    """Draw a run in which the auditor reads while others move; without an answer, what a cell holds."""
    if not unwritten(answer):
        return drawing.spacetime(called(calm, answer, SHOWN))
    lines = [
        "read('a') == (1, {'balance': 10, 'sent': {}, 'got': {}})",
        "after the first half of order t1: read('a') == (2, {'balance': 3, 'sent': {'t1': 7}, 'got': {}})",
        "after its second half: read('b') == (2, {'balance': 7, 'sent': {}, 'got': {'t1': 7}})",
    ]
    return drawing.Picture("".join(f"<p><code>{line}</code></p>" for line in lines), text="\n".join(lines))


TASK = Task(
    answer="audit",
    show=show,
    check=check,
)

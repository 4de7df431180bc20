"""The transfer as a chain of two lock-free handlers: a withdrawal, a queue, a deposit. Neither half can be lost.

Each account is the state of a handler's machine, in a store of its own. The withdrawal puts the amount into a
queue, and the deposit at its other end takes it out. A mover that dies or stalls between the halves is not missed:
the amount is in the machine's stage or in a cell of the queue, and anybody alive goes on from there.
Source: the article on heterogeneous concurrent exactly-once processing by lock-free half-transactions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...errors import BadInput, whole
from ...lockfree.general import HANDLING, general
from ...lockfree.queue import cells_in
from ...node.program import program_of
from ...node.world import QUEUES
from ...stores.codec import decode
from .bank import Bank, Orders, opening
from .stages import INSUFFICIENT, bank_of, two_stores

TRANSFERS, REFUSED = "transfers", "refused"  # the withdrawals' two queues
TWO_ORDERS = ((("a", "b", 7), ("a", "b", 5)),)  # the second is more than the rest of 10 after the first


def withdraw(balance, orders):
    """The first half as a pure function: the amount leaves the account, as a message; or the order is refused."""
    (order,) = orders
    _, _, amount = order.key
    if amount > balance:
        return balance, [None, [order.value, INSUFFICIENT]]
    return balance - amount, [amount]


def deposit(balance, transfers):
    """The second half as a pure function: the amount of a message is added to the account."""
    (amount,) = transfers
    return balance + amount, []


@dataclass(frozen=True)
class Chain:
    """Transfers from one or more accounts into one other, each account in a store of its own.

    `orders` has a list of (source, target, amount) for each source, as a `Bank`'s for each mover, and the target is
    the same in all. `accounts` are the opening balances, {account: amount}. So many `twins` work at each account at
    once; a pair says how many at each source, and how many at the target. `withdraw` and `deposit` are the pure
    functions (balance, inputs) → (balance, outputs): a withdrawal's inputs are the list of one order, with `key`
    (source, target, amount) and `value`, its number; its outputs are an amount and a refusal, either of which may be
    None. A deposit's inputs are the list of one amount.

    Raises `BadInput` as `Bank` does, and for transfers in a circle, or to several accounts: the reader of a queue
    ends when all writers of the queue have ended, and in a circle nobody would be the first.
    """

    orders: Sequence[Sequence[tuple[str, str, int]]] = TWO_ORDERS
    accounts: Mapping[str, int] | None = None
    twins: int | tuple[int, int] = 2
    withdraw: Callable = withdraw
    deposit: Callable = deposit

    def __post_init__(self):
        object.__setattr__(self, "accounts", opening(self.accounts))
        object.__setattr__(self, "orders", self.halves.orders)
        pair = self.twins if isinstance(self.twins, (tuple, list)) else (self.twins, self.twins)
        if len(pair) != 2:
            raise BadInput(f"The twins are {self.twins!r}; give a number, or two: of each source, and of the target.")
        object.__setattr__(self, "twins", tuple(whole("the number of twins", one, least=1) for one in pair))
        sources = [{source for source, _, _ in orders} for orders in self.orders]
        targets = {target for orders in self.orders for _, target, _ in orders}
        if any(len(names) > 1 for names in sources) or len(set.union(*sources)) < len(sources) or len(targets) > 1:
            raise BadInput(
                f"The orders are {self.orders!r}; give one list for each account that money comes from, and the same "
                "account that it goes to in all of them."
            )
        if targets & set.union(*sources):
            raise BadInput(f"The account {self.target!r} gives and receives; money goes one way along a chain.")

    @property
    def halves(self):
        """The same orders carried out by chapter 08's two compare-and-swap loops: a `Bank`, which can lose money."""
        return Bank(two_stores, self.orders, self.accounts, apart=True)

    @property
    def sources(self):
        """The accounts that money comes from, in the order of `orders`."""
        return [orders[0][0] for orders in self.orders]

    @property
    def target(self):
        """The account that money goes to."""
        return self.orders[0][0][1]

    @property
    def total(self):
        """The sum of all accounts when the chain begins."""
        return sum(self.accounts.values())

    @property
    def programs(self):
        """The programs of the nodes: the twins of each source's handler, then those of the target's."""
        found = []
        for number, (account, orders) in enumerate(zip(self.sources, self.orders, strict=True), 1):
            giver = general(
                self.withdraw, self.accounts[account], outputs=(TRANSFERS, REFUSED), name=account,
                store=bank_of(account),
            )  # fmt: skip
            found += [program_of(giver, Orders(len(orders), orders, f"orders{number}"))] * self.twins[0]
        taker = general(
            self.deposit, self.accounts[self.target], inputs=(TRANSFERS,), outputs=(), name=self.target,
            store=bank_of(self.target),
        )  # fmt: skip
        return [*found, *[program_of(taker, None)] * self.twins[1]]

    @property
    def expected(self):
        """({account: balance}, [[number of the order, refusal], …]) when every order took effect exactly once."""
        balances, refusals = dict(self.accounts), []
        for orders in self.orders:
            for number, (source, target, amount) in enumerate(orders, 1):
                if amount > balances[source]:
                    refusals.append([number, INSUFFICIENT])
                else:
                    balances[source] -= amount
                    balances[target] += amount
        return balances, sorted(refusals)

    def balances(self, seen):
        """Return {account: balance} of a `View`, or of the `Outcome` of a run."""
        return self.accounts | {account: state for account, (state, _) in self._machines(seen).items()}

    def refusals(self, seen):
        """Return the list of [number of the order, refusal], sorted, of a `View` or of the `Outcome` of a run."""
        if hasattr(seen, "look"):
            return sorted(value for sent in _cells(seen, REFUSED) for value in sent.values)
        refused = [decode(text) for part, text in seen.others if part.startswith(f"{QUEUES}.{REFUSED}.")]
        return sorted(value for sent in refused for value in sent.values)

    def under_way(self, seen):
        """Return how much has left the sources and is not in the target yet, of a `View` or an `Outcome`.

        It is in cells of the queue that the target's machine has not read, or in a source's machine that is about to
        write it there; of an `Outcome`, whose run has ended, in cells only.
        """
        _, positions = self._machines(seen).get(self.target, (None, None))
        read = 0 if positions is None else positions[TRANSFERS]
        if not hasattr(seen, "look"):
            return sum(decode(amount) for amount in seen.outputs[read:])
        cells, amount = _cells(seen, TRANSFERS), 0
        for account in self.sources:
            stage = seen.look(bank_of(account), account, "cell")
            if stage is not None and stage[0] != HANDLING:
                pending = [sent for queue, sent in stage[3][stage[4] :] if queue == TRANSFERS and sent not in cells]
                amount += sum(value for sent in pending for value in sent.values)
        return amount + sum(value for sent in cells[read:] for value in sent.values)

    def none_below_zero(self, view):
        """An invariant: no account is ever below zero. Returns True, or says which one is."""
        below = ((account, balance) for account, balance in self.balances(view).items() if balance < 0)
        return next((f"the account {account} is at {balance}" for account, balance in below), True)

    def total_always(self, view):
        """An invariant: the sum of accounts and transfers under way is constant. Returns True, or the error."""
        held, moving = sum(self.balances(view).values()), self.under_way(view)
        if held + moving == self.total:
            return True
        return f"the accounts hold {held} and {moving} is under way, and the chain began with {self.total}"

    def as_ordered(self, view):
        """An invariant: at the end each order took effect or was refused, once. Returns True, or the error.

        Nothing may be under way at the end.
        """
        found = self.balances(view), self.refusals(view)
        if not view.done or (found == self.expected and not self.under_way(view)):
            return True
        return f"the accounts hold {found[0]} and {found[1]} were refused; right is {self.expected}"

    def always(self, view):
        """All three invariants at once."""
        rules = (self.none_below_zero, self.total_always, self.as_ordered)
        return next((wrong for rule in rules if (wrong := rule(view)) is not True), True)

    def _machines(self, seen):
        """Return {account: (balance, positions)} of the machines that have taken a step."""
        accounts = [*self.sources, self.target]
        if hasattr(seen, "look"):
            stages = {account: seen.look(bank_of(account), account, "cell") for account in accounts}
            return {account: stage[1:3] for account, stage in stages.items() if stage is not None}
        others = dict(seen.others)
        held = {account: others.get(f"{bank_of(account)}.{account}") for account in accounts}
        held[self.sources[0]] = f"[{seen.state},{seen.positions}]" if seen.positions != "null" else None
        return {account: decode(text) for account, text in held.items() if text is not None}


def _cells(view, queue):
    """Return the contents of a queue's cells, up to the first empty one."""
    return cells_in(lambda register: view.look(QUEUES, register, "cell"), queue)

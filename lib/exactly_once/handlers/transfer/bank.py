"""A bank to run and to explore: accounts, movers with their orders, an auditor, and the bank's invariant."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...errors import BadInput, whole
from ...node import Numbers, Program
from ...node.program import renamed
from ...stores.codec import decode
from .stages import BANK, DONE, bank_of

AUDITS = "audits"  # the log in the engine's store for an auditor's records
ACCOUNTS = {"a": 10, "b": 0}
ORDERS = ((("a", "b", 7),), (("b", "a", 3),))


@dataclass(frozen=True)
class Orders(Numbers):
    """A mover's inputs: the transfers that it is to make, and the accounts, which are opened before a run begins."""

    accounts: tuple[tuple[str, int], ...] = ()
    apart: bool = False

    def load_inputs(self, stores):
        """Put the orders where they are read from, and open the accounts that are not there yet."""
        super().load_inputs(stores)
        for account, balance in self.accounts:
            store = stores[bank_of(account) if self.apart else BANK]
            if account not in store.held("cell"):
                store.prepare(account, "write", balance)


@dataclass(frozen=True)
class Bank:
    """Movers that carry out orders by one way to transfer, and perhaps an auditor.

    `transfer` is a stage, or any function like one. `orders` has a list of (source, target, amount) for each mover.
    `accounts` are the opening balances, {account: amount}. Where they are `apart` each is in a store of its own.
    `auditor` is one of `auditors`, or any function like one. The successor of a dead incarnation repeats its begun
    transfer if `again` (at-least-once), or skips it (at-most-once). Raises `BadInput` for an order that cannot be
    carried out by anybody: another account, one and the same twice, an amount below 1.
    """

    transfer: Callable
    orders: Sequence[Sequence[tuple[str, str, int]]] = ORDERS
    accounts: Mapping[str, int] | None = None
    apart: bool = False
    auditor: Callable | None = None
    again: bool = False

    def __post_init__(self):
        if not callable(self.transfer):
            raise BadInput(f"The transfer is {self.transfer!r}; give a function, such as one of `STAGES`.")
        if self.auditor is not None and not callable(self.auditor):
            raise BadInput(f"The auditor is {self.auditor!r}; give a function, such as one_by_one, or None.")
        accounts = opening(self.accounts)
        object.__setattr__(self, "accounts", accounts)
        try:
            orders = tuple(tuple((source, to, amount) for source, to, amount in orders) for orders in self.orders)
        except (TypeError, ValueError):
            orders = ()
        if not orders or not all(orders):
            raise BadInput(f"The orders are {self.orders!r}; give each mover at least one, such as ('a', 'b', 7).")
        for source, target, amount in (order for orders in orders for order in orders):
            if source not in accounts or target not in accounts or source == target:
                raise BadInput(
                    f"An order moves money from {source!r} to {target!r}; name two of {', '.join(accounts)}."
                )
            whole("the amount of an order", amount, least=1)
        object.__setattr__(self, "orders", orders)

    @property
    def total(self):
        """The sum of all accounts when the bank opens."""
        return sum(self.accounts.values())

    @property
    def programs(self):
        """The programs of the nodes: the movers, from node 1 on, and the auditor last."""
        found = [
            Program(mover(self.transfer, self.again), self._source(number, orders), name=f"mover{number}")
            for number, orders in enumerate(self.orders, 1)
        ]
        if self.auditor is not None:
            audit = audits(self.auditor, tuple(self.accounts), self.apart)
            found.append(Program(audit, found[0].source, AUDITS, "auditor"))
        return found

    def _source(self, number, orders):
        return Orders(len(orders), orders, f"orders{number}", tuple(self.accounts.items()), self.apart)

    def balances(self, seen):
        """Return {account: balance} of a `View`, or of the `Outcome` of a run."""
        stores = {account: bank_of(account) if self.apart else BANK for account in self.accounts}
        if hasattr(seen, "look"):
            return {account: seen.look(store, account, "cell") for account, store in stores.items()}
        others = dict(seen.others)
        return {account: decode(others[f"{store}.{account}"]) for account, store in stores.items()}

    def audited(self, seen):
        """Return the sums that the auditor wrote down, of a `View` or of the `Outcome` of a run."""
        if hasattr(seen, "look"):
            return seen.look("engine", AUDITS, "log")
        return decode(dict(seen.others).get(AUDITS, "[]"))

    def none_below_zero(self, view):
        """An invariant: no account is ever below zero. Returns True, or says which one is."""
        return next(
            (f"the account {account} is at {balance}" for account, balance in self.balances(view).items()
             if balance < 0), True,
        )  # fmt: skip

    def total_always(self, view):
        """An invariant: the sum of all accounts is the same at every moment. Returns True, or says what it is."""
        return self._is_total("the accounts hold", sum(self.balances(view).values()))

    def total_in_the_end(self, view):
        """An invariant: the sum of all accounts is the same when everybody has ended, and none is below zero."""
        below = self.none_below_zero(view)
        return below if below is not True or not view.done else self.total_always(view)

    def audits_right(self, view):
        """An invariant: the auditor never writes down another sum than the one that the bank opened with."""
        return next(
            (wrong for seen in self.audited(view) if (wrong := self._is_total("the auditor saw", seen)) is not True),
            True,
        )

    def as_answered(self, view):
        """An invariant: when all nodes have ended, each account holds the sum according to the movers' answers.

        Where a mover dies between a transfer and its answer it is broken. Returns True, or says what is wrong.
        """
        expected = dict(self.accounts)
        for mover, number, answer in view.outputs if view.done else ():
            source, target, amount = self.orders[mover - 1][number - 1]
            if answer == DONE:
                expected[source] -= amount
                expected[target] += amount
        held = self.balances(view)
        return not view.done or held == expected or f"the accounts hold {held}, and by the answers {expected}"

    def _is_total(self, who, total):
        return total == self.total or f"{who} {total} in all, and the bank opened with {self.total}"


def opening(accounts):
    """Return opening balances, those of `ACCOUNTS` for None. Raises `BadInput` for what are none."""
    accounts = ACCOUNTS if accounts is None else accounts
    if not isinstance(accounts, Mapping):
        raise BadInput(f"The accounts are {accounts!r}; give the balance of each, such as {ACCOUNTS}.")
    for account, balance in accounts.items():
        whole(f"the balance of the account {account!r}", balance)
    return dict(accounts)


def mover(transfer, again=False):
    """Return a handler that carries out orders one after the other, and pushes [node, number of the order, answer].

    It saves its position before a transfer, or, if what a dead incarnation began is to be done `again`, after the
    answer.
    """

    def moves(node):
        positions = node.positions.load()
        while node.running(positions):
            (order,), positions = node.read(positions)
            if not again:
                node.positions.save(positions)
            source, target, amount = order.key
            node.output.push([node.number, order.value, transfer(node, source, target, amount)])
            if again:
                node.positions.save(positions)

    return renamed(moves, getattr(transfer, "__name__", "mover"))


def audits(auditor, accounts, apart):
    """Return a handler that reads all accounts once, in the auditor's way, and pushes their sum to its output."""

    def audit(node):
        node.output.push(auditor(node, list(accounts), lambda one: node.store(bank_of(one) if apart else BANK)))

    return audit

"""A bank transfer in five stages (S9): the data that a step may touch when stores share no transaction.

First the stages, with the early return: each moves an amount between two accounts. It is a function (node, source,
target, amount), which returns `DONE` or `INSUFFICIENT`: then nothing was moved. A lock has the name of its account,
and an account is a cell of that name: in the store "bank", or, where the accounts are apart, in the store
`bank_of(account)`, which shares nothing with the others.

An auditor is a function (node, accounts, store_of), which reads all accounts once, at any moment, and returns their
sum. Auditors differ in how they read; `store_of(account)` is the account's store.

A `Bank` puts movers, accounts and an auditor together, to be run and explored, and has its invariants. A `Chain`
closes the circle (S9 to S11): a withdrawal and a deposit as lock-free handlers with a queue between them, which
nothing is lost from. Each account is the state of a handler's machine, in a store of its own. The withdrawal puts the
amount into a queue, and the deposit at its other end takes it out. A mover that dies or stalls between the halves is
not missed: the amount is in the machine's stage or in a cell of the queue, and anybody alive goes on from there.

Source: the article on heterogeneous concurrent exactly-once processing by lock-free half-transactions. The first
stage reads, and commits only if the values that it read are unchanged, as in H. T. Kung and J. T. Robinson, "On
Optimistic Methods for Concurrency Control", TODS 6(2), 1981.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput, whole
from ..lockfree.general import HANDLING, general
from ..lockfree.queue import cells_in
from ..node import Numbers, Program
from ..node.program import program_of, renamed
from ..node.world import QUEUES
from ..stores.codec import decode

DONE, INSUFFICIENT = "done", "insufficient funds"
BANK = "bank"


def bank_of(account):
    """Return the name of the store of an account, where each has one of its own."""
    return f"{BANK}_{account}"


def one_transaction(node, source, target, amount):
    """Move an amount in one transaction of the one store: both accounts change, or neither does."""
    bank = node.store(BANK)
    while True:
        (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
        if balance < amount:
            return INSUFFICIENT
        if bank.transact(("cas", source, version, balance - amount), ("cas", target, other, held + amount)):
            return DONE


def two_locks(node, source, target, amount):
    """Move an amount while this life holds the locks of both accounts, the source's first."""
    with node.lock(source), node.lock(target):
        return move(node.store(BANK), source, target, amount)


def ordered_locks(node, source, target, amount):
    """Move an amount while this life holds both locks, which all lives acquire in the order of their names."""
    first, second = sorted((source, target))
    with node.lock(first), node.lock(second):
        return move(node.store(BANK), source, target, amount)


def early_return(node, source, target, amount):
    """Move an amount under ordered locks, released by hand at the end: without enough funds both stay locked.

    The article's listing releases no lock on any path; this is a translation into a language without scoped locks.

    It is the life that holds a lock: the locks are free again when this life ends, and not before.
    """
    bank = node.store(BANK)
    first, second = sorted((source, target))
    node.lock(first).acquire()
    node.lock(second).acquire()
    _, balance = bank.read(source)
    if balance < amount:
        return INSUFFICIENT
    bank.write(source, balance - amount)
    _, held = bank.read(target)
    bank.write(target, held + amount)
    node.lock(second).release()
    node.lock(first).release()
    return DONE


def one_lock_at_a_time(node, source, target, amount):
    """Lock the source, withdraw, release; then lock the target, deposit, release."""
    bank = node.store(BANK)
    with node.lock(source):
        _, balance = bank.read(source)
        if balance < amount:
            return INSUFFICIENT
        bank.write(source, balance - amount)
    with node.lock(target):
        _, held = bank.read(target)
        bank.write(target, held + amount)
    return DONE


def two_stores(node, source, target, amount):
    """Withdraw from the source's store, then deposit in the target's, each by compare-and-swap, without a lock."""
    if not withdraw(node.store(bank_of(source)), source, amount):
        return INSUFFICIENT
    deposit(node.store(bank_of(target)), target, amount)
    return DONE


def move(bank, source, target, amount):
    """Move an amount in four steps. Returns `DONE` or `INSUFFICIENT`; nobody else may write to these accounts."""
    _, balance = bank.read(source)
    if balance < amount:
        return INSUFFICIENT
    bank.write(source, balance - amount)
    _, held = bank.read(target)
    bank.write(target, held + amount)
    return DONE


def withdraw(store, account, amount):
    """Take an amount from an account by compare-and-swap; return whether it was there. A half-transaction."""
    while True:
        version, balance = store.read(account)
        if balance < amount:
            return False
        if store.cas(account, version, balance - amount):
            return True


def deposit(store, account, amount):
    """Add an amount to an account by compare-and-swap. A half-transaction."""
    while True:
        version, balance = store.read(account)
        if store.cas(account, version, balance + amount):
            return


def one_by_one(node, accounts, store_of):
    """Read one account after the other."""
    return sum([store_of(account).read(account)[1] for account in accounts])


def in_one_transaction(node, accounts, store_of):
    """Read all accounts in one transaction of the store that they are in."""
    return sum([balance for _, balance in store_of(accounts[0]).transact(*[("read", one) for one in accounts])])


def under_locks(node, accounts, store_of):
    """Read one account after the other while this life holds the locks of all."""
    locks = [node.lock(account) for account in accounts]
    for lock in locks:
        lock.acquire()
    total = one_by_one(node, accounts, store_of)
    for lock in locks:
        lock.release()
    return total


def twice(node, accounts, store_of):
    """Read all accounts twice, until no version has changed in between (double collect).

    Source: Y. Afek and others, "Atomic Snapshots of Shared Memory", Journal of the ACM 40(4), 1993.
    """
    return _twice(accounts, store_of, lambda found: found)


def twice_by_value(node, accounts, store_of):
    """Read all accounts twice, until no balance has changed in between: a balance that came back looks untouched."""
    return _twice(accounts, store_of, lambda found: found[1])


def _twice(accounts, store_of, compared):
    before = [store_of(account).read(account) for account in accounts]
    while True:
        after = [store_of(account).read(account) for account in accounts]
        if list(map(compared, before)) == list(map(compared, after)):
            return sum([balance for _, balance in after])
        before = after


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


class Accounts:
    """Accounts that money moves between: `accounts` are the opening balances."""

    accounts: Any

    @property
    def total(self) -> int:
        """The sum of all accounts at the beginning."""
        return sum(self.accounts.values())

    def balances(self, seen) -> dict[str, int]:
        """Return {account: balance} of a `View`, or of the `Outcome` of a run."""
        raise NotImplementedError

    def none_below_zero(self, view) -> bool | str:
        """An invariant: no account is ever below zero. Returns True, or says which one is."""
        below = ((account, balance) for account, balance in self.balances(view).items() if balance < 0)
        return next((f"the account {account} is at {balance}" for account, balance in below), True)


@dataclass(frozen=True)
class Bank(Accounts):
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
        return {account: seen.look(store, account, "cell") for account, store in stores.items()}

    def audited(self, seen):
        """Return the sums that the auditor wrote down, of a `View` or of the `Outcome` of a run."""
        return seen.look("engine", AUDITS, "log")

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
            answer = transfer(node, source, target, amount)  # a statement of its own, for the explorer to see
            node.output.push([node.number, order.value, answer])
            if again:
                node.positions.save(positions)

    return renamed(moves, getattr(transfer, "__name__", "mover"))


def audits(auditor, accounts, apart):
    """Return a handler that reads all accounts once, in the auditor's way, and pushes their sum to its output."""

    def audit(node):
        node.output.push(auditor(node, list(accounts), lambda one: node.store(bank_of(one) if apart else BANK)))

    return audit


TRANSFERS, REFUSED = "transfers", "refused"  # the withdrawals' two queues
TWO_ORDERS = ((("a", "b", 7), ("a", "b", 5)),)  # the second is more than the rest of 10 after the first


def withdrawn(balance, orders):
    """The first half as a pure function: the amount leaves the account, as a message; or the order is refused."""
    (order,) = orders
    _, _, amount = order.key
    if amount > balance:
        return balance, [None, [order.value, INSUFFICIENT]]
    return balance - amount, [amount]


def deposited(balance, transfers):
    """The second half as a pure function: the amount of a message is added to the account."""
    (amount,) = transfers
    return balance + amount, []


@dataclass(frozen=True)
class Chain(Accounts):
    """Transfers from one account into another, each account in a store of its own.

    `orders` is a list of one list of (source, target, amount), as for a `Bank` with one mover. `accounts` are the
    opening balances, {account: amount}. So many `twins` work at each account at once. `withdraw` is the pure function
    (balance, inputs) → (balance, outputs): its inputs are the list of one order, with `key` (source, target, amount)
    and `value`, its number; its outputs are an amount and a refusal, either of which may be None. `deposited` is its
    counterpart. Raises `BadInput` as `Bank` does, and for orders of other accounts than the first order's.
    """

    orders: Sequence[Sequence[tuple[str, str, int]]] = TWO_ORDERS
    accounts: Mapping[str, int] | None = None
    twins: int = 2
    withdraw: Callable = withdrawn

    def __post_init__(self):
        checked = Bank(two_stores, self.orders, self.accounts)
        object.__setattr__(self, "accounts", checked.accounts)
        object.__setattr__(self, "orders", checked.orders)
        whole("the number of twins", self.twins, least=1)
        if len(self.orders) > 1 or len({order[:2] for order in self.orders[0]}) > 1:
            raise BadInput(f"The orders are {self.orders!r}; give one list, all from one account to one other.")

    @property
    def ends(self):
        """The account that money comes from, and the one that it goes to."""
        return self.orders[0][0][:2]

    @property
    def programs(self):
        """The programs of the nodes: the twins of the source's handler, then those of the target's."""
        (orders,), (source, target) = self.orders, self.ends
        giver = general(
            self.withdraw, self.accounts[source], outputs=(TRANSFERS, REFUSED), name=source, store=bank_of(source)
        )
        taker = general(
            deposited, self.accounts[target], inputs=(TRANSFERS,), outputs=(), name=target, store=bank_of(target)
        )
        gives = program_of(giver, Orders(len(orders), orders, "orders1"))
        return [gives] * self.twins + [program_of(taker, None)] * self.twins

    @property
    def expected(self):
        """({account: balance}, [[number of the order, refusal], …]) when every order took effect exactly once."""
        balances, refusals = dict(self.accounts), []
        for number, (source, target, amount) in enumerate(self.orders[0], 1):
            if amount > balances[source]:
                refusals.append([number, INSUFFICIENT])
            else:
                balances[source] -= amount
                balances[target] += amount
        return balances, refusals

    def balances(self, seen):
        """Return {account: balance} of a `View`, or of the `Outcome` of a run."""
        return self.accounts | {account: state for account, (state, _) in self._machines(seen).items()}

    def refusals(self, seen):
        """Return the list of [number of the order, refusal], sorted, of a `View` or of the `Outcome` of a run."""
        return sorted(value for sent in _cells(seen, REFUSED) for value in sent.values)

    def under_way(self, seen):
        """Return how much has left the source and is not in the target yet, of a `View` or an `Outcome`.

        It is in cells of the queue that the target's machine has not read, or in the source's machine, which is about
        to write it there; of an `Outcome`, whose run has ended, in cells only.
        """
        source, target = self.ends
        _, positions = self._machines(seen).get(target, (None, None))
        read = 0 if positions is None else positions[TRANSFERS]
        if hasattr(seen, "others"):
            return sum(decode(amount) for amount in seen.outputs[read:])
        cells, amount = _cells(seen, TRANSFERS), 0
        stage = seen.look(bank_of(source), source, "cell")
        if stage is not None and stage[0] != HANDLING:
            pending = [sent for queue, sent in stage[3][stage[4] :] if queue == TRANSFERS and sent not in cells]
            amount = sum(value for sent in pending for value in sent.values)
        return amount + sum(value for sent in cells[read:] for value in sent.values)

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
        accounts = self.ends
        if not hasattr(seen, "others"):
            stages = {account: seen.look(bank_of(account), account, "cell") for account in accounts}
            return {account: stage[1:3] for account, stage in stages.items() if stage is not None}
        others = dict(seen.others)
        held = {account: others.get(f"{bank_of(account)}.{account}") for account in accounts}
        held[accounts[0]] = f"[{seen.state},{seen.positions}]" if seen.positions != "null" else None
        return {account: decode(text) for account, text in held.items() if text is not None}


def _cells(view, queue):
    """Return the contents of a queue's cells, up to the first empty one."""
    return cells_in(lambda register: view.look(QUEUES, register, "cell"), queue)


STAGES = {
    "transaction": one_transaction,
    "locks": two_locks,
    "ordered": ordered_locks,
    "halves": one_lock_at_a_time,
    "cas": two_stores,
}

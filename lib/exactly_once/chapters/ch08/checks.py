"""The exercises of chapter 08: an order of locks, a withdrawal, an auditor, and a transfer that loses no money."""

import functools
import itertools
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ... import show as drawing
from ...errors import is_whole
from ...exercises.kinds.challenge import ONE_FAULT
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.kind import Specified
from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import wrong
from ...handlers.transfer import DONE, INSUFFICIENT, Bank, bank_of, deposit, one_transaction, withdraw
from ...node import Program
from ...node.source import CellSource
from ...stores.codec import decode, encode

ITEMS: dict = {}  # {name: item}


def listed(lines, code=False):
    """Return the picture of a few lines."""
    tag = "<p><code>{}</code></p>" if code else "<p>{}</p>"
    return drawing.Picture("".join(map(tag.format, lines)), text="\n".join(lines))


def accounts(opened: Iterable[Any]) -> "Accounts":
    """Return a source with accounts that exist before a run begins, each as (store, account, value of its cell)."""
    return Accounts(("nothing",), tuple((store, account, encode(value)) for store, account, value in opened))


@dataclass(frozen=True)
class Accounts(CellSource):
    """Accounts that exist before a run begins, as (store, account, text of a value); and queues to read."""

    opened: tuple = ()

    def load_inputs(self, stores: Any) -> None:
        """Open the accounts."""
        for store, account, text in self.opened:
            stores[store].prepare(account, "write", decode(text))


# 08a: in which order to acquire the locks of a transfer, so that movers never wait in a circle.
#
# Ordering resources against deadlock: J. W. Havender, "Avoiding Deadlock in Multitasking Systems", IBM Systems
# Journal 7(2), 1968; the circular wait is one of the four conditions of E. G. Coffman, M. J. Elphick and A. Shoshani,
# "System Deadlocks", ACM Computing Surveys 3(2), 1971. Two movers are enough: the accounts of a longer circle are a
# transfer, too, and each order for it contradicts one of the waits.

NAMES = ("ada", "bob", "cyd", "Dot")
BALANCES = ((10, 10, 10, 10), (10, 20, 30, 40), (40, 30, 20, 10))


def pairs_of_transfers():
    """Return pairs of transfers, lists of (account, balance), with two accounts in common; the simplest first."""
    found = [([("ada", 10), ("ada", 10)], [("bob", 10), ("ada", 10), ("bob", 10)])]
    for size, before, after in itertools.product((2, 3), BALANCES, BALANCES):
        for names in itertools.permutations(NAMES, size):
            first, second = (dict(zip(NAMES, held, strict=True)) for held in (before, after))
            found += [
                ([(name, first[name]) for name in pair], [(name, second[name]) for name in names])
                for pair in itertools.combinations(sorted(names), 2)
            ]
    return found


class Name(str):
    """A name in a process of its own: hash(), and with it the order of a set, is another one in each process."""

    process = 0

    def __hash__(self):
        return zlib.crc32(f"{self.process}{self!s}".encode())


def ordered(answer, *transfers):
    """Return the orders of the locks of two transfers, which are made in two processes."""
    found = []
    for process, transfer in enumerate(transfers):
        names = [(Name(name), balance) for name, balance in transfer]
        for name, _ in names:
            name.process = process
        said = answer(names)
        found.append([str(each) for each in said] if isinstance(said, (list, tuple)) else said)
    return None if found == [None, None] else found


def no_circle(said, *transfers):
    """Say which lock is missing or too much, or how the two movers wait for each other."""
    for transfer, order in zip(transfers, said, strict=True):
        wanted = sorted({name for name, _ in transfer})
        if not isinstance(order, list) or sorted(order) != wanted:
            return f"For {transfer} it says {order!r}, and not each of {wanted} once"
    for held, wanted in itertools.combinations(said[0], 2):
        if held in said[1] and wanted in said[1] and said[1].index(wanted) < said[1].index(held):
            return (
                f"Deadlock: mover 1, for {transfers[0]}, holds the lock of {held} and waits for that of {wanted}; "
                f"mover 2, for {transfers[1]} in another process, holds that of {wanted} and waits for that of {held}"
            )
    return None


ITEMS["08a"] = Compared(
    form="a function of a list of (account, balance)",
    cases=pairs_of_transfers,
    ask=ordered,
    rule=no_circle,
    told=lambda first, second: f"For {first}, and for {second} in another process, it",
    praise="A mover that holds a lock waits only for a lock that comes later in this order, so no circle can close: "
    "not among two movers, and not among any number ({count} pairs of transfers).",
)

# 08b: an amount withdrawn from two accounts, each by compare-and-swap; all of it, or nothing.
#
# If the second account has too little, the amount of the first account is put back: a compensation, as in
# H. Garcia-Molina and K. Salem, "Sagas", SIGMOD 1987.

BANK, BOTH = "bank", ("savings", "current")
WITHDRAWALS = (  # the two balances, and the amounts that are withdrawn at once; the simplest stand first
    ((6, 4), (3,)),
    ((6, 4), (8,)),
    ((6, 4), (10,)),
    ((6, 4), (11,)),
    ((0, 4), (3,)),
    ((0, 4), (5,)),
    ((6, 4), (3, 3)),
    ((6, 4), (7, 3)),
    ((6, 4), (8, 3)),
    ((2, 2), (3, 3)),
    ((6, 4), (11, 5)),
)


def in_words(balances: tuple[int, ...], amounts: tuple[int, ...]) -> str:
    """Return a case in words."""
    held = ", ".join(f"{name} {balance}" for name, balance in zip(BOTH, balances, strict=True))
    return f"With {held}, and {' and '.join(map(str, amounts))} to be withdrawn"


def customers(answer: Any, balances: tuple[int, ...], amounts: tuple[int, ...]) -> list[Program]:
    """Return the programs of withdrawals at once, each of which pushes [amount, result]."""

    def customer(node, amount):
        result = answer(node.store(BANK), *BOTH, amount)
        node.output.push([amount, result])

    source = accounts((BANK, name, balance) for name, balance in zip(BOTH, balances, strict=True))
    return [
        Program(functools.partial(customer, amount=amount), source, name=f"customer{number}")
        for number, amount in enumerate(amounts, 1)
    ]


def all_or_nothing(view, balances, amounts):
    """The rule of one case: True, or what is wrong."""
    held = {name: view.look(BANK, name, "cell") for name in BOTH}
    if below := next((name for name, balance in held.items() if not is_whole(balance) or balance < 0), None):
        return f"the account {below} holds {held[below]!r}"
    if not view.done:
        return True
    for _, said in view.outputs:
        if not isinstance(said, bool):
            return f"it returned {said!r}; return True or False"
    paid, left = [amount for amount, said in view.outputs if said], sum(held.values())
    if sum(balances) - left != sum(paid):
        out = f"{' and '.join(map(str, paid))} {'was' if len(paid) == 1 else 'were'}" if paid else "nothing was"
        told = ", ".join(f"{name} {balance}" for name, balance in held.items())
        return f"{out} paid out, and the accounts hold {left} of {sum(balances)}: {told}"
    if len(paid) < len(amounts) and sum(amounts) <= sum(balances):
        refused = next(amount for amount, said in view.outputs if not said)
        return f"{refused} was refused, and there was enough for everybody"
    return True


def withdrawal(balances: tuple[int, ...], amounts: tuple[int, ...]) -> World:
    """Return the world of one case."""
    return World(
        in_words(balances, amounts),
        functools.partial(customers, balances=balances, amounts=amounts),
        functools.partial(all_or_nothing, balances=balances, amounts=amounts),
    )


ITEMS["08b"] = Proved(
    form="a function of bank, first, second and amount",
    worlds=[withdrawal(*case) for case in WITHDRAWALS],
    alone=lambda answer: customers(answer, *WITHDRAWALS[1]),
    idle=lambda run: (
        not run.error
        and run.pushes[0].value[1] is None
        and not any(write.part.startswith(f"{BANK}.") for write in run.writes)
    ),
    blank=lambda: listed([f"{in_words(*case)}." for case in WITHDRAWALS[:4]]),
    praise="The whole amount is withdrawn, or nothing, and no account is ever below zero, in every order of the "
    "steps. Proved for {worlds} cases with one or two customers; no process dies in them ({states} states).",
)

# 08d: an auditor who reads one account after the other, while halves of transfers are on their way.
#
# Money in the channel between two accounts belongs to the total, as in K. M. Chandy and L. Lamport, "Distributed
# Snapshots: Determining Global States of Distributed Systems", ACM TOCS 3(1), 1985; its example is a token of money.

AUDITS = (  # the opening balances, the orders of each mover, and how many movers die; the simplest stand first
    ({"a": 10, "b": 0}, [], 0),
    ({"a": 10, "b": 0}, [[("t1", "a", "b", 7)]], 0),
    ({"a": 3, "b": 9}, [[("t1", "b", "a", 4), ("t2", "b", "a", 4)]], 0),
    ({"a": 10, "b": 0}, [[("t1", "a", "b", 7)]], 1),
    ({"a": 10, "b": 5}, [[("t1", "a", "b", 7)], [("t2", "b", "a", 3)]], 0),
    ({"a": 10, "b": 1, "c": 4}, [[("t1", "a", "b", 5), ("t2", "b", "c", 5)]], 0),
    ({"a": 10, "b": 1, "c": 4}, [[("t1", "c", "b", 4)], [("t2", "b", "a", 5)]], 0),
)


def audited(answer, opening, orders):
    """Return the programs of the movers of a case, and of the auditor, who is the last node and pushes what it says.

    An order whose first half a dead process has noted is left alone: its deposit is never made.
    """

    def moves(node, orders):
        for order, source, target, amount in orders:
            if half(node.store(bank_of(source)), source, "sent", order, -amount):
                half(node.store(bank_of(target)), target, "got", order, amount)

    def audit(node):
        total = answer(lambda account: node.store(bank_of(account)).read(account), list(opening))
        node.output.push(total)

    cells = {account: {"balance": balance, "sent": {}, "got": {}} for account, balance in opening.items()}
    source = accounts((bank_of(account), account, cell) for account, cell in cells.items())
    movers = [
        Program(functools.partial(moves, orders=some), source, name=f"mover{n}") for n, some in enumerate(orders, 1)
    ]
    return [*movers, Program(audit, source, name="auditor")]


def half(store, account, noted, order, change):
    """Change one account by compare-and-swap, and note the order in the same cell; tell whether that was done."""
    while True:
        version, held = store.read(account)
        if order in held[noted] or held["balance"] + change < 0:
            return False
        after = held | {"balance": held["balance"] + change, noted: held[noted] | {order: abs(change)}}
        if store.cas(account, version, after):
            return True


def never_fooled(view, total):
    """The rule of one case: what the auditor says is the total."""
    return next((f"the auditor says {said!r}; the bank has {total}" for said in view.outputs if said != total), True)


def audit_of(opening: dict[str, int], orders: list[Any], dies: int) -> World:
    """Return the world of one case."""
    moved = [f"{amount} from {source} to {target}" for some in orders for _, source, target, amount in some]
    movers = f"movers of {' and '.join(moved)}" if moved else "no mover"
    held = ", ".join(f"{account} {balance}" for account, balance in opening.items())
    return World(
        f"With {held}, and {movers}{', one of whom may die' if dies else ''}",
        functools.partial(audited, opening=opening, orders=orders),
        functools.partial(never_fooled, total=sum(opening.values())),
        {"crashes": dies, "lock_free": True},
    )


CELL = (
    "read('a') == (1, {'balance': 10, 'sent': {}, 'got': {}})",
    "after the first half of order t1: read('a') == (2, {'balance': 3, 'sent': {'t1': 7}, 'got': {}})",
    "after its second half: read('b') == (2, {'balance': 7, 'sent': {}, 'got': {'t1': 7}})",
)

ITEMS["08d"] = Proved(
    form="a function of read and accounts",
    worlds=[audit_of(*case) for case in AUDITS],
    alone=lambda answer: audited(answer, *AUDITS[4][:2]),
    idle=lambda run: not run.error and [push.value for push in run.pushes] == [None],
    blank=lambda: listed(CELL, code=True),
    praise="It returns the right total whenever it reads, holds up no mover, and waits for none: not for money in "
    "transit, and not for a mover that is dead. Proved for {worlds} cases ({states} states).",
)

# 08e: a transfer between two systems that never loses money, whichever process or message is lost.

PLACES = (("bank_a", "ada"), ("bank_b", "bob"))  # the two systems, and the account in each
OPENING = (10, 4)
OURS = (("t1", 6), ("t2", 6))  # from bank_a to bank_b: the second one finds too little there
THEIRS = (("u1", 2),)  # from bank_b to bank_a


class Order(NamedTuple):
    """The task of the learner's function."""

    name: str
    source: str
    target: str
    amount: int


@dataclass(frozen=True)
class Movers:
    """How many movers carry out `OURS`, and whether another one moves money `back` meanwhile."""

    number: int = 1
    back: bool = False

    @property
    def orders(self) -> dict[str, int]:
        """All orders, as {order: change of the first account}."""
        return {name: -amount for name, amount in OURS} | (dict(THEIRS) if self.back else {})

    @property
    def certain(self) -> dict[str, bool]:
        """The required answers, {order: answer}: where money comes back the second order may find enough."""
        return {"t1": True} | ({"u1": True} if self.back else {"t2": False})

    def programs(self, answer: Any) -> list[Program]:
        """Return the programs of the movers; each incarnation begins with the first order again."""

        def moves(node, orders, places):
            (here, source), (there, target) = places
            for name, amount in orders:
                order = Order(name, source, target, amount)
                result = answer(node.store(here), node.store(there), order)
                node.output.push([name, result])

        source = accounts((*place, {"balance": balance}) for place, balance in zip(PLACES, OPENING, strict=True))
        given = [(OURS, PLACES)] * self.number + [(THEIRS, PLACES[::-1])] * self.back
        return [
            Program(functools.partial(moves, orders=orders, places=places), source, name=f"mover{number}")
            for number, (orders, places) in enumerate(given, 1)
        ]


def never_lost(view, movers):
    """No account is ever below zero, and never is there more money than in the beginning. All answers about an order
    are the same. In the end each order has an answer, the right one; what was answered True was moved once, and
    nothing else was.
    """
    here, there = balances(view)
    answers = {order: {said for one, said in view.outputs if one == order} for order in movers.orders}
    moved = [change for order, change in movers.orders.items() if answers[order] == {True}]
    fine = min(here, there) >= 0 and here + there <= sum(OPENING) and all(len(said) < 2 for said in answers.values())
    if not fine or not view.done:
        return fine
    right_answers = all(answers[order] == {said} for order, said in movers.certain.items()) and all(answers.values())
    return right_answers and (here, there) == (OPENING[0] + sum(moved), OPENING[1] - sum(moved))


def balances(view):
    """Return the balances of both accounts; below zero for a cell that has none."""
    held = [view.look(*place, "cell") for place in PLACES]
    found = [one.get("balance") if isinstance(one, dict) else None for one in held]
    return tuple(one if is_whole(one) else -1 for one in found)


def objection(view, movers):
    """Return a sentence on the mistake."""
    here, there = balances(view)
    held = f"the accounts hold {here} and {there}, and opened with {OPENING[0]} and {OPENING[1]}"
    if min(here, there) < 0:
        cells = [view.look(*place, "cell") for place in PLACES]
        return f"an account is below zero, or its cell has no 'balance': {cells[0]!r} and {cells[1]!r}"
    if here + there > sum(OPENING):
        return f"{here + there - sum(OPENING)} were made out of nothing: {held}"
    for order in movers.orders:
        said = [answer for one, answer in view.outputs if one == order]
        if strange := next((answer for answer in said if not isinstance(answer, bool)), None):
            return f"order {order} was answered with {strange!r}; return True or False"
        if len(set(said)) > 1:
            return f"order {order} was answered {' and then '.join(map(str, said))}"
        if view.done and not said:
            return f"order {order} was never answered"
        if view.done and said[-1] != movers.certain.get(order, said[-1]):
            enough = "enough" if movers.certain[order] else "too little"
            return f"order {order} was answered {said[-1]}, and there was {enough} in its account"
    if here + there < sum(OPENING):
        return f"{sum(OPENING) - here - there} are lost: {held}"
    return f"the answers are {dict(map(tuple, view.outputs))}, and {held}"


def world(when: str, movers: Any = Movers(), **faults: int) -> World:
    """Return a world of the transfer."""
    return World(when, movers.programs, Specified(never_lost, objection, movers), faults)


BACK = Movers(back=True)
ITEMS["08e"] = Proved(
    form="a function of here, there and order",
    worlds=[  # from the easiest to the hardest to stand
        world("Even when nothing goes wrong"),
        world("When another mover moves money back meanwhile", BACK),
        *(world(when, **faults) for when, faults in ONE_FAULT.items()),
        world("One pause: a mover is taken for dead, and wakes up", pauses=1),
        world("Two crashes", crashes=2),
        world("Two movers with the same orders", Movers(2)),
        world("Two movers with the same orders, while another mover moves money back", Movers(2, back=True)),
        world("A crash, while another mover moves money back", BACK, crashes=1),
        world("A lost reply, while another mover moves money back", BACK, lost_replies=1),
    ],
    idle=lambda run: (
        not run.error
        and all(push.value[1] is None for push in run.pushes)
        and not any(write.part.startswith("bank_") for write in run.writes)
    ),
    praise="No money is lost and none is made, and each order is answered as it was carried out. Proved for two "
    "orders, one fault of each kind anywhere, two crashes, two movers with the same orders, and a mover that moves "
    "money back ({states} states).",
)


THREE = {"a": 5, "b": 5, "c": 5}
ENOUGH, MOVED = {"a": 20, "b": 0}, {"a": 13, "b": 7}
SEVEN, FIVE, TWO, ON = (("a", "b", 7),), (("a", "b", 5),), (("a", "b", 2),), (("b", "c", 2),)
CALM = ((("a", "b", 7), ("a", "b", 5), ("a", "b", 3)),)
ANSWERS = [DONE, INSUFFICIENT, DONE]


def settled(view, bank, moved, rule):
    """The rule of one bank: no account is below zero, and in the end the accounts hold what they should."""
    below = bank.none_below_zero(view)
    if below is not True or not view.done:
        return below
    held = bank.balances(view)
    if moved is None:
        return getattr(bank, rule)(view)
    if held != moved:
        return f"the accounts hold {held}; right is {moved}"
    refused = any(push[2] != DONE for push in view.outputs)
    return not refused or "an order was carried out, and was answered 'insufficient funds'"


def bank_world(when, made, orders, opening=None, dies=0, moved=None, apart=True, rule="as_answered"):
    """Return the world of a bank in which `made(answer)` carries out the orders of each mover.

    `moved` are the balances in the end, when each order is answered "done"; without them `rule` of the bank tells.
    Where accounts are `apart` a dead mover's next process repeats its order.
    """

    def bank(transfer: Callable[..., Any]) -> Bank:
        return Bank(transfer, orders, opening, apart=apart, again=apart)

    found = functools.partial(settled, bank=bank(one_transaction), moved=moved, rule=rule)
    return World(when, lambda answer: bank(made(answer)).programs, found, {"crashes": dies})


def calm(made: Callable[..., Any], apart: bool = True) -> Callable[..., Any]:
    """Return the function that makes the programs of one mover that is to move 7 of 10, then 5, and then 3."""
    return lambda answer: Bank(made(answer), CALM, apart=apart).programs


def untouched(run: Any) -> bool:
    """Tell whether nobody has asked to change an account."""
    return not run.error and not any(name in e.text for e in run.trace for name in ("transact", "cas ", "write "))


def as_asked(made: Callable[..., Any], apart: bool = True) -> Callable[..., Any]:
    """Return the function that objects to a transfer that answers or moves otherwise than asked in a calm run."""

    def objection(answer: Any, run: Any) -> Any:
        said = [push.value[2] for push in run.pushes]
        held = Bank(one_transaction, CALM, apart=apart).balances(run.outcome)
        if (said, held) == (ANSWERS, {"a": 0, "b": 10}):
            return None
        return wrong(
            f"A mover is asked to move 7 of 10, then 5, and then 3. It answers {said}, and the accounts hold {held}; "
            f"it should answer {ANSWERS}, and they should hold 0 and 10.",
            run,
            calm(made, apart)(answer),
        )

    return objection


# 08-commit: check the funds, and change both accounts in one transaction that refuses what has changed.


def whole(transfer: Callable[..., Any]) -> Callable[..., Any]:
    """Return the transfer itself."""
    return transfer


in_one = functools.partial(bank_world, made=whole, apart=False)
ITEMS["08-commit"] = Proved(
    refuses=(one_transaction,),
    alone=calm(whole, apart=False),
    idle=lambda run: untouched(run) and not any(push.value[2] for push in run.pushes),
    objects=as_asked(whole, apart=False),
    worlds=[
        in_one("One mover", orders=(SEVEN,), dies=1, rule="total_in_the_end"),
        in_one("Two movers take from one account", orders=(SEVEN, SEVEN)),
        in_one("Two movers give to one account", orders=((("a", "c", 2),), ON), opening=THREE),
        in_one("One takes from the account to which the other gives", orders=(TWO, ON), opening=THREE),
        in_one("Three movers in a ring", orders=(TWO, ON, (("c", "a", 2),)), opening=THREE),
    ],
    praise="No schedule of one to three movers loses or makes money, or takes an account below zero.",
)

# 08-once: a half that can be repeated, with a mark in the transaction that changes its account.


def in_two_halves(once):
    """Return the transfer that withdraws and deposits by `once`, with a mark that is named after the order."""

    def marked(node, source, target, amount):
        order = f"{amount} from {source} to {target}"
        if not once(node.store(bank_of(source)), source, -amount, order):
            return INSUFFICIENT
        once(node.store(bank_of(target)), target, amount, order)
        return DONE

    return marked


DIES = "A mover {}dies once, and its next process repeats the order"
in_halves = functools.partial(bank_world, made=in_two_halves)
ITEMS["08-once"] = Proved(
    alone=calm(in_two_halves),
    idle=untouched,
    objects=as_asked(in_two_halves),
    worlds=[
        in_halves(DIES.format(""), orders=(SEVEN,), opening=ENOUGH, dies=1, moved=MOVED),
        in_halves(DIES.format("that moves nearly all "), orders=(SEVEN,), dies=1, moved={"a": 3, "b": 7}),
        in_halves("Two movers carry out the same order", orders=(SEVEN, SEVEN), opening=ENOUGH, moved=MOVED),
        in_halves("Two carry out the same order, of nearly all", orders=(SEVEN, SEVEN), moved={"a": 3, "b": 7}),
        in_halves("There is enough for one of two orders", orders=(SEVEN, FIVE)),
        in_halves("Two movers give to one account", orders=((("a", "c", 2),), ON), opening=THREE),
        in_halves("One takes from the account to which the other gives", orders=(TWO, ON), opening=THREE),
    ],
    praise="Each change is made once, by this process or an earlier one, and no account is below zero.",
)

# 08-withdraw: the first half, which takes an amount from one row if it is there.


def with_deposit(first_half: Callable[..., Any]) -> Callable[..., Any]:
    """Return the transfer that withdraws by `first_half`, and deposits as the library does."""

    def over_two_stores(node, source, target, amount):
        if not first_half(node.store(bank_of(source)), source, amount):
            return INSUFFICIENT
        deposit(node.store(bank_of(target)), target, amount)
        return DONE

    return over_two_stores


withdrawn = functools.partial(bank_world, made=with_deposit)
ITEMS["08-withdraw"] = Proved(
    refuses=(withdraw,),
    alone=calm(with_deposit),
    idle=untouched,
    objects=as_asked(with_deposit),
    worlds=[
        withdrawn(
            "Two movers take from one account, and there is enough for both",
            orders=(TWO, TWO),
            moved={"a": 6, "b": 4},
        ),
        withdrawn("There is enough for one of two orders", orders=(SEVEN, FIVE)),
        withdrawn("One takes from the account to which the other gives", orders=(TWO, ON), opening=THREE),
    ],
    praise="No schedule of two movers takes what is not there, or refuses what is there.",
)

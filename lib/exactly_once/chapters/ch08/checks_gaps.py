"""The gaps of chapter 08: a transfer in one transaction, a half that can be repeated, and the first half."""

import functools

from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import wrong
from ...handlers.transfer import DONE, INSUFFICIENT, Bank, bank_of, deposit, one_transaction, withdraw

ITEMS: dict = {}  # {name: item}

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


def world(when, made, orders, opening=None, dies=0, moved=None, apart=True, rule="as_answered"):
    """Return the world of a bank in which `made(answer)` carries out the orders of each mover.

    `moved` are the balances in the end, when each order is answered "done"; without them `rule` of the bank tells.
    Where accounts are `apart` a dead mover's next process repeats its order.
    """

    def bank(transfer):
        return Bank(transfer, orders, opening, apart=apart, again=apart)

    found = functools.partial(settled, bank=bank(one_transaction), moved=moved, rule=rule)
    return World(when, lambda answer: bank(made(answer)).programs, found, {"crashes": dies})


def calm(made, apart=True):
    """Return the function that makes the programs of one mover that is to move 7 of 10, then 5, and then 3."""
    return lambda answer: Bank(made(answer), CALM, apart=apart).programs


def untouched(run):
    """Tell whether nobody has asked to change an account."""
    return not run.error and not any(name in e.text for e in run.trace for name in ("transact", "cas ", "write "))


def as_asked(made, apart=True):
    """Return the function that objects to a transfer that answers or moves otherwise than asked in a calm run."""

    def objection(answer, run):
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


def whole(transfer):
    """Return the transfer itself."""
    return transfer


in_one = functools.partial(world, made=whole, apart=False)
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
in_halves = functools.partial(world, made=in_two_halves)
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


def with_deposit(first_half):
    """Return the transfer that withdraws by `first_half`, and deposits as the library does."""

    def over_two_stores(node, source, target, amount):
        if not first_half(node.store(bank_of(source)), source, amount):
            return INSUFFICIENT
        deposit(node.store(bank_of(target)), target, amount)
        return DONE

    return over_two_stores


withdrawn = functools.partial(world, made=with_deposit)
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

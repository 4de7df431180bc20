"""Gap 08-commit: check the funds, and change both accounts in one transaction that refuses what has changed."""

from ....handlers.transfer import DONE, INSUFFICIENT, one_transaction
from ....handlers.transfer.stages import BANK
from ...tasks.reply import right
from ..registry import Gap
from .banks import RING, THREE, Case, explored, first_look


def transfer(node, source, target, amount):
    """Move an amount in one transaction of the one store."""
    bank = node.store(BANK)
    while True:
        (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
        if balance < amount:
            return INSUFFICIENT
        if bank.transact(("cas", source, version, balance - amount), ("cas", target, other, held + amount)):
            return DONE


CASES = (
    Case("One mover", ((("a", "b", 7),),), crashes=1, rule="total_in_the_end"),
    Case("Two movers take from one account", ((("a", "b", 7),), (("a", "b", 7),))),
    Case("Two movers give to one account", ((("a", "c", 2),), (("b", "c", 2),)), THREE),
    Case("One takes from the account to which the other gives", ((("a", "b", 2),), (("b", "c", 2),)), THREE),
    Case("Three movers in a ring", RING, THREE),
)


def check(answer):
    """Run it once; then explore it, alone with a crash, and beside others."""
    return (
        first_look(answer)
        or explored(answer, CASES)
        or right("No schedule of one to three movers loses or makes money, or takes an account below zero.")
    )


GAP = Gap(
    title="commit both or neither",
    judge=check,
    library=transfer,
    refuses=(one_transaction,),
    hints=(
        "Three things can come of it: the funds are insufficient; both accounts are as they were read, and both "
        "change; or somebody was faster, and it has to be read again.",
        "`(version, balance), (other, held) = bank.transact(*reading)` reads both. "
        '`("cas", source, version, balance - amount)` is one operation of a transaction; `bank.transact(…, …)` '
        "carries out both, or neither, and then returns None.",
        'In a `while True:`, after reading, first `if balance < amount: return "insufficient funds"`. Then '
        '`if bank.transact(("cas", source, version, balance - amount), ("cas", target, other, held + amount)): '
        'return "done"`.',
    ),
)

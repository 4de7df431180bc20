"""Gap 08-release: the transfer under ordered locks, without the early return that keeps both."""

from ....handlers.transfer import DONE, INSUFFICIENT, early_return, ordered_locks
from ....handlers.transfer.stages import BANK, move
from ...tasks.reply import right
from ..registry import Gap
from .banks import Case, explored, first_look


def released(node, source, target, amount):
    """Move an amount under two locks, acquired in order, which are free when it returns."""
    bank = node.store(BANK)
    first, second = map(node.lock, sorted((source, target)))
    first.acquire()
    second.acquire()
    _, balance = bank.read(source)
    enough = balance >= amount
    if enough:
        bank.write(source, balance - amount)
        _, held = bank.read(target)
        bank.write(target, held + amount)
    second.release()
    first.release()
    return DONE if enough else INSUFFICIENT


ACCOUNTS = {"a": 5, "b": 5, "c": 0}
CASES = (
    Case("Two movers take from one account", ((("a", "b", 7),), (("a", "b", 7),))),
    Case("Two movers, there and back", ((("a", "b", 2),), (("b", "a", 2),)), {"a": 5, "b": 5}),
    Case("Two movers give to one account", ((("a", "c", 2),), (("b", "c", 2),)), ACCOUNTS),
    Case("Its first order is too much", ((("b", "c", 9), ("a", "b", 1)), (("a", "b", 1),)), ACCOUNTS),
    Case("Its first order is too much", ((("a", "c", 9), ("a", "b", 1)), (("a", "c", 1),)), ACCOUNTS),
)


def check(answer):
    """Run it once; then explore it beside others, after orders that are too much."""
    if reply := first_look(answer) or explored(answer, CASES):
        return reply
    return right("Both locks are free on every way out, and no sooner than both accounts are written.")


GAP = Gap(
    title="free on every way out",
    judge=check,
    library=released,
    refuses=(ordered_locks, early_return, move),
    hints=(
        "There are two ways out of the function: enough money, and not enough. Both locks must be released on each, "
        "and not before the last write.",
        "Either no `return` stands between `acquire` and `release`, or the releases stand in a `finally`.",
        "`try:` with the article's lines in it, both returns too, and then `finally:` with `second.release()` and "
        "`first.release()`.",
    ),
)

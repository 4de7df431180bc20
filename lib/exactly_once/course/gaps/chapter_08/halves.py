"""Gap 08-halves: the transfer in two halves, each under the lock of its own account."""

from ....explore import prove
from ....handlers.transfer import DONE, INSUFFICIENT, Bank, one_lock_at_a_time, ordered_locks
from ....handlers.transfer.stages import BANK, move
from ...tasks.reply import right, wrong
from ...tasks.run_answer import called
from ..registry import Gap
from .banks import RING, THREE, Case, explored, first_look


def halves(node, source, target, amount):
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


CASES = (
    Case("Two movers take from one account", ((("a", "b", 7),), (("a", "b", 7),))),
    Case("Two movers give to one account", ((("a", "c", 2),), (("b", "c", 2),)), THREE),
    Case("One takes from the account to which the other gives", ((("a", "b", 2),), (("b", "c", 2),)), THREE),
    Case("Three movers in a ring", RING, THREE),
)


def both_held(transfer):
    """Return the `Counterexample` in which a life holds two locks at once, or None."""
    bank = Bank(transfer, [[("a", "b", 7)]])

    def one_at_most(view):
        held = [name for name in "ab" if view.look("engine", f"lock.{name}", "lock") is not None]
        return len(held) < 2 or "the mover holds both locks at once"

    return prove(bank.programs, invariant=one_at_most, crashes=0).counterexample


def check(answer):
    """Run it once; look whether it holds two locks at once; then explore it beside others."""
    if reply := first_look(answer):
        return reply
    found = called(both_held, answer)
    if found is not None:
        return wrong(f"A half holds the lock of its own account alone. {found.sentence}", found)
    return explored(answer, CASES) or right(
        "Each half is right by itself, and nobody waits for a lock while holding another."
    )


GAP = Gap(
    title="two halves, a lock each",
    judge=check,
    library=halves,
    refuses=(one_lock_at_a_time, ordered_locks, move),
    hints=(
        "Each half reads one account and writes it. What may nobody do between that reading and that writing?",
        "The first half is `with node.lock(source):` around reading, the question whether it is enough, and writing. "
        "A `return` inside releases the lock.",
        "Below it, `with node.lock(target):` with `_, held = bank.read(target)` and "
        '`bank.write(target, held + amount)`; then `return "done"`.',
    ),
)

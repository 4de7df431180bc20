"""Gap 08-collide: orders for three movers that can wait for each other all three, and no two of them."""

from itertools import combinations

from ....errors import BadInput
from ....explore import prove
from ....handlers.transfer import Bank, two_locks
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap

ACCOUNTS = {"a": 5, "b": 5, "c": 5}


def collide():
    """Return three orders, one for each mover."""
    return [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]


def proof(orders):
    """Return the `Proof` of movers with one order each, under two locks."""
    bank = Bank(two_locks, [[order] for order in orders], ACCOUNTS)
    return prove(bank.programs, invariant=bank.total_in_the_end, crashes=0)


def check(answer):
    """Explore each two of the movers, and then all three."""
    ((went, said),) = answers(answer, [[]])
    if not went:
        return wrong(f"It fails with {said}.")
    if said in (None, ...):
        return unsolved("three orders")
    if not isinstance(said, (list, tuple)) or len(said) != 3:
        return wrong(f"It returns {said!r:.60}; give a list of three orders, such as ('a', 'b', 1).")
    try:
        for pair in combinations(said, 2):
            found = proof(pair).counterexample
            if found is not None:
                return wrong(f"Two of them are enough: {pair[0]} and {pair[1]}. {found.sentence}", found)
        found = proof(said).counterexample
    except (BadInput, TypeError, ValueError) as why:
        return wrong(f"The orders are {said!r:.90}; each is (source, target, amount). {why}")
    if found is None:
        return wrong("No schedule of these three ends in a deadlock.")
    return right("Each waits for the next, in a ring. Any two of them always come to their end.", found)


GAP = Gap(
    title="three that wait in a ring",
    judge=check,
    library=collide,
    hints=(
        "A mover locks its source first, then its target. For whom does it wait?",
        "Two movers with a→b and b→a lock the same two accounts. Any two of yours may share one account at most.",
        'The sources are "a", "b" and "c", each once. The target of each is the source of the next.',
    ),
)

"""Gap 06-could-show: what readers may see of the abstract store, who may lag behind."""

import itertools

from ....log.transactions.abstract import Store, could_show
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap

NAMES = "1.1", "1.2", "2.1"  # committed in this order
STRANGER = "1.3"  # begun, and not committed


def cases():
    """Return (what is committed, what a reader sees) for three transactions and one that is not committed."""
    seen = [one for most in range(5) for one in itertools.product((*NAMES, STRANGER), repeat=most)]
    return [(NAMES[:number], one) for one in seen for number in range(len(NAMES) + 1)]


def why_not(committed, seen):
    """Return in a sentence why a reader may not see these transactions, or why one may."""
    if unknown := next((one for one in seen if one not in committed), None):
        return f"{unknown} is not committed."
    if len(set(seen)) < len(seen):
        return "One transaction is committed once, and here it is seen twice."
    if seen == committed[: len(seen)]:
        return "These are the first ones, in order: readers may lag behind."
    if sorted(seen) == sorted(committed[: len(seen)]):
        return "They were committed in another order."
    return "One that was committed earlier is left out."


def check(answer):
    """Ask about everything that can be seen of up to three committed transactions."""
    asked = cases()
    found = answers(answer, [[Store(committed, "life 2"), seen] for committed, seen in asked])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for (committed, seen), (went, said) in zip(asked, found, strict=True):
        when = f"store.committed is {committed}, and seen is {seen}"
        if not went:
            return wrong(f"{when}: your function fails with {said}.")
        if not isinstance(said, bool):
            return wrong(f"{when}: your function returns {said!r}. It returns True or False.")
        if said != could_show(Store(committed), seen):
            return wrong(f"{when}: your function returns {said}. {why_not(committed, seen)}")
    return right(f"It is right for all {len(asked):,} cases: up to three transactions committed, up to four seen.")


GAP = Gap(
    title="what readers may see",
    judge=check,
    library=could_show,
    hints=(
        "Markers arrive one after the other. Three transactions are committed in the order 1.1, 1.2, 2.1. Which "
        "of them can a partition show while some markers are still under way, and what can it never show?",
        "It may show none of them, 1.1, then 1.1 and 1.2, then all three. So the length of `seen` says which part of "
        "`store.committed` to compare it with.",
        "`return store.committed[:len(seen)] == tuple(seen)`.",
    ),
)

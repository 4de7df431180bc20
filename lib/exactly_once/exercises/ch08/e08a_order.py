"""Exercise 08a: in which order to acquire the locks of a transfer, so that movers never wait in a circle.

Ordering resources against deadlock: J. W. Havender, "Avoiding Deadlock in Multitasking Systems", IBM Systems Journal
7(2), 1968; the circular wait is one of the four conditions of E. G. Coffman, M. J. Elphick and A. Shoshani, "System
Deadlocks", ACM Computing Surveys 3(2), 1971.
"""

import itertools

import pandas as pd

from ... import show as drawing
from ...errors import BadInput
from ...sandbox.pool import HASH_SEEDS
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import called
from ..kinds.task import Task

NAMES = ("ada", "bob", "cyd", "Dot")
BALANCES = ((10, 10, 10, 10), (10, 20, 30, 40), (40, 30, 20, 10), (20, 40, 10, 30))


def cases():
    """Return all arguments of the function, as lists of (account, balance); the simplest stand first."""
    found = [tuple(zip(pair, (10, 10), strict=True)) for pair in itertools.permutations(NAMES, 2)]
    found.append((("ada", 10), ("ada", 10)))
    found.append((("bob", 10), ("ada", 10), ("bob", 10)))
    for balances in BALANCES:
        held = dict(zip(NAMES, balances, strict=True))
        for size in (2, 3):
            found += [tuple((name, held[name]) for name in some) for some in itertools.permutations(NAMES, size)]
    return list(dict.fromkeys(found))


SHOWN = (
    (("ada", 10), ("bob", 10)),
    (("bob", 10), ("ada", 10)),
    (("cyd", 10), ("ada", 40), ("bob", 20)),
    (("ada", 10), ("ada", 10)),
)


def check(answer):
    """Ask for the order in each case, and look for two movers that can wait for each other."""
    if has_dots(answer):
        return unsolved("your function")
    told = asked(answer)
    if all(said is None for said in told):
        return unsolved("the body of your function")
    for case, said in zip(cases(), told, strict=True):
        if sentence := objection(case, said):
            return wrong(sentence, picture=table([case], [said]))
    if circle := circular_wait(zip(cases(), told, strict=True)):
        return wrong(_circle_sentence(circle), picture=drawn(circle))
    other = called(orders, answer, cases(), seed=HASH_SEEDS[1])
    both = [*zip(cases(), told, strict=True), *zip(cases(), other, strict=True)]
    if circle := circular_wait(both):
        return wrong(
            f"In another process the order is another one: hash() and the order of a set differ from process to "
            f"process, and two movers need not be in the same one. {_circle_sentence(circle)}",
            picture=drawn(circle),
        )
    return right(
        f"A mover that holds a lock waits only for a lock that comes later in this order, so no circle can close: "
        f"not among two movers, and not among any number ({len(cases())} transfers).",
        picture=table(SHOWN, called(orders, answer, SHOWN)),
    )


def asked(answer):
    """Return the function's answer to each case. Raises `BadInput` for another object than a function."""
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of a list of (account, balance).")
    return called(orders, answer, cases(), seed=HASH_SEEDS[0])


def orders(answer, some):
    """Return the order of the locks of each of some transfers."""
    return [answer(list(case)) for case in some]


def objection(case, said):
    """Return a sentence on the mistake in the locks of one transfer by itself, or None."""
    wanted, head = {name for name, _ in case}, f"For {list(case)} it says {said!r}."
    if not isinstance(said, (list, tuple)) or not all(isinstance(each, str) for each in said):
        return f"{head} Return a list of names of accounts."
    if twice := next((name for name in said if list(said).count(name) > 1), None):
        return f"{head} The mover would wait for the lock of {twice}, which it holds itself. A lock is acquired once."
    if missing := sorted(wanted - set(said)):
        return f"{head} Without the lock of {missing[0]} another mover changes that account in the middle."
    if more := sorted(set(said) - wanted):
        return f"{head} This transfer does not touch {more[0]}."
    return None


def circular_wait(told):
    """Return two waits that form a cycle, [(case, order, held, wanted), …], or []; `told` has (case, order) pairs.

    A longer cycle needs no search: the three accounts of such a cycle are also a case, and each order for that case
    contradicts one of the three waits.
    """
    waits = {}
    for case, said in told:
        for held, wanted in itertools.combinations(said, 2):
            if (wanted, held) in waits:
                return [waits[wanted, held], (case, tuple(said), held, wanted)]
            waits.setdefault((held, wanted), (case, tuple(said), held, wanted))
    return []


def _circle_sentence(circle):
    said = [
        f"mover {number}, for {list(case)}, holds the lock of {held} and waits for that of {wanted}"
        for number, (case, _, held, wanted) in enumerate(circle, 1)
    ]
    return f"Deadlock: {'; '.join(said)}."


def drawn(circle):
    """Return the picture of movers that wait for each other."""
    rows = [
        {
            "mover": number,
            "its accounts": ", ".join(f"{name} ({balance})" for name, balance in case),
            "your order": " → ".join(order),
            "holds": held,
            "waits for": f"{wanted}, which mover {number % len(circle) + 1} holds",
        }
        for number, (case, order, held, wanted) in enumerate(circle, 1)
    ]
    return _picture(rows)


def table(some, told):
    """Return the picture of some transfers with the order of their locks."""
    rows = [
        {
            "the transfer's accounts": ", ".join(f"{name} ({balance})" for name, balance in case),
            "your order": "–" if said is None else _listed(said),
        }
        for case, said in zip(some, told, strict=True)
    ]
    return _picture(rows)


def _listed(said):
    return " → ".join(map(str, said)) if isinstance(said, (list, tuple)) else repr(said)


def _picture(rows):
    listed = pd.DataFrame(rows)
    return drawing.Picture(drawing.table_html(listed), text=listed.to_string(index=False))


def show(answer):
    """Draw the order of the locks of four transfers."""
    if has_dots(answer):
        return table(SHOWN, [None] * len(SHOWN))
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of a list of (account, balance).")
    return table(SHOWN, called(orders, answer, SHOWN))


TASK = Task(
    answer="lock_order",
    tier="warm-up",
    show=show,
    check=check,
)

"""Gap 09-again: a change that is repeated until it is known to have taken place, and takes place once."""

from ....errors import OutcomeUnknown
from ....lockfree import cas
from ...tasks.reply import right, unsolved
from ..chapter_01.runs import untouched
from ..registry import Gap
from .common import refused

CHANGES = (1, -1)


def add_once(registers, by, who):
    """Add `by` to the number once, whatever is lost; the register holds [number, the names of who has added]."""
    while True:
        try:
            version, held = registers.read("number")
            number, names = held or [0, []]
            if who in names or registers.cas("number", version, [number + by, [*names, who]]):
                return
        except OutcomeUnknown:
            pass


def adds(change, by):
    """Return a handler that makes one change with the learner's lines."""

    def handler(node):
        change(node.registers, by, f"node {node.number}")

    return handler


def number_is(wanted):
    """Return the invariant that at the end the number is `wanted`."""

    def rule(view):
        held = view.registers.get("number")
        number = held[0] if isinstance(held, list) and held else held or 0
        return not view.done or number == wanted or f"the number is {number}, and {wanted} is right"

    return rule


def check(answer):
    """Explore two nodes without a fault; then one, and two, with a lost reply, a lost or late request, a crash."""
    if untouched(answer):
        return unsolved("your lines")
    one, two = [adds(answer, 1)], [adds(answer, by) for by in CHANGES]
    return (
        refused(two, number_is(0), "Two nodes, +1 and -1, and nothing is lost: ")
        or refused(one, number_is(1), "One node, and one request is lost: ", lost_requests=1)
        or refused(one, number_is(1), "One node, and one reply is lost: ", lost_replies=1)
        or refused(two, number_is(0), "Two nodes, +1 and -1, and one reply is lost: ", lost_replies=1)
        or refused(two, number_is(0), "Two nodes, +1 and -1, and one request is late: ", late_requests=1)
        or refused(two, number_is(0), "Two nodes, +1 and -1, and one dies: ", crashes=1)
        or right("Each change is there once, with one reply lost, one request lost or late, or one crash.")
    )


GAP = Gap(
    title="repeat it, and do it once",
    judge=check,
    library=add_once,
    refuses=(cas.signing,),
    hints=(
        "After `OutcomeUnknown` the register itself has to tell whether your write is in it. What of yours "
        "can be in it, and stay there when others write later?",
        "`held` is None at first, then [number, names]. Read; if `who` is among the names, it is done. Else "
        "`cas` with the new number, and the names with yours added.",
        "`while True:`, in it a `try:` with the read, `number, names = held or [0, []]`, and `if who in names"
        ' or registers.cas("number", version, [number + by, names + [who]]): return`; then `except '
        "OutcomeUnknown: pass`.",
    ),
)

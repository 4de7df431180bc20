"""Gap 09-goes-on: add one by compare-and-swap, so that nobody waits for anybody."""

from ...tasks.reply import right, unsolved
from ..chapter_01.runs import untouched
from ..registry import Gap
from .common import refused

NODES = 2


def add_one(node):
    """Add one to the register "number": read it, and write only if nobody wrote meanwhile; else begin anew."""
    done = False
    while not done:
        version, number = node.registers.read("number")
        done = node.registers.cas("number", version, (number or 0) + 1)


def all_counted(view):
    """An invariant: at the end each node has added one, and never more than that was added."""
    number = view.registers.get("number", 0)
    wrong = number > NODES or (view.done and number != NODES)
    return not wrong or f"{NODES} nodes add one each, and the number is {number}"


def check(answer):
    """Explore two nodes that add: the number at the end, and whether one waits for the other."""
    if untouched(answer):
        return unsolved("your lines")
    return refused(answer, all_counted, "", nodes=NODES) or right(
        "Both are counted in every schedule of two nodes, and neither ever waits for the other."
    )


GAP = Gap(
    title="add one without a lock",
    judge=check,
    library=add_one,
    hints=(
        "Nothing has to be locked if the write itself notices that somebody else wrote in between. Which of "
        "the two results of `read` tells it?",
        '`version, number = node.registers.read("number")`; the first time `number` is None. `cas` returns '
        "False when it was refused: what then?",
        'A `while True:` around three lines: the read, then `if node.registers.cas("number", version, (number'
        " or 0) + 1):` and below it `return`.",
    ),
)

"""Gap 09-sweep: empty the old cells from the front, so that nobody takes them for cells that were never filled."""

from ....lockfree import Queue
from ....lockfree.memory import Memory
from ....lockfree.pushers import QUEUE, cells_of, pusher
from ....lockfree.queue import cell, emptied, is_emptied
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..chapter_01.runs import untouched
from ..registry import Gap
from .common import refused

CASES = ("", "a", "aab", "aba", "b", "aaa")  # what was pushed; "a" is old
MOST = 50  # operations on so few cells


def sweep(registers, is_old):
    """Empty the cells from index 0 on while their values are old; return the index of the first that is kept."""
    index = 0
    while True:
        version, value = registers.read(cell("queue", index))
        if not version or not (is_emptied(value) or is_old(value)):
            return index
        if not is_emptied(value):
            registers.cas(cell("queue", index), version, emptied(value))
        index += 1


class Limited(Memory):
    """Registers that answer so often, and not for ever."""

    def read(self, name):
        """Return (version, value). Raises `RuntimeError` after many operations."""
        if self.steps >= MOST:
            raise RuntimeError(f"your lines have looked at cells {MOST} times, and go on")
        return super().read(name)


def swept(theirs, pushed):
    """Sweep twice; return (what the cells hold as text, the index that each returned)."""
    registers = Limited()
    for value in pushed:
        Queue(registers, QUEUE).push(value)
    registers.log.clear()
    found = theirs(registers, lambda value: value == "a")
    registers.log.clear()
    again = theirs(registers, lambda value: value == "a")
    held = []
    while registers.cells.get(cell(QUEUE, len(held))):
        held.append(Memory.read(registers, cell(QUEUE, len(held)))[1])
    return held, found, again


def sweeps(theirs):
    """Return a handler that sweeps once."""

    def handler(node):
        theirs(node.registers, lambda value: value == "a")

    return handler


def nothing_new_is_emptied(view):
    """An invariant: each "b" that was pushed stays."""
    found = cells_of(view.registers)
    if view.done and found.count("b") != 1:
        return f"'b' is not old, and it is in the queue {found.count('b')} times"
    return len(found) <= 2 or f"two values were pushed, and {len(found)} cells were filled"


def check(answer):
    """Sweep some queues twice; then explore two that sweep while others push."""
    if untouched(answer):
        return unsolved("your lines")
    for pushed in CASES:
        wanted = len(pushed) - len(pushed.lstrip("a"))
        held, first, again = called(swept, answer, pushed)
        told = f"Pushed: {', '.join(pushed) or 'nothing'}; old is a"
        right_cells = [*map(emptied, pushed[:wanted]), *pushed[wanted:]]
        if held != right_cells:
            return wrong(f"{told}. Your lines leave {held} in the cells, and it should be {right_cells}.")
        if (first, again) != (wanted, wanted):
            return wrong(f"{told}. Your lines return {first!r}, and when called again {again!r}; it is {wanted}.")
    handlers = [pusher("a"), pusher("b"), sweeps(answer), sweeps(answer)]
    return refused(handlers, nothing_new_is_emptied, "Two that push and two that sweep: ") or right(
        "The old cells at the front are emptied and keep their versions, also while others push and sweep."
    )


GAP = Gap(
    title="retention",
    judge=check,
    library=sweep,
    refuses=(Queue.sweep,),
    hints=(
        "Three kinds of cells: never filled (version 0), emptied before, and filled. At which of them do you "
        "stop, and which do you write to?",
        '`version, value = registers.read(cell("queue", index))`. Stop at version 0, and at a value that is '
        "neither emptied nor old. `cas` with this version writes `emptied(value)`; refused means that another"
        " has swept it.",
        "`index = 0`; `while True:` with the read; `if not version or not (is_emptied(value) or "
        'is_old(value)): return index`; `if not is_emptied(value): registers.cas(cell("queue", index), '
        "version, emptied(value))`; `index += 1`.",
    ),
)

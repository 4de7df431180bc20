"""Handlers that use the queue, and their correct outcomes: pushers, and a sweeper.

`over` is a function of the node that gives the registers to use; they are `node.registers` unless it is given.
"""

from ..node.program import renamed
from .queue import FIRST, HINT, Queue, cells_in, is_emptied

QUEUE = "queue"


def pusher(*values, over=None, queue=Queue):
    """Return a handler that pushes values, in order. After a death it begins anew, without memory of the past."""

    def handler(node):
        own = queue(_registers(node, over), QUEUE)
        for value in values:
            own.push(value)

    return renamed(handler, "pusher")


def placer(*values, queue_of=None):
    """Return a handler that pushes each value at a place that it has prepared, and keeps the place in a register.

    The register holds [how many values are done, the prepared index or None]. An incarnation that dies is followed by
    one that finds the place there: its push is repeated, at the same place. `queue_of` makes the queue of the node.
    """

    def handler(node):
        registers = node.registers
        queue = Queue(registers, QUEUE) if queue_of is None else queue_of(node)
        place = f"place of {node.number}"
        while True:
            version, held = registers.read(place)
            done, index = held or [0, None]
            if done == len(values):
                return
            if index is None:
                registers.cas(place, version, [done, queue.next_index()])
            elif queue.push_at_idempotent(values[done], index):
                registers.cas(place, version, [done + 1, None])
            else:
                registers.cas(place, version, [done, None])  # another took the cell: find a new place

    return renamed(handler, "placer")


def sweeper(*old, over=None, queue=Queue):
    """Return a handler that empties the cells from the front while their values are among `old`."""

    def handler(node):
        queue(_registers(node, over), QUEUE).sweep(old.__contains__)

    return renamed(handler, "sweeper")


def cells_of(registers, name=QUEUE):
    """Return the values of the cells of a queue, in order, given the values of registers by name."""
    return cells_in(registers.get, name)


def each_push_once(nodes, crashes, *values):
    """Return an invariant: of `nodes` pushers each pushes `values`, and a crash makes at most one value more.

    At the end each value is there as often as there are nodes at least, since each has an incarnation that finished.
    """

    def rule(view):
        found = cells_of(view.registers)
        for value in values:
            copies = found.count(value)
            if copies > nodes + crashes:
                return f"{value!r} is in the queue {copies} times"
            if view.done and copies < nodes:
                return f"{value!r} is in the queue {copies} times, though {nodes} pushes of it returned"
        return hint_is_safe(view)

    return rule


def hint_is_safe(view):
    """An invariant: the hint is not past an empty cell, so no cell is skipped for ever."""
    hint, full = view.registers.get(f"{QUEUE}{HINT}", 0), len(cells_of(view.registers))
    return True if hint <= full else f"the hint is {hint}, and the cell {full} is empty"


def nothing_behind(view):
    """An invariant, over `Forgetful` registers too: every cell before the index that new readers begin at is empty.

    Else a value lies there that no new reader sees.
    """
    first = _without_version(view.registers.get(f"{QUEUE}{FIRST}", 0))
    for index, held in enumerate(cells_of(view.registers)[:first]):
        value = _without_version(held)
        if value is not None and not is_emptied(value):
            return f"{value!r} lies at the index {index}, and readers begin at {first}: a ghost"
    return True


def newest_of(registers):
    """Return the newest values of the cells of a queue over `Histories`, given the values of registers by name."""
    return [history[-1] for history in cells_of(registers)]


def exactly(*values, cells=cells_of):
    """Return an invariant: at the end the queue holds these values, in any order, and never one of them too often.

    `cells` is how the values are found in the registers.
    """

    def rule(view):
        found, left = cells(view.registers), list(values)
        for value in found:
            if value not in values:
                return f"{value!r} is in the queue, and nobody pushed it"
            if value not in left:
                return f"{value!r} is in the queue {found.count(value)} times"
            left.remove(value)
        return f"{left[0]!r} was lost" if view.done and left else True

    return rule


def _without_version(held):
    """Return the value in a `Forgetful` register's content [version, value], or another register's content."""
    return held[1] if isinstance(held, list) else held


def _registers(node, over):
    return node.registers if over is None else over(node)

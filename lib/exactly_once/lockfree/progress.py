"""Three ways to put one value into a queue, which differ in whom they wait for.

`locked` takes a spinlock: a node that stops while it holds the lock blocks all others. `lock_free` is the queue's own
`push`: it fails only because another one succeeded. `reserving` reserves a cell before it fills it, and takes the
reservation of another away: alone it always ends, but two may undo each other's for ever (obstruction-free: M.
Herlihy, V. Luchangco, M. Moir, "Obstruction-Free Synchronization: Double-Ended Queues as an Example", ICDCS 2003).
Definitions: M. Herlihy and N. Shavit, "The Art of Multiprocessor Programming", chapter 3.
"""

from .queue import HINT, Memory, Queue, cell

QUEUE, LOCK = "queue", "lock"
RESERVED, HELD = "reserved", "held"


def locked(node):
    """Push under a spinlock: inside, nobody else writes, so nothing has to be compared."""
    registers = node.registers
    while True:
        version, holder = registers.read(LOCK)
        if holder != HELD and registers.cas(LOCK, version, HELD):
            break
    at, index = registers.read(f"{QUEUE}{HINT}")
    index = index or 0
    registers.cas(cell(QUEUE, index), 0, node.number)
    registers.cas(f"{QUEUE}{HINT}", at, index + 1)
    registers.cas(LOCK, version + 1, "free")


def lock_free(node):
    """Push as the queue does."""
    Queue(node.registers, QUEUE).push(node.number)


def reserving(node):
    """Reserve the first cell that holds no value, whoever has reserved it, and fill it if it is still one's own."""
    registers, index = node.registers, 0
    while True:
        version, found = registers.read(cell(QUEUE, index))
        if version and found != RESERVED:
            index += 1
        elif registers.cas(cell(QUEUE, index), version, RESERVED) and registers.cas(
            cell(QUEUE, index), version + 1, node.number
        ):
            return


class Stopped(Exception):
    """A node takes no further step."""


class Hand:
    """The argument of a handler here: a number, and the registers of a shared `Memory`, for `most` operations."""

    def __init__(self, number, memory, most):
        self.number, self.memory, self.left = number, memory, most
        self.registers = self

    def read(self, name):
        """Read a register. Raises `Stopped` after the last operation."""
        return self._next(self.memory.read, name)

    def cas(self, name, expected_version, value):
        """Write to a register. Raises `Stopped` after the last operation."""
        return self._next(self.memory.cas, name, expected_version, value)

    def _next(self, operation, *arguments):
        if not self.left:
            raise Stopped
        self.left -= 1
        return operation(*arguments)


def ends(handler, hand):
    """Run a handler with a `Hand`, and return whether it came to its end."""
    try:
        handler(hand)
    except Stopped:
        return False
    return True


def ends_beside_one_that_stopped(handler, steps, most=50):
    """Let node 1 take so many steps and stop for good; return whether node 2 then ends within `most` steps."""
    memory = Memory()
    ends(handler, Hand(1, memory, steps))
    return ends(handler, Hand(2, memory, most))

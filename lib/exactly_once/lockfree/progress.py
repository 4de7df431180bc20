"""Three ways to put one value into a queue, which differ in whom they wait for.

`locked` takes a spinlock: a node that stops while it holds the lock blocks all others. `lock_free` is the queue's own
`push`: it fails only because another one succeeded. `reserving` reserves a cell before it fills it, and takes the
reservation of another away: alone it always ends, but two may undo each other's for ever (obstruction-free: M.
Herlihy, V. Luchangco, M. Moir, "Obstruction-Free Synchronization: Double-Ended Queues as an Example", ICDCS 2003).
Definitions: M. Herlihy and N. Shavit, "The Art of Multiprocessor Programming", chapter 3.
"""

from types import SimpleNamespace

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


def ends(handler, number, memory, most):
    """Run a handler as this node, on the registers of a shared `Memory`; return whether `most` operations suffice."""
    left = list(range(most))

    def counted(operation):
        def step(*arguments):
            if not left:
                raise Stopped
            left.pop()
            return operation(*arguments)

        return step

    registers = SimpleNamespace(read=counted(memory.read), cas=counted(memory.cas))
    try:
        handler(SimpleNamespace(number=number, registers=registers))
    except Stopped:
        return False
    return True


def ends_beside_one_that_stopped(handler, steps, most=50):
    """Let node 1 take so many steps and stop for good; return whether node 2 then ends within `most` steps."""
    memory = Memory()
    ends(handler, 1, memory, steps)
    return ends(handler, 2, memory, most)

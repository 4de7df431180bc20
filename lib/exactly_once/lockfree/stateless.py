"""The lock-free handler in its stateless form: each item of input becomes one value of output, exactly once.

Any number of nodes may run it at once; one that crashes or stalls is not missed. It is a state machine in one register:

    PREPARING(input)           find an empty index of the output queue
    WRITING(input, index)      put the value there, unless it is there already; then go on to the next input

Each transition is a compare-and-swap on that register, so only one node makes it; a node that loses, or that cannot
know whether it won, reads the register again and goes on from there. PREPARING fixes the place before anybody writes,
so two nodes that write put the same value into the same cell.
Source: the article on heterogeneous concurrent exactly-once processing by lock-free half-transactions.
"""

from fractions import Fraction

from ..errors import OutcomeUnknown
from .queue import Queue

MACHINE = "machine"
OUTPUT = "output"
PREPARING, WRITING = "PREPARING", "WRITING"


def follow(node, output, stage, function):
    """Do what a stage asks for, and return the stage that follows it."""
    items, following = node.read(stage[1])
    if stage[0] == PREPARING:
        return [WRITING, stage[1], output.next_index()]
    if output.push_at_idempotent(function(items), stage[2]):
        return [PREPARING, following]
    return [PREPARING, stage[1]]  # another producer of this queue took the cell: find a new place


def stateless(function, follow=follow):
    """Return the handler that puts `function(items)` for each item into the queue "output".

    `function` gets the list of readings of one read. It must be pure, and the inputs must arrive together, since
    several nodes may read the same input and must come to the same value. `follow` does what a stage asks for.
    """

    def handler(node):
        output = Queue(node.registers, OUTPUT)
        machine = None
        while True:
            try:
                version, stage = machine or look(node)
                if not node.running(stage[1]):
                    return
                following = follow(node, output, stage, function)
                won = node.registers.cas(MACHINE, version, following)
                machine = (version + 1, following) if won else None
            except OutcomeUnknown:
                machine = None

    return handler


def hourly_means(node):
    """Put the mean of each hour's readings into the queue "output", lock-free."""
    stateless(mean)(node)


def look(node):
    """Return (version, stage) of the machine; at first it prepares the first input."""
    version, stage = node.registers.read(MACHINE)
    return version, stage or [PREPARING, node.start]


def mean(items):
    """Return the exact mean of the readings of one read."""
    return sum(item.value for item in items) / Fraction(len(items))

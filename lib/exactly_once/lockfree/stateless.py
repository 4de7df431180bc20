"""The lock-free handler in its stateless form: each item of input becomes one value of output, exactly once.

Any number of nodes may run it at once; one that crashes or stalls is not missed. It is a state machine in one
register:

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


def stateless(function, follow=None):
    """Return the handler that puts `function(items)` for each item into the queue "output".

    `function` gets the list of readings of one read. It must be deterministic, and the inputs must arrive together,
    since several nodes may read the same input and must come to the same value. `follow` carries out a stage, and
    returns the next stage; it is `follow_stage` unless it is given.
    """

    def handler(node):
        ended = False
        while not ended:
            try:
                ended = handle(node, function, follow or follow_stage)
            except OutcomeUnknown:
                ended = False  # done or not: the next look at the machine tells

    return handler


def handle(node, function, follow):
    """Take the machine's present input as far as this node can: to its end, or until another node is faster.

    Nothing is kept from one input to the next, since the machine holds all there is to know. Returns True when there
    is no input left.
    """
    version, stage = node.registers.read(MACHINE)
    stage = stage or [PREPARING, node.start]
    at = stage[1]
    if not node.running(at):
        return True
    items, following = node.read(at)
    value = function(items)
    while stage[1] == at:
        stage = follow(Queue(node.registers, OUTPUT), stage, value, following)
        if not node.registers.cas(MACHINE, version, stage):
            break
        version += 1
    return False


def follow_stage(output, stage, value, following):
    """Carry out a stage, for an input with this value and these following positions; return the next stage."""
    if stage[0] == PREPARING:
        index = output.next_index()
        return [WRITING, stage[1], index]
    if output.push_at_idempotent(value, stage[2]):
        return [PREPARING, following]
    return [PREPARING, stage[1]]  # another producer of this queue took the cell: find a new place


def hourly_means(node):
    """Put the mean of each hour's readings into the queue "output", lock-free."""
    stateless(mean)(node)


def mean(items):
    """Return the exact mean of the readings of one read."""
    return sum(item.value for item in items) / Fraction(len(items))

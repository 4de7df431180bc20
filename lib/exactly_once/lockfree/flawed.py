"""The lock-free handler with one part left out: the failure without a part shows the part's purpose.

`positions_apart` is another correct handler, which fails when its writes compare values in place of versions.
"""

from ..errors import OutcomeUnknown
from ..node.access import part_of
from ..node.program import runs_as
from ..node.world import ENGINE
from .queue import EMPTIED, Queue, cell
from .stateless import MACHINE, OUTPUT, PREPARING, WRITING, follow_stage, mean, stateless

# What the machine holds in the end differs from run to run: the next node would finish a step that a sleeper began.
_COMES_BACK = runs_as(own=((ENGINE, part_of(MACHINE)),))


def without_preparing(node):
    """Push at the next empty index, and go on: no place is fixed first.

    Two nodes find two different places, or a successor finds another one than the life that died.
    """
    stateless(mean, _push_at_next)(node)


def plain_push(node):
    """Prepare a place, and then push wherever the queue has room: whoever repeats it pushes once more."""
    stateless(mean, _push_anywhere)(node)


def not_idempotent(node):
    """Prepare a place, and take a cell that is full for one that another producer took, though it may be our own."""
    stateless(mean, _push_at_once)(node)


def _push_at_next(output, stage, value, following):
    return [PREPARING, following if output.push_at_idempotent(value, output.next_index()) else stage[1]]


def _push_anywhere(output, stage, value, following):
    if stage[0] == PREPARING:
        return follow_stage(output, stage, value, following)
    output.push(value)
    return [PREPARING, following]


def _push_at_once(output, stage, value, following):
    if stage[0] == PREPARING:
        return follow_stage(output, stage, value, following)
    return [PREPARING, following if output.push_at(value, stage[2]) else stage[1]]


@_COMES_BACK
def positions_apart(node):
    """Keep the positions in a register of their own, so that the machine returns to the same value for each item.

    It is right, since each write compares versions.
    """
    apart(node, _cas)


@_COMES_BACK
def compared_by_value(node):
    """The same, but each write compares values: a machine that left PREPARING and came back to it looks untouched.

    A node that slept meanwhile writes the item that it knows of once more (the ABA problem).
    """
    apart(node, _cas_by_value)


def apart(node, cas):
    """Drive a machine that holds the positions only while it writes; `cas` compares."""
    output, registers = Queue(node.registers, OUTPUT), node.registers
    while True:
        try:
            version, stage = registers.read(MACHINE)
            if stage in (None, PREPARING):
                positions = registers.read("positions")[1] or node.start
                if not node.running(positions):
                    return
                node.read(positions)  # not needed yet, but what is done from here on is done for these readings
                cas(registers, MACHINE, version, stage, [WRITING, positions, output.next_index()])
            else:
                items, following = node.read(stage[1])
                if output.push_at_idempotent(mean(items), stage[2]):
                    at, positions = registers.read("positions")
                    if (positions or node.start) == stage[1]:
                        cas(registers, "positions", at, positions, following)
                cas(registers, MACHINE, version, stage, PREPARING)
        except OutcomeUnknown:
            pass  # the next round reads everything again


def _cas(registers, name, version, expected, value):
    return registers.cas(name, version, value)


def _cas_by_value(registers, name, version, expected, value):
    """Compare-and-swap that knows no versions: the value decides, and the version seen before counts for nothing."""
    now, found = registers.read(name)
    return found == expected and registers.cas(name, now, value)


class ForgettingQueue(Queue):
    """A queue over `Forgetful` registers whose retention deletes cells: they look as if never filled."""

    def _empty(self, index, version, value):
        self.registers.forget(cell(self.name, index), version)


class NamelessQueue(Queue):
    """A queue whose emptied cells do not remember what they held: who repeats a push finds a new place."""

    def _empty(self, index, version, value):
        self.registers.cas(cell(self.name, index), version, {EMPTIED: ""})

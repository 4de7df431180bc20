"""The handlers that the claims are asked of: the lock-free handler, a second one, and mutants with one part replaced.

A mutant is right in all other respects, so its failure shows the purpose of the replaced part. It passes the other
checks within the bounds of the table: with more faults, or faults of another kind, another check may fail.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..errors import OutcomeUnknown
from ..handlers.stream.offset_in_sink import QUEUE as INCREMENTS
from ..handlers.stream.offset_in_sink import counter_sink
from ..lockfree import Queue
from ..lockfree.general import (
    HANDLING,
    PREPARING,
    WRITING,
    Form,
    Function,
    compute,
    drive,
    follow,
    general,
    go_on,
    handle,
    next_stage,
)
from ..lockfree.queue import HINT, cell
from ..node import Program
from ..node.node import Handler
from ..node.program import OUTPUT, renamed, runs_as
from ..node.source import CellSource
from ..node.world import MACHINE, QUEUES

ITEMS = 2  # hours of input over which handlers are asked


def totals(state, inputs):
    """Add the readings to the total, and send it."""
    total = (state or 0) + sum(reading.value for reading in inputs)
    return total, [total]


def totals_counted(state, inputs):
    """Send each new total to the output, and the hour to the database, which counts what it is sent."""
    total, outputs = totals(state, inputs)
    return total, [*outputs, inputs[0].hour]


def counting(node):
    """Count each message, as `counter_sink` does; after an unknown outcome, read the index again and go on."""
    while True:
        with suppress(OutcomeUnknown):
            return counter_sink(node)


def beside_a_database(nodes):
    """Return the programs of the nodes: so many twins with two outputs, and the database's node, which reads one."""
    twin = general(totals_counted, outputs=(OUTPUT, INCREMENTS))
    return [*[twin] * nodes, Program(counting, CellSource((INCREMENTS,)), name="sink")]


def ones(state, inputs):
    """Count the inputs, and send a 1 for each: values that nobody can tell apart."""
    return (state or 0) + 1, [1]


@dataclass(frozen=True)
class Mutant:
    """The lock-free handler with one part replaced: its `name`, what it `does`, and its `handler`.

    It runs the pure `function`. It is asked over so many `items`: hours of input.
    """

    name: str
    does: str
    handler: Handler
    function: Function
    items: int


def mutant(
    part: str, function: Function = totals, store: str = MACHINE[0], items: int = ITEMS
) -> Callable[[Callable[..., Any]], Mutant]:
    """Return a decorator that makes a `Mutant` of what replaces a part of the handler, with its machine in `store`.

    `part` is "drive", its argument "once", or the stage that is followed in another way. The function has the name,
    and says in its docstring what the mutant does.
    """
    form = Form(machine=(store, MACHINE[1]))

    def replaces(theirs: Callable[..., Any]) -> Mutant:
        def following(node, form, stage):
            return (theirs if stage[0] == part else follow)(node, form, stage)

        parts = {"once": theirs} if part == "once" else {"follow": following}

        @runs_as(machine=form.machine, feeds=form.outputs)
        def handler(node):
            if part == "drive":
                theirs(node, function, form)
            else:
                drive(node, function, form, **parts)

        does = " ".join((theirs.__doc__ or "").split())
        return Mutant(theirs.__name__.replace("_", " "), does, renamed(handler, theirs.__name__), function, items)

    return replaces


@mutant(WRITING, ones)
def no_answer_is_taken_for_done(node, form, stage):
    """A write of an output that nobody answers is taken for done. The outputs are equal, so that an observer cannot
    see that one is missing."""
    try:
        return follow(node, form, stage)
    except OutcomeUnknown:
        return next_stage(*stage[1:4], stage[4] + 1)


@mutant("once", store=QUEUES)
def one_transaction(node, function, form):
    """The output and the machine are written in one transaction, as Kafka's handlers do."""
    store, part = form.machine
    version, stage = form.read(node)
    if not node.running(stage[2]):
        return True
    _, state, positions, ((queue, message),), _ = compute(node, function, form, *stage[1:])
    place = cell(queue, Queue(node.store(store), queue).next_index())
    node.store(store).transact(("cas", part, version, [HANDLING, state, positions]), ("cas", place, 0, message))
    return False  # if it was refused, the next look at the machine tells why


@mutant("once")
def polite(node, function, form):
    """A node goes on only when the machine has stood still from one look to the next."""
    seen, (version, stage) = None, form.read(node)
    while version != seen:
        seen, (version, stage) = version, form.read(node)
    return go_on(node, function, form, version, stage)


@mutant("once")
def reserving(node, function, form):
    """A node reserves the next step, and takes another's reservation away."""
    reserved, holder = node.registers.read("reserved")
    if holder != node.number:
        node.registers.cas("reserved", reserved, node.number)
        return False
    return handle(node, function, form)


@mutant("once")
def two_locks(node, function, form):
    """A lock for the state, and one for the output; each node begins with another."""
    first, second = ("state", "output") if node.number == 1 else ("output", "state")
    with node.lock(first), node.lock(second):
        while not handle(node, function, form):
            pass
    return True


@mutant(PREPARING)
def hint_overwritten(node, form, stage):
    """The hint of the queue is set by a plain write."""
    name, cells = stage[3][stage[4]][0], node.store(QUEUES)
    index = start = cells.read(f"{name}{HINT}")[1] or 0
    while Queue(cells, name).read(index)[0]:
        index += 1
    if index > start:
        cells.write(f"{name}{HINT}", index)
    return [WRITING, *stage[1:], index]


@mutant("drive")
def leaves_to_its_twin(node, function, form):
    """A node that has begun once before leaves the rest to its twin."""
    if node.registers.cas(f"begun.{node.number}", 0, True):
        drive(node, function, form)


@mutant("once")
def restoring(node, function, form):
    """A node that goes on with what another has begun takes a new epoch, and reads all inputs again."""
    version, stage = form.read(node)
    if stage[0] != HANDLING:
        epoch, _ = node.registers.read("epoch")
        node.registers.cas("epoch", epoch, "taken over")
        at = node.start
        while at != stage[2]:
            _, at = node.read(at)
    return go_on(node, function, form, version, stage)


@mutant("drive")
def giving_up(node, function, form):
    """An unknown outcome ends the incarnation, and the next one asks."""
    while not handle(node, function, form):
        pass


@mutant(WRITING, items=1)
def takes_back(node, form, stage):
    """The value is put into the cell, taken back, and put there again."""
    (name, message), store = stage[3][stage[4]], node.store(QUEUES)
    where = cell(name, stage[5])
    version, held = store.read(where)
    while version < 3 and held in (None, message):
        store.cas(where, version, message if held is None else None)
        version, held = store.read(where)
    return next_stage(*stage[1:4], stage[4] + 1)

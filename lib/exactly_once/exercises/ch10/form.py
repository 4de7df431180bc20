"""A lock-free machine whose parts are the learner's or ours, and queues that are full before a run begins."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput, OutcomeUnknown
from ...lockfree import Queue
from ...lockfree.general import HANDLING, PREPARING, WRITING, next_stage
from ...lockfree.queue import cell, cells_in
from ...node import Program
from ...node.program import renamed
from ...node.sent import values_of
from ...node.source import CellSource
from ...node.world import QUEUES
from ...stores.codec import decode, describe, encode

MACHINES = "machines"
MOST_CELLS = 6  # of a queue that are looked at


@dataclass(frozen=True)
class Filled(CellSource):
    """The queues of a reader, and values that are in some queues, its own or others, when a run begins.

    `values` has (queue, text of its values) each. A cell holds such a value as it is, as the learner's machine would
    write it; those of `lockfree.given.Given` hold `Sent` messages, and are all that its queues will ever hold.
    """

    values: tuple[tuple[str, str], ...] = ()

    def load_inputs(self, stores):
        """Fill the queues."""
        for queue, text in self.values:
            for index, value in enumerate(decode(text)):
                if not stores[QUEUES].look(cell(queue, index), "cell"):
                    stores[QUEUES].prepare(cell(queue, index), "write", value)


def filled(**queues):
    """Return the `Filled` of queues with these values, each list by the queue's name."""
    return Filled(tuple(queues), tuple((queue, encode(values)) for queue, values in queues.items()))


def computed(node, function, state, positions):
    """Read the inputs and call the function; return (state, positions, outputs), all as they are afterwards."""
    inputs, positions = node.read(positions)
    outputs = []
    for row in inputs if isinstance(node.source, CellSource) else [inputs]:
        state, outputs = function(state, row)
    return state, positions, outputs


def following(state, positions, outputs, k):
    """Return the stage in which the next output from k on is to be written; HANDLING when there is none."""
    k = next((place for place in range(k, len(outputs)) if outputs[place] is not None), len(outputs))
    return next_stage(state, positions, outputs, k)


def preparing(node, stage, queue):
    """Return the stage that follows PREPARING: a place that was empty."""
    return [WRITING, *stage[1:], queue.next_index()]


def named(node, name, step, value):
    """Return a message that carries its sender and step."""
    return [name, step, value]


@dataclass(frozen=True)
class Machine:
    """The parts of one handler of the general form; some parts may be the learner's.

    `source` is a `Source`, `outputs` are the names of its queues, `store` and `name` give the place of its register.
    Four parts can be replaced: `handling(node, function, state, positions)`, `following(state, positions, outputs,
    k)` and `preparing(node, stage, queue)` return stages, `message(node, name, step, value)` a cell's value.
    `follow(node, machine, stage)` replaces all four.
    """

    function: Callable
    source: Any
    first: str = encode(None)  # the text of the state before any input
    outputs: tuple[str, ...] = ("output",)
    name: str = "handler"
    store: str = MACHINES
    handling: Callable | None = None
    following: Callable = following
    preparing: Callable = preparing
    message: Callable = named
    follow: Callable | None = None

    @property
    def program(self):
        """The program of a node."""
        return Program(self.handler, self.source, self.outputs[0] if self.outputs else "output", feeds=self.outputs)

    @property
    def handler(self):
        """The function of a node."""

        def handler(node):
            drive(node, self)

        return renamed(handler, self.name)


def drive(node, machine):
    """Make one transition after the other, each by compare-and-swap, until no input is left."""
    ended = False
    while not ended:
        try:
            ended = handle(node, machine)
        except OutcomeUnknown:
            ended = False


def handle(node, machine):
    """Go on from the machine's stage until another node is faster. Returns True when there is no input left."""
    register = node.store(machine.store)
    version, stage = register.read(machine.name)
    stage = stage or [HANDLING, decode(machine.first), node.start]
    while stage[0] != HANDLING or node.running(stage[2]):
        stage = (machine.follow or follow)(node, machine, stage)
        if not register.cas(machine.name, version, stage):
            return False
        version += 1
    return True


def follow(node, machine, stage):
    """Carry out the task of a stage, and return the next stage."""
    return checked(_followed(node, machine, stage))


def _followed(node, machine, stage):
    kind, state, positions, *rest = stage
    if kind == HANDLING and machine.handling is not None:
        return machine.handling(node, machine.function, state, positions)
    if kind == HANDLING:
        return machine.following(*computed(node, machine.function, state, positions), 0)
    outputs, k, *place = rest
    queue = Queue(node.store(QUEUES), machine.outputs[k])
    if kind == PREPARING:
        return machine.preparing(node, stage, queue)
    message = machine.message(node, machine.name, sum(positions.values()), outputs[k])
    if queue.push_at_idempotent(message, place[0]):
        return machine.following(state, positions, outputs, k + 1)
    return [PREPARING, state, positions, outputs, k]


LENGTHS = {HANDLING: 3, PREPARING: 5, WRITING: 6}


def checked(stage, lengths=None):
    """Return a stage. Raises `BadInput` for another kind, or another number of entries."""
    lengths = lengths or LENGTHS
    if not isinstance(stage, list) or not stage or lengths.get(stage[0]) != len(stage):
        raise BadInput(f"{stage!r} is no stage; one is a list such as ['{HANDLING}', state, positions].")
    return stage


def values_in(view, queue):
    """Return the values in the filled cells of a queue: the last entry of each message."""
    cells = cells_in(lambda register: view.look(QUEUES, register, "cell"), queue)
    return [value for held in cells for value in (held[-1:] if isinstance(held, list) and held else values_of(held))]


def cells_seen(view, queue):
    """Return the values of a queue's first `MOST_CELLS` cells, None for an empty cell."""
    return [view.look(QUEUES, cell(queue, index), "cell") for index in range(MOST_CELLS)]


def holds(view, wanted):
    """Return True if each queue of `wanted`, {queue: values}, holds a prefix of its values, and at the end all.

    Otherwise return a sentence on the mistake."""
    for queue, values in wanted.items():
        found = values_in(view, queue)
        if found == (values if view.done else values[: len(found)]):
            continue
        return f"the queue {queue!r} holds {said(found)}; right is {said(values)}"
    return True


def said(values):
    """Return a list of values in words."""
    return ", ".join(map(describe, values)) or "nothing"

"""The library's lock-free machine with a part of it the learner's, and queues that are full before a run begins."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ...errors import BadInput, OutcomeUnknown
from ...lockfree.general import HANDLING, PREPARING, WRITING, Form, drive, next_stage
from ...lockfree.queue import cell, cells_in
from ...node import Program
from ...node.program import renamed
from ...node.source import Sent, values_of
from ...node.world import QUEUES
from ...stores.codec import describe, encode
from ..ch08.checks import Accounts

LENGTHS = {HANDLING: 3, PREPARING: 5, WRITING: 6}


def filled(beside: Mapping[str, list[Any]] = MappingProxyType({}), **queues: list[Any] | None) -> Accounts:
    """Return the source of a reader of queues, each with its values when a run begins, or None for none.

    `beside` has the values of other queues. A cell holds such a value as it is.
    """
    held = [(queue, values or ()) for queue, values in [*queues.items(), *beside.items()]]
    cells = [(cell(queue, index), encode(value)) for queue, values in held for index, value in enumerate(values)]
    return Accounts(tuple(queues), tuple((QUEUES, *one) for one in cells))


def machine(function, source, outputs=("output",), name="handler", **parts):
    """Return the program of a node that runs a function lock-free; `parts` are as in `lockfree.general.drive`."""
    form = Form(None, outputs, name, ("machines", name))

    def handler(node):
        drive(node, function, form, **parts)

    return Program(renamed(handler, name), source, outputs[0] if outputs else "output", feeds=outputs)


def stepping(name, source, outputs, followed):
    """Return the program of a node that goes from stage to stage; `followed(node, stage)` returns the next one."""

    def handler(node):
        register = node.store("machines")
        while True:
            try:
                version, stage = register.read(name)
                stage = stage or [HANDLING, None, node.start]
                while stage[0] != HANDLING or node.running(stage[2]):
                    stage = followed(node, stage)
                    if not register.cas(name, version, stage):
                        break
                    version += 1
                else:
                    return
            except OutcomeUnknown:
                continue

    return Program(renamed(handler, name), source, outputs[0], feeds=outputs)


def sending(node, name, stage, outputs):
    """Return the stage that follows HANDLING, in which (queue, value) of `outputs` are sent, whatever the input."""
    _, state, positions = stage
    _, positions = node.read(positions)
    step = sum(positions.values())
    return next_stage(state, positions, [[queue, [name, step, value]] for queue, value in outputs], 0)


def checked(stage, lengths=LENGTHS):
    """Return a stage. Raises `BadInput` for another kind, or another number of entries."""
    if not isinstance(stage, list) or not stage or lengths.get(stage[0]) != len(stage):
        raise BadInput(f"{stage!r} is no stage; one is a list such as ['{HANDLING}', state, positions].")
    return stage


def values_in(view, queue):
    """Return the values in the filled cells of a queue: those that were sent, or the last entry of a list."""
    cells = cells_in(lambda register: view.look(QUEUES, register, "cell"), queue)
    return [value for held in cells for value in (values_of(held) if isinstance(held, Sent) else held[-1:])]


def cells_seen(view, queue):
    """Return the contents of a queue's first six cells, None for an empty cell."""
    return [view.look(QUEUES, cell(queue, index), "cell") for index in range(6)]


def holds(view, wanted):
    """Return True if each queue of `wanted`, {queue: values}, holds a prefix of its values, and at the end all.

    Otherwise return a sentence on the mistake."""
    for queue, values in wanted.items():
        found = values_in(view, queue)
        if found != (values if view.done else values[: len(found)]):
            return f"the queue {queue!r} holds {said(found)}; right is {said(values)}"
    return True


def said(values: list[list[Any]]) -> str:
    """Return a list of values in words."""
    return ", ".join(map(describe, values)) or "nothing"

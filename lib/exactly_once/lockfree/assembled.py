"""The lock-free handler put together from three parts that a learner wrote: two transitions and the loop."""

from ..errors import BadInput
from ..node.program import runs_as
from ..node.world import MACHINE, QUEUES
from .general import HANDLING, PREPARING, WRITING
from .queue import Queue


def assembled(handling, writing, loop):
    """Return a function that makes handlers of these parts, as the learner writes them in chapter 10.

    `handling(node, function, state, positions)` returns the stage that follows HANDLING. `writing(queue, state,
    positions, messages, k, index)` returns the stage that follows WRITING. `loop(registers, name, first, follow)`
    goes from stage to stage until `follow` returns None.

    The function that is returned takes the pure function, its first state, the names of the queues, and the name of
    the machine. `sent(node, name, step, value)` returns the message that a cell holds for a value, `queue_of(node,
    store, name)` returns a queue, and `parts` are other transitions than the two above.

    Raises `BadInput` for a part that is no function.
    """
    for part in (handling, writing, loop):
        if not callable(part):
            raise BadInput(f"A part of the handler is {part!r:.60}; give three functions: handling, writing, loop.")

    def machine(
        function,
        first,
        queues=("output",),
        name="own",
        sent=lambda node, name, step, value: value,
        parts=(handling, writing),
        queue_of=lambda node, store, name: Queue(node.store(store), name),
        **source,
    ):
        handle, write = parts

        def follow(node, stage):
            kind, state, positions, *rest = stage
            if kind == HANDLING:
                return handle(node, function, state, positions) if node.running(positions) else None
            outputs, k, *place = rest
            queue = queue_of(node, QUEUES, queues[k])
            if kind == PREPARING:
                return [WRITING, *stage[1:], queue.next_index()]
            messages = [sent(node, name, sum(positions.values()), value) for value in outputs]
            kind, state, positions, *rest = write(queue, state, positions, messages, k, *place)
            return [kind, state, positions, outputs, *rest[1:]] if rest else [kind, state, positions]

        @runs_as(machine=(MACHINE[0], name), feeds=queues, **source)
        def handler(node):
            first_stage = [HANDLING, first, node.start]
            loop(node.store(MACHINE[0]), name, first_stage, lambda stage: follow(node, stage))

        return handler

    return machine

"""The lock-free handler in its general form: a pure function over streams, exactly once, on any number of nodes.

The learner writes a function (state, inputs) → (state, outputs). A state machine in one register drives it, over
stores that share nothing:

    HANDLING(state, positions)                          read the inputs there, and call the function
    PREPARING(state, positions, outputs, k)             find an empty index of the queue of output k
    WRITING(state, positions, outputs, k, index)        put output k there, unless it is there already

From the end of HANDLING on, state and positions are those after the step: the outputs are fixed before anybody writes
them. Each transition is a compare-and-swap on the register, so only one node makes it; a node that loses, or cannot
know whether it won, reads the register again and goes on from there. An output that is None is not written, and a
step without outputs goes from HANDLING to HANDLING: the article's machine would index an empty list there. Source:
the article on heterogeneous concurrent exactly-once processing by lock-free half-transactions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any, TypeAlias

from ..errors import BadInput, CourseError, OutcomeUnknown, whole
from ..faults import Point
from ..node import Node
from ..node.node import Handler
from ..node.program import OUTPUT, renamed, runs_as
from ..node.source import CellSource, Offsets, Source, sent_by
from ..node.world import MACHINE, QUEUES
from ..stores.codec import Value, decode, encode
from .queue import Queue, checked_value, is_emptied

UNSTARTED = (GeneratorType, CoroutineType, AsyncGeneratorType)
HANDLING, PREPARING, WRITING = "HANDLING", "PREPARING", "WRITING"
Function: TypeAlias = Callable[[Any, Any], tuple[Value, Sequence[Value]]]
MachineState: TypeAlias = list[Any]
Transition: TypeAlias = Callable[..., MachineState]


class Emptied(Exception):
    """The message to be read next is gone: retention has emptied its cell."""


@dataclass(frozen=True)
class Form:
    """The parts of one lock-free handler, except its function.

    `first` is its state before any input. `outputs` are the names of its queues, `name` its own, which its messages
    carry. `machine` is (store, part) of its register. `batch` is the most inputs of one step: a cell then holds all
    their messages to a queue. With `points` it passes the crash points A to E.
    """

    first: Value = None
    outputs: tuple[str, ...] = (OUTPUT,)
    name: str = "handler"
    machine: tuple[str, str] = MACHINE
    batch: int = 1
    points: bool = False

    def beginning(self, node: Node) -> MachineState:
        """Return the stage of a machine that nothing was written to."""
        return [HANDLING, decode(encode(self.first)), node.start]

    def read(self, node: Node) -> tuple[int, MachineState]:
        """Return (version, stage) of the machine: the beginning where nothing was written."""
        store, part = self.machine
        version, stage = node.store(store).read(part)
        return version, stage or self.beginning(node)

    def crash_point(self, node: Node, letter: Point) -> None:
        """Pass a crash point, if this handler has them."""
        if self.points:
            node.crash_point(letter)


def general(
    function: Function,
    first: Value = None,
    inputs: tuple[str, ...] | Source = (),
    outputs: Sequence[str] = (OUTPUT,),
    name: str = "handler",
    store: str = MACHINE[0],
    batch: int = 1,
    points: bool = False,
) -> Handler:
    """Return the handler that runs a pure function (state, inputs) → (state, outputs), lock-free.

    `first` is the state before any input. The inputs of a step are the list of what one read gives, such as the
    readings of an hour, or a record of the source `inputs`; or, where `inputs` are names of queues or `Given`, a list
    with the next value of each, or None where a queue has none. The outputs of a step are a list with one value for
    each queue of `outputs`, or None for nothing; a shorter list leaves out the last. `name` is the handler's, which
    no other one may have whose values go to the same queue; its state is kept in the register of that name in
    `store`. `batch` is how many inputs one step may take. With `points` it passes the crash points A to E, as
    `lock_free` does.

    The function is given copies. It must have no side effect, and no memory outside the state: any node may call it
    again with the same values, and the result of the first to finish counts, so that chance does no harm. (The
    explorer asks for the same answer each time, to tell states apart.)

    Raises `BadInput` for settings that make no sense.
    """
    if not callable(function):
        raise BadInput(f"The function is {function!r}; give one of two arguments, the state and the inputs.")
    if not isinstance(name, str) or not name or "." in name:
        raise BadInput(f"The name of a handler is {name!r}; it is text without a dot, such as 'averages'.")
    if not isinstance(outputs, (tuple, list)) or not all(isinstance(one, str) and one for one in outputs):
        raise BadInput(f"The outputs are {outputs!r}; give the names of queues, such as ('output',), or () for none.")
    outputs = tuple(outputs)
    if len(set(outputs)) < len(outputs):
        raise BadInput(f"The outputs are {outputs!r}; name each queue once.")
    encode(first)
    form = Form(first, outputs, name, (store, name), whole("the number of inputs of a step", batch, least=1), points)
    source = {"source": inputs if isinstance(inputs, Source) else CellSource(inputs)} if inputs else {}

    @runs_as(machine=form.machine, feeds=outputs, output=outputs[0] if outputs else OUTPUT, **source)
    def handler(node: Node) -> None:
        drive(node, function, form)

    return renamed(handler, name)


def drive(
    node: Node, function: Function, form: Form, once: Callable[..., bool] | None = None, **parts: Transition
) -> None:
    """Handle inputs until there are none left. A step whose outcome is unknown is asked about at the machine.

    `once` is another function in place of `handle`, and `parts` are some in place of `compute` and `follow`.
    """
    ended = False
    while not ended:
        try:
            ended = (once or handle)(node, function, form, **parts)
        except OutcomeUnknown:
            ended = False


def handle(node: Node, function: Function, form: Form, **parts: Transition) -> bool:
    """Go on from the machine's stage as far as this node can: to the end of a step, or until another is faster.

    Nothing is kept from one call to the next, since the machine holds all there is to know. Returns True when there
    is no input left.
    """
    version, stage = form.read(node)
    return go_on(node, function, form, version, stage, **parts)


def go_on(node: Node, function: Function, form: Form, version: int, stage: MachineState, **parts: Transition) -> bool:
    """Go on from a stage that the machine had at this version, as `handle` does."""
    registers, (store, part) = node.store, form.machine
    if stage[0] == HANDLING:
        if not node.running(stage[2]):
            return True
        try:
            stage = parts.get("compute", compute)(node, function, form, *stage[1:])
        except Emptied as gone:
            return late(node, form, version, gone)
        form.crash_point(node, "A")
        if not registers(store).cas(part, version, stage):
            return False
        version += 1
    while stage[0] != HANDLING:
        node.concerning(stage[3][stage[4]][1].item, stage[1])
        if stage[0] == WRITING and stage[4]:
            form.crash_point(node, "B")
        following = parts.get("follow", follow)(node, form, stage)
        last = following[0] == HANDLING
        if last:
            form.crash_point(node, "C")
        if not registers(store).cas(part, version, following):
            return False
        stage, version = following, version + 1
        if last:
            form.crash_point(node, "D")
    form.crash_point(node, "E")
    return False


def late(node: Node, form: Form, version: int, gone: Emptied) -> bool:
    """Return False when another node has handled an input that retention has emptied since.

    Raises `CourseError` when nobody has.
    """
    store, part = form.machine
    if node.store(store).read(part)[0] == version:
        raise CourseError(
            f"The handler {form.name!r} has come to {gone}, and retention has emptied that cell: the message is "
            "lost. Let retention empty only what all readers have handled."
        ) from None
    return False


def compute(node: Node, function: Function, form: Form, state: Value, positions: Offsets) -> MachineState:
    """Read the inputs at the positions, call the function for each, and return the stage that follows HANDLING."""
    sent: list[list[Value]] = [[] for _ in form.outputs]
    at, taken = positions, 0
    while taken < form.batch and (not taken or node.running(at)):
        items, following = node.read(at)
        rows = items if isinstance(node.source, CellSource) else [items]
        check_kept(node.source, at, rows)
        at = following
        for row in rows:
            state, outputs = answered(function, state, row, form)
            for values, value in zip(sent, outputs, strict=False):
                values += [] if value is None else [decode(encode(checked_value(value)))]  # it may go on with its own
        taken += len(rows)
        if isinstance(node.source, CellSource):
            break  # the next read might have to wait
    step = sum(at.values())
    messages = [
        [queue, sent_by(node, form.name, step, values)]
        for queue, values in zip(form.outputs, sent, strict=True) if values
    ]  # fmt: skip
    return next_stage(state, at, messages, 0)


def check_kept(source: Source, positions: Offsets, rows: list[list[Value]]) -> None:
    """Raise `Emptied` if retention has removed the values of a queue at these positions."""
    for queue, value in zip(source.queues, rows[0], strict=True) if isinstance(source, CellSource) else ():
        if is_emptied(value):
            raise Emptied(f"index {positions[queue]} of the queue {queue!r}")


def answered(function: Function, state: Value, row: Value, form: Form) -> tuple[Value, Sequence[Value]]:
    """Return the result of the function for a state and inputs. Raises `BadInput` for an answer of another form."""
    answer = function(state, row)
    if not isinstance(answer, tuple) or len(answer) != 2:
        plainly = " from a plain function, without `yield` and `async`" * (type(answer) in UNSTARTED)
        raise BadInput(f"The function of {form.name!r} returned {answer!r}; return (state, outputs){plainly}.")
    state, outputs = answer
    if not isinstance(outputs, (list, tuple)) or len(outputs) > len(form.outputs):
        raise BadInput(
            f"The outputs of {form.name!r} are {outputs!r}; give a list with a value, or None, for each of its "
            f"queues: {', '.join(form.outputs) or 'it has none'}."
        )
    return state, outputs


def next_stage(state: Value, positions: Offsets, outputs: list[Value], k: int) -> MachineState:
    """Return the stage in which output k is to be written, or the next input handled when there is none."""
    if k < len(outputs):
        return [PREPARING, state, positions, outputs, k]
    return [HANDLING, state, positions]


def follow(node: Node, form: Form, stage: MachineState) -> MachineState:
    """Carry out PREPARING or WRITING, and return the next stage."""
    kind, state, positions, outputs, k, *place = stage
    name, message = outputs[k]
    queue = Queue(node.store(QUEUES), name)
    if kind == PREPARING:
        index = queue.next_index()
        return [WRITING, state, positions, outputs, k, index]
    if queue.push_at_idempotent(message, place[0]):
        return next_stage(state, positions, outputs, k + 1)
    return [PREPARING, state, positions, outputs, k]  # another handler's message is there: find a new place


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

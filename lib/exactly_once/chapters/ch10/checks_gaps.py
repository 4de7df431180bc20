"""The gaps of chapter 10: parts of the lock-free machine, which is explored with them."""

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

from ...errors import BadInput, OutcomeUnknown
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.kind import called
from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import wrong
from ...lockfree import Queue
from ...lockfree.general import HANDLING, WRITING, compute, follow
from ...lockfree.general import next_stage as of_general
from ...node import Program
from ...node.program import renamed
from ...node.source import sent_by
from ...node.world import MACHINE, QUEUES
from ...pipeline import Job
from .form import checked, filled, holds, machine, said, sending, stepping, values_in

ITEMS: dict = {}  # {name: item}

MOST_READINGS = 8  # there are two in an hour, and two hours


def readings_so_far(state: int | None, inputs: list[Any]) -> tuple[int, list[int]]:
    """Count the readings so far: the pure function inside the machine."""
    seen = (state or 0) + len(inputs)
    if seen > MOST_READINGS:
        raise BadInput("The same readings are counted again and again. From where does the next read go on?")
    return seen, [seen]


def outputs_are(*values: Any) -> Callable[..., Any]:
    """Return the invariant: the queue "output" holds these values, one after another."""
    return partial(holds, wanted={"output": list(values)})


# 10-handling: the step out of HANDLING fixes all later writes.


def handled_by(handling, hours):
    """Return the program of a node that counts readings, and leaves HANDLING as the learner says."""

    def computed(node, function, form, state, positions):
        stage = checked(handling(node, function, state, positions))
        if stage[0] != HANDLING:
            step = sum(stage[2].values())
            stage[3] = [[form.outputs[0], sent_by(node, form.name, step, [value])] for value in stage[3]]
        return stage

    return machine(readings_so_far, Job(items=hours), compute=computed)


def one_handler(answer):
    """Return one node, with two hours to handle."""
    return [handled_by(answer, 2)]


def two_handlers(answer):
    """Return two nodes, with one hour to handle."""
    return [handled_by(answer, 1)] * 2


ITEMS["10-handling"] = Proved(
    refuses=(compute,),
    worlds=[
        World("One node that counts the readings of two hours", one_handler, outputs_are(2, 4)),
        World("One node, and one crash", one_handler, outputs_are(2, 4), {"crashes": 1}),
        World("Two nodes at once, and one reply is lost", two_handlers, outputs_are(2), {"lost_replies": 1}),
    ],
    praise="State, positions and outputs are fixed together, by the one write that leaves HANDLING.",
)

# 10-no-outputs: the stage that follows where an output is none, or where there are none at all.

ITEMS["10-no-outputs"] = Compared(
    refuses=(of_general,),
    cases=[
        ("state", {"orders": 1}, outputs, k)
        for outputs, k in (
            (["a"], 0),
            (["a"], 1),
            ([], 0),
            ([None], 0),
            ([None, "b"], 0),
            (["a", None], 0),
            (["a", None], 1),
            (["a", None, "c"], 1),
            ([0, "b"], 0),
            (["a", False], 1),
            ([None, None, None], 0),
        )
    ],
    praise="An output that is None is passed over, and a step without outputs goes back to HANDLING ({count} cases).",
)

# 10-pure: a function that remembers something outside its state, and is to keep it in the state.

ORDERS, INVOICES = ["tea", "milk", "tea"], [[1, "tea"], [2, "milk"], [3, "tea"]]


def twice(theirs: Any) -> list[list[tuple[Any, ...]]]:
    """Call a function for each order, each time twice with the same state; return the pairs of answers."""
    state, found = None, []
    for order in ORDERS:
        found.append([deepcopy(theirs(deepcopy(state), [order])) for _ in range(2)])
        state = found[-1][0][0]
    return found


def remembers(answer: Any, run: Any) -> Any:
    """Return the reply to a function that gives two answers to the same question, or None."""
    for order, (first, second) in zip(ORDERS, called(twice, answer), strict=True):
        if first != second:
            return wrong(
                f"Called twice with the same state and with {order!r}, your function gives {first[1]!r}, and then "
                f"{second[1]!r}: it remembers the first call. A twin that calls it again may be the one whose answer "
                "counts."
            )
    return None


def numbering(answer: Any, count: int) -> Program:
    """Return the program of a node that handles so many orders."""
    return machine(answer, filled(orders=ORDERS[:count]))


ITEMS["10-pure"] = Proved(
    worlds=[
        World("One node, which dies", lambda answer: [numbering(answer, 3)], outputs_are(*INVOICES), {"crashes": 1}),
        World("Two nodes at once", lambda answer: [numbering(answer, 2)] * 2, outputs_are(*INVOICES[:2])),
    ],
    idle=lambda run: "returned None" in (run.error or ""),
    objects=remembers,
    praise="Your function remembers nothing outside its state, so any node may call it, any number of times.",
)

# 10-writing: what follows WRITING, when the cell holds the value, and when it holds a stranger's message.

BOTH = ("first", "second")


def writes(writing, name):
    """Return the program of a handler that sends a text to two queues, and whose WRITING is the learner's."""

    def followed(node, stage):
        if stage[0] == HANDLING:
            return sending(node, name, stage, [(queue, f"{name} to the {queue}") for queue in BOTH])
        if stage[0] != WRITING:
            return follow(node, None, stage)
        _, state, positions, outputs, k, index = stage
        queue, messages = Queue(node.store(QUEUES), outputs[k][0]), [message for _, message in outputs]
        stage = checked(writing(queue, state, positions, messages, k, index))
        if stage[0] == WRITING and stage[4:] == [k, index]:
            raise BadInput("It is WRITING again, at the same place, which another message has: that has no end.")
        return [*stage[:3], outputs, *stage[4:]] if len(stage) > 3 else stage

    return stepping(name, Job(items=1), BOTH, followed)


def texts(when: str, *names: str, twins: int = 1, **faults: int) -> World:
    """Return the world in which each handler's text is in each queue once in the end, and never twice."""

    def rule(view):
        for queue in BOTH:
            wanted = sorted(f"{name} to the {queue}" for name in names)
            found = sorted(values_in(view, queue))
            if found != wanted if view.done else any(found.count(one) > wanted.count(one) for one in found):
                return f"the queue {queue!r} holds {said(found)}; right is {said(wanted)}"
        return True

    return World(
        when, lambda answer: [writes(answer, name) for name in names] * twins, rule, {"lock_free": True, **faults}
    )


ITEMS["10-writing"] = Proved(
    worlds=[
        texts("One node, one step with two outputs", "one"),
        texts("Two handlers in the same queues", "one", "other"),
        texts("Twins, one of which dies", "one", twins=2, crashes=1),
    ],
    praise="After a stranger's message the node looks for a new place, and each output is written once. Whether this "
    "call, an earlier one or a twin has filled the cell makes no difference to the next stage.",
)

# 10-loop: the machine is read, the stage followed, the next one tried; after a refusal the machine is read again.


def looping(loop: Callable[..., Any], hours: int) -> Program:
    """Return the program of a node that runs the learner's loop until no input is left."""
    store, name = MACHINE

    def handler(node):
        def step(stage):
            if stage[0] != HANDLING:
                return follow(node, None, stage)
            if not node.running(stage[2]):
                return None
            inputs, positions = node.read(stage[2])
            state, [value] = readings_so_far(stage[1], inputs)
            return of_general(state, positions, [["output", [name, state, value]]], 0)

        first, ended = [HANDLING, None, node.start], False
        while not ended:
            try:
                loop(node.store(store), name, list(first), step)
                ended = True
            except OutcomeUnknown:
                pass  # the learner's loop is called again, as by a new process
        stage = node.store(store).read(name)[1] or first
        node.registers.cas(f"left.{node.number}", 0, [stage[0] != HANDLING or node.running(stage[2])])

    return Program(renamed(handler, name), Job(items=hours), feeds=("output",))


def loops(when: str, nodes: int, *values: int, **bounds: Any) -> World:
    """Return the world in which these outputs are made, and no node ends before all inputs were handled."""

    def rule(view):
        if any(held == [True] for name, held in view.registers.items() if name.startswith("left.")):
            return "a node's loop has ended although inputs are left; if the other node stops, nobody handles them"
        return holds(view, {"output": list(values)})

    return World(when, lambda answer: [looping(answer, len(values))] * nodes, rule, bounds)


ITEMS["10-loop"] = Proved(
    worlds=[
        loops("One node, two hours, and nothing goes wrong", 1, 2, 4, lock_free=True),
        loops("Two nodes at once, one hour", 2, 2, lock_free=True),
        loops("Two nodes at once, and one dies", 2, 2, crashes=1),
        loops("Two nodes at once, and a request arrives late", 2, 2, late_requests=1),
    ],
    praise="A node whose `cas` was refused drops the stage that it wanted to write, and reads the machine again. So "
    "each stage is written by one node, and follows the stage before it.",
)

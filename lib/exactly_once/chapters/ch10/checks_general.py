"""The challenge of chapter 10: the whole general form, from its specification, against all that may strike it."""

from dataclasses import dataclass

from ...exercises.kinds.kind import Specified
from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import wrong
from ...node import Program
from ...node.program import renamed
from ...node.world import QUEUES
from ...stores.codec import encode
from .form import Filled, cells_seen, said, values_in

# 10e: the whole general form, in twenty-four worlds.

STORES = ("machines", QUEUES)
FUNCTIONS = {
    "doubles": lambda state, inputs: (state, [2 * inputs[0]]),
    "adds": lambda state, inputs: ((state or 0) + inputs[0], [(state or 0) + inputs[0]]),
    "two outputs": lambda state, inputs: (state, ["left", "right"]),
    "none": lambda state, inputs: (
        state,
        {1: [0, None], 2: [None, None], 3: [None, "c"], 4: ["d"], 5: []}[inputs[0]],
    ),
    "counts": lambda state, inputs: ((state or 0) + 1, []),
    "rows": lambda state, inputs: (state, [inputs]),
}


@dataclass(frozen=True)
class Trial:
    """The nodes of one handler, or of two, and the contents of the inputs.

    An input that is None is filled while the handlers run. `wanted` is the required end of each queue, in order; for
    "rows" each input's values in their order, under any grouping.
    """

    does: str
    inputs: dict
    wanted: dict
    nodes: int = 1
    names: tuple = ("ours",)


def world(when, does, inputs, wanted, nodes=1, names=("ours",), **faults):
    """Return a world; `inputs` and `wanted` are {queue: contents}, or the contents of the only one."""
    inputs = inputs if isinstance(inputs, dict) else {"numbers": inputs}
    one = Trial(does, inputs, wanted if isinstance(wanted, dict) else {"output": wanted}, nodes, names)
    rule = Specified(exactly_once, objection, one)
    return World(when, lambda answer: programs(answer, one), rule, {"lock_free": True, **faults})


def exactly_once(view, world):
    """Tell whether each queue holds a prefix of one node's outputs, and in the end all of these outputs:
    nothing is lost, nothing is doubled, no cell is skipped. A cell's value is the last entry of its list.
    """
    for queue in world.wanted:
        for found, wanted in sequences(view, world, queue):
            if found != (wanted if view.done else wanted[: len(found)]):
                return False
        if not in_form(view, queue):
            return False
    return True


def sequences(view, world, queue):
    """Return the pairs (present values, required final values) of a queue: one pair, or, where the grouping of
    inputs is open, a pair for each input.
    """
    found, wanted = values_in(view, queue), world.wanted[queue]
    if world.does != "rows":
        return [(found, wanted)]
    rows_of = [[row[at] for row in found if row[at] is not None] for at in range(len(wanted))]
    return list(zip(rows_of, wanted, strict=True))


def in_form(view, queue):
    """Tell whether each cell that is full holds a list, and no empty one stands before it."""
    cells = cells_seen(view, queue)
    full = [one for one in cells if isinstance(one, list) and one]
    return cells[: len(full)] == full and not any(cells[len(full) :])


def objection(view, world):
    """Return a sentence on the mistake."""
    for queue in world.wanted:
        strange = [one for one in cells_seen(view, queue) if one is not None and not (isinstance(one, list) and one)]
        if strange:
            return f"a cell of {queue!r} holds {strange[0]!r}; it is a list whose last entry is the value"
        if not in_form(view, queue):
            return f"a cell of {queue!r} is empty, and a later one is full: readers stop there"
        for name, (found, wanted) in zip(world.inputs, sequences(view, world, queue), strict=False):
            if found != (wanted if view.done else wanted[: len(found)]):
                of_what = f" of the input {name!r}" if world.does == "rows" else ""
                return f"the queue {queue!r} holds {said(found)}{of_what}; right is {said(wanted)}"
    return "the queues are right"


def programs(answer, world):
    """Return the programs of a world's nodes: the learner's function drives one of ours; perhaps an input is fed."""
    full = [(name, encode(held)) for name, held in world.inputs.items() if held is not None]
    source, found = Filled(tuple(world.inputs), tuple(full)), []
    for name in world.names:
        output = next(iter(world.wanted), "output")
        found += [Program(driver(answer, world, name), source, output, feeds=tuple(world.wanted))] * world.nodes
    if len(full) < len(world.inputs):
        found.append(
            Program(lambda node: node.store(QUEUES).cas("others.0", 0, 7), source, name="feeder", feeds=("others",))
        )
    return found


def driver(answer, world, name):
    """Return the handler that has the learner's function drive one of ours."""
    function, queues = FUNCTIONS[world.does], tuple(world.wanted)

    def handler(node):
        answer(node, function, queues, name)

    return renamed(handler, name)


def touches_more(answer, run):
    """Return the reply to a function with a step that the stores do not offer, or None."""
    for event in run.trace:
        store = str(event.detail.get("part", "")).partition(".")[0]
        allowed = event.verb == "reply" or (event.verb in ("read", "cas", "close") and store in STORES)
        if event.kind == "send" and not allowed:
            told = f"Its step “{event.text}” is no read or cas of one cell in the stores {' and '.join(STORES)}"
            return wrong(f"{told}; the stores offer nothing else.", run, WORLDS[1].programs(answer))
    return None


def touches_nothing(run):
    """Tell whether neither a machine nor a cell was read or written in a run, and nobody failed."""
    return not run.error and not any(event.kind == "send" and event.verb in ("read", "cas") for event in run.trace)


TWO, SHARED = {"left": ["left"], "right": ["right"]}, ("left", "right")
WORLDS = [  # from the easiest to the hardest to stand
    world("Even when nothing goes wrong", "doubles", [1, 2], [2, 4]),
    world("With a state", "adds", [2, 3], [2, 5]),
    world("With two outputs", "two outputs", [1], TWO),
    world("With outputs that are none", "none", [1, 2, 3, 4, 5], {"first": [0, "d"], "second": ["c"]}),
    world("Without any queue for outputs", "counts", [1, 2], {}),
    world("With two inputs, one of which is empty", "rows", {"numbers": [1, 2], "others": []}, [[1, 2], []]),
    world("One crash", "adds", [2, 3], [2, 5], crashes=1),
    world("One lost request", "adds", [2, 3], [2, 5], lost_requests=1),
    world("One lost reply", "adds", [2, 3], [2, 5], lost_replies=1),
    world("One request that arrives twice", "adds", [2, 3], [2, 5], duplicates=1),
    world("One late request", "adds", [2, 3], [2, 5], late_requests=1),
    world("One pause: a node is taken for dead, and wakes up", "adds", [2], [2], pauses=1),
    world("Two nodes at once", "adds", [2], [2], 2),
    world("Two nodes at once, with two inputs", "adds", [2, 3], [2, 5], 2),
    world("Two nodes at once, with two outputs", "two outputs", [1], TWO, 2),
    world("Two nodes at once, and one crash", "adds", [2, 3], [2, 5], 2, crashes=1),
    world("Two nodes at once, with two outputs, and one lost reply", "two outputs", [1], TWO, 2, lost_replies=1),
    world("Two nodes at once, and one late request", "adds", [2], [2], 2, late_requests=1),
    world("Two nodes at once, and one request that arrives twice", "adds", [2], [2], 2, duplicates=1),
    world("Two handlers that send equal values to one queue", "doubles", [1], [2, 2], names=SHARED),
    world("Two handlers that send equal values, and one crash", "doubles", [1], [2, 2], names=SHARED, crashes=1),
    world(
        "Two nodes, and an input that comes when it likes", "rows", {"numbers": [1], "others": None}, [[1], [7]], 2
    ),
    world("Two nodes that both die", "adds", [2], [2], 2, crashes=2),
    world("Three nodes at once", "doubles", [1], [2], 3),
]

GENERAL = Proved(
    idle=touches_nothing,
    answer="lock_free",
    tier="challenge",
    form="a function, lock_free(node, function, queues, name)",
    alone=WORLDS[1].programs,
    objects=touches_more,
    worlds=WORLDS,
    mistakes={
        "One crash: after this schedule": (" or cells.read(cell)[1] == message", ""),
        "Two handlers that send equal values to one queue": ("[name, step, one]", "[step, one]"),
        "With a state: after this schedule the queue 'output' holds 2, 3": ("state, outputs =", "_, outputs ="),
        "IndexError": ('"PREPARING" if messages else "HANDLING"', '"PREPARING"'),
        "the queue 'first' holds d": ("if one is not None", "if one"),
        "is no read or cas of one cell in the stores": ("cells.cas(cell, 0, message)", "cells.write(cell, message)"),
        "Two handlers that send equal values": ("== message", "is not None"),
    },
    right=[("[name, step, one]", "[step, name, one]")],
    praise="Your handler is exactly once, and no node waits for another. Proved in {worlds} worlds, with each kind "
    "of fault, with two nodes and three, and with two handlers on one queue ({states} states). Each within its "
    "bounds: two inputs at most where nodes meet, and one fault, or two crashes.",
)

ITEMS = {"10e": GENERAL}

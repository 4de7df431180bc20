"""Exercise 10e: the whole general form, from its specification, against everything that may strike it."""

from dataclasses import dataclass, field

from ...node import Program
from ...node.program import renamed
from ...node.world import QUEUES
from ...stores.codec import encode
from ..kinds.kind import Specified
from ..kinds.proved import Proved, World
from ..kinds.reply import wrong
from .form import Filled, cells_seen, said, values_in

STORES = ("machines", QUEUES)


def doubles(state, inputs):
    """Twice the number."""
    return state, [2 * inputs[0]]


def adds(state, inputs):
    """The sum so far."""
    total = (state or 0) + inputs[0]
    return total, [total]


def both(state, inputs):
    """A value for each of two queues."""
    return state, ["left", "right"]


def some(state, inputs):
    """A value for the first queue, for none, for the second, and a list that is too short."""
    return state, {1: [0, None], 2: [None, None], 3: [None, "c"], 4: ["d"], 5: []}[inputs[0]]


def counts(state, inputs):
    """The state is how many there were; nothing is sent."""
    return (state or 0) + 1, []


def rows(state, inputs):
    """Return the inputs unchanged."""
    return state, [inputs]


@dataclass(frozen=True)
class Trial:
    """One world: handlers as (name, function, number of nodes), the contents of the inputs, and the faults.

    An input that is None is filled while the handlers run. `wanted` is the required end of a queue, in order; for
    two handlers in any order; for `rows` each input's values in their order, under any grouping.
    """

    when: str
    handlers: tuple
    inputs: dict
    wanted: dict
    faults: dict = field(default_factory=dict)

    @property
    def queues(self):
        """The names of the handlers' output queues."""
        return tuple(self.wanted)

    @property
    def together(self):
        """Whether the grouping of the inputs is left open."""
        return any(function is rows for _, function, _ in self.handlers)


def _of(function, nodes=1):
    return (("ours", function, nodes),)


SHARED = (("left", doubles, 1), ("right", doubles, 1))
SUMS, TWO, EMPTY = {"output": [2, 5]}, {"left": ["left"], "right": ["right"]}, {"numbers": [1, 2], "others": []}
OUT = {"first": [0, "d"], "second": ["c"]}
WORLDS = (  # from the easiest to the hardest to stand
    Trial("Even when nothing goes wrong", _of(doubles), {"numbers": [1, 2]}, {"output": [2, 4]}),
    Trial("With a state", _of(adds), {"numbers": [2, 3]}, SUMS),
    Trial("With two outputs", _of(both), {"numbers": [1]}, TWO),
    Trial("With outputs that are none", _of(some), {"numbers": [1, 2, 3, 4, 5]}, OUT),
    Trial("Without any queue for outputs", _of(counts), {"numbers": [1, 2]}, {}),
    Trial("With two inputs, one of which is empty", _of(rows), EMPTY, {"output": [[1, 2], []]}),
    Trial("One crash", _of(adds), {"numbers": [2, 3]}, SUMS, {"crashes": 1}),
    Trial("One lost request", _of(adds), {"numbers": [2, 3]}, SUMS, {"lost_requests": 1}),
    Trial("One lost reply", _of(adds), {"numbers": [2, 3]}, SUMS, {"lost_replies": 1}),
    Trial("One request that arrives twice", _of(adds), {"numbers": [2, 3]}, SUMS, {"duplicates": 1}),
    Trial("One late request", _of(adds), {"numbers": [2, 3]}, SUMS, {"late_requests": 1}),
    Trial("One pause: a node is taken for dead, and wakes up", _of(adds), {"numbers": [2]}, {"output": [2]},
          {"pauses": 1}),
    Trial("Two nodes at once", _of(adds, 2), {"numbers": [2]}, {"output": [2]}),
    Trial("Two nodes at once, with two inputs", _of(adds, 2), {"numbers": [2, 3]}, SUMS),
    Trial("Two nodes at once, with two outputs", _of(both, 2), {"numbers": [1]}, TWO),
    Trial("Two nodes at once, and one crash", _of(adds, 2), {"numbers": [2, 3]}, SUMS, {"crashes": 1}),
    Trial("Two nodes at once, with two outputs, and one lost reply", _of(both, 2), {"numbers": [1]}, TWO,
          {"lost_replies": 1}),
    Trial("Two nodes at once, and one late request", _of(adds, 2), {"numbers": [2]}, {"output": [2]},
          {"late_requests": 1}),
    Trial("Two nodes at once, and one request that arrives twice", _of(adds, 2), {"numbers": [2]}, {"output": [2]},
          {"duplicates": 1}),
    Trial("Two handlers that send equal values to one queue", SHARED, {"numbers": [1]}, {"output": [2, 2]}),
    Trial("Two handlers that send equal values, and one crash", SHARED, {"numbers": [1]}, {"output": [2, 2]},
          {"crashes": 1}),
    Trial("Two nodes, and an input that comes when it likes", _of(rows, 2), {"numbers": [1], "others": None},
          {"output": [[1], [7]]}),
    Trial("Two nodes that both die", _of(adds, 2), {"numbers": [2]}, {"output": [2]}, {"crashes": 2}),
    Trial("Three nodes at once", _of(doubles, 3), {"numbers": [1]}, {"output": [2]}),
)  # fmt: skip


def exactly_once(view, world):
    """Tell whether each queue holds a prefix of one node's outputs, and in the end all of these outputs:
    nothing is lost, nothing is doubled, no cell is skipped. A cell's value is the last entry of its list.
    """
    for queue in world.queues:
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
    if not world.together:
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
    for queue in world.queues:
        cells = cells_seen(view, queue)
        if strange := [one for one in cells if one is not None and not (isinstance(one, list) and one)]:
            return f"a cell of {queue!r} holds {strange[0]!r}; it is a list whose last entry is the value"
        if not in_form(view, queue):
            return f"a cell of {queue!r} is empty, and a later one is full: readers stop there"
        for name, (found, wanted) in zip(world.inputs, sequences(view, world, queue), strict=False):
            if found != (wanted if view.done else wanted[: len(found)]):
                of_what = f" of the input {name!r}" if world.together else ""
                return f"the queue {queue!r} holds {said(found)}{of_what}; right is {said(wanted)}"
    return "the queues are right"


def feeder(node):
    """Put one value into the input that is fed, at any moment."""
    node.store(QUEUES).cas("others.0", 0, 7)


def programs(answer, world):
    """Return the programs of a world's nodes."""
    full = [(name, encode(held)) for name, held in world.inputs.items() if held is not None]
    source, found = Filled(tuple(world.inputs), tuple(full)), []
    for name, function, nodes in world.handlers:
        output = (world.queues or ("output",))[0]
        found += [Program(driver(answer, function, world.queues, name), source, output, feeds=world.queues)] * nodes
    if len(full) < len(world.inputs):
        found.append(Program(feeder, source, name="feeder", feeds=("others",)))
    return found


def driver(answer, function, queues, name):
    """Return the handler that has the learner's function drive one of ours."""

    def handler(node):
        answer(node, function, queues, name)

    return renamed(handler, name)


def forbidden(run):
    """Return the words of the first step of a run that is none of those that are allowed, or None."""
    for event in run.trace:
        if event.kind == "send" and event.verb != "reply":
            store = str(event.detail.get("part", "")).partition(".")[0]
            if event.verb not in ("read", "cas", "close") or store not in STORES:
                return event.text
    return None


def touches_more(answer, run):
    """Return the reply to a function with a step that the stores do not offer, or None."""
    if (step := forbidden(run)) is None:
        return None
    return wrong(
        f"Its step “{step}” is no read or cas of one cell in the stores {' and '.join(STORES)}; the stores offer "
        "nothing else.",
        run,
        programs(answer, WORLDS[1]),
    )


def world(trial):
    """Return one of `WORLDS` as it is proved."""
    bounds = {"lock_free": True, **trial.faults}
    return World(
        trial.when, lambda answer: programs(answer, trial), Specified(exactly_once, objection, trial), bounds
    )


def touches_nothing(run):
    """Tell whether neither a machine nor a cell was read or written in a run, and nobody failed."""
    return not run.error and not any(event.kind == "send" and event.verb in ("read", "cas") for event in run.trace)


TASK = Proved(
    idle=touches_nothing,
    answer="lock_free",
    tier="challenge",
    form="a function, lock_free(node, function, queues, name)",
    alone=lambda answer: programs(answer, WORLDS[1]),
    objects=touches_more,
    worlds=[world(trial) for trial in WORLDS],
    praise="Your handler is exactly once, and no node waits for another. Proved in {worlds} worlds, with each kind "
    "of fault, with two nodes and three, and with two handlers on one queue ({states} states). Each within its "
    "bounds: two inputs at most where nodes meet, and one fault, or two crashes.",
)

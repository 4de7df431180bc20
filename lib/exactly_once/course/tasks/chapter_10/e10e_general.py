"""Exercise 10e: the whole general form, from its specification, against everything that may strike it."""

import inspect
from dataclasses import dataclass
from html import escape

from .... import show as drawing
from ....errors import BadInput, what_failed
from ....node import Program
from ....node.program import renamed
from ....node.world import QUEUES
from ....simulate import simulate
from ....stores.codec import encode
from ..reply import right, unsolved, wrong
from ..run_answer import called, proved
from ..task import Task
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
    """What came, as it came."""
    return state, [inputs]


@dataclass(frozen=True)
class World:
    """What is tried: handlers as (name, function, how many nodes run it), what is in the inputs, and the faults.

    An input that is None is filled while the handlers run. `wanted` is what a queue has to hold in the end, in order;
    for two handlers in any order; for `rows` each input's values in their order, whatever came together.
    """

    said: str
    handlers: tuple
    inputs: dict
    wanted: dict
    faults: tuple = ()

    @property
    def queues(self):
        """The names of the handlers' output queues."""
        return tuple(self.wanted)

    @property
    def together(self):
        """Whether it is left open what comes together."""
        return any(function is rows for _, function, _ in self.handlers)


def _of(function, nodes=1):
    return (("ours", function, nodes),)


SHARED = (("left", doubles, 1), ("right", doubles, 1))
SUMS, TWO, EMPTY = {"output": [2, 5]}, {"left": ["left"], "right": ["right"]}, {"numbers": [1, 2], "others": []}
OUT = {"first": [0, "d"], "second": ["c"]}
WORLDS = (  # from the easiest to the hardest to stand
    World("Even when nothing goes wrong", _of(doubles), {"numbers": [1, 2]}, {"output": [2, 4]}),
    World("With a state", _of(adds), {"numbers": [2, 3]}, SUMS),
    World("With two outputs", _of(both), {"numbers": [1]}, TWO),
    World("With outputs that are none", _of(some), {"numbers": [1, 2, 3, 4, 5]}, OUT),
    World("Without any queue for outputs", _of(counts), {"numbers": [1, 2]}, {}),
    World("With two inputs, one of which is empty", _of(rows), EMPTY, {"output": [[1, 2], []]}),
    World("One crash", _of(adds), {"numbers": [2, 3]}, SUMS, (("crashes", 1),)),
    World("One lost request", _of(adds), {"numbers": [2, 3]}, SUMS, (("lost_requests", 1),)),
    World("One lost reply", _of(adds), {"numbers": [2, 3]}, SUMS, (("lost_replies", 1),)),
    World("One request that arrives twice", _of(adds), {"numbers": [2, 3]}, SUMS, (("duplicates", 1),)),
    World("One late request", _of(adds), {"numbers": [2, 3]}, SUMS, (("late_requests", 1),)),
    World("One pause: a node is taken for dead, and wakes up", _of(adds), {"numbers": [2]}, {"output": [2]},
          (("pauses", 1),)),
    World("Two nodes at once", _of(adds, 2), {"numbers": [2]}, {"output": [2]}),
    World("Two nodes at once, with two inputs", _of(adds, 2), {"numbers": [2, 3]}, SUMS),
    World("Two nodes at once, with two outputs", _of(both, 2), {"numbers": [1]}, TWO),
    World("Two nodes at once, and one crash", _of(adds, 2), {"numbers": [2, 3]}, SUMS, (("crashes", 1),)),
    World("Two nodes at once, with two outputs, and one lost reply", _of(both, 2), {"numbers": [1]}, TWO,
          (("lost_replies", 1),)),
    World("Two nodes at once, and one late request", _of(adds, 2), {"numbers": [2]}, {"output": [2]},
          (("late_requests", 1),)),
    World("Two nodes at once, and one request that arrives twice", _of(adds, 2), {"numbers": [2]}, {"output": [2]},
          (("duplicates", 1),)),
    World("Two handlers that send equal values to one queue", SHARED, {"numbers": [1]}, {"output": [2, 2]}),
    World("Two handlers that send equal values, and one crash", SHARED, {"numbers": [1]}, {"output": [2, 2]},
          (("crashes", 1),)),
    World("Two nodes, and an input that comes when it likes", _of(rows, 2), {"numbers": [1], "others": None},
          {"output": [[1], [7]]}),
    World("Two nodes that both die", _of(adds, 2), {"numbers": [2]}, {"output": [2]}, (("crashes", 2),)),
    World("Three nodes at once", _of(doubles, 3), {"numbers": [1]}, {"output": [2]}),
)  # fmt: skip


def exactly_once(view, world):
    """At every moment each queue holds a beginning of what one node alone would send, and in the end all of it:
    nothing is lost, nothing is there twice, no cell is left out. A cell's value is the last entry of its list.
    """
    for queue in world.queues:
        for found, wanted in sequences(view, world, queue):
            if found != (wanted if view.done else wanted[: len(found)]):
                return False
        if not in_form(view, queue):
            return False
    return True


def sequences(view, world, queue):
    """Return the pairs (values that are there, values that have to be there in the end) of a queue: one, or, where
    it is left open what comes together, one for each input.
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
    """Return what is wrong, in words."""
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


@dataclass(frozen=True)
class Specified:
    """The specification for one world, as an invariant that another process can have."""

    world: World

    def __call__(self, view):
        return exactly_once(view, self.world) or objection(view, self.world)


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


def calm(answer, world):
    """Return the run of a world when nothing goes wrong."""
    return simulate(programs(answer, world))


def forbidden(run):
    """Return the words of the first step of a run that is none of those that are allowed, or None."""
    for event in run.trace:
        if event.kind == "send" and event.verb != "reply":
            store = str(event.detail.get("part", "")).partition(".")[0]
            if event.verb not in ("read", "cas", "close") or store not in STORES:
                return event.text
    return None


def check(answer):
    """Look at what its steps touch; then prove it in each of `WORLDS`."""
    if answer is ...:
        return unsolved("your function")
    if not callable(answer):
        raise BadInput(f"The answer is {answer!r}; it is a function, lock_free(node, function, queues, name).")
    run = called(calm, answer, WORLDS[0])
    if run.error:
        return wrong(f"It fails by itself: {what_failed(run.error)}", traceback=run.error)
    if not any(event.kind == "send" and event.verb in ("read", "cas") for event in run.trace):
        return unsolved("the body of your function")
    if (step := forbidden(run)) is not None:
        return wrong(
            f"Its step “{step}” is no read or cas of one cell in the stores {' and '.join(STORES)}; the stores offer "
            "nothing else.",
            run,
            programs(answer, WORLDS[0]),
        )
    states = 0
    for world in WORLDS:
        nodes = programs(answer, world)
        proof = proved(nodes, Specified(world), None, lock_free=True, **({"crashes": 0} | dict(world.faults)))
        if (found := proof.counterexample or proof.liveness_violation) is not None:
            return wrong(f"{world.said}: {found.sentence[:1].lower()}{found.sentence[1:]}", found, nodes)
        if not proof.exhausted:
            return wrong(f"{world.said}: not proved: {proof.stopped}. Write it with fewer steps.")
        states += proof.states
    return right(
        f"It is exactly once, and nobody waits for anybody. Proved in {len(WORLDS)} worlds, with each kind of fault, "
        f"with two nodes and three, and with two handlers on one queue ({states:,} states). Each within its bounds: "
        "two inputs at most where nodes meet, and one fault, or two crashes."
    )


def show(answer):
    """Draw one node that adds two numbers, when nothing goes wrong; without a function, the specification."""
    if answer is not ...:
        return drawing.spacetime(called(calm, answer, WORLDS[1]))
    html = f"<p>{escape(inspect.getdoc(exactly_once))}</p>{drawing.code_html(exactly_once, remark=False)}"
    return drawing.Picture(html, text=inspect.getsource(exactly_once))


TASK = Task(
    title="the whole general form",
    answer="lock_free",
    tier="challenge",
    show=show,
    check=check,
    hints=(
        "One register knows how far the handler is. Whoever dies, sleeps or loses a reply reads it again, and goes "
        "on from there. What has to be in it before anything is sent?",
        "Three stages: what to read (state, positions); what is to be sent, fixed, and a place still to be found; "
        "the place. Each is left by a cas with the version that was read with it. After a refused cas, and after an "
        "OutcomeUnknown, read the register again.",
        "In the last stage, cas the message into its place with version 0. If that is refused, look: an equal "
        "message is your own, or a twin's; another one is another handler's, and a new place is needed. Two "
        "handlers may send equal values: what has to be in the message?",
        "['HANDLING', state, positions]: read, call, keep [queue, [name, step, value]] of each output that is not "
        "None, the step being sum(positions.values()). With messages left: ['PREPARING', state, positions, "
        "messages], which finds the first empty cell of the first one's queue, and ['WRITING', state, positions, "
        "messages, index]; then the same without the first message, or HANDLING when none is left.",
    ),
)

"""Exercise 10c: PREPARING for all outputs of a step at once: one place for each, and one transition."""

from dataclasses import dataclass
from html import escape
from typing import Any

from .... import show as drawing
from ....errors import BadInput, what_failed
from ....lockfree import Queue
from ....lockfree.general import HANDLING, PREPARING, WRITING
from ....node.world import QUEUES
from ....simulate import simulate
from ....stores.codec import encode
from ..reply import right, unsolved, wrong
from ..run_answer import called, proved
from ..task import Task
from .form import Filled, Machine, cells_seen, checked, computed, said

LENGTHS = {HANDLING: 3, PREPARING: 4, WRITING: 5}
SENDS = {  # what an order makes the handler send: (queue, value) each
    "nothing": (),
    "bill": (("bills", "bill"),),
    "bill and shipment": (("bills", "bill"), ("shipments", "shipment")),
    "two shipments": (("shipments", "shipment"), ("shipments", "shipment")),
    "three": (("shipments", "cup"), ("bills", "bill"), ("shipments", "pot")),
}
FULL = [["shop", 1, "old"]]  # a cell that was full before


@dataclass(frozen=True)
class World:
    """What is tried: the orders of our handler, how many nodes run it, how many another one, and the faults."""

    said: str
    orders: tuple[str, ...]
    nodes: int = 1
    others: int = 0
    faults: Any = ()


WORLDS = (
    World("One order with one message", ("bill",)),
    World("One order without any message", ("nothing",)),
    World("One order with messages to two queues", ("bill and shipment",)),
    World("One order with two equal messages to one queue", ("two shipments",)),
    World("One order with three messages, two of them to one queue", ("three",)),
    World("Three orders", ("bill", "nothing", "bill and shipment")),
    World("One crash", ("three",), faults=(("crashes", 1),)),
    World("Another handler sends to the same queues", ("bill and shipment",), others=1),
    World("Another handler sends to the same queue, two equal messages", ("two shipments",), others=1),
    World("Two nodes at once", ("bill and shipment",), 2),
    World("Two nodes at once, and two equal messages", ("two shipments",), 2),
    World("Two nodes at once, and one crash", ("two shipments",), 2, faults=(("crashes", 1),)),
    World("Two nodes at once, and one late request", ("bill",), 2, faults=(("late_requests", 1),)),
)


def sends(state, inputs):
    """The function of our handler: what an order makes it send."""
    return state, [list(one) for one in SENDS[inputs[0]]]


def follow(prepare, node, machine, stage):
    """Do what a stage asks for, with the learner's PREPARING, and return the stage that follows."""
    kind, state, positions, *rest = stage
    if kind == HANDLING:
        state, positions, outputs = computed(node, machine.function, state, positions)
        step = sum(positions.values())
        return [PREPARING, state, positions, [[queue, [machine.name, step, value]] for queue, value in outputs]]
    if kind == PREPARING:
        return of_form(prepare(node, stage))
    outputs, places = rest
    for written, ((queue, message), place) in enumerate(zip(outputs, places, strict=True)):
        if not Queue(node.store(QUEUES), queue).push_at_idempotent(message, place):
            return [PREPARING, state, positions, outputs[written:]]
    return [HANDLING, state, positions]


def of_form(stage):
    """Return a stage that may follow PREPARING. Raises `BadInput` for any other."""
    if checked(stage, LENGTHS)[0] == PREPARING:
        raise BadInput(f"{stage!r} is PREPARING again; it is WRITING, or HANDLING, that follows.")
    if stage[0] == WRITING:
        places = stage[4]
        if not isinstance(places, list) or not all(type(one) is int and one >= 0 for one in places):
            raise BadInput(f"The places are {places!r}; give a list of indices, one for each message.")
        if len(places) != len(stage[3]):
            raise BadInput(f"There are {len(places)} places for {len(stage[3])} messages; give one for each.")
    return stage


class Prepared:
    """The machine's `follow` with the learner's PREPARING."""

    def __init__(self, prepare):
        self.prepare = prepare

    def __call__(self, node, machine, stage):
        return follow(self.prepare, node, machine, stage)


def programs(prepare, world):
    """Return the programs of a world's nodes: ours, with the learner's lines, and others with the course's."""
    names = ("bills", "shipments")
    orders, requests = (
        Filled((queue,), ((queue, encode(values)), ("bills", encode(FULL))))
        for queue, values in (("orders", list(world.orders)), ("requests", ["any"]))
    )
    ours = Machine(sends, orders, outputs=names, name="ours", follow=Prepared(prepare))
    other = Machine(lambda state, _: (state, ["bill", "shipment"]), requests, outputs=names, name="other")
    return [ours.program] * world.nodes + [other.program] * world.others


@dataclass(frozen=True)
class EachOnce:
    """The rule: no gap in a queue; of each sender what its orders make it send, once and in order."""

    world: World

    def __call__(self, view):
        wanted = {"other": {"bills": ["bill"] * self.world.others, "shipments": ["shipment"] * self.world.others}}
        wanted["ours"] = {
            queue: [value for order in self.world.orders for to, value in SENDS[order] if to == queue]
            for queue in ("bills", "shipments")
        }
        for queue in ("bills", "shipments"):
            cells = cells_seen(view, queue)
            full = [one for one in cells if one is not None]
            if cells[: len(full)] != full:
                return f"a cell of {queue} is empty, and a later one is full: readers stop there"
            for sender, queues in wanted.items():
                found, right_ones = [value for name, _, value in full if name == sender], queues[queue]
                if found != (right_ones if view.done else right_ones[: len(found)]):
                    whose = "" if sender == "ours" else " of the other handler"
                    return f"the queue {queue} holds {said(found)}{whose}; right is {said(right_ones)}"
        return True


def calm(prepare, world):
    """Return the run of a world when nothing goes wrong."""
    return simulate(programs(prepare, world))


def check(answer):
    """Prove the machine with the learner's PREPARING in each of `WORLDS`."""
    if answer is ...:
        return unsolved("your function")
    if not callable(answer):
        raise BadInput(f"The answer is {answer!r}; it is a function, prepare(node, stage).")
    if called(asked, answer) is None:
        return unsolved("the body of your function")
    states = 0
    for world in WORLDS:
        nodes = programs(answer, world)
        proof = proved(nodes, EachOnce(world), None, lock_free=True, **({"crashes": 0} | dict(world.faults)))
        if (found := proof.counterexample or proof.liveness_violation) is not None:
            return wrong(f"{world.said}: {found.sentence[:1].lower()}{found.sentence[1:]}", found, nodes)
        if not proof.exhausted:
            return wrong(f"{world.said}: not proved: {proof.stopped}. Write it with fewer steps.")
        states += proof.states
    return right(
        f"Each message is there once, and in order ({len(WORLDS)} worlds, {states:,} states). A step takes three "
        "transitions of the machine, whatever it sends; with a place prepared for each output by itself it takes "
        "one, and two more for each output."
    )


def asked(prepare):
    """Return what the learner's lines make of a stage without a message, on a node whose queues are empty."""
    return prepare(_Nobody(), [PREPARING, None, {"orders": 1}, []])


class _Nobody:
    """A node whose stores hold nothing."""

    def store(self, name):
        """Return a store."""
        return self

    def read(self, name):
        """Return what a cell holds that nobody wrote to."""
        return 0, None

    def cas(self, name, version, value):
        """Write nothing."""
        return True


def show(answer):
    """Draw one order with three messages; without a function, the stages."""
    if answer is not ...:
        run = called(calm, answer, WORLDS[4])
        if not run.error:
            return drawing.spacetime(run)
        text = f"It fails by itself: {what_failed(run.error)}"
        return drawing.Picture(f'<p class="eo-bad">{escape(text)}</p>', text=text)
    stages = (
        [PREPARING, "state", {"orders": 1}, [["shipments", "cup"], ["bills", "bill"], ["shipments", "pot"]]],
        [WRITING, "state", {"orders": 1}, [["shipments", "cup"], ["bills", "bill"], ["shipments", "pot"]], [0, 1, 1]],
        [HANDLING, "state", {"orders": 1}],
    )
    text = "\n".join(map(str, stages))
    return drawing.Picture(f"<pre>{escape(text)}</pre>", text=text)


TASK = Task(
    title="PREPARING, for all outputs at once",
    answer="prepare",
    show=show,
    check=check,
    hints=(
        "Each message needs an index that is empty now. Two messages to one queue need two, and a reader must not "
        "find a gap between them.",
        "`Queue(node.store('queues'), queue).next_index()` is the first empty cell of a queue. Asked twice it gives "
        "the same: nothing was written. Remember, for each queue, which places you have given away.",
        "The next place behind one that was given away is the next *empty* one: another handler may have filled a "
        "cell meanwhile. `node.store('queues').read(f'{queue}.{index}')` returns (0, None) for an empty cell. And "
        "without a message there is nothing to write: the step is done.",
        "If not outputs: return ['HANDLING', state, positions]. places, last = [], {}; for queue, message in "
        "outputs: index = last[queue] + 1 if queue in last else Queue(…, queue).next_index(); while the cell there "
        "is not empty: index += 1; append it, and last[queue] = index. Return ['WRITING', state, positions, "
        "outputs, places].",
    ),
)

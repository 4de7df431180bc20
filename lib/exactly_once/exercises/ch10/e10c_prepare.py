"""Exercise 10c: PREPARING for all outputs of a step at once: one place for each, and one transition."""

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

from ... import show as drawing
from ...errors import BadInput
from ...lockfree import Queue
from ...lockfree.general import HANDLING, PREPARING, WRITING
from ...node.world import QUEUES
from ...stores.codec import encode
from ..kinds.proved import Proved, World
from .form import Filled, Machine, cells_seen, checked, computed, said

LENGTHS = {HANDLING: 3, PREPARING: 4, WRITING: 5}
SENDS = {  # the outputs of an order: (queue, value) each
    "nothing": (),
    "bill": (("bills", "bill"),),
    "bill and shipment": (("bills", "bill"), ("shipments", "shipment")),
    "two shipments": (("shipments", "shipment"), ("shipments", "shipment")),
    "three": (("shipments", "cup"), ("bills", "bill"), ("shipments", "pot")),
}
FULL = [["shop", 1, "old"]]  # a cell that was full before


@dataclass(frozen=True)
class Trial:
    """One world: the orders of our handler, how many nodes run it, how many another one, and the faults."""

    when: str
    orders: tuple[str, ...]
    nodes: int = 1
    others: int = 0
    faults: dict = field(default_factory=dict)


WORLDS = (
    Trial("One order with one message", ("bill",)),
    Trial("One order without any message", ("nothing",)),
    Trial("One order with messages to two queues", ("bill and shipment",)),
    Trial("One order with two equal messages to one queue", ("two shipments",)),
    Trial("One order with three messages, two of them to one queue", ("three",)),
    Trial("Three orders", ("bill", "nothing", "bill and shipment")),
    Trial("One crash", ("three",), faults={"crashes": 1}),
    Trial("Another handler sends to the same queues", ("bill and shipment",), others=1),
    Trial("Another handler sends to the same queue, two equal messages", ("two shipments",), others=1),
    Trial("Two nodes at once", ("bill and shipment",), 2),
    Trial("Two nodes at once, and two equal messages", ("two shipments",), 2),
    Trial("Two nodes at once, and one crash", ("two shipments",), 2, faults={"crashes": 1}),
    Trial("Two nodes at once, and one late request", ("bill",), 2, faults={"late_requests": 1}),
)


def sends(state, inputs):
    """The function of our handler: return the outputs of an order."""
    return state, [list(one) for one in SENDS[inputs[0]]]


@dataclass(frozen=True)
class Prepared:
    """The machine's `follow` with the learner's PREPARING."""

    prepare: Callable

    def __call__(self, node, machine, stage):
        return follow(self.prepare, node, machine, stage)


def follow(prepare, node, machine, stage):
    """Carry out the task of a stage, with the learner's PREPARING, and return the next stage."""
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

    world: Trial

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


def no_body(run):
    """Tell whether the learner's lines return nothing."""
    return "None is no stage" in (run.error or "")


def stages():
    """Return the picture of the stages around PREPARING, of an order with three messages."""
    messages = [["shipments", "cup"], ["bills", "bill"], ["shipments", "pot"]]
    listed = (
        [PREPARING, "state", {"orders": 1}, messages],
        [WRITING, "state", {"orders": 1}, messages, [0, 1, 1]],
        [HANDLING, "state", {"orders": 1}],
    )
    text = "\n".join(map(str, listed))
    return drawing.Picture(f"<pre>{escape(text)}</pre>", text=text)


def world(trial):
    """Return one of `WORLDS` as it is proved."""
    bounds = {"lock_free": True, **trial.faults}
    return World(trial.when, lambda answer: programs(answer, trial), EachOnce(trial), bounds)


TASK = Proved(
    answer="prepare",
    form="a function, prepare(node, stage)",
    alone=lambda answer: programs(answer, WORLDS[3]),
    idle=no_body,
    worlds=[world(trial) for trial in WORLDS],
    blank=stages,
    praise="Each message is there once, and in order ({worlds} worlds, {states} states). A step takes three "
    "transitions of the machine, whatever it sends; with a place prepared for each output by itself it takes one, "
    "and two more for each output.",
)

"""The exercises of chapter 10: the database's handler, a push, PREPARING for all outputs, the whole general form."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

from ... import show as drawing
from ...errors import BadInput, OutcomeUnknown, is_whole
from ...exercises.kinds.challenge import FAULTS, ONE_FAULT
from ...exercises.kinds.kind import Specified, specification
from ...exercises.kinds.proved import Proved, World, sends_nothing
from ...exercises.kinds.reply import wrong
from ...handlers.logs.database_consumer import SHOP
from ...lockfree import Queue
from ...lockfree.general import HANDLING, PREPARING, WRITING, follow
from ...lockfree.queue import emptied, index_in, is_emptied
from ...node import Program
from ...node.program import renamed
from ...node.world import QUEUES
from ...stores.isolation import KIND, PART, SerializationFailure
from ..ch08.checks import Accounts
from ..ch09.worlds import on
from .form import cells_seen, checked, filled, said, sending, stepping, values_in

ITEMS: dict = {}  # {name: item}

# 10a: the database's handler at read committed: what its statements must ask.

MESSAGES, AMOUNTS = "increments", (3, -3)
NOT_ENDED = "commit it or roll it back before the next one begins"


def articles(session, read):
    """Read the index and the message there, apply it, and set the index: the article's handler."""
    index = session.read("index")
    amount = read(index)
    session.add("counter", amount)
    session.update("index", index + 1)
    session.commit()


class Amounts(Accounts):
    """A queue of amounts, and a database whose index and counter are 0."""

    def load_inputs(self, stores):
        """Fill the queue, and set up the rows."""
        super().load_inputs(stores)
        stores[SHOP].prepare(PART, "set_up_rows", {"index": 0, "counter": 0})


def consumer(consume, count, level="read committed"):
    """Return the program of a database node, which consumes so many amounts."""

    def sink(node):
        def read(index):
            [[amount]], _ = node.read({MESSAGES: index})
            return amount

        while True:  # until there is no message left
            session = node.store(SHOP).begin(level)
            try:
                consume(session, read)
            except SerializationFailure:
                session.rollback()

    return Program(sink, Amounts((MESSAGES,), filled(**{MESSAGES: AMOUNTS[:count]}).opened))


def counted_once(view, count):
    """Tell whether the counter is what the messages before the index add up to, and all are applied in the end."""
    rows = view.look(SHOP, PART, KIND)
    index, counter, wanted = rows["index"], rows["counter"], sum(AMOUNTS[: rows["index"]])
    if counter != wanted or not 0 <= index <= count:
        return f"the index is {index} and the counter {counter}; the messages before it add up to {wanted}"
    return not view.done or index == count or f"of {count} messages {index} were applied"


def consuming(nodes: int, count: int, level: str = "read committed", **faults: int) -> World:
    """Return the world of nodes that consume so many amounts at a level."""
    many = "one node" if nodes == 1 else "two nodes at once"
    when = f"At {level}, {many}{', and one crash' if faults else ''}"
    return World(
        when, lambda consume: [consumer(consume, count, level)] * nodes, partial(counted_once, count=count), faults
    )


def no_end(run):
    """Tell whether the function has no body yet: it makes no statement, and leaves the first transaction open."""
    asked = {event.verb for event in run.trace if event.kind == "send"}
    return NOT_ENDED in (run.error or "") and asked <= {"begin", "reply"}


ITEMS["10a"] = Proved(
    worlds=[consuming(1, 1), consuming(2, 1), consuming(2, 2), consuming(2, 1, crashes=1)],
    alone=lambda consume: consumer(consume, 2),
    idle=no_end,
    blank=lambda: specification(articles),
    praise="Each message counts once at read committed ({worlds} worlds, {states} states): whether the index is "
    "still the one that was read is asked by the statement that moves it on, or by a lock that it waits for.",
)

# 10b: a push that may be repeated by anybody, without a place that was prepared.

QUEUE = "queue"
OLD, MOST = 12, 6  # cells that are full, and how many steps are enough for a push behind them
ONE, TWO = (["one", 1, "tea"], ["one", 2, "tea"]), (["two", 1, "tea"],)  # messages: sender, number, value
RETURNED = "push_once returned"


def pusher(push_once: Callable[..., Any], messages: tuple[list[Any], ...], since: int = 0) -> Callable[..., Any]:
    """Return the handler that pushes messages, each until it knows where it is, and writes that down."""

    def pushes(node):
        for number, message in enumerate(messages):
            index = None
            while index is None:
                try:
                    index = push_once(node.registers, QUEUE, message, since)
                except OutcomeUnknown:
                    continue  # it may be there, or come there later: asked once more
                if not is_whole(index):
                    raise BadInput(f"{RETURNED} {index!r}; return the index of the cell, a whole number.")
            node.registers.cas(f"pushed.{node.number}.{number}", 0, [message, index])

    return pushes


def sweeper(node):
    """Empty the first cell, as retention does, if it is full."""
    version, held = node.registers.read(f"{QUEUE}.0")
    if version and not is_emptied(held):
        node.registers.cas(f"{QUEUE}.0", version, emptied(held))


def each_once(view, messages):
    """Each message is in one cell at most, and in the end in one. No cell is left out, and none holds anything else.
    Who has come back knows the cell. An emptied cell counts as its former value.
    """
    cells = cells_of(view)
    places = [[index for index, held in cells.items() if is_of(held, message)] for message in messages]
    fine = all(len(found) == 1 if view.done else len(found) <= 1 for found in places)
    in_order = sorted(cells) == list(range(len(cells))) and len(cells) == sum(map(len, places))
    return fine and in_order and all(is_of(cells.get(index), message) for message, index in returned(view))


def cells_of(view):
    """Return {index: value} of the full cells."""
    held = view.registers
    return {index_in(QUEUE, name): held[name] for name in held if index_in(QUEUE, name) is not None}


def is_of(held: Any, message: list[Any]) -> bool:
    """Tell whether a cell holds a message, or held it until retention."""
    return held == message or (is_emptied(held) and held == emptied(message))


def returned(view):
    """Return (message, index) of each push that has come back."""
    return [held for name, held in view.registers.items() if name.startswith("pushed.")]


def misplaced(view, messages):
    """Return a sentence on the mistake."""
    cells = cells_of(view)
    for message in messages:
        count = sum(is_of(held, message) for held in cells.values())
        if count > 1:
            return f"{message[:2]} is in the queue {count} times"
        if view.done and not count:
            return f"{message[:2]} is not in the queue"
    for held in cells.values():
        if not any(is_of(held, message) for message in messages):
            return f"a cell holds {held!r}, which nobody has pushed"
    if empty := set(range(len(cells))) - set(cells):
        return f"cell {min(empty)} is empty, and a later one is full: readers stop there"
    message, index = next(one for one in returned(view) if not is_of(cells.get(one[1]), one[0]))
    return f"the push of {message[:2]} has returned {index}, and that cell does not hold it"


def pushing(push_once, pushers, sweepers=0, cells=0):
    """Return the programs of nodes that push, and of some that sweep."""
    handlers = [pusher(push_once, *one) for one in pushers] + [sweeper] * sweepers
    return on(*handlers, held=[(f"{QUEUE}.{at}", ["old", at, "salt"]) for at in range(cells)])


def world_of_pushes(when: str, pushers: tuple[tuple[Any, ...], ...], sweepers: int = 0, **faults: int) -> World:
    """Return the world of pushers, each (messages, since), and of sweepers."""
    messages = list({str(one): one for sent, _ in pushers for one in sent}.values())
    rule = Specified(each_once, misplaced, messages)
    return World(when, lambda answer: pushing(answer, pushers, sweepers), rule, {"lock_free": True, **faults})


def too_many_steps(run):
    """Return the reply to a push that walks over cells where the message cannot be, or None."""
    taken = (
        sum(event.kind == "send" and event.verb in ("read", "cas") for event in run.trace) - 1
    )  # one writes it down
    if taken <= MOST:
        return None
    told = f"Behind {OLD} full cells, with since = {OLD}, a push takes {taken} steps; {MOST} are enough."
    return wrong(f"{told} Where can the message not be?", picture=drawing.spacetime(run))


ALONE, TWINS, OTHERS = ((ONE, 0),), ((ONE[:1], 0),) * 2, ((ONE[:1], 0), (TWO, 0))

ITEMS["10b"] = Proved(
    alone=lambda answer: pushing(answer, ((ONE[:1], OLD),), cells=OLD),
    idle=lambda run: sends_nothing(run) and (not run.error or f"{RETURNED} None" in run.error),
    worlds=[
        *(world_of_pushes(when, ALONE, **faults) for when, faults in FAULTS.items()),
        world_of_pushes("Twins that push the same message", TWINS),
        world_of_pushes("Two senders with equal values", OTHERS),
        world_of_pushes("Two senders, and one lost reply", OTHERS, lost_replies=1),
        world_of_pushes("Two senders, and one late request", OTHERS, late_requests=1),
        world_of_pushes("Twins, another sender, and one crash", (*TWINS, (TWO, 0)), crashes=1),
        world_of_pushes("Retention that empties the first cell, and one crash", TWINS[:1], 1, crashes=1),
        world_of_pushes("Retention that empties the first cell, and twins", TWINS, 1),
    ],
    costs=too_many_steps,
    praise="Each message is there once, whichever nodes push it and however often ({worlds} worlds, {states} "
    "states). No place was prepared: cells are filled in order, so a node that compares cell after cell finds the "
    "message if it is there. PREPARING saves this walk, because the machine holds the index of the cell.",
)

# 10c: PREPARING for all outputs of a step at once: one place for each, and one transition.

SENDS = {  # the outputs of an order: (queue, value) each
    "nothing": (),
    "bill": (("bills", "bill"),),
    "bill and shipment": (("bills", "bill"), ("shipments", "shipment")),
    "two shipments": (("shipments", "shipment"), ("shipments", "shipment")),
    "three": (("shipments", "cup"), ("bills", "bill"), ("shipments", "pot")),
}
NAMES = ("bills", "shipments")


def prepared(prepare, node, stage):
    """Carry out the task of a stage, with the learner's PREPARING, and return the next stage."""
    kind, state, positions, *rest = stage
    if kind == HANDLING:
        [[order]], positions = node.read(positions)
        step = sum(positions.values())
        messages = [[queue, ["ours", step, value]] for queue, value in SENDS[order]]
        return [PREPARING, state, positions, messages]
    if kind == PREPARING:
        return of_form(prepare(node, stage))
    messages, places = rest
    for written, ((queue, message), place) in enumerate(zip(messages, places, strict=True)):
        if not Queue(node.store(QUEUES), queue).push_at_idempotent(message, place):
            return [PREPARING, state, positions, messages[written:]]
    return [HANDLING, state, positions]


def of_form(stage):
    """Return a stage that may follow PREPARING. Raises `BadInput` for any other."""
    if checked(stage, {HANDLING: 3, PREPARING: 4, WRITING: 5})[0] == PREPARING:
        raise BadInput(f"{stage!r} is PREPARING again; it is WRITING, or HANDLING, that follows.")
    if stage[0] == WRITING:
        places = stage[4]
        if not isinstance(places, list) or not all(type(one) is int and one >= 0 for one in places):
            raise BadInput(f"The places are {places!r}; give a list of indices, one for each message.")
        if len(places) != len(stage[3]):
            raise BadInput(f"There are {len(places)} places for {len(stage[3])} messages; give one for each.")
    return stage


def sends_both(node, stage):
    """Return the next stage of the other handler, which sends a value to each queue."""
    if stage[0] != HANDLING:
        return follow(node, None, stage)
    return sending(node, "other", stage, zip(NAMES, ("bill", "shipment"), strict=True))


def preparing(prepare, orders, nodes=1, others=0):
    """Return the programs of nodes with the learner's lines, and of others with the library's machine."""

    def follows(node, stage):
        return prepared(prepare, node, stage)

    source = filled({"bills": [["shop", 1, "old"]]}, orders=orders)
    ours, other = (
        stepping("ours", source, NAMES, follows),
        stepping("other", filled(requests=["any"]), NAMES, sends_both),
    )
    return [ours] * nodes + [other] * others


def in_order(view, orders, others):
    """Tell whether no queue has a gap, and each sender's messages are there once and in order."""
    for queue, other in zip(NAMES, ("bill", "shipment"), strict=True):
        cells = cells_seen(view, queue)
        full = [one for one in cells if one is not None]
        if cells[: len(full)] != full:
            return f"a cell of {queue} is empty, and a later one is full: readers stop there"
        ours = [value for order in orders for to, value in SENDS[order] if to == queue]
        for sender, whose, wanted in (("ours", "", ours), ("other", " of the other handler", [other] * others)):
            found = [value for name, _, value in full if name == sender]
            if found != (wanted if view.done else wanted[: len(found)]):
                return f"the queue {queue} holds {said(found)}{whose}; right is {said(wanted)}"
    return True


def world_of_orders(when: str, *orders: str, nodes: int = 1, others: int = 0, **faults: int) -> World:
    """Return the world of nodes that handle orders, and of other handlers."""
    return World(
        when,
        lambda answer: preparing(answer, orders, nodes, others),
        partial(in_order, orders=orders, others=others),
        {"lock_free": True, **faults},
    )


def stages():
    """Return the picture of the stages around PREPARING, of an order with three messages."""
    messages = [[queue, value] for queue, value in SENDS["three"]]
    listed = (
        [PREPARING, "state", {"orders": 1}, messages],
        [WRITING, "state", {"orders": 1}, messages, [0, 1, 1]],
        [HANDLING, "state", {"orders": 1}],
    )
    text = "\n".join(map(str, listed))
    return drawing.Picture(f"<pre>{escape(text)}</pre>", text=text)


ITEMS["10c"] = Proved(
    alone=lambda answer: preparing(answer, ["two shipments"]),
    idle=lambda run: "None is no stage" in (run.error or ""),
    worlds=[
        world_of_orders("One order with one message", "bill"),
        world_of_orders("One order without any message", "nothing"),
        world_of_orders("One order with messages to two queues", "bill and shipment"),
        world_of_orders("One order with two equal messages to one queue", "two shipments"),
        world_of_orders("One order with three messages, two of them to one queue", "three"),
        world_of_orders("Three orders", "bill", "nothing", "bill and shipment"),
        world_of_orders("One crash", "three", crashes=1),
        world_of_orders("Another handler sends to the same queues", "bill and shipment", others=1),
        world_of_orders("Another handler sends to the same queue, two equal messages", "two shipments", others=1),
        world_of_orders("Two nodes at once", "bill and shipment", nodes=2),
        world_of_orders("Two nodes at once, and two equal messages", "two shipments", nodes=2),
        world_of_orders("Two nodes at once, and one crash", "two shipments", nodes=2, crashes=1),
        world_of_orders("Two nodes at once, and one late request", "bill", nodes=2, late_requests=1),
    ],
    blank=stages,
    praise="Each message is there once, and in order ({worlds} worlds, {states} states). A step takes three "
    "transitions of the machine, whatever it sends; with a place prepared for each output by itself it takes one, "
    "and two more for each output.",
)

# 10e: a challenge: the whole general form, from its specification, in twenty-four worlds, against whatever strikes.

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


def feeder(node):
    """Fill the first cell of an input."""
    node.store(QUEUES).cas("others.0", 0, 7)


def programs(answer, world):
    """Return the programs of a world's nodes: the learner's function drives one of ours; perhaps an input is fed."""
    source, found, output = filled(**world.inputs), [], next(iter(world.wanted), "output")
    for name in world.names:
        found += [Program(driver(answer, world, name), source, output, feeds=tuple(world.wanted))] * world.nodes
    if None in world.inputs.values():
        found.append(Program(feeder, source, output, name="feeder", feeds=("others",)))
    return found


def driver(answer: Any, world: Trial, name: str) -> Callable[..., Any]:
    """Return the handler that has the learner's function drive one of ours."""
    function, queues = FUNCTIONS[world.does], tuple(world.wanted)

    def handler(node):
        answer(node, function, queues, name)

    return renamed(handler, name)


def touches_more(answer: Any, run: Any) -> Any:
    """Return the reply to a function with a step that the stores do not offer, or None."""
    for event in run.trace:
        store = str(event.detail.get("part", "")).partition(".")[0]
        allowed = event.verb == "reply" or (event.verb in ("read", "cas", "close") and store in STORES)
        if event.kind == "send" and not allowed:
            told = f"Its step “{event.text}” is no read or cas of one cell in the stores {' and '.join(STORES)}"
            return wrong(f"{told}; the stores offer nothing else.", run, WORLDS[1].programs(answer))
    return None


def touches_nothing(run: Any) -> bool:
    """Tell whether neither a machine nor a cell was read or written in a run, and nobody failed."""
    return not run.error and not any(event.kind == "send" and event.verb in ("read", "cas") for event in run.trace)


PAIR, SHARED = {"left": ["left"], "right": ["right"]}, ("left", "right")
WORLDS = [  # from the easiest to the hardest to stand
    world("Even when nothing goes wrong", "doubles", [1, 2], [2, 4]),
    world("With a state", "adds", [2, 3], [2, 5]),
    world("With two outputs", "two outputs", [1], PAIR),
    world("With outputs that are none", "none", [1, 2, 3, 4, 5], {"first": [0, "d"], "second": ["c"]}),
    world("Without any queue for outputs", "counts", [1, 2], {}),
    world("With two inputs, one of which is empty", "rows", {"numbers": [1, 2], "others": []}, [[1, 2], []]),
    *(world(when, "adds", [2, 3], [2, 5], **faults) for when, faults in ONE_FAULT.items()),
    world("One pause: a node is taken for dead, and wakes up", "adds", [2], [2], pauses=1),
    world("Two nodes at once", "adds", [2], [2], 2),
    world("Two nodes at once, with two inputs", "adds", [2, 3], [2, 5], 2),
    world("Two nodes at once, with two outputs", "two outputs", [1], PAIR, 2),
    world("Two nodes at once, and one crash", "adds", [2, 3], [2, 5], 2, crashes=1),
    world("Two nodes at once, with two outputs, and one lost reply", "two outputs", [1], PAIR, 2, lost_replies=1),
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

ITEMS["10e"] = Proved(
    idle=touches_nothing,
    alone=WORLDS[1].programs,
    objects=touches_more,
    worlds=WORLDS,
    praise="Your handler is exactly once, and no node waits for another. Proved in {worlds} worlds, with each kind "
    "of fault, with two nodes and three, and with two handlers on one queue ({states} states). Each within its "
    "bounds: two inputs at most where nodes meet, and one fault, or two crashes.",
)

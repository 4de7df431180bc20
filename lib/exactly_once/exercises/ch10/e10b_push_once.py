"""Exercise 10b: a push that may be repeated by anybody, without a place that was prepared."""

from dataclasses import dataclass

from ... import show as drawing
from ...errors import BadInput, OutcomeUnknown, is_whole
from ...lockfree.queue import emptied, index_in, is_emptied
from ...node import Program
from ...node.access.handles import part_of
from ...stores.codec import encode
from ..ch08.bank import Accounts
from ..kinds.kind import Specified
from ..kinds.proved import Proved, World, sends_nothing
from ..kinds.reply import wrong

QUEUE = "queue"
OLD, MOST = 12, 6  # cells that are full, and how many steps are enough for a push behind them
ONE, TWO = (["one", 1, "tea"], ["one", 2, "tea"]), (["two", 1, "tea"],)  # messages: sender, number, value


@dataclass(frozen=True)
class Full(Accounts):
    """A queue whose first cells are full before a run begins."""


def full(count):
    """Return the source of a queue with a number of full cells."""
    return Full(tuple(("engine", part_of(f"{QUEUE}.{at}"), encode(["old", at, "salt"])) for at in range(count)))


RETURNED = "push_once returned"
NOTHING = f"{RETURNED} None"  # the result of a function without a body


def pusher(push_once, messages, since=0):
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


def is_of(held, message):
    """Tell whether a cell holds a message, or held it until retention."""
    return held == message or (is_emptied(held) and held == emptied(message))


def returned(view):
    """Return (message, index) of each push that has come back."""
    return [held for name, held in view.registers.items() if name.startswith("pushed.")]


def objection(view, messages):
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
    for message, index in returned(view):
        if not is_of(cells.get(index), message):
            return f"the push of {message[:2]} has returned {index}, and that cell does not hold it"
    return "the queue is right"


ALONE, TWINS, OTHERS = ((ONE, 0),), ((ONE[:1], 0),) * 2, ((ONE[:1], 0), (TWO, 0))
WORLDS = (  # when that is; (messages, since) of each pusher; how many sweep; the faults
    ("Even when nothing goes wrong", ALONE, 0, {}),
    ("One crash", ALONE, 0, {"crashes": 1}),
    ("One lost request", ALONE, 0, {"lost_requests": 1}),
    ("One lost reply", ALONE, 0, {"lost_replies": 1}),
    ("One request that arrives twice", ALONE, 0, {"duplicates": 1}),
    ("One late request", ALONE, 0, {"late_requests": 1}),
    ("Twins that push the same message", TWINS, 0, {}),
    ("Two senders with equal values", OTHERS, 0, {}),
    ("Two senders, and one lost reply", OTHERS, 0, {"lost_replies": 1}),
    ("Two senders, and one late request", OTHERS, 0, {"late_requests": 1}),
    ("Twins, another sender, and one crash", (*TWINS, (TWO, 0)), 0, {"crashes": 1}),
    ("Retention that empties the first cell, and one crash", ((ONE[:1], 0),), 1, {"crashes": 1}),
    ("Retention that empties the first cell, and twins", TWINS, 1, {}),
)


def programs(push_once, pushers, sweepers, cells=0):
    """Return the programs of a world's nodes."""
    handlers = [pusher(push_once, *one) for one in pushers] + [sweeper] * sweepers
    return [Program(handler, full(cells)) for handler in handlers]


def behind(push_once):
    """Return the programs of a push behind many full cells."""
    return programs(push_once, ((ONE[:1], OLD),), 0, OLD)


def steps_of(run):
    """Return how many steps the push of a run has taken: all but the one that writes down where the message is."""
    return sum(event.kind == "send" and event.verb in ("read", "cas") for event in run.trace) - 1


def no_body(run):
    """Tell whether a push did nothing at all."""
    return sends_nothing(run) and (not run.error or NOTHING in run.error)


def too_many_steps(run):
    """Return the reply to a push that walks over cells where the message cannot be, or None."""
    if (taken := steps_of(run)) <= MOST:
        return None
    return wrong(
        f"Behind {OLD} full cells, with since = {OLD}, a push takes {taken} steps; {MOST} are enough. Where can the "
        "message not be?",
        picture=drawing.spacetime(run),
    )


def world(when, pushers, sweepers, faults):
    """Return one of `WORLDS` as it is proved."""
    messages = list({str(one): one for sent, _ in pushers for one in sent}.values())
    bounds = {"lock_free": True, **faults}
    return World(
        when, lambda answer: programs(answer, pushers, sweepers), Specified(each_once, objection, messages), bounds
    )


TASK = Proved(
    answer="push_once",
    form="a function, push_once(registers, name, message, since)",
    alone=behind,
    idle=no_body,
    worlds=[world(*one) for one in WORLDS],
    costs=too_many_steps,
    praise="Each message is there once, whichever nodes push it and however often ({worlds} worlds, {states} "
    "states). No place was prepared: cells are filled in order, so a node that compares cell after cell finds the "
    "message if it is there. PREPARING saves this walk, because the machine holds the index of the cell.",
)

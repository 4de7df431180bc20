"""The lock-free handler with one part replaced: for each claim, a mutant that fails this claim's check and no other.

Each mutant is right in all other respects, so its failure shows the purpose of the replaced part. It passes the other
checks within the bounds of the table: with more faults, or faults of another kind, another check may fail.
"""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from ..errors import OutcomeUnknown
from ..handlers.stream.offset_in_sink import QUEUE as INCREMENTS
from ..handlers.stream.offset_in_sink import counter_sink
from ..lockfree.general import (
    HANDLING,
    PREPARING,
    WRITING,
    Form,
    Function,
    MachineState,
    compute,
    drive,
    follow,
    general,
    go_on,
    handle,
    next_stage,
)
from ..lockfree.queue import EMPTY, HINT, Queue, cell
from ..node import Node, Program
from ..node.node import Handler
from ..node.program import OUTPUT, renamed, runs_as
from ..node.sent import Sent
from ..node.source import CellSource
from ..node.world import MACHINE, QUEUES

FORM = Form()
MOST_LIVES = 3  # that may begin while an output is written, before it is given up


def totals(state, inputs):
    """Add the readings to the total, and send it."""
    total = (state or 0) + sum(reading.value for reading in inputs)
    return total, [total]


def totals_counted(state, inputs):
    """Send each new total to the output, and the hour to the database, which counts what it is sent."""
    total, outputs = totals(state, inputs)
    return total, [*outputs, inputs[0].hour]


def counting(node):
    """Count each message, as `counter_sink` does; after an unknown outcome, read the index again and go on."""
    ended = False
    while not ended:
        with suppress(OutcomeUnknown):
            counter_sink(node)
            ended = True


def beside_a_database(nodes, sink=counting):
    """Return the programs of the nodes: so many twins with two outputs, and the database's node, which reads one."""
    twin = general(totals_counted, outputs=(OUTPUT, INCREMENTS))
    return [*[twin] * nodes, Program(sink, CellSource((INCREMENTS,)), name="sink")]


def ones(state, inputs):
    """Count the inputs, and send a 1 for each: values that nobody can tell apart."""
    return (state or 0) + 1, [1]


@dataclass(frozen=True)
class Mutant:
    """A handler with one part replaced: what it `does`, and the pure `function` that it runs.

    It is asked over at most `most_items` hours, where that is enough to find it and more would take too long.
    """

    handler: Handler
    does: str
    function: Function = totals
    most_items: int = 1_000


def named(handler: Handler, name: str, machine: tuple[str, str] = MACHINE) -> Handler:
    """Return a handler that drives a machine of its own kind, marked as `general` marks one."""
    return runs_as(machine=machine, feeds=(OUTPUT,))(renamed(handler, name))


def following(changed: Callable[..., MachineState], name: str, function: Function = totals) -> Handler:
    """Return the general form with another way to follow a stage, under a name."""

    def handler(node: Node) -> None:
        drive(node, function, FORM, follow=changed)

    return named(handler, name)


def _no_answer_is_done(node, form, stage):
    try:
        return follow(node, form, stage)
    except OutcomeUnknown:
        if stage[0] == PREPARING:
            raise
        return next_stage(*stage[1:4], stage[4] + 1)


def one_transaction(node):
    """Keep the machine among the queues, and write both in one transaction of that store."""
    ended = False
    while not ended:
        with suppress(OutcomeUnknown):
            ended = _in_one_transaction(node, Form(machine=(QUEUES, FORM.name)))


def _in_one_transaction(node, form):
    store, part = node.store(QUEUES), form.name
    version, stage = store.read(part)
    stage = stage or form.beginning(node)
    if not node.running(stage[2]):
        return True
    _, state, positions, ((queue, message),), _ = compute(node, totals, form, *stage[1:])
    place = cell(queue, Queue(store, queue).next_index())
    node.store(QUEUES).transact(
        ("cas", part, version, [HANDLING, state, positions]), ("cas", place, EMPTY, message)
    )  # refused: the next look at the machine tells why
    return False


def leader(node):
    """Work only as long as one holds the lock of the leader."""
    _holding(node, "leader")


def _holding(node, *names):
    """Do all there is to do while holding locks, acquired in this order."""
    ended = False
    while not ended:
        with suppress(OutcomeUnknown), ExitStack() as held:
            for name in names:
                held.enter_context(node.lock(name))
            drive(node, totals, FORM)
            ended = True


def polite(node):
    """Go on only when the machine has stood still from one look to the next."""
    store, part = FORM.machine
    ended, seen = False, None
    while not ended:
        with suppress(OutcomeUnknown):
            while (version := node.store(store).read(part)[0]) != seen:
                seen = version
            ended = handle(node, totals, FORM)


def reserving(node):
    """Reserve the next step before doing anything for it, and take away the reservation of another."""
    ended = False
    while not ended:
        with suppress(OutcomeUnknown):
            version, holder = node.registers.read("reserved")
            if holder == node.number:
                ended = handle(node, totals, FORM)
            else:
                node.registers.cas("reserved", version, node.number)


def two_locks(node):
    """Hold a lock for the state and one for the output; each node begins with another one."""
    locks = ("state", "output")
    _holding(node, *(locks if node.number == 1 else reversed(locks)))


class _Overwritten(Queue):
    """A queue whose hint is set by a plain write."""

    def _move(self, what, version, start, index):
        if index > start:
            with suppress(OutcomeUnknown):
                self.registers.write(f"{self.name}{HINT}", index)


def _hint_overwritten(node, form, stage):
    return follow(node, form, stage, _Overwritten)


def poison(node):
    """Give an output up when three lives began while it was being written: it seems to kill them."""
    ended, new = False, True
    while not ended:
        with suppress(OutcomeUnknown):
            store, part = FORM.machine
            version, stage = node.store(store).read(part)
            stage = stage or FORM.beginning(node)
            counts, new = new and stage[0] != HANDLING, False
            if counts:
                node.store(store).cas(part, version, _counted(stage))
            else:
                ended = go_on(node, totals, FORM, version, stage)


def _counted(stage):
    """Return a stage with one more life noted in it, or the stage after it when that makes three."""
    length = 5 + (stage[0] == WRITING)
    (lives,) = stage[length:] or [0]
    if lives + 1 < MOST_LIVES:
        return [*stage[:length], lives + 1]
    return next_stage(*stage[1:4], stage[4] + 1)


def restoring(node):
    """Take over a stage that another life has left: with a new epoch, and with all inputs read again."""
    ended = False
    while not ended:
        with suppress(OutcomeUnknown):
            store, part = FORM.machine
            version, stage = node.store(store).read(part)
            stage = stage or FORM.beginning(node)
            if stage[0] != HANDLING:
                _restore(node, stage[2])
            ended = go_on(node, totals, FORM, version, stage)


def _restore(node, positions):
    epoch, _ = node.registers.read("epoch")
    node.registers.cas("epoch", epoch, "taken over")
    at = node.start
    while at != positions:
        _, at = node.read(at)


def giving_up(node):
    """Let an unknown outcome end the life: the next one asks the machine."""
    while not handle(node, totals, FORM):
        pass


def _draft_first(node, form, stage):
    if stage[0] == PREPARING:
        return follow(node, form, stage)
    (name, message), index, store = stage[3][stage[4]], stage[5], node.store(QUEUES)
    draft = Sent(message.sender, message.step, ["draft"], message.item)
    store.cas(cell(name, index), EMPTY, draft)
    version, held = store.read(cell(name, index))
    if held == draft:
        store.cas(cell(name, index), version, message)  # refused: another node has done it
    elif held != message:
        return [PREPARING, *stage[1:5]]
    return next_stage(*stage[1:4], stage[4] + 1)


def _taken_back(node, form, stage):
    if stage[0] == PREPARING:
        return follow(node, form, stage)
    (name, message), store = stage[3][stage[4]], node.store(QUEUES)
    place = cell(name, stage[5])
    while True:
        version, held = store.read(place)
        if version == EMPTY or (version == 2 and held is None):
            store.cas(place, version, message)
        elif version == 1 and held == message:
            store.cas(place, version, None)
        else:
            done = held == message
            return next_stage(*stage[1:4], stage[4] + 1) if done else [PREPARING, *stage[1:5]]


MUTANTS = {
    "no answer is taken for done": Mutant(
        following(_no_answer_is_done, "no_answer_is_done", ones),
        "A write of an output that nobody answers is taken for done. The outputs are equal, so that an observer "
        "cannot see that one is missing.",
        ones,
    ),
    "one transaction": Mutant(
        named(one_transaction, "one_transaction", (QUEUES, FORM.name)),
        "The output and the machine are written in one transaction, as Kafka's handlers do.",
    ),
    "a leader": Mutant(named(leader, "leader"), "Only the node that holds the leader's lock works."),
    "polite": Mutant(
        named(polite, "polite"), "A node goes on only when the machine has stood still from one look to the next."
    ),
    "reserving": Mutant(
        named(reserving, "reserving"), "A node reserves the next step, and takes another's reservation away."
    ),
    "two locks": Mutant(
        named(two_locks, "two_locks"), "A lock for the state, and one for the output; each node begins with another."
    ),
    "hint overwritten": Mutant(
        following(_hint_overwritten, "hint_overwritten"), "The hint of the queue is set by a plain write."
    ),
    "poison": Mutant(
        named(poison, "poison"),
        "An output that three incarnations have begun with is given up, as a message that kills its consumers is.",
    ),
    "restoring": Mutant(
        named(restoring, "restoring"),
        "A node that goes on with what another has begun takes a new epoch, and reads all inputs again.",
    ),
    "giving up": Mutant(
        named(giving_up, "giving_up"), "An unknown outcome ends the incarnation, and the next one asks."
    ),
    "draft first": Mutant(
        following(_draft_first, "draft_first"), "A draft is put into the cell, and then the value."
    ),
    "takes back": Mutant(
        following(_taken_back, "takes_back"),
        "The value is put into the cell, taken back, and put there again.",
        most_items=1,
    ),
}

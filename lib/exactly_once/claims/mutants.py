"""The handlers that the claims are asked of: the lock-free handler, a second one, and mutants with one part replaced.

A mutant is an edit of the text of `lockfree.general`. It is right in all other respects, so its failure shows the
purpose of the replaced part. It passes the other checks within the bounds of the table: with more faults, or faults
of another kind, another check may fail.
"""

import functools
import inspect
import linecache
import sys
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType

from ..errors import OutcomeUnknown
from ..handlers.stream.offset_in_sink import QUEUE as INCREMENTS
from ..handlers.stream.offset_in_sink import counter_sink
from ..lockfree.general import Function, general
from ..node import Program
from ..node.node import Handler
from ..node.program import OUTPUT
from ..node.source import CellSource
from ..node.world import MACHINE, QUEUES

ITEMS = 2  # hours of input over which handlers are asked


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


def beside_a_database(nodes):
    """Return the programs of the nodes: so many twins with two outputs, and the database's node, which reads one."""
    twin = general(totals_counted, outputs=(OUTPUT, INCREMENTS))
    return [*[twin] * nodes, Program(counting, CellSource((INCREMENTS,)), name="sink")]


def ones(state, inputs):
    """Count the inputs, and send a 1 for each: values that nobody can tell apart."""
    return (state or 0) + 1, [1]


@dataclass(frozen=True)
class Mutant:
    """The lock-free handler with one part replaced: its `name`, what it `does`, and the edit: `old` becomes `new`.

    It runs the pure `function`, with its machine in `store`. It is asked over so many `items`: hours of input.
    """

    name: str
    does: str
    old: str
    new: str
    function: Function = totals
    store: str = MACHINE[0]
    items: int = ITEMS

    @functools.cached_property
    def handler(self) -> Handler:
        """The handler. Raises `ValueError` where the text of `lockfree.general` does not have the old part once."""
        machine = sys.modules[general.__module__]
        text = inspect.getsource(machine)
        if text.count(self.old) != 1:
            raise ValueError(f"The text of the lock-free handler has to hold this once:\n{self.old}")
        word, filename = self.name.replace(" ", "_"), f"<the mutant {self.name!r}>"
        text = text.replace(self.old, self.new).replace("def handler(", f"def {word}(")  # so tokens tell it apart
        text = text.replace("renamed(handler, name)", f"renamed({word}, {word!r})")
        linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
        made = ModuleType(f"{machine.__name__}_{word}")
        made.__package__ = machine.__package__
        sys.modules[made.__name__] = made  # as code of the library, which need not be kept with each incarnation
        exec(compile(text, filename, "exec"), vars(made))
        return made.general(self.function, store=self.store)


ONCE = "            ended = (once or handle)(node, function, form, **parts)\n"  # in `drive`
LOOK = """\
    store, part = form.machine
    version, stage = node.store(store).read(part)
    return go_on"""  # in `handle`
PUSH = "    if queue.push_at_idempotent(message, place[0]):\n"  # in `follow`

NO_ANSWER = Mutant(
    "no answer is taken for done",
    "A write of an output that nobody answers is taken for done. The outputs are equal, so that an observer "
    "cannot see that one is missing.",
    PUSH,
    """\
    try:
        done = queue.push_at_idempotent(message, place[0])
    except OutcomeUnknown:
        done = True
    if done:
""",
    ones,
)
ONE_TRANSACTION = Mutant(
    "one transaction",
    "The output and the machine are written in one transaction, as Kafka's handlers do.",
    """\
        if not registers(store).cas(part, version, stage):
            return False
        version += 1
""",
    """\
        _, state, positions, ((queue, message),), _ = stage
        place = f"{queue}.{Queue(registers(store), queue).next_index()}"
        registers(store).transact(
            ("cas", part, version, [HANDLING, state, positions]), ("cas", place, 0, message)
        )
        return False  # if it was refused, the next look at the machine tells why
""",
    store=QUEUES,
)
LEADER = Mutant(
    "a leader",
    "Only the node that holds the leader's lock works.",
    ONCE,
    """\
            with node.lock("leader"):
                while not handle(node, function, form):
                    pass
            ended = True
""",
)
POLITE = Mutant(
    "polite",
    "A node goes on only when the machine has stood still from one look to the next.",
    LOOK,
    """\
    store, part = form.machine
    seen, (version, stage) = None, node.store(store).read(part)
    while version != seen:
        seen, (version, stage) = version, node.store(store).read(part)
    return go_on""",
)
RESERVING = Mutant(
    "reserving",
    "A node reserves the next step, and takes another's reservation away.",
    LOOK,
    f"""\
    reserved, holder = node.registers.read("reserved")
    if holder != node.number:
        node.registers.cas("reserved", reserved, node.number)
        return False
{LOOK}""",
)
TWO_LOCKS = Mutant(
    "two locks",
    "A lock for the state, and one for the output; each node begins with another.",
    ONCE,
    """\
            first, second = ("state", "output") if node.number == 1 else ("output", "state")
            with node.lock(first), node.lock(second):
                while not handle(node, function, form):
                    pass
            ended = True
""",
)
HINT_OVERWRITTEN = Mutant(
    "hint overwritten",
    "The hint of the queue is set by a plain write.",
    "        return [WRITING, state, positions, outputs, k, queue.next_index()]\n",
    """\
        hint, cells = f"{name}.hint", node.store(QUEUES)
        index = start = cells.read(hint)[1] or 0
        while queue.read(index)[0]:
            index += 1
        if index > start:
            cells.write(hint, index)
        return [WRITING, state, positions, outputs, k, index]
""",
)
POISON = Mutant(
    "poison",
    "An output that three incarnations have begun with is given up, as a message that kills its consumers is.",
    """\
    ended = False
    while not ended:
        try:
""",
    """\
    store, part = form.machine
    ended = False
    try:
        version, stage = node.store(store).read(part)
        if stage is None or stage[0] == HANDLING:
            ended = go_on(node, function, form, version, stage or form.beginning(node))
        else:
            length = 5 + (stage[0] == WRITING)
            lives = 1 + sum(stage[length:])
            given_up = next_stage(*stage[1:4], stage[4] + 1)
            node.store(store).cas(part, version, [*stage[:length], lives] if lives < 3 else given_up)
    except OutcomeUnknown:
        pass  # this life is not counted
    while not ended:
        try:
""",
)
RESTORING = Mutant(
    "restoring",
    "A node that goes on with what another has begun takes a new epoch, and reads all inputs again.",
    "    if stage[0] == HANDLING:\n        if not node.running",
    """\
    if stage[0] != HANDLING:
        epoch, _ = node.registers.read("epoch")
        node.registers.cas("epoch", epoch, "taken over")
        at = node.start
        while at != stage[2]:
            _, at = node.read(at)
    if stage[0] == HANDLING:
        if not node.running""",
)
GIVING_UP = Mutant(
    "giving up",
    "An unknown outcome ends the incarnation, and the next one asks.",
    "        except OutcomeUnknown:\n            ended = False\n",
    "        except OutcomeUnknown:\n            raise\n",
)
DRAFT_FIRST = Mutant(
    "draft first",
    "A draft is put into the cell, and then the value.",
    PUSH,
    """\
    where, store = f"{name}.{place[0]}", node.store(QUEUES)
    draft = type(message)(message.sender, message.step, ["draft"], message.item)
    store.cas(where, 0, draft)
    version, held = store.read(where)
    if held == draft:
        store.cas(where, version, message)  # refused: another node has done it
    if held in (draft, message):
""",
)
TAKES_BACK = Mutant(
    "takes back",
    "The value is put into the cell, taken back, and put there again.",
    PUSH,
    """\
    where, store = f"{name}.{place[0]}", node.store(QUEUES)
    version, held = store.read(where)
    while version < 3 and held in (None, message):
        store.cas(where, version, message if held is None else None)
        version, held = store.read(where)
    if held == message:
""",
    items=1,
)

"""Handlers that take a sentence of an article at its word, each beside the form that repairs it.

The broken handlers of earlier chapters are elsewhere: `lockfree.flawed`, `lockfree.weaker`, `handlers.transfer`,
`handlers.logs.database_consumer`.
"""

from ..handlers.stream.offset_in_sink import INDEX, QUEUE
from ..lockfree import cas
from ..lockfree.general import HANDLING, PREPARING, Form, drive
from ..lockfree.given import Given
from ..lockfree.queue import Queue, cell
from ..lockfree.weaker import Forgetful
from ..node import Program
from ..node.program import renamed
from ..node.sent import Sent
from ..node.world import DATABASE, MACHINE, QUEUES
from ..pipeline import Job

DINNER, BROKER, TABLE = "dinner", "broker", "table"  # stores
INPUT, OUTPUT = "input", "output"  # queues
MESSAGE, MESSAGES = Given((INPUT,), ((1,),)), Given((INPUT,), ((1, 2),))


def in_the_end(look, right, words):
    """Return an invariant: when every node has ended, `look(view)` is `right`; else `words` say so, with both."""

    def rule(view):
        return not view.done or (found := look(view)) == right or words.format(found, right)

    return rule


def outputs(*values):
    """Return an invariant: when every node has ended, the output holds these values."""
    return in_the_end(lambda view: view.outputs, list(values), "the output is {}, and should be {}")


# S1: two processes write the same thing, and neither knows of the other.
def tells(name, hour):
    """Return the handler of a process that tells both copies, which are nodes 3 and 4, the hour of dinner."""

    def tell(node):
        for copy in (3, 4):
            node.send(copy, [1, name, hour])  # its first event: stamp 1

    return tell


def copies(keeps):
    """Return the handler of a copy that gets two writes; `keeps` says which of two [stamp, process, hour] stays."""

    def copy(node):
        _, kept = node.receive()
        _, other = node.receive()
        node.store(DINNER).write(f"copy {node.number}", keeps(kept, other))

    return copy


def as_it_comes(kept, other):
    """Keep the value that came last."""
    return other


def copies_agree(view):
    """An invariant: when all have ended, both copies hold the same hour."""
    held = [view.look(DINNER, f"copy {number}", "cell") for number in (3, 4)]
    return not view.done or held[0] == held[1] or f"copy 3 says {held[0][2]}, copy 4 says {held[1][2]}"


# S10: a change that is made by compare-and-swap, and whose reply is lost.
def deposits(deposit):
    """Return the handlers of two nodes that deposit 7 and 5 on one account; `deposit(registers, amount, who)`."""

    def depositor(amount):
        def handler(node):
            deposit(node.registers, amount, node.number)

        return handler

    return [depositor(7), depositor(5)]


def repeated(registers, amount, who):
    """Deposit as the article does: the same compare-and-swap again until an answer comes, and a loop around it."""
    cas.repeating(registers, amount)


def account(view):
    """Return what the account holds, beside which there may be the names of those who deposited."""
    held = view.registers.get(cas.NUMBER, 0)
    return held[0] if isinstance(held, list) else held


# S4: numbers run for each partition; where does the broker keep the last one?
def numbered(key):
    """Return a producer of one record, with number 0, for each of two partitions.

    `key` is that under which the broker keeps the last number, with a place for the partition. It takes a record
    whose number is the next one; another is taken for one that it has already.
    """

    def producer(node):
        broker = node.store(BROKER)
        for partition in (0, 1):
            last = f"last number of {key.format(partition)}"
            version, found = broker.read(last)
            if found is None:  # 0 is the next one
                broker.transact(("cas", last, version, 0), ("append", f"partition {partition}", "record 0"))

    return producer


def in_partitions(view):
    """Return how many records each of the partitions holds."""
    return [len(view.look(BROKER, f"partition {partition}", "log")) for partition in (0, 1)]


# S3 and S6: a consumer's effect, made again, or late.
def overwriting(write):
    """Return a consumer that overwrites the value of one key, and then saves its position: at-least-once."""

    def consumer(node):
        positions = node.positions.load()
        while node.running():
            rows, positions = node.read(positions)
            write(node.store(TABLE), rows[0][0])
            node.positions.save(positions)

    return Program(consumer, MESSAGES, name="consumer")


def whatever_is_there(table, value):
    """Overwrite the value."""
    table.write("key", value)


def if_it_is_newer(table, value):
    """Overwrite the value if this one is newer; messages are numbered."""
    version, found = table.read("key")
    while (found is None or found < value) and not table.cas("key", version, value):
        version, found = table.read("key")


def blindly(node):
    """A database handler that writes the index in the effect's transaction, and compares it with nothing."""
    _, index = node.database.read(INDEX)
    while node.running():
        _, positions = node.read({QUEUE: index or 0})
        index = positions[QUEUE]
        node.database.transact(("write", INDEX, index), ("add", "counter", 1))


def pushing(values):
    """Return the program of a node that pushes values to the input, one after the other."""

    def push(node):
        for value in values:
            Queue(node.store(QUEUES), INPUT).push(value)

    return push


def polling(advances, is_there, messages):
    """Return a database handler that looks at the input once more than there are messages, without waiting.

    Index and effect change in one transaction. With `advances` the index is raised whether there is a message or not;
    `is_there(value)` tells whether the value of a cell, or None, is a message.
    """

    def poll(node):
        for _ in range(messages + 1):
            _, index = node.database.read(INDEX)
            index = index or 0
            _, value = node.store(QUEUES).read(cell(INPUT, index))
            effect = [("add", "counter", 1)] if is_there(value) else []
            if advances or value is not None:
                node.database.transact(("write", INDEX, index + 1), *effect)

    return poll


def holds_a_message(value):
    """Tell whether a cell holds a message."""
    return value is not None


def none_skipped(view):
    """An invariant: each message below the index was applied once."""
    index = view.look(DATABASE, INDEX, "cell") or 0
    return view.counter == index or f"the index is {index} and the counter {view.counter}: a message was skipped"


# S11: the lock-free handler in its general form.
def twice_as_much(state, inputs):
    """A pure function: push the double of a message."""
    return state, [2 * inputs[0]]


def the_hour(state, readings):
    """A pure function: push the hour of the readings."""
    return state, [readings[0].hour]


def counts(state, inputs):
    """A pure function that only keeps state: count the messages."""
    return (state or 0) + 1, []


def machine(function, name="handler", messages=MESSAGE, store=MACHINE[0], outputs=(OUTPUT,), **parts):
    """Return the program of the general form over messages that are there from the beginning.

    `parts` replace those of `general.drive`. Each machine is in the store `store`, under the handler's name.
    """
    form = Form(outputs=outputs, name=name, machine=(store, name))

    def handler(node):
        drive(node, function, form, **parts)

    return Program(renamed(handler, name), messages, machine=form.machine, feeds=outputs)


def in_the_article(node, function, form, state, positions):
    """HANDLING as in the article: what was read goes to the function, and the first output is prepared next."""
    rows, following = node.read(positions)
    state, outputs = function(state, rows[0])
    step = sum(following.values())
    sent = [[queue, Sent(form.name, step, [value])] for queue, value in zip(form.outputs, outputs, strict=False)]
    return [PREPARING, state, following, sent, 0]


def sweeps_handled(node):
    """Retention: empty the cells of the input that the machine has handled; message n is at the index n - 1."""
    _, stage = node.store(MACHINE[0]).read(MACHINE[1])
    handled = stage[2][INPUT] if stage and stage[0] == HANDLING else 0
    Queue(node.store(QUEUES), INPUT).sweep(lambda message: message.step <= handled)


def sweeps_all(queue):
    """Return the handler that empties all filled cells of the output: retention of an age of 0. `queue` is how."""

    def sweep(node):
        queue(node.store(QUEUES), OUTPUT).sweep(lambda value: True)

    return sweep


def resetting(forgets):
    """Return the programs of a node that handles an hour, resets the machine, and handles it once more; and of its
    twin, which may lag behind.

    The reset deletes the register, and its version with it if the store `forgets`; or else it writes the beginning.
    """
    form = Form()

    def twin(node):
        drive(Instead(node, forgets), the_hour, form)

    def again(node):
        twin(node)
        registers = Instead(node, forgets).store(MACHINE[0])
        version, _ = registers.read(MACHINE[1])
        if forgets:
            registers.forget(MACHINE[1], version)
        else:
            registers.cas(MACHINE[1], version, form.beginning(node))
        twin(node)

    return [Program(each, Job(1), machine=form.machine, feeds=(OUTPUT,)) for each in (twin, again)]


class Instead:
    """A node whose machine's register is in the store `kept`, which may forget the version of a deleted cell."""

    def __init__(self, node, forgets):
        self._node, self._forgets = node, forgets

    def __getattr__(self, name):
        return getattr(self._node, name)

    def store(self, name):
        """Return the registers of a store."""
        if name != MACHINE[0]:
            return self._node.store(name)
        kept = self._node.store("kept")
        return Forgetful(kept) if self._forgets else kept

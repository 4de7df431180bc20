"""Handlers that take a sentence of an article at its word, each beside the form that repairs it.

The broken handlers of earlier chapters are elsewhere: `lockfree.flawed`, `lockfree.weaker`, `handlers.transfer`,
`handlers.logs.database_consumer`.
"""

from ..handlers.stream.lock_free import average
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
from ..pipeline import Job, Window

DINNER, BROKER, TABLE = "dinner", "broker", "table"  # stores
INPUT, OUTPUT = "input", "output"  # queues
MESSAGE, MESSAGES = Given((INPUT,), ((1,),)), Given((INPUT,), ((1, 2),))


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


def latest(kept, other):
    """Keep the later value in the total order: by stamp, and then by process."""
    return max(kept, other)


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


signed = cas.signing


def deposited(view):
    """An invariant: when both have ended, the account holds 12."""
    held = view.registers.get(cas.NUMBER, 0)
    held = held[0] if isinstance(held, list) else held
    return not view.done or held == 12 or f"the account holds {held}, and 7 and 5 were deposited"


# S4: numbers run for each partition; where does the broker keep the last one?
def numbered(kept_for):
    """Return a producer of one record, with number 0, for each of two partitions.

    `kept_for(partition)` is the key under which the broker keeps the last number. It takes a record whose number is
    the next one; another is taken for one that it has already.
    """

    def producer(node):
        broker = node.store(BROKER)
        for partition in (0, 1):
            last = f"last number of {kept_for(partition)}"
            version, found = broker.read(last)
            if found is None:  # 0 is the next one
                broker.transact(("cas", last, version, 0), ("append", f"partition {partition}", "record 0"))

    return producer


def for_each_producer(partition):
    """Keep one number for a producer."""
    return "producer 7"


def for_each_partition(partition):
    """Keep one number for a producer and a partition."""
    return f"producer 7 in partition {partition}"


def in_each_partition(view):
    """An invariant: when the producer has ended, each partition holds its record, once."""
    for partition in (0, 1) if view.done else ():
        found = len(view.look(BROKER, f"partition {partition}", "log"))
        if found != 1:
            return f"partition {partition} holds {found} records, and 1 was sent and acknowledged"
    return True


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


def newest_stays(view):
    """An invariant: when the consumer has ended, the key has the value of the last message."""
    found = view.look(TABLE, "key", "cell")
    return not view.done or found == 2 or f"the key has the value {found}, and should have 2"


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


def counted_at_most(messages):
    """Return an invariant: the counter never exceeds the number of messages, and comes to it in the end."""

    def rule(view):
        counter = view.counter
        wrong = counter > messages or (view.done and counter < messages)
        return not wrong or f"the counter is {counter}, for {messages} message"

    return rule


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


def counted(messages):
    """Return an invariant: when every node has ended, the machine's state is the number of messages."""

    def rule(view):
        stage = view.look(*MACHINE, "cell")
        state = stage[1] if stage else None
        return not view.done or state == messages or f"the state is {state}, and should be {messages}"

    return rule


def windowed(duration=1):
    """Return the handler that pushes the average of a window of `duration` hours, in the general form."""
    return average(duration), Window()


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


def sweeper(handler, messages=MESSAGE):
    """Return the program of one that sweeps beside a machine over messages."""
    return Program(handler, messages, name="sweeper")


def resetting(forgets):
    """Return the programs of a node that handles an hour, resets the machine, and handles it once more; and of its
    twin, which may lag behind.

    The reset deletes the register, and its version with it if the store `forgets`; or else it writes the beginning.
    """
    form, store = Form(), "kept"

    def twin(node):
        drive(Instead(node, store, forgets), the_hour, form)

    def again(node):
        twin(node)
        registers = Instead(node, store, forgets).store(MACHINE[0])
        version, _ = registers.read(MACHINE[1])
        if forgets:
            registers.forget(MACHINE[1], version)
        else:
            registers.cas(MACHINE[1], version, form.beginning(node))
        twin(node)

    return [Program(each, Job(1), machine=form.machine, feeds=(OUTPUT,)) for each in (twin, again)]


class Instead:
    """A node whose machine's register is in the store `kept`, which may forget the version of a deleted cell."""

    def __init__(self, node, kept, forgets):
        self._node, self._kept, self._forgets = node, kept, forgets

    def __getattr__(self, name):
        return getattr(self._node, name)

    def store(self, name):
        """Return the registers of a store."""
        if name != MACHINE[0]:
            return self._node.store(name)
        kept = self._node.store(self._kept)
        return Forgetful(kept) if self._forgets else kept


def outputs(*values):
    """Return an invariant: the output is a beginning of these values, and all of them when every node has ended."""

    def rule(view):
        found = view.outputs
        if found != list(values)[: len(found)]:
            return f"the output is {found}, and should be {list(values)}"
        return not view.done or len(found) == len(values) or f"the output is {found}, and should be {list(values)}"

    return rule


def at_most(count):
    """Return an invariant: no more than `count` cells of the output were ever filled."""

    def rule(view):
        return (
            len(view.outputs) <= count or f"{len(view.outputs)} cells of the output were filled, for {count} record"
        )

    return rule


def each_once(*values):
    """Return an invariant: when every node has ended, the output holds these values, in any order."""

    def rule(view):
        found = sorted(view.outputs)
        return (
            not view.done or found == sorted(values) or f"the output holds {found}, and should hold {sorted(values)}"
        )

    return rule

"""Questions for `prove` about the articles' sentences: handlers that take a sentence at its word, and their repairs.

Each function returns a question, which is asked when it is called. What distinguishes the repair is an argument. The
broken handlers of earlier chapters are elsewhere: `lockfree.flawed`, `lockfree.weaker`, `handlers.transfer`,
`handlers.logs.database_consumer`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from ..explore import prove
from ..explore.proof import Proof
from ..handlers.stream.offset_in_sink import INDEX, QUEUE
from ..handlers.transfer import Bank
from ..lockfree import cas, weaker
from ..lockfree.general import HANDLING, PREPARING, Form, drive
from ..lockfree.given import Given
from ..lockfree.pushers import exactly, newest_of, nothing_behind, placer, pusher
from ..lockfree.pushers import sweeper as sweeper_of_the_queue
from ..lockfree.queue import Queue, cell
from ..node import Program
from ..node.program import renamed
from ..node.source import Sent
from ..node.world import DATABASE, MACHINE, QUEUES
from ..pipeline import Job

Question: TypeAlias = Callable[..., Proof]
INPUT, OUTPUT = "input", "output"  # queues
MESSAGE, MESSAGES = Given((INPUT,), ((1,),)), Given((INPUT,), ((1, 2),))
TOO_MUCH = (("b", "c", 9), ("a", "b", 1)), (("a", "b", 1),)  # orders; the first cannot be carried out
BALANCES = {"a": 5, "b": 5, "c": 0}


def asked(handlers: Any, invariant: Any = None, **bounds: Any) -> Question:
    """Return a question for `prove`, over one hour, and without faults unless `bounds` name some."""
    return partial(prove, handlers, invariant=invariant, **{"items": 1, "crashes": 0, **bounds})


def in_the_end(look: Callable[[Any], Any], right: Any, words: str) -> Callable[[Any], Any]:
    """Return an invariant: when every node has ended, `look(view)` is `right`; else `words` say so, with both."""

    def rule(view):
        return not view.done or (found := look(view)) == right or words.format(found, right)

    return rule


def outputs(*values: Any) -> Callable[[Any], Any]:
    """Return an invariant: when every node has ended, the output holds these values."""
    return in_the_end(lambda view: view.outputs, list(values), "the output is {}, and should be {}")


# Article 1.


def dinner(keeps: Callable[[Any, Any], Any]) -> Question:
    """Two processes tell two copies different hours; `keeps` says which of two [stamp, process, hour] stays."""

    def tells(name, hour):
        def tell(node):
            for number in (3, 4):
                node.send(number, [1, name, hour])  # its first event: stamp 1

        return tell

    def copy(node):
        _, kept = node.receive()
        _, other = node.receive()
        node.store("dinner").write(f"copy {node.number}", keeps(kept, other))

    def agree(view):
        held = [view.look("dinner", f"copy {number}", "cell") for number in (3, 4)]
        return not view.done or held[0] == held[1] or f"copy 3 says {held[0][2]}, copy 4 says {held[1][2]}"

    return asked([tells("ann", "seven"), tells("bob", "eight"), copy, copy], agree)


def numbered(key: str, **faults: int) -> Question:
    """A producer sends one record, with number 0, to each of two partitions.

    `key` is that under which the broker keeps the last number, with a place for the partition. It takes a record
    whose number is the next one; another is taken for one that it has already.
    """

    def producer(node):
        broker = node.store("broker")
        for partition in (0, 1):
            last = f"last number of {key.format(partition)}"
            version, found = broker.read(last)
            if found is None:  # 0 is the next one
                broker.transact(("cas", last, version, 0), ("append", f"partition {partition}", "record 0"))

    def held(view):
        return [len(view.look("broker", f"partition {partition}", "log")) for partition in (0, 1)]

    words = "the partitions hold {} records, and 1 was sent to each and acknowledged"
    return asked(producer, in_the_end(held, [1, 1], words), **faults)


# Article 2.


def overwriting(write: Callable[..., Any], **faults: int) -> Question:
    """A consumer overwrites the value of one key, and then saves its position: at-least-once."""

    def consumer(node):
        positions = node.positions.load()
        while node.running():
            rows, positions = node.read(positions)
            write(node.store("table"), rows[0][0])
            node.positions.save(positions)

    def value(view):
        return view.look("table", "key", "cell")

    newest = in_the_end(value, 2, "the key has the value {}, and should have {}")
    return asked(Program(consumer, MESSAGES, name="consumer"), newest, **faults)


def whatever_is_there(table, value):
    """Overwrite the value."""
    table.write("key", value)


def if_it_is_newer(table, value):
    """Overwrite the value if this one is newer; messages are numbered."""
    version, found = table.read("key")
    while (found is None or found < value) and not table.cas("key", version, value):
        version, found = table.read("key")


def counted_by(programs: list[Program], **faults: int) -> Question:
    """Database handlers count one message."""
    return asked(programs, in_the_end(lambda view: view.counter, 1, "the counter is {}, for {} message"), **faults)


def blindly(node):
    """A database handler that writes the index in the effect's transaction, and compares it with nothing."""
    _, index = node.database.read(INDEX)
    while node.running():
        _, positions = node.read({QUEUE: index or 0})
        index = positions[QUEUE]
        node.database.transact(("write", INDEX, index), ("add", "counter", 1))


# Article 3: registers and locks.


def deposits(deposit: Callable[..., Any], **faults: int) -> Question:
    """Two nodes deposit 7 and 5 on one account, by compare-and-swap: `deposit(registers, amount, who)`."""

    def depositor(amount):
        def handler(node):
            deposit(node.registers, amount, node.number)

        return handler

    def account(view):
        held = view.registers.get(cas.NUMBER, 0)
        return held[0] if isinstance(held, list) else held  # there may be the names of those who deposited

    right = in_the_end(account, 12, "the account holds {}, and 7 and 5 were deposited")
    return asked([depositor(7), depositor(5)], right, **faults)


def repeated(registers, amount, who):
    """Deposit as the article does: the same compare-and-swap again until an answer comes, and a loop around it."""
    cas.repeating(registers, amount)


def transfer(stage: Callable[..., str]) -> Question:
    """Two nodes transfer money, and one of the orders cannot be carried out."""
    bank = Bank(stage, TOO_MUCH, BALANCES)
    return asked(bank.programs, bank.as_answered)


# Article 3: the queue.


def retention(**deletes: Any) -> Question:
    """Two nodes push, and a third one deletes, over registers that may forget."""

    def forgetful(node):
        return weaker.Forgetful(node.registers)

    pushers = [pusher("a", over=forgetful), pusher("b", over=forgetful)]
    return asked([*pushers, sweeper_of_the_queue("a", over=forgetful, **deletes)], nothing_behind)


def stale(*reads: str, values: Any = (7,), queue: Any = Queue, **faults: int) -> Question:
    """One node places values, and these reads may be stale."""
    handlers = [placer(*values, queue_of=weaker.stale_reads(*reads, queue=queue))]
    return asked(handlers, exactly(*values, cells=newest_of), **faults)


def polled(advances: bool, is_there: Callable[[Any], bool], value: int, **faults: int) -> Question:
    """A database handler looks twice, without waiting, at the input to which another node pushes one value.

    Index and effect change in one transaction. With `advances` the index is raised whether there is a message or not;
    `is_there(value)` tells whether the value of a cell, or None, is a message.
    """

    def push(node):
        Queue(node.store(QUEUES), INPUT).push(value)

    def poll(node):
        for _ in range(2):
            _, index = node.database.read(INDEX)
            index = index or 0
            _, found = node.store(QUEUES).read(cell(INPUT, index))
            effect = [("add", "counter", 1)] if is_there(found) else []
            if advances or found is not None:
                node.database.transact(("write", INDEX, index + 1), *effect)

    def none_skipped(view):
        index = view.look(DATABASE, INDEX, "cell") or 0
        return view.counter == index or f"the index is {index} and the counter {view.counter}: a message was skipped"

    return asked([push, poll], none_skipped, **faults)


def holds_a_message(value):
    """Tell whether a cell holds a message."""
    return value is not None


# Article 3: the lock-free handler in its general form.


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


def twice_as_much(state, inputs):
    """A pure function: push the double of a message."""
    return state, [2 * inputs[0]]


def counting(faults: dict[str, int], **parts: Any) -> Question:
    """Two twins only keep state: they count the messages."""

    def counts(state, inputs):
        return (state or 0) + 1, []

    counted = in_the_end(lambda view: view.state, 2, "the state is {}, and should be {}")
    return asked(machine(counts, messages=MESSAGES, outputs=(), **parts), counted, nodes=2, **faults)


def both(one: str, other: str, **faults: int) -> Question:
    """Two machines of these names each push the double of the same message to one queue."""
    stores = (one, "machines"), (other, "others")
    return asked([machine(twice_as_much, name, store=store) for name, store in stores], outputs(2, 2), **faults)


def swept_input(faults: dict[str, int], **parts: Any) -> Question:
    """Beside two twins retention empties the cells of the input that the machine has handled."""

    def sweep(node):
        _, stage = node.store(MACHINE[0]).read(MACHINE[1])
        handled = stage[2][INPUT] if stage and stage[0] == HANDLING else 0  # message n is at the index n - 1
        Queue(node.store(QUEUES), INPUT).sweep(lambda message: message.step <= handled)

    twin = machine(twice_as_much, **parts)
    return asked([twin, twin, Program(sweep, MESSAGE, name="sweeper")], outputs(2), **faults)


def swept_output(queue: type[Queue], **faults: int) -> Question:
    """Beside two twins retention empties all filled cells of the output: an age of 0. `queue` is how."""

    def sweep(node):
        queue(node.store(QUEUES), OUTPUT).sweep(lambda value: True)

    twin = machine(twice_as_much)
    filled = in_the_end(lambda view: len(view.outputs), 1, "{} cells of the output were filled, for {} record")
    return asked([twin, twin, Program(sweep, MESSAGE, name="sweeper")], filled, **faults)


def resetting(forgets: bool) -> Question:
    """A node handles an hour, resets the machine, and handles it once more, beside a twin, which may lag behind.

    The reset deletes the register, and its version with it if the store `forgets`; or else it writes the beginning.
    """
    form = Form()

    def the_hour(state, readings):
        return state, [readings[0].hour]

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

    programs = [Program(each, Job(1), machine=form.machine, feeds=(OUTPUT,)) for each in (twin, again)]
    return asked(programs, outputs(1, 1))


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
        return weaker.Forgetful(kept) if self._forgets else kept

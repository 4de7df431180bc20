"""The sentences of the articles that fail, or need a condition, with a question for `prove`, and their repairs.

Each function here returns a question, which is asked when it is called, about handlers that take a sentence at its
word. What distinguishes the repair is an argument. The broken handlers of earlier chapters are elsewhere.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from ..explore import prove
from ..explore.proof import Proof
from ..handlers.logs.database_consumer import applied_once, set_index, twins, where_index
from ..handlers.stream.offset_in_sink import INDEX
from ..handlers.transfer import Bank, early_return, ordered_locks
from ..lockfree import Queue, cas, flawed, weaker
from ..lockfree.general import HANDLING, PREPARING, Form, drive
from ..lockfree.pushers import exactly, newest_of, nothing_behind, placer, pusher, sweeper
from ..lockfree.queue import Given, cell
from ..lockfree.stateless import hourly_means
from ..node import Program
from ..node.program import renamed
from ..node.source import Sent
from ..node.world import DATABASE, MACHINE, QUEUES
from ..pipeline import Job
from .found import Flaw, Flaws

WRONG = "Wrong"
UNSTATED = "True under a condition that the article does not state"
STATED = "True under a condition that the article states"
STEP = "The article's own stepping stone: it repairs this itself"
OWN = "The course's own"
LOST = "after «Cola», in the part whose prose is lost"
STALE = (
    "Stale reads do no harm, since every write is a compare-and-swap. (Read into what is left of the passage, which "
    "goes on to name consistency models and ends on «Read My Writes»: it may have set that as a condition.)"
)
BROOM = "Es importante asegurarse de que los procesadores logren procesar los datos antes de que llegue la escoba"
CRASH_OR_LOST = {"crashes": 1, "lost_replies": 1}
Question: TypeAlias = Callable[..., Proof]
INPUT, OUTPUT = "input", "output"  # queues
MESSAGE = Given((INPUT,), ((1,),))


@dataclass(frozen=True)
class Case:
    """A sentence that fails as it stands.

    `subject` names it, `article` is the number of the article, or 0 for a sentence of the course's own, `chapter`
    where the course comes to it. `heading` names the kind of failure. `says` is the sentence in our words, `quote` a
    short quotation in the words of our copy, `place` where that stands, and `origin` whether the copy has a sentence,
    pseudocode, or a passage of which most words are lost, from which it is reconstructed. `breaks` is explored and
    broken, `because` says why; `repair` is the repair in words, and `holds`, its question, is proved.
    """

    subject: str
    article: int
    chapter: int
    heading: str
    says: str
    origin: str
    place: str
    quote: str
    breaks: Question
    because: str
    repair: str
    holds: Question


def flaws() -> Flaws:
    """Explore each sentence of the articles that fails or needs a condition, and its repair. Returns `Flaws`."""
    return Flaws({case.subject: Flaw(case, case.breaks(), case.holds()) for case in CASES})


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


def transfer(stage: Callable[..., str]) -> Question:
    """Two nodes transfer money, and one of the orders cannot be carried out."""
    orders = (("b", "c", 9), ("a", "b", 1)), (("a", "b", 1),)
    bank = Bank(stage, orders, {"a": 5, "b": 5, "c": 0})
    return asked(bank.programs, bank.as_answered)


# Article 3: the queue.


def retention(**deletes: Any) -> Question:
    """Two nodes push, and a third one deletes, over registers that may forget."""

    def forgetful(node):
        return weaker.Forgetful(node.registers)

    pushers = [pusher("a", over=forgetful), pusher("b", over=forgetful)]
    return asked([*pushers, sweeper("a", over=forgetful, **deletes)], nothing_behind)


def stale(*reads: str, values: Any = (7,), queue: Any = Queue, **faults: int) -> Question:
    """One node places values, and these reads may be stale."""
    handlers = [placer(*values, queue_of=weaker.stale_reads(*reads, queue=queue))]
    return asked(handlers, exactly(*values, cells=newest_of), **faults)


def polled(value: int, advances: bool = False, by_truth: bool = False, **faults: int) -> Question:
    """A database handler looks twice, without waiting, at the input to which another node pushes one value.

    Index and effect change in one transaction. With `advances` the index is raised whether there is a message or not;
    with `by_truth` a value that is false is taken for none.
    """

    def push(node):
        Queue(node.store(QUEUES), INPUT).push(value)

    def poll(node):
        for _ in range(2):
            _, index = node.database.read(INDEX)
            index = index or 0
            _, found = node.store(QUEUES).read(cell(INPUT, index))
            effect = [("add", "counter", 1)] if (found if by_truth else found is not None) else []
            if advances or found is not None:
                node.database.transact(("write", INDEX, index + 1), *effect)

    def none_skipped(view):
        index = view.look(DATABASE, INDEX, "cell") or 0
        return view.counter == index or f"the index is {index} and the counter {view.counter}: a message was skipped"

    return asked([push, poll], none_skipped, **faults)


# Article 3: the lock-free handler in its general form.


def machine(function, messages=MESSAGE, name="handler", store=MACHINE[0], outputs=(OUTPUT,), **parts):
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
    return asked(machine(counts, Given((INPUT,), ((1, 2),)), outputs=(), **parts), counted, nodes=2, **faults)


def both(one: str, other: str, **faults: int) -> Question:
    """Two machines of these names each push the double of the same message to one queue."""
    stores = (one, "machines"), (other, "others")
    return asked([machine(twice_as_much, name=name, store=store) for name, store in stores], outputs(2, 2), **faults)


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

    def store_of(node, name):
        if not forgets or name != MACHINE[0]:
            return node.store(name)
        return weaker.Forgetful(node.store("kept"))

    def twin(node):
        over = copy(node)
        over.store = partial(store_of, node)
        drive(over, lambda state, readings: (state, [readings[0].hour]), form)

    def again(node):
        twin(node)
        registers = store_of(node, MACHINE[0])
        version, _ = registers.read(MACHINE[1])
        if forgets:
            registers.forget(MACHINE[1], version)
        else:
            registers.cas(MACHINE[1], version, form.beginning(node))
        twin(node)

    programs = [Program(each, Job(1), machine=form.machine, feeds=(OUTPUT,)) for each in (twin, again)]
    return asked(programs, outputs(1, 1))


CASES = (
    Case(
        "a compare-and-swap that is repeated", 3, 9, WRONG,
        "A compare-and-swap by version can be repeated without harm until an answer comes.",
        "sentence", "under «Cas»",
        "esta operación se puede repetir sin cesar hasta que se devuelva la respuesta real del destinatario",
        deposits(lambda registers, by, _: cas.repeating(registers, by), lost_replies=1),
        "The first request has succeeded and its reply is lost, so the repetition is refused. The article's "
        "loop takes the refusal for another's write, reads again, and deposits a second time.",
        "The register holds who has changed it, and the loop asks for its own name before each attempt.",
        deposits(cas.signing, lost_replies=1, crashes=1),
    ),
    Case(
        "one watermark for each producer", 1, 5, WRONG,
        "The broker keeps one last number for each producer.",
        "sentence", "under «Pattern of the Idempotent Producer»",
        "Each node keeps a value called High Watermark for each Producer.",
        numbered("producer 7"),
        "Numbers run for each partition, so the first record of a second partition is taken for a duplicate. "
        "Nor is that number what Kafka calls a high watermark, which is an offset: up to there all in-sync "
        "replicas have the log.",
        "The broker keeps it for each producer and partition.",
        numbered("producer 7 in partition {}", **CRASH_OR_LOST),
    ),
    Case(
        "equal values of two handlers", 3, 10, WRONG,
        "The push is done if the cell holds this value.",
        "pseudocode", LOST, "return queue.push_at(value, index) or queue.get(index) == value",
        asked([placer(7), placer(7)], exactly(7, 7)),
        "Another handler's equal value is taken for one's own.",
        "A cell holds the handler's name and the number of its step beside the value (`Sent`).",
        both("one", "other", crashes=1),
    ),
    Case(
        "a consumer that advances first", 3, 10, UNSTATED,
        "The database's handler raises the index, then looks for the message, applies it if there is one, and "
        "commits.",
        "pseudocode", LOST,
        "tx.write_current_index(index + 1) … value = intput_queue.get(index) … if value: … tx.commit()",
        polled(7, advances=True),
        "The condition is that `get` waits until there is a message. Where it does not, the index moves past a "
        "cell that is empty, and the message that comes there a moment later is skipped for ever.",
        "The index moves only when there is a message.",
        polled(7, crashes=1),
    ),
    Case(
        "a message that counts as none", 3, 10, UNSTATED,
        "The database's handler applies the message if its value is true.",
        "pseudocode", LOST, "value = intput_queue.get(index) … if value: … tx.increment_counter()",
        polled(0, by_truth=True),
        "The condition is that no message is 0, false or “”: of such a message the index is raised, and the "
        "effect left out.",
        "The handler asks whether the cell holds a message, and not whether the message is true.",
        polled(0, crashes=1),
    ),
    Case(
        "the early return", 3, 8, UNSTATED,
        "Acquire both locks; return if the funds are insufficient; else move the amount. The listing releases "
        "no lock on any path.",
        "pseudocode", "under «Media transacción»", "if amount_from < amount: return error.insufficient_funds",
        transfer(early_return),
        "The condition is that a lock ends with its scope, as in C++ or Rust. Translated into a language where "
        "locks are released by hand, at the end, the early return keeps both, and nobody else gets them as "
        "long as that incarnation goes on.",
        "Locks are released on every way out (`with`).",
        transfer(ordered_locks),
    ),
    Case(
        "outputs that are empty", 3, 10, UNSTATED,
        "PREPARING finds an index for output 0.",
        "pseudocode", LOST, "fsm_state = {PREPARING, user_state, next_indexes, outputs, 0}",
        counting({}, compute=in_the_article),
        "The condition is that there is an output queue, and a message for it: where a function has nothing to "
        "say, the article pushes `none` as a message. A handler that only keeps state has no output 0.",
        "Such a step goes from HANDLING to HANDLING.",
        counting(CRASH_OR_LOST),
    ),
    Case(
        "the database handler", 3, 7, UNSTATED,
        "It reads the index, and writes index and effect, in one transaction.",
        "pseudocode", LOST, "tx = db.begin_transaction() … tx.write_current_index(index + 1) … tx.commit()",
        asked(twins(set_index, "read committed"), applied_once),
        "At read committed both twins read the same index, and both apply the message. The article lists four "
        "levels, from serializability to read committed; our copy has lost what it says of them.",
        "SET the index WHERE it is unchanged, and look at the count; or serializable.",
        asked(twins(where_index, "read committed"), applied_once, crashes=1),
    ),
    Case(
        "a machine that is reset", 3, 10, UNSTATED,
        "A compare-and-swap with versions knows no ABA.",
        "sentence", "under «Cas»",
        "evitando el problema ABA. En particular, las versiones son compatibles con Etcd y Zookeeper.",
        resetting(True),
        "The condition is that no register is deleted: etcd's `version` of a key begins anew after a deletion. "
        "A machine that was deleted, to handle the inputs once more, comes to the same versions again. A "
        "stalled twin's transition succeeds, and names an index that holds the equal message of the first "
        "time.",
        "The reset writes the beginning over it, and the version grows.",
        resetting(False),
    ),
    Case(
        "a stale look for an empty cell", 3, 9, UNSTATED,
        STALE,
        "reconstructed", LOST, "… Stale Read … CAS … CAS, , Read My Writes .",
        stale("search", values=(7, 7)),
        "A full cell looks empty, its index is prepared once more, and an equal value there is taken for one's "
        "own.",
        "`next_index` asks the leader; the hint may be stale.",
        stale("hint", values=(7, 7), **CRASH_OR_LOST),
    ),
    Case(
        "a stale comparison", 3, 9, UNSTATED,
        STALE,
        "reconstructed", LOST, "… Stale Read … CAS … CAS, , Read My Writes .",
        stale("compare", crashes=1),
        "The cell holds one's own value, and the read does not show it yet, so it is pushed at a second place. "
        "That read breaks read-your-writes across two incarnations: the first one wrote, and the second one "
        "reads.",
        "The refused `cas` answers with what it found, so that there is no read.",
        stale("hint", "compare", queue=weaker.AnsweredQueue, **CRASH_OR_LOST),
    ),
    Case(
        "retention that deletes", 3, 9, STATED,
        "Elements may be deleted by age, if handlers are done with them long before.",
        "sentence", "under «Cola»", BROOM,
        retention(queue=flawed.ForgettingQueue),
        "A deleted cell's version begins at 0 again, so a stalled push succeeds behind the index at which "
        "readers begin: a ghost. The condition is one of timing; the same article says of delays that they may "
        "last without limit («pueden durar indefinidamente»).",
        "A cell is emptied by a write, and keeps its version.",
        retention(),
    ),
    Case(
        "a late read of the inputs", 3, 10, STATED,
        "The same, of inputs: a handler that stalls loses the compare-and-swap when it wakes up, and reads "
        "again.",
        "sentence", "under «Cola»", BROOM,
        swept_input({}, compute=in_the_article),
        "Retention has emptied the cell that the stalled handler reads next, and the function is given the "
        "mark in place of a message.",
        "Whoever finds a mark reads the machine again. If that has not moved on either, the message is lost, "
        "which is an error.",
        swept_input({"crashes": 1}),
    ),
    Case(
        "retention that forgets the value", 3, 10, STATED,
        "The same, of outputs: the push is done if the cell holds this value.",
        "sentence", "under «Cola»", BROOM,
        swept_output(flawed.NamelessQueue),
        "The cell was emptied before the machine went on, so it holds the value no more: it is pushed at a "
        "second place. (That a cell is emptied, and not deleted, is the course's own device.)",
        "The mark of an emptied cell keeps the value's fingerprint.",
        swept_output(Queue, crashes=1),
    ),
    Case(
        "the order of concurrent events", 1, 1, STEP,
        "For concurrent events the order does not affect the system.",
        "sentence", "under «Lamport clocks, how does it work?»",
        "the exact order of their execution does not affect the system",
        dinner(lambda kept, other: other),
        "Two copies that get two concurrent writes in different orders differ. The article's next paragraph "
        "brings the repair, by convention.",
        "All take one total order: by stamp, then by process. This is the article's own repair.",
        dinner(max),
    ),
    Case(
        "push, made again", 3, 9, STEP,
        "Push, then save the position; after a crash both are done again.",
        "pseudocode", LOST, "output.push(value) index += 1 # state.set(index)",
        asked(flawed.plain_push, crashes=1),
        "The value is in the queue already, and whoever pushes cannot know it. The next listing of the article "
        "has `get_next_index` and `push_at`.",
        "Prepare a place, and push there unless the value is there (two twins). This is the article's own "
        "repair.",
        asked(hourly_means, nodes=2, **CRASH_OR_LOST),
    ),
    Case(
        "two handlers of one name", 0, 10, OWN,
        "Values that carry handler and step are told apart.",
        "", "", "",
        both("one", "one"),
        "Two handlers of one name, with machines in different stores, send equal messages to one queue.",
        "Each handler has a name of its own among those that share a queue.",
        both("one", "other", lost_replies=1),
    ),
)  # fmt: skip

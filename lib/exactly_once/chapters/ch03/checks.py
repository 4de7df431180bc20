"""The exercises and gaps of chapter 03: losses and duplicates on both sides of a log, and their repair."""

import functools
import inspect
import itertools
import textwrap
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

import pandas as pd

from ... import show as drawing
from ...exercises.kinds.compared import Compared, Invariant, Moment
from ...exercises.kinds.kind import Specified
from ...exercises.kinds.proved import Proved, World, proved_in
from ...exercises.kinds.reply import right, wrong
from ...exercises.kinds.values import Entries, Values, Wholes
from ...faults import Fault, FaultPlan
from ...handlers.logs.both_sides import (
    READINGS,
    both_plans,
    both_sides,
    effects_of,
    fetch,
    insist,
    key_of,
    producer_that_retries,
)
from ...handlers.logs.prediction import COPIES as PRODUCERS
from ...node import LogSource, Numbers, Partition, Program
from ...pipeline import Job
from ...simulate import simulate
from ...stores.codec import describe

ITEMS: dict = {}  # {name: item}


def wrote(run):
    """Return the numbers of the incarnations that wrote to a register in a run."""
    return {write.life for write in run.writes if is_register(write.part)}


def is_register(part: str | None) -> bool:
    """Tell whether a part of the store, or None, is a register."""
    return (part or "").startswith("register.")


# 03a: which records are lost and doubled by one plan, under all four settings of producer and consumer.

RECORDS, BATCH = 8, 3
SENDING = FaultPlan([Fault("output.push", 2, "lost reply"), Fault("output.push", 5, "lost request")])
RECEIVING = FaultPlan([Fault("database.increment", 6, "crash after")])
SETTINGS = [(retry, position) for retry in ("retry", "give up") for position in ("last", "first")]
KINDS = ("lost", "doubled")


@functools.cache
def run(setting):
    """Return the `Run` of one setting."""
    return simulate(both_sides(*setting, "add", RECORDS, BATCH), both_plans(SENDING, RECEIVING))


def log_of(setting):
    """Return the records in the log at the end of the run of one setting."""
    return [push.value for push in run(setting).pushes]


def lost_and_doubled(setting: tuple[str, ...]) -> dict[Any, Any]:
    """Return the records that are lost, and those that are doubled, in the run of one setting."""
    times = Counter(number for number, *_ in effects_of(run(setting)))
    lost = {number for number in range(1, RECORDS + 1) if number not in times}
    return {"lost": lost, "doubled": {number for number, count in times.items() if count > 1}}


def judged(said: Any) -> Any:
    """Compare a prediction with the result of each setting."""
    ours = {setting: lost_and_doubled(setting) for setting in SETTINGS}
    for setting, kind in itertools.product(SETTINGS, KINDS):
        right_, theirs = ours[setting][kind], said[setting][kind]
        for number in [*sorted(theirs - right_), *sorted(right_ - theirs)]:
            told = f"record {number} is not {kind}" if number in theirs else f"you left a record out under {kind!r}"
            return wrong(f"With {setting!r}, {told}: {because(setting, kind, number)}", picture=steps(setting))
    told = "All four settings are right. One surplus record in the log shifts the borders of all batches behind it."
    return right(told, picture=table(ours))


def because(setting, kind, number):
    """Return why a record is, or is not, lost or doubled, from its place in the log and its batch."""
    log = log_of(setting)
    if number not in log:
        return "its only request was lost, and the producer did not send it again."
    if kind == "doubled" and log.count(number) > 1:
        return "its acknowledgement was lost, so it was sent again, and is in the log twice."
    batch = log[log.index(number) // BATCH * BATCH :][:BATCH]
    where = f"it is in the log once, in the batch {', '.join(map(str, batch))}"
    if 6 not in batch:
        return f"{where}, which one process handled from beginning to end."
    early = batch.index(number) <= batch.index(6)
    if "last" in setting:
        again = (
            "and the effects before the death are repeated"
            if early
            else "and this record had no effect before the death"
        )
        return f"{where}, which the next process reads from its beginning, {again}."
    never = "a record without an effect before the death never has one"
    return (
        f"{where}, whose position was saved first{'; it had its effect before the death' if early else f': {never}'}."
    )


def steps(setting):
    """Return the steps of the run of one setting, as a table."""
    rows = [(event.stamp, event.process, event.text) for event in run(setting).trace]
    told = f"The log in the end: {' '.join(map(str, log_of(setting)))}. Batches are cut every {BATCH} offsets."
    listed = pd.DataFrame(rows, columns=["stamp", "who", "what"])
    return drawing.Picture(f"<p>{told}</p>", listed, told, "All steps of this run")


def table(said: Any) -> Any:
    """Return a prediction as a table, a row for each setting."""
    rows = [(*setting, *(str(sorted(said[setting][kind])) for kind in KINDS)) for setting in SETTINGS]
    return drawing.table_picture(pd.DataFrame(rows, columns=["producer", "position", *KINDS]))


NUMBERS = Entries({kind: Wholes(f"a record that is {kind}", 1, RECORDS) for kind in KINDS})

ITEMS["03a"] = Values(
    fields=dict.fromkeys(SETTINGS, NUMBERS),
    rule=judged,
    drawn=table,
    asks="your predictions",
)

# 03b: the position to save while workers finish records in any order.

OFFSETS, WORKERS = range(4), 3  # of the records that the explorer uses; gaps are the cases' business


def consumer_saving(position):
    """Return the program of a consumer whose workers finish in any order, with `position` for each save."""

    def consumer(node):
        began = node.positions.load()
        at, handed_out, finished = began, [], []
        while True:
            while len(handed_out) - len(finished) < WORKERS and node.running(at):
                items, at = node.read(at)
                handed_out.append(items[0].offset)
            busy = [offset for offset in handed_out if offset not in finished]
            if not busy:
                return
            done = node.choose(busy)
            node.output.push(done)
            finished.append(done)
            saved = position(began["numbers"], list(handed_out), list(finished))
            node.positions.save({"numbers": min(max(saved, 0), len(OFFSETS)) if isinstance(saved, int) else 0})

    return Program(consumer, Numbers(len(OFFSETS), ("orders",)))


def nothing_lost(view):
    """In the end every record had its effect."""
    lost = [offset for offset in OFFSETS if offset not in view.outputs]
    return not view.done or not lost or f"the record at offset {lost[0]} never has its effect"


@dataclass(frozen=True, kw_only=True)
class Saved(Compared):
    """A position that is compared, and then saved in all schedules of `consumer_saving` with one crash."""

    def check(self, answer):
        """Compare; then prove. The schedule that loses a record stands behind what is wrong in a case."""
        reply = super().check(answer)
        if not reply.right and "; right is" not in reply.sentence:
            return reply
        refused, states = proved_in([World("One crash", consumer_saving, nothing_lost, {"crashes": 1})], answer)
        if not reply.right:
            return wrong(f"{reply.sentence} {refused.sentence}", refused.run, refused.handler) if refused else reply
        return refused or right(f"{reply.sentence} ({states:,} states).", picture=reply.picture)


HANDED, ORDER = [3, 4, 7, 8, 9], [4, 3, 8, 9, 7]

ITEMS["03b"] = Saved(
    cases=(  # the first record that is not finished follows the one before it without a gap, so one answer is right
        (0, [0], [0]),
        (0, [0], []),
        (0, [0, 1], [1]),
        (0, [0, 1], [0]),
        (0, [0, 1], [1, 0]),
        (5, [5, 6, 7], [7, 5]),
        (0, [0, 1, 2, 3], [0, 1, 3]),
        (3, [3, 5, 6], [5, 3]),
        (3, [4, 7, 9], [9, 7, 4]),
        (12, [], []),
    ),
    shown=[(3, HANDED, ORDER[:count]) for count in range(len(ORDER) + 1)],
    praise="Every record before the position is finished, so none is lost, and none is done again without need. A "
    "crash repeats the records that were finished ahead of the slowest worker. Proved for four records, three "
    "workers that finish in any order, and one crash anywhere",
)

# 03c: an update by key that a repeated batch cannot turn back; an observer reads the key twice.

JOB = Job(items=3)
SEEN = "latest.seattle"
NEWEST = {f"latest.{stream}": [all_[-1].hour, all_[-1].value] for stream, all_ in JOB.inputs().items()}


def consumer_with(update: Callable[..., Any]) -> Callable[..., Any]:
    """Return a consumer that saves its position after two items each, with `update(node, item)` as its effect."""

    def consumer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = fetch(node, positions, 2)
            for item in items:
                update(node, item)
            node.positions.save(positions)

    return consumer


def observed(update):
    """Return the consumer, and beside it an observer, which reads one key twice and pushes the hour found there."""

    def observer(node):
        for _ in range(2):
            _, held = node.registers.read(SEEN)
            node.output.push(held[0] if isinstance(held, list) and held else 0)

    return [consumer_with(update), observer]


def newest(view):
    """In the end each key holds its newest reading."""
    held = view.registers
    for name, reading in NEWEST.items():
        if view.done and held.get(name) != reading:
            there = describe(held[name]) if name in held else "nothing"
            return f"{name} holds {there} in the end, and should hold {describe(reading)}"
    return True


def forward(view):
    """In the end each key holds its newest reading, and the observer never sees the hours go back."""
    for before, after in zip(view.outputs, view.outputs[1:], strict=False):
        if after < before:
            return f"an observer who saw hour {before} under {SEEN} sees hour {after} there a moment later"
    return newest(view)


def listing():
    """Draw the source of the consumer."""
    text = "\n\n".join(textwrap.dedent(inspect.getsource(part)) for part in (consumer_with(...), fetch))
    return drawing.Picture(f'<pre class="eo-listing">{escape(text)}</pre>', text=text)


ITEMS["03c"] = Proved(
    asks="your update",
    worlds=[
        World("Even when nothing goes wrong", consumer_with, newest, job=JOB),
        World("With one crash", consumer_with, newest, {"crashes": 1}, JOB),
        World("With one crash and an observer", observed, forward, {"nodes": 2, "crashes": 1}, JOB),
    ],
    idle=lambda run: not run.error and not any(is_register(event.detail.get("part")) for event in run.trace),
    drawn=lambda run: drawing.spacetime(run, 2),
    blank=listing,
    praise="A repeated batch changes nothing: the update is idempotent, and no observer sees the value go back "
    "({states} states). At-least-once has become harmless at every moment.",
)

# 03e: a producer and a consumer that book each payment once, under any fault of either side.

PAYMENTS = (("ann", 5), ("ann", 5), ("bob", 7))
LOG = Partition("payments")
FAULTS = (  # the faults, anywhere on either side, from the easiest to the hardest, and the numbers of payments
    ("Even when nothing goes wrong", {}, (1, 3)),
    ("One crash", {"crashes": 1}, (1, 2, 3)),
    ("One lost request", {"lost_requests": 1}, (1, 3)),
    ("One lost reply", {"lost_replies": 1}, (1, 3)),
    ("One request that arrives twice", {"duplicates": 1}, (1, 3)),
    ("One late request", {"late_requests": 1}, (1, 2)),
    ("One pause", {"pauses": 1}, (1, 2)),
    ("A crash and a lost reply", {"crashes": 1, "lost_replies": 1}, (1, 2)),
    ("A crash and a late request", {"crashes": 1, "late_requests": 1}, (1, 2)),
)


@dataclass(frozen=True)
class Payments(Numbers):
    """The payments that the producer is to send: each has an account as its key and an amount as its value."""

    def load_inputs(self, stores):
        """Put the payments where they are read from."""
        stores["engine"].fill("input.numbers", [[amount, account] for account, amount in PAYMENTS[: self.count]])


def booked_once(view, payments):
    """No account ever holds more than the sum of its payments, and in the end each holds exactly that."""
    right = {account: sum(each for name, each in payments if name == account) for account, _ in payments}
    held = {account: balance(view, account) for account in right}
    return held == right if view.done else all(held[account] <= right[account] for account in right)


def balance(view, account):
    """Return the balance in an account's register, a number or a list that begins with it; 0 if unwritten."""
    held = view.registers.get(account, 0)
    held = held[0] if isinstance(held, (list, tuple)) and held else held
    return held if isinstance(held, (int, float)) else float("inf")


def misbooked(view, payments):
    """Return True, or a sentence on the mistake."""
    for account in dict.fromkeys(account for account, _ in payments):
        paid, held = [each for name, each in payments if name == account], balance(view, account)
        if held == float("inf"):
            return f"the register {account!r} holds {view.registers[account]!r}; it begins with the balance"
        if held > sum(paid) or (view.done and held != sum(paid)):
            return f"the account of {account} holds {held}, and was paid {' and '.join(map(str, paid))}"
    return True


def both(count, answer):
    """Return the programs of both sides, for the first so many payments."""
    source = Payments(count, tuple(account for account, _ in PAYMENTS))
    return [
        Program(answer["producer"], source, LOG, "producer"),
        Program(answer["consumer"], LogSource(LOG), name="consumer"),
    ]


def producer_books(answer, run):
    """Return the reply to a producer that writes to a register, or None."""
    if not wrote(run) & {start.life for start in run.trace.lives() if start.detail["node"] == 0}:
        return None
    return wrong("The producer writes to a register; only the consumer does that.", picture=drawing.spacetime(run, 1))


def world(fault: str, bounds: Any, count: int) -> World:
    """Return the world of the first so many payments, with one of `FAULTS`."""
    rule = Specified(booked_once, misbooked, PAYMENTS[:count])
    return World(fault, functools.partial(both, count), rule, bounds)


ITEMS["03e"] = Proved(
    asks="your two functions",
    form="a dictionary with producer and consumer, two functions",
    parts=("producer", "consumer"),
    alone=functools.partial(both, len(PAYMENTS)),
    idle=lambda run: not run.error and not run.pushes and not wrote(run),
    objects=producer_books,
    worlds=[world(fault, bounds, count) for fault, bounds, counts in FAULTS for count in counts],
    drawn=lambda run: drawing.spacetime(run, 1),
    praise="Each payment is booked once, though the log holds some payments twice. Proved within these bounds: three "
    "payments and a crash, a lost request, a lost reply or a duplicate; two payments and a late request, a pause, or "
    "a crash beside a lost reply or a late request; anywhere on either side ({states} states).",
)


def sends(producer: Callable[..., Any], records: int) -> Program:
    """Return the program of a producer of so many records, which are the numbers from 1 on."""
    return Program(producer, Numbers(records), READINGS, "producer")


def sent_nothing(run: Any) -> bool:
    """Tell whether a run left the log empty, and nobody failed."""
    return not run.pushes and not run.error


def strayed(view):
    """Return a sentence on the mistake in the keys of the records in the log, or None."""
    for _, key, value, _ in view.look("log", READINGS.name, "partition"):
        if key != key_of(value):
            return f"record {value} is in the log under the key {key!r}; in the input its key is {key_of(value)!r}"
    return None


# 03-ask: look into the log before a record is sent again.

ASKED = (1, 2)
OTHER = 7  # another producer's record


def asking(push: Callable[..., Any]) -> Program:
    """Return the program of a producer that leaves each record to `push(node, record)`, and notes it then."""

    def asks(node):
        positions = insist(node.positions.load)
        while node.running(positions):
            items, next_positions = insist(node.read, positions)
            push(node, items[0])
            insist(node.positions.save, next_positions)
            positions = next_positions

    return sends(asks, len(ASKED))


def beside(push: Callable[..., Any]) -> list[Program]:
    """Return this producer, and beside it one that appends a record of its own."""

    def other(node):
        insist(node.output.push, OTHER, key_of(OTHER))

    return [asking(push), Program(other, Numbers(1), READINGS, "other")]


def each_once(view):
    """No record is in the log twice, each has its key, and in the end each is there."""
    found = [value for value in view.outputs if value != OTHER]
    if len(found) > len(set(found)) or (view.done and found != [*ASKED]):
        besides = f", and {OTHER} of the other producer" if OTHER in view.outputs else ""
        return f"the log holds {view.outputs}, and should hold {[*ASKED]}{besides}"
    return strayed(view) or True


BESIDE = "Another producer appends, too, and one {} is lost"

ITEMS["03-ask"] = Proved(
    worlds=[
        World("Nothing is lost", asking, each_once),
        World("One request is lost", asking, each_once, {"lost_requests": 1}),
        World("One reply is lost", asking, each_once, {"lost_replies": 1}),
        World("One request and one reply are lost", asking, each_once, {"lost_requests": 1, "lost_replies": 1}),
        World(BESIDE.format("reply"), beside, each_once, {"lost_replies": 1}),
        World(BESIDE.format("request"), beside, each_once, {"lost_requests": 1}),
    ],
    idle=sent_nothing,
    praise="Each record is in the log once, wherever a request and a reply are lost. That includes the request and "
    "the reply of the question.",
)

# 03-copies: how many copies of a record a fault leaves in the log, for each of the two producers.


ITEMS["03-copies"] = Compared(
    cases=[(producer, kind) for producer, kinds in PRODUCERS.items() for kind in kinds],
    praise="Your function counts each of the {count} cases as the runs do.",
)

# 03-nothing-lost: the promise at-least-once, as a rule for the explorer.


class LogView:
    """What a rule sees: the values in the log, and whether the producer has finished."""

    def __init__(self, outputs: list[Any], done: bool) -> None:
        self.outputs, self.done = list(outputs), done

    def look(self, store, part, kind):
        """Return the records of the partition as `View.look` does."""
        return [[offset, key_of(value), value, value] for offset, value in enumerate(self.outputs)]


def moment(outputs: list[Any], done: bool, holds: bool = True) -> Moment:
    """Return a moment of the log."""
    ended = "has finished" if done else "is still at work"
    why = "At-least-once is kept: " + ("repetitions are allowed." if len(outputs) > 3 else "each record is there.")
    if not done:
        why = "At-least-once is kept: what is not there yet may still come."
    if not holds:
        why = "At-least-once is broken: a record is lost."
    return Moment(f"The log holds {outputs}, and the producer {ended}", LogView(outputs, done), holds, why)


ITEMS["03-nothing-lost"] = Invariant(
    moments=[
        *(moment(outputs, False) for outputs in ([], [1], [1, 2, 3])),
        *(moment(outputs, True) for outputs in ([1, 2, 3], [1, 2, 2, 3], [1, 1, 2, 2, 3])),
        *(moment(outputs, True, False) for outputs in ([1, 3], [1, 1, 3], [1, 2], [2, 3, 3], [])),
    ],
    praise="Your rule asks at the end, asks for each of the three records, and allows repetitions.",
)

# 03-producer: a producer that sends again until an answer comes. Chapter 05 takes it up and repairs it.

SENT = (1, 2, 3)


def keeps_its_promise(view, faults):
    """In the end no record is missing, and a fault repeats at most the one record that it struck."""
    if any(value not in SENT for value in view.outputs):
        return f"the log holds {view.outputs}; it should hold records 1, 2 and 3"
    if view.done and (missing := [record for record in SENT if record not in view.outputs]):
        return f"the log holds {view.outputs}: record {missing[0]} is lost"
    if len(view.outputs) > len(SENT) + faults:
        return f"the log holds {view.outputs}: each fault may repeat one record, and no more"
    return strayed(view) or True


def lossy(when: str, **bounds: int) -> World:
    """Return the world of three records with such faults."""
    rule = partial(keeps_its_promise, faults=sum(bounds.values()))
    return World(when, partial(sends, records=len(SENT)), rule, bounds)


ITEMS["03-producer"] = Proved(
    refuses=(producer_that_retries,),
    worlds=[
        lossy("With nothing lost"),
        lossy("One request is lost", lost_requests=1),
        lossy("One reply is lost", lost_replies=1),
        lossy("The producer dies once", crashes=1),
        lossy("Two requests are lost", lost_requests=2),
    ],
    idle=sent_nothing,
    praise="No record is lost, wherever one reply or two requests get lost, or the producer dies once. Your producer "
    "is kept in my-work/built/, and chapter 05 takes it up.",
)

"""The exercises of chapter 05: the broker's side of the idempotent producer, and the broker's memory.

Sources: KIP-98 for the numbers and epochs, with Kafka's ProducerAppendInfo (4.3.1); KIP-360 for the state that has to
outlive a producer's records.
"""

import inspect
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from types import SimpleNamespace
from typing import Any, NamedTuple

import pandas as pd

from ... import show as drawing
from ...clocks import Event, History
from ...errors import BadInput, OutcomeUnknown, one_of
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.explored import Explored, schedule_drawn
from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import right, wrong
from ...exercises.kinds.values import Values
from ...exercises.model_checker import Action, Broken, Model, asked, carried_out, copied, frozen, step
from ...handlers.logs.both_sides import insist
from ...handlers.logs.idempotent import READINGS, numbered_burst, numbering, readings
from ...handlers.logs.prediction import COPIES_OF_SENDERS as SENDERS
from ...log.broker.producer_state import LARGEST_SEQUENCE as TOP
from ...log.broker.producer_state import Producers
from ...log.client.requests import draft
from ...log.log_errors import NotEnoughReplicas, NotEnoughReplicasAfterAppend, OutOfOrderSequence
from ...log.storage.records import PLAIN
from ...node import Numbers, Program
from ..ch03.checks import sent_nothing, strayed
from .hostile import Hostile, in_order, world

ITEMS: dict = {}  # {name: item}


def table(rows, words, **named):
    """Return the picture of a table, with words below it."""
    listed = pd.DataFrame(rows, **named)
    html = f'{drawing.table_html(listed)}<p class="eo-h">{escape(words)}</p>'
    return drawing.Picture(html, text=f"{listed.to_string(index=False)}\n{words}")


# 05a: the first batch in a log whose numbers do not follow from those of its producer before it.


def log_of(*batches: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the headers of batches given as (producer, epoch, first number, records), one behind the other."""
    headers, offset = [], 100
    for producer, epoch, first, count in batches:
        headers.append((offset, producer, epoch, first, count))
        offset += count
    return (headers,)


LOGS = (  # the smallest that shows a mistake stands first
    log_of((7, 0, 0, 1)),
    log_of((7, 0, 0, 1), (7, 0, 0, 1)),
    log_of((7, 0, 0, 1), (7, 0, 2, 1)),
    log_of((7, 0, 0, 1), (7, 0, 1, 1)),
    log_of((7, 0, 5, 1), (7, 0, 6, 1)),
    log_of((7, 0, 0, 3), (7, 0, 3, 2), (7, 0, 5, 1)),
    log_of((7, 0, 0, 3), (7, 0, 1, 1)),
    log_of((7, 0, 0, 1), (9, 0, 0, 1), (7, 0, 1, 1)),
    log_of((7, 0, 0, 1), (9, 0, 1, 1), (9, 0, 1, 1)),
    log_of((None, -1, -1, 2), (None, -1, -1, 1), (7, 0, 0, 1)),
    log_of((7, 0, 0, 1), (7, 1, 0, 1), (7, 1, 1, 1)),
    log_of((7, 0, 0, 1), (7, 1, 1, 1)),
    log_of((7, 0, 0, 1), (7, 1, 0, 1), (7, 0, 1, 1)),
    log_of((7, 3, 4, 1), (7, 5, 0, 1)),
    log_of((0, 0, 0, 1), (0, 0, 0, 1)),  # 0 is a producer's id, too
    log_of((7, 0, TOP, 1), (7, 0, 0, 1)),
    log_of((7, 0, TOP - 1, 4), (7, 0, 2, 1)),
    log_of((7, 0, TOP - 1, 4), (7, 0, 0, 1)),
    log_of((7, 0, 0, 1), (9, 0, 3, 2), (7, 0, 1, 2), (9, 0, 5, 1), (7, 1, 0, 1), (7, 0, 3, 1), (9, 0, 5, 1)),
)


def drawn(said, headers):
    """Draw a log with the batch that an answer names."""
    rows = [(*map(str, header), "○ does not follow" if header[0] == said else "") for header in headers]
    heads = ["offset", "producer", "epoch", "first number", "records", "yours"]
    return table(rows, f"Your answer: {said}", columns=heads)


ITEMS["05a"] = Compared(
    form="a function of a list of headers, audit(headers)",
    cases=LOGS,
    drawn=drawn,
    praise="Each producer's batches follow one another by number, and each new epoch begins with 0, whatever others "
    "write between them. So headers alone show that nothing is doubled and nothing is missing in the middle.",
)

# 05b: a broker that remembers which numbers it has seen, doubles nothing, and reorders.
# The model is a producer that sends a burst, with all its records on their way at once.

RECORDS = 4
VALUES = ("tea", "milk", "sugar", "milk")
EXAMPLE = "Number 0 is late and its first answer is lost; 0, 1 and 2 are sent once more"
ARRIVALS = ((1, False), (0, True), (2, False), (0, False), (1, False), (2, False), (3, False))


class Remembers:
    def __init__(self):
        self.log = []
        self.seen = set()

    def receive(self, number, value):
        if number not in self.seen:
            self.seen.add(number)
            self.log.append(value)
        return True


class Received(NamedTuple):
    """A broker, the numbers that have arrived, and the numbers whose acknowledgement the producer has."""

    broker: Any
    arrived: frozenset = frozenset()
    acknowledged: frozenset = frozenset()


class Burst(Model):
    """A broker, and a producer that sends all its records at once and retries each unacknowledged record."""

    def __init__(self, make: type, records: int = RECORDS) -> None:
        self.make, self.records = make, records

    def start(self) -> Received:
        """Return the state with a new broker."""
        return Received(asked("Broker()", self.make))

    def actions(self, state):
        """Yield the possible next actions: any request arrives, first or again; its reply may be lost."""
        for number in range(self.records):
            again = " once more" if number in state.arrived else ""
            yield arrives(number, again=again)
            if number not in state.acknowledged:
                yield arrives(number, lost=True, again=again)

    def received(self, state: Received, number: int, lost: bool = False) -> tuple[Received, str]:
        """Let a request arrive at the broker; its reply may be lost."""
        broker, call = copied(state.broker), f"receive({number}, {VALUES[number]!r})"
        after = state._replace(broker=broker, arrived=state.arrived | {number})
        with step("", after):
            said = asked(call, broker.receive, number, VALUES[number])
            if said is not True and said is not False:
                raise Broken(f"{call} returns {said!r}; return True or False.")
        if said and not lost:
            after = after._replace(acknowledged=state.acknowledged | {number})
        return after, f"{'acknowledged' if said else 'refused'}{', but the answer is lost' * lost}"

    def judge(self, state: Received) -> None:
        """Raise `Broken` unless the log holds the first records, each once, in order, and all acknowledged ones."""
        log = getattr(state.broker, "log", None)
        if not isinstance(log, list):
            raise Broken(f"self.log is {log!r}; it is a list of the values that are written.")
        sent = list(VALUES[: self.records])
        for place, value in enumerate(log):
            if value not in sent:
                raise Broken(f"{value!r} is in the log, which the producer has not sent.")
            if log.count(value) > sent.count(value):
                raise Broken(f"{value!r} is in the log twice: {log!r}.")
            if value != (first := sent[place]):
                where = f"before {first!r}, which was sent first: {log!r}"
                without = f"without {first!r}, which can only come behind it, or never"
                raise Broken(f"{value!r} is in the log {where if first in log[place:] else without}.")
        if lacking := [number for number in sorted(state.acknowledged) if number >= len(log)]:
            raise Broken(f"Number {lacking[0]} is acknowledged, and its record is not in the log.")

    def settle(self, state: Received) -> None:
        """Let no message be lost any more: the producer sends the records without an acknowledgement, in order."""
        for number in range(self.records):
            if number in state.acknowledged:
                continue
            words = f"The faults are over, and number {number} is sent once more"
            with step(words, state):
                state, answer = self.received(state, number)
                self.judge(state)
            if answer == "refused":
                with step(f"{words}: refused", state):
                    where = "in the log" if number < len(state.broker.log) else "the next one"
                    raise Broken(f"Number {number} is refused although it is {where}; the producer never finishes.")

    def key(self, state: Received) -> bytes:
        """Return bytes that are equal for equal states only."""
        return frozen(state.broker, sorted(state.arrived), sorted(state.acknowledged))

    def shown(self, state: Received) -> tuple[Any, ...]:
        """Return the contents of the broker's log."""
        held = getattr(state.broker, "log", None)
        return tuple(map(repr, held)) if isinstance(held, (list, tuple)) else (repr(held),)


def arrives(number: int, lost: bool = False, again: str = "") -> Action:
    """Return the arrival of a request, as an action."""
    return Action(f"Number {number} ({VALUES[number]}) arrives{again}", "received", (number, lost))


def example(model: Burst) -> list[Action]:
    """Return the arrivals of the example."""
    return [arrives(*each) for each in ARRIVALS]


def burst_drawn(found: Any, title: str) -> Any:
    """Return the picture of a schedule, line by line, and of the log in the end."""
    log = f"The log: {' · '.join(each.strip(chr(39)) for each in found.shown or ()) or 'nothing'}"
    lines = [f"{line}." for line in found.lines]
    return schedule_drawn(title, lines, None, log, paths(found).html if found.steps else "")


def paths(found: Any) -> Any:
    """Return the picture of the requests on their way: all are sent at once, and arrive as they do."""
    arrivals = [action.arguments[0] for action in found.schedule]
    sent = sorted({*arrivals, *range(max(arrivals))})
    events = [Event("producer", "send", str(number)) for number in sent]
    for place, number in enumerate(arrivals):
        events.append(Event("broker", "receive", str(number), redelivery=number in arrivals[:place]))
    marked = {len(events) - 1: "here"} if found.sentence else {}
    return drawing.history(History(events), [*sent, *arrivals], marked=marked)


def remembers_drawn():
    """Draw the broker that remembers, and its counterexample."""
    picture = burst_drawn(carried_out(Burst(Remembers), example(None), judged=False), EXAMPLE)
    code = drawing.code_html(Remembers, remark=False)
    return drawing.Picture(f"{code}{picture.html}", text=f"{inspect.getsource(Remembers)}\n{picture}")


ITEMS["05b"] = Explored(
    model=Burst,
    methods=("receive",),
    form="a class, Broker, with receive",
    worlds=({"records": 1}, {"records": 2}, {"records": RECORDS}),
    states=4_000,
    seconds=20.0,  # a guard; it takes less than one
    first=example,
    calm={},
    judged=False,
    draw=burst_drawn,
    shown=EXAMPLE,
    sketch=remembers_drawn,
    keep="Keep less in self: no counts of arrivals.",
    praise=f"Nothing is doubled, nothing out of order, and the producer finishes: {RECORDS} records, in every "
    "order of arrivals, each as often as you like, any answer lost ({states} states). One number says as much as the "
    "set, and it also shows that a record is missing.",
    praised=True,
)

# 05c: how Java's client reacts to a refused number, after a clean restart of the broker:
# a burst of that producer over one connection to a broker with the log's rule, request by request.

BATCHES = "abcdef"  # of one record each
CONNECTION, AFTER, BEFORE = MISHAPS = "connection", "too few replicas", "not written"


class Wire:
    """A producer's connection to a broker that has one partition, with one mishap: (one of `MISHAPS`, the batch).

    The broker restarts before a batch is sent again; then it knows the newest batch of each producer. `requests` are
    all that were sent, as rows of a table; `log` are the batches in the log, and `expired` tells whether the client
    gave one up.
    """

    def __init__(self, mishap=None):
        self.what, self.struck = mishap or ("", "")
        self.producers, self.log, self.requests, self.expired = Producers(), "", [], False
        self._answers, self._restarted = deque(), False

    @property
    def doubled(self):
        """Whether a batch is in the log twice."""
        return len(set(self.log)) < len(self.log)

    def producer_id(self, topic):
        """Return the producer's id."""
        return 0

    def send(self, topic, records, acks, producer, epoch, sequence, in_flight):
        """Send a batch of one record, which arrives at once; its answer waits for `acknowledgement`."""
        batch = BATCHES[records[0] - 1]
        again = any(batch == one["batch"] for one in self.requests)
        if again and not self._restarted:
            entries, self._restarted = self.producers.entries.items(), True
            self.producers = Producers({who: entry._replace(window=entry.window[-1:]) for who, entry in entries})
        strikes = self.what if not again and batch == self.struck else ""
        done, answer = self._arrived(batch, draft(PLAIN, 1, 0, (producer, epoch, sequence)), strikes)
        if self.what == CONNECTION and not self._restarted and batch >= self.struck:
            answer = OutcomeUnknown("The connection is lost.")
        self._answers.append(answer)
        said = "no answer" if isinstance(answer, OutcomeUnknown) else type(answer).__name__
        window = [str(first) for first, _, _ in self.producers.entries[producer].window] if self.log else []
        self.requests.append(
            {
                "batch": batch,
                "number": f"{sequence} (epoch {epoch})" if epoch else str(sequence),
                "sent": "again" if again else "first",
                "the broker": done,
                "what came back": f"✗ {said}" if answer else "acknowledged",
                "its window then": " ".join(window) or "–",
            }
        )

    def _arrived(self, batch, drafted, strikes):
        if strikes == BEFORE:
            return "not written", NotEnoughReplicas("Too few replicas are in sync.")
        try:
            base = self.producers.check(drafted, 0)
        except OutOfOrderSequence as why:
            return "out of order", why
        if base is not None:
            return f"recognised, at offset {base}", None
        self.producers.note(drafted._replace(base=len(self.log)))
        self.log += batch
        answer = NotEnoughReplicasAfterAppend("Too few replicas are in sync.") if strikes == AFTER else None
        return f"written at offset {len(self.log) - 1}", answer

    def acknowledgement(self):
        """Return if the oldest answer is a success. Raises the error that it is otherwise."""
        if (answer := self._answers.popleft()) is not None:
            raise answer


def played(mishap=None):
    """Return the `Wire` behind a burst of Java's client, the first batch alone, with one mishap and a restart."""
    wire = Wire(mishap)
    try:
        numbered_burst(len(BATCHES), one_connection=True)(SimpleNamespace(log=wire))
    except TimeoutError:
        wire.expired = True
    return wire


NAMES = ("doubles", "log", "expires", "harmless")


@dataclass(frozen=True)
class Mishap:
    """The form of a mishap: one of `MISHAPS`, and the batch that it strikes."""

    def read(self, name, value):
        """Return the two. Raises `BadInput` for a value of another form."""
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            raise BadInput(f"{name} is {value!r}; it is a mishap and a batch, such as ('connection', 'a').")
        what = one_of(f"The mishap of {name}", value[0], MISHAPS)
        return what, one_of(f"The batch of {name}", value[1], tuple(BATCHES))


@dataclass(frozen=True)
class Letters:
    """The form of a log: a text of batches."""

    def read(self, name, value):
        """Return the text. Raises `BadInput` for a value of another form."""
        if not isinstance(value, str) or set(value) - set(BATCHES):
            raise BadInput(f"{name} is {value!r}; write the batches in the log in order, such as 'abc'.")
        return value


def refusals(said):
    """Play the three mishaps, and compare the log of the first."""
    for name in NAMES:
        mishap = said["doubles" if name == "log" else name]
        burst = played(mishap)
        sentence = other_log(said, burst) if name == "log" else other_end(name, mishap, burst)
        if sentence:
            return wrong(f"{name}: {sentence}", picture=requests(burst, mishap))
    return right(
        "The same refusal has two outcomes. If no batch behind the refused one was acknowledged, Java bumps the "
        "epoch and numbers all batches in flight from 0. The broker's window knows the old epoch only, so all of "
        "them are written again. If a batch behind it was acknowledged, Java waits for a gap to close, until the "
        "batch expires. There is no gap: the application gets a TimeoutException for a record that is in the log.",
        picture=requests(played(said["doubles"]), said["doubles"]),
    )


def spoken(mishap):
    """Return a mishap in words."""
    what, batch = mishap
    return {
        CONNECTION: f"the loss of the connection, with the answers to {batch} and to all behind it",
        AFTER: f"the error NotEnoughReplicasAfterAppend for {batch}",
        BEFORE: f"the error NotEnoughReplicas for {batch}",
    }[what]


def other_end(name, mishap, burst):
    """Return a sentence on a mishap that ends in another way, or None."""
    what, batch = mishap
    if name == "harmless":
        harm = "batches are in the log twice" if burst.doubled else "a batch that is in the log expires"
        asks = "Which batch does the broker still know after its restart?"
        return f"after {spoken(mishap)}, {harm}. {asks}" if burst.doubled or burst.expired else None
    if burst.doubled if name == "doubles" else burst.expired:
        return None
    if burst.expired:
        return (
            f"{batch} is refused, and not written again. Batches behind {batch} were acknowledged, so it is not the "
            "next one after the last acknowledged: Java bumps no epoch, and sends it again until it expires."
        )
    if burst.doubled:
        return (
            f"with the answer to {batch} those behind it are lost, too. So {batch} is the next one after the last "
            "acknowledged: Java bumps the epoch, and nothing expires."
        )
    if what == BEFORE:
        return f"{batch} is not in the log when it comes again; it is the next number, and is written once."
    return (
        f"when {batch} comes again, it is the newest batch that the broker wrote: the snapshot holds that one, and "
        "the broker recognises it."
    )


def other_log(said, burst):
    """Return a sentence on another log than that of the first mishap, or None."""
    batch, log = said["doubles"][1], said["log"]
    should, again = burst.log.removeprefix(BATCHES), log.removeprefix(BATCHES)
    if log == burst.log:
        return None
    if log == BATCHES:
        return (
            f"{batch} is refused as out of order, and is the next one after the last acknowledged: Java bumps the "
            "epoch, and writes it again."
        )
    if log.startswith(BATCHES) and (surplus := [each for each in again if each not in should]):
        return f"{surplus[0]} was acknowledged before the mishap, so the producer does not send it again."
    if log.startswith(BATCHES) and set(again) < set(should):
        return (
            f"{batch} comes again in the new epoch, and not alone: Java numbers all batches in flight anew, also "
            "those that the broker has."
        )
    if missing := [each for each in BATCHES if each not in log]:
        return f"you left out {missing[0]}: it was written before anything was refused."
    return f"the log is not {log!r}. Batches that are written again stand behind all others."


def requests(burst, mishap):
    """Return the picture of a burst: each request, the broker's action and reply, and its window afterwards."""
    end = f"In the log in the end: {burst.log}{'; a batch has expired' * burst.expired}."
    words = f"After {spoken(mishap)}; the broker restarts before anything is sent again. {end}"
    return table(burst.requests, words)


def first_answers(said=None):
    """Draw the first sends of the burst under each of the three mishaps, without the end."""
    mishaps = {name: said[name] for name in NAMES if name != "log"} if said else {"nothing goes wrong": None}
    columns = {
        name: [one["what came back"] for one in played(mishap).requests if one["sent"] == "first"]
        for name, mishap in mishaps.items()
    }
    return table({"batch": [*BATCHES], "number": range(6), **columns}, "The first answer to each batch")


ITEMS["05c"] = Values(
    fields={name: Letters() if name == "log" else Mishap() for name in NAMES},
    rule=refusals,
    drawn=first_answers,
    blank=first_answers,
    what="answer",
    asks="your four answers",
)

# 05e: a broker that survives a hostile network, retention, and its own deaths.

WORLDS = (  # the smallest that shows a mistake stands first
    world(p7=[[1]]),
    world(p7=[[1, 1]]),
    world(p7=[[2, 1, 1]]),
    world(p7=[[1]], p9=[[2]]),
    world(p7=[[1], [1]]),
    world(p7=[[1]], deletions=1),
    world(p7=[[1, 2]], deletions=1),
    world(p7=[[1, 1], [2, 1]]),
    world(p7=[[1], [1]], deletions=1),
    world(p7=[[1, 1]], p9=[[1]], deletions=1),
    world(p7=[[1, 1, 1]], deletions=2),
    world(p7=[[1, 1], [1]], p9=[[1]], deletions=2),
    world(p7=[[1], [1], [1, 1]], deletions=2),
    world(p7=[[1, 1, 1, 1, 1]], deletions=2),
    world(p7=[[1, 2], [1, 1]], p9=[[1]], deletions=2),
)
SHOWN = world(p7=[[2, 1]], p9=[[1]])
CALLS = (
    ("Broker(disk)", "A broker starts over this disk, for the first time or again."),
    (
        "receive(producer, epoch, first, values)",
        "A batch arrives; first is the number of its first record. Return its place in the log, or None: refused.",
    ),
    ("delete(before)", "Retention: call self.disk.delete(before), with your own steps before and after it."),
    (
        "disk.log, disk.start",
        "The batches that are there, each [producer, epoch, first, values]; the first one's place.",
    ),
    ("disk.saved", "What was saved last; None at first."),
    ("disk.append(batch)", "Write [producer, epoch, first, values] behind the others."),
    ("disk.delete(before)", "Delete the batches at the places before this one."),
    ("disk.save(value)", "Replace what was saved: numbers, texts, lists, dictionaries, but no records."),
)


def disk_drawn(found: Any, title: str) -> Any:
    """Return the picture of a schedule, line by line, and of the log in the end."""
    table = pd.DataFrame(found.shown or (), columns=["place", "producer", "epoch", "first number", "records", ""])
    return schedule_drawn(title, [f"{line[:1].upper()}{line[1:]}." for line in found.lines], table, found.sentence)


def calls():
    """Draw the table of the calls."""
    return drawing.table_picture(pd.DataFrame(CALLS, columns=["call", "purpose"]))


ITEMS["05e"] = Explored(
    model=Hostile,
    methods=("receive", "delete"),
    form="a class, Broker, with receive and delete",
    worlds=[{"sent": sent} for sent in WORLDS],
    first=in_order,
    calm={"sent": SHOWN},
    draw=disk_drawn,
    shown="Two producers, without a fault",
    sketch=calls,
    keep="Keep in self, and save, only the values that you need.",
    praise="No batch is doubled or out of order, no zombie writes, and every producer finishes, whenever and however "
    "often batches arrive, wherever the broker dies, and whenever its log is cut. The check tried all schedules of "
    f"{len(WORLDS)} small worlds, with up to two producers, five batches, three epochs and two deletions "
    "({states} states).",
)


def writes(producer: Callable[..., Any], records: int, rule: str = "kafka") -> Program:
    """Return the program of a producer of the numbers from 1 on, over a broker with a sequence rule."""
    return Program(producer, Numbers(records), readings(rule), "producer")


def once_each(records: int, keyed: bool = True) -> Callable[..., Any]:
    """Return the rule that the log holds the numbers from 1 on, each once and in order, and in the end all.

    With `keyed` each has to be there under its key.
    """

    def rule(view):
        found = list(view.outputs)
        if found != [*range(1, len(found) + 1)]:
            return f"the log holds {found}"
        if keyed and (elsewhere := strayed(view)):
            return elsewhere
        return not view.done or len(found) == records or f"the producer is done, and the log holds {found}"

    return rule


# 05-accept: how Kafka's broker answers a batch of a producer, within one epoch.

SIX = [(0, 0, 0), (1, 3, 1), (4, 4, 4), (5, 6, 5), (7, 7, 7), (8, 9, 8)]


def because(said, should, batches, *numbers):
    """Return why this is the broker's answer."""
    if should == "append":
        return "the broker knows no batch, or this one follows the newest"
    known = "none of the newest five batches has both its numbers, and it is not the next one"
    return known if should == "out of order" else "it is one of the newest five batches, and comes again"


ITEMS["05-accept"] = Compared(
    cases=(  # the batches of (first number, last number, offset) in the log; the numbers of the batch that comes
        (SIX[:1], 1, 1),
        (SIX[:1], 0, 0),
        (SIX[:1], 2, 2),
        ([], 0, 0),
        ([], 3, 3),
        *((SIX, *numbers) for numbers in [(8, 9), (1, 3), (0, 0), (10, 12), (9, 9), (5, 5), (6, 6), (8, 12)]),
        ([(7, 8, 0)], 9, 9),
        ([(7, 8, 0)], 1, 1),
    ),
    why=because,
    praise="It recognises the newest five batches by both numbers, appends the next one, and refuses every other.",
)

# 05-again: the records of a burst that have to be sent again, by the answers of the article's broker.

AGAIN_RECORDS = 3


def burst_with(again: Callable[..., Any]) -> Program:
    """Return a producer that sends all records at once, and in each round the records that `again` returns."""

    def bursts(node):
        identity = insist(node.log.producer_id, READINGS)
        waiting = list(range(1, AGAIN_RECORDS + 1))
        while waiting:
            for record in waiting:
                node.log.send(READINGS, [record], "all", identity, 0, record - 1)
            waiting = again(node, waiting)

    return writes(bursts, AGAIN_RECORDS, "article")


def hears_nothing(run: Any) -> bool:
    """Tell whether a producer asked for no answer to its requests."""
    sendings = {event.step for event in run.trace if event.verb == "send"}
    heard = {event.step for event in run.trace if event.kind == "receive" and event.verb == "reply"}
    return not run.error and not sendings & heard


def burst_world(when: str, **bounds: int) -> World:
    """Return the world of a burst with such faults."""
    return World(when, burst_with, once_each(AGAIN_RECORDS, keyed=False), bounds)


ITEMS["05-again"] = Proved(
    worlds=[
        burst_world("With nothing lost"),
        burst_world("One request is lost", lost_requests=1),
        burst_world("One reply is lost", lost_replies=1),
        burst_world("One request is late", late_requests=1),
        burst_world("One request and one reply are lost", lost_requests=1, lost_replies=1),
    ],
    idle=hears_nothing,
    praise="The burst is in the log once and in order, and the producer finishes, wherever one request is lost or "
    "late, or one reply is lost, or one request and one reply are lost.",
)

# 05-copies: how many copies of a record a fault leaves in the log, under each rule of the broker.

ITEMS["05-copies"] = Compared(
    cases=[(rule, kind) for rule, kinds in SENDERS.items() for kind in kinds],
    why="ask whether the log had the record when the fault struck, and whether the broker recognises it afterwards",
    praise="It counts each of the {count} cases as the runs do.",
)

# 05-next-life: an id and a number that the next process knows, too.

MANY = 7  # more than the broker's window and the record that is sent again


def life(when: Any, records: int = 2, **bounds: int) -> World:
    """Return the world of so many records with such faults."""
    return World(when, partial(writes, records=records), once_each(records), bounds)


ITEMS["05-next-life"] = Proved(
    refuses=(numbering,),
    worlds=[
        life("With nothing lost"),
        life("The producer dies once", crashes=1),
        life("The producer is paused until its successor runs", pauses=1),
        life("One reply is lost", lost_replies=1),
        life("One request is late", late_requests=1),
        life("The producer dies once, behind more records than a broker's window has batches", MANY, crashes=1),
    ],
    idle=sent_nothing,
    praise="Each record is in the log once and in order, wherever the producer dies or is paused once, one reply is "
    "lost, or one request is late. After a death behind seven records, the next process goes on where it was.",
)

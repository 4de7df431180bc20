"""The exercises of chapter 05: the broker's side of the idempotent producer, and the broker's memory.

Sources: KIP-98 for the numbers and epochs, with Kafka's ProducerAppendInfo (4.3.1); KIP-360 for the state that has to
outlive a producer's records.
"""

from dataclasses import dataclass
from html import escape

import pandas as pd

from ... import show as drawing
from ...errors import BadInput, one_of
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.explored import Explored, schedule_drawn
from ...exercises.kinds.reply import right, wrong
from ...exercises.kinds.values import Values
from ...log.broker.producer_state import LARGEST_SEQUENCE as TOP
from .burst import EXAMPLE, RECORDS, Burst, burst_drawn, example, remembers_drawn
from .hostile import Hostile, in_order, world
from .wire import AFTER, BATCHES, BEFORE, CONNECTION, MISHAPS, played


def table(rows, words, **named):
    """Return the picture of a table, with words below it."""
    listed = pd.DataFrame(rows, **named)
    html = f'{drawing.table_html(listed)}<p class="eo-h">{escape(words)}</p>'
    return drawing.Picture(html, text=f"{listed.to_string(index=False)}\n{words}")


# 05a: the first batch in a log whose numbers do not follow from those of its producer before it.


def log_of(*batches):
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


AUDIT = Compared(
    answer="audit",
    tier="warm-up",
    form="a function of a list of headers, audit(headers)",
    cases=LOGS,
    drawn=drawn,
    mistakes={
        "each record has a number, so the next one is the first plus the number of records": (
            "first + count",
            "first + 1",
        ),
        "a batch without a producer has no numbers to check": (
            "        if producer is None:\n            continue\n",
            "",
        ),
        "after 2147483647 comes 0": (" % 2**31", ""),
        "a newer epoch begins with 0 again": ("        if epoch > known:\n            wanted = 0\n", ""),
        "a newer epoch must not begin with another number than 0": ("wanted = 0", "wanted = first"),
        "a producer may begin with any number here: older batches may have been deleted": (
            "epoch, first))",
            "epoch, 0))",
        ),
        "return the offset of a batch, or None": ("return offset", "return True"),
        "return its offset alone, not the whole header": (
            "return offset",
            "return offset, producer, epoch, first, count",
        ),
        "a number that is too large does not follow either: the batch before it is missing": (
            "first != wanted",
            "first < wanted",
        ),
        "None alone stands for no producer, and 0 is an id": ("producer is None", "not producer"),
        "each producer has numbers of its own": [("last.get(producer", "last.get(0"), ("last[producer]", "last[0]")],
        "an older epoch does not follow a newer one": (
            "if epoch > known",
            "if epoch < known:\n            continue\n        if epoch > known",
        ),
    },
    right=[("% 2**31", "& 0x7FFFFFFF")],
    praise="Each producer's batches follow one another by number, and each new epoch begins with 0, whatever others "
    "write between them. So headers alone show that nothing is doubled and nothing is missing in the middle.",
)

# 05b: a broker that remembers which numbers it has seen, doubles nothing, and reorders.

NEXT, THERE = "number == len(self.log)", "number < len(self.log)"

IN_ORDER = Explored(
    answer="Broker",
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
    mistakes={
        "is acknowledged, and its record is not in the log": (THERE, "True"),
        "return True or False": (f"        return {THERE}\n", ""),
        "is in the log twice": [(NEXT, "True"), (THERE, "True")],
        "is refused although it is in the log": (
            f"        return {THERE}",
            "            return True\n        return False",
        ),
        "fails with ValueError: a gap": (
            f"        if {NEXT}",
            f'        if number > len(self.log):\n            raise ValueError("a gap")\n        if {NEXT}',
        ),
        "'milk' is in the log without 'tea'": [
            ("self.log = []", "self.log, self.last = [], -1"),
            (f"{NEXT}:", "number > self.last:\n            self.last = number"),
            (THERE, "True"),
        ],
        "share something outside of themselves": [
            ("    def __init__", "    seen = []\n\n    def __init__"),
            (f"{NEXT}:", "number == len(self.seen):\n            self.seen.append(number)"),
            (THERE, "number < len(self.seen)"),
        ],
    },
    right=[
        [
            ("self.log = []", "self.log, self.early = [], {}"),
            (
                f"        if {NEXT}:\n",
                "        self.early[number] = value\n        while len(self.log) in self.early:\n",
            ),
            ("append(value)", "append(self.early[len(self.log)])"),
        ]
    ],
    praise=f"Nothing is doubled, nothing out of order, and the producer finishes: {RECORDS} records, in every "
    "order of arrivals, each as often as you like, any answer lost ({states} states). One number says as much as the "
    "set, and it also shows that a record is missing.",
    praised=True,
)

# 05c: how Java's client reacts to a refused number, after a clean restart of the broker.

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


LOG, EXPIRES, HARMLESS = '"abcdefbcdef"', '("too few replicas", "b")', '("connection", "f")'

REFUSED = Values(
    answer="answer_c",
    fields={name: Letters() if name == "log" else Mishap() for name in NAMES},
    rule=refusals,
    drawn=first_answers,
    blank=first_answers,
    what="answer",
    asks="your four answers",
    mistakes={
        "Java numbers all batches in flight anew": (LOG, '"abcdefb"'),
        "Java bumps the epoch, and writes it again": (LOG, '"abcdef"'),
        "a was acknowledged before the mishap": (LOG, '"abcdefabcdef"'),
        "you left out c": (LOG, '"abdef"'),
        "stand behind all others": (LOG, '"abbccddeeff"'),
        "write the batches in the log in order": (LOG, '"b is there twice"'),
        "expires: with the answer to c those behind it are lost, too": (EXPIRES, '("connection", "c")'),
        "expires: b is not in the log when it comes again": (EXPIRES, '("not written", "b")'),
        "NotEnoughReplicasAfterAppend for c, a batch that is in the log expires": (
            HARMLESS,
            '("too few replicas", "c")',
        ),
        "doubles: b is refused, and not written again": ('("connection", "b")', '("too few replicas", "b")'),
        "doubles: when f comes again, it is the newest batch": ('("connection", "b")', '("connection", "f")'),
    },
    right=[
        [('("connection", "b")', '["connection", "e"]'), (LOG, '"abcdefef"'), (HARMLESS, '["not written", "b"]')],
        [(EXPIRES, '("too few replicas", "e")'), (HARMLESS, '("connection", "a")')],
    ],
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


def disk_drawn(found, title):
    """Return the picture of a schedule, line by line, and of the log in the end."""
    table = pd.DataFrame(found.shown or (), columns=["place", "producer", "epoch", "first number", "records", ""])
    return schedule_drawn(title, [f"{line[:1].upper()}{line[1:]}." for line in found.lines], table, found.sentence)


def calls():
    """Draw the table of the calls."""
    return drawing.table_picture(pd.DataFrame(CALLS, columns=["call", "purpose"]))


SAVED = "        self.disk.save([self.producers, end])\n"
DELETED = "        self.disk.delete(before)\n"

SURVIVES = Explored(
    answer="Broker",
    tier="challenge",
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
    mistakes={
        "and the log begins at 0": (DELETED, ""),
        "what is saved holds no records": ("self.producers, end])", "self.producers, end, self.disk.log])"),
        "a zombie wrote it": ("        if epoch < known:\n            return None\n", ""),
        "is refused although it is the next one": ("window[-1][0] + window[-1][1]", "window[-1][0] + 1"),
        "and its place is 1": ("        place = self.disk.start + len(", "        place = len("),
        "is refused although it is in the log": ("[-5:]", "[-4:]"),
        "is in the log before batch 0": ("if first !=", "if producer in self.producers and first !="),
        "is in the log twice": (SAVED + DELETED, DELETED + SAVED),
        "share something outside of themselves": [
            ("    def __init__", "    producers = {}\n\n    def __init__"),
            ("        self.producers, end = disk", "        _, end = disk"),
        ],
    },
    right=[("        self.disk.append", "        self.disk.save([self.producers, place])\n        self.disk.append")],
    praise="No batch is doubled or out of order, no zombie writes, and every producer finishes, whenever and however "
    "often batches arrive, wherever the broker dies, and whenever its log is cut. The check tried all schedules of "
    f"{len(WORLDS)} small worlds, with up to two producers, five batches, three epochs and two deletions "
    "({states} states).",
)

ITEMS = {"05a": AUDIT, "05b": IN_ORDER, "05c": REFUSED, "05e": SURVIVES}

"""The gaps of chapter 03."""

from functools import partial

from ...exercises.kinds.compared import Compared
from ...exercises.kinds.invariant import Invariant, Moment
from ...exercises.kinds.proved import Proved, World
from ...handlers.logs.both_sides import READINGS, key_of
from ...handlers.logs.prediction import COPIES as PRODUCERS
from ...handlers.logs.producer import insist, producer_that_retries
from ...node import Numbers, Program

ITEMS: dict = {}  # {name: item}


def sends(producer, records):
    """Return the program of a producer of so many records, which are the numbers from 1 on."""
    return Program(producer, Numbers(records), READINGS, "producer")


def sent_nothing(run):
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


def asking(push):
    """Return the program of a producer that leaves each record to `push(node, record)`, and notes it then."""

    def asks(node):
        positions = insist(node.positions.load)
        while node.running(positions):
            items, next_positions = insist(node.read, positions)
            push(node, items[0])
            insist(node.positions.save, next_positions)
            positions = next_positions

    return sends(asks, len(ASKED))


def beside(push):
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
KNOWN = "record.value in insist(node.output.read)"

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
    mistakes={
        "One request and one reply are lost: ": ("insist(node.output.read)", "node.output.read()"),
        "record 1 is in the log under the key None": (", record.key", ""),
        "One reply is lost: after this schedule the log holds [1, 1]": (KNOWN, "False"),
        "One request is lost: after this schedule the log holds [1], and should hold [1, 2]": (KNOWN, "True"),
        f"{BESIDE.format('reply')}: after": (KNOWN, "insist(node.output.read)[-1:] == [record.value]"),
        f"{BESIDE.format('request')}: after": (KNOWN, "len(insist(node.output.read)) > record.offset"),
    },
    praise="Each record is in the log once, wherever a request and a reply are lost. That includes the request and "
    "the reply of the question.",
)

# 03-copies: how many copies of a record a fault leaves in the log, for each of the two producers.

BOTH = "int(appended) + int(sent_again)"

ITEMS["03-copies"] = Compared(
    cases=[(producer, kind) for producer, kinds in PRODUCERS.items() for kind in kinds],
    mistakes={
        "the producer that gives up sends nothing again": (BOTH, "int(appended and sent_again) + 1"),
        "the producer that retries sends again what the log has": (BOTH, "int(appended or sent_again)"),
        "a crash before the append leaves nothing in the log": (' "crash after"', ' "crash before", "crash after"'),
        "a lost request never reached the log": ('"lost reply", "crash after"', '"lost request", "crash before"'),
        "the log had the record when its reply was lost": ('"lost reply", ', ""),
    },
    right=[(BOTH, "appended + sent_again")],
    praise="Your function counts each of the {count} cases as the runs do.",
)

# 03-nothing-lost: the promise at-least-once, as a rule for the explorer.


class LogView:
    """What a rule sees: the values in the log, and whether the producer has finished."""

    def __init__(self, outputs, done):
        self.outputs, self.done = list(outputs), done

    def look(self, store, part, kind):
        """Return the records of the partition as `View.look` does."""
        return [[offset, key_of(value), value, value] for offset, value in enumerate(self.outputs)]


def moment(outputs, done, holds=True):
    """Return a moment of the log."""
    ended = "has finished" if done else "is still at work"
    why = "At-least-once is kept: " + ("repetitions are allowed." if len(outputs) > 3 else "each record is there.")
    if not done:
        why = "At-least-once is kept: what is not there yet may still come."
    if not holds:
        why = "At-least-once is broken: a record is lost."
    return Moment(f"The log holds {outputs}, and the producer {ended}", LogView(outputs, done), holds, why)


KEPT = "set(view.outputs) >= {1, 2, 3}"

ITEMS["03-nothing-lost"] = Invariant(
    moments=[
        *(moment(outputs, False) for outputs in ([], [1], [1, 2, 3])),
        *(moment(outputs, True) for outputs in ([1, 2, 3], [1, 2, 2, 3], [1, 1, 2, 2, 3])),
        *(moment(outputs, True, False) for outputs in ([1, 3], [1, 1, 3], [1, 2], [2, 3, 3], [])),
    ],
    mistakes={
        "The log holds [2, 3, 3]": ("1, ", ""),
        "The log holds [1, 3], and the producer has finished. At-least-once is broken": (KEPT, "3 in view.outputs"),
        "The log holds [1, 1, 3], and the producer has finished": (KEPT, "len(view.outputs) >= 3"),
        "repetitions are allowed": (KEPT, "view.outputs == [1, 2, 3]"),
        "what is not there yet may still come": ("not view.done or ", ""),
        "your rule fails with": ("set(view.outputs)", "view.log"),
    },
    right=[
        (KEPT, 'len({value for _, _, value, _ in view.look("log", "readings", "partition")}) == 3'),
        (KEPT, f'{KEPT} or f"the log holds {{view.outputs}}"'),
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


def lossy(when, **bounds):
    """Return the world of three records with such faults."""
    rule = partial(keeps_its_promise, faults=sum(bounds.values()))
    return World(when, partial(sends, records=len(SENT)), rule, bounds)


PUSH = "        insist(node.output.push, items[0].value, items[0].key)\n"
SAVE = "        insist(node.positions.save, next_positions)\n"
TRIES = (
    "        for _ in range({}):\n            try:\n                node.output.push(items[0].value, items[0].key)\n"
    "                break\n            except OutcomeUnknown:\n                pass\n"
)

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
    mistakes={
        "One request is lost: after this schedule the log holds [1, 2]: record 3": (PUSH, TRIES.format(1)),
        "under the key None": (", items[0].key", ""),
        "The producer dies once: after this schedule the log holds [1, 2]": (PUSH + SAVE, SAVE + PUSH),
        "the log holds [1, 1, 2, 2": (PUSH, PUSH + PUSH),
        "Two requests are lost: after this schedule the log holds": (PUSH, TRIES.format(2)),
        "may repeat one record, and no more": (SAVE, ""),
        "it should hold records 1, 2 and 3": ("items[0].value", "items[0]"),
    },
    right=[(PUSH + SAVE, PUSH.replace("insist(node.output.push, ", "node.output.push(") + SAVE)],
    praise="No record is lost, wherever one reply or two requests get lost, or the producer dies once. Your producer "
    "is kept in my-work/built/, and chapter 05 takes it up.",
)

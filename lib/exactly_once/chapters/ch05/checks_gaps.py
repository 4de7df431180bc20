"""The gaps of chapter 05."""

from functools import partial

from ...exercises.kinds.compared import Compared
from ...exercises.kinds.proved import Proved, World
from ...handlers.logs.both_sides import insist
from ...handlers.logs.idempotent import READINGS, numbering, readings
from ...handlers.logs.prediction import COPIES_OF_SENDERS as SENDERS
from ...node import Numbers, Program
from ..ch03.checks import sent_nothing, strayed

ITEMS: dict = {}  # {name: item}


def writes(producer, records, rule="kafka"):
    """Return the program of a producer of the numbers from 1 on, over a broker with a sequence rule."""
    return Program(producer, Numbers(records), readings(rule), "producer")


def once_each(records, keyed=True):
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


def burst_with(again):
    """Return a producer that sends all records at once, and in each round the records that `again` returns."""

    def bursts(node):
        identity = insist(node.log.producer_id, READINGS)
        waiting = list(range(1, AGAIN_RECORDS + 1))
        while waiting:
            for record in waiting:
                node.log.send(READINGS, [record], "all", identity, 0, record - 1)
            waiting = again(node, waiting)

    return writes(bursts, AGAIN_RECORDS, "article")


def hears_nothing(run):
    """Tell whether a producer asked for no answer to its requests."""
    sendings = {event.step for event in run.trace if event.verb == "send"}
    heard = {event.step for event in run.trace if event.kind == "receive" and event.verb == "reply"}
    return not run.error and not sendings & heard


def burst_world(when, **bounds):
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


def life(when, records=2, **bounds):
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

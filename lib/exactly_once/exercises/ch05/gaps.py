"""The gaps of chapter 05: how a learner's lines are judged."""

from ...delivery.numbered import COPIES, sender
from ...faults import Fault, FaultPlan
from ...handlers.logs.idempotent import READINGS, numbering, readings
from ...handlers.logs.producer import insist
from ...node import Numbers, Program
from ...simulate import simulate
from ..kinds.by_cases import by_cases
from ..kinds.log_programs import (
    broken,
    judged_by_copies,
    sent_nothing,
    strayed,
    stumbles,
)
from ..kinds.old_gap import gap
from ..kinds.reply import right, wrong
from ..kinds.run_answer import called


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

APPEND, REFUSED = "append", "out of order"
SIX = [(0, 0, 0), (1, 3, 1), (4, 4, 4), (5, 6, 5), (7, 7, 7), (8, 9, 8)]
ACCEPT_CASES = (
    (SIX[:1], 1, 1, APPEND, "Number 1 is the next one."),
    (SIX[:1], 0, 0, 0, "The batch is in the log, and its offset is 0."),
    (SIX[:1], 2, 2, REFUSED, "Number 1 is missing."),
    ([], 0, 0, APPEND, "The broker knows nothing of this producer."),
    ([], 3, 3, APPEND, "The broker knows nothing of this producer: any first number is accepted (Kafka 2.5 to 4.4)."),
    (SIX, 8, 9, 8, "This is the newest batch."),
    (SIX, 1, 3, 1, "This is the fifth newest batch."),
    (SIX, 0, 0, REFUSED, "This is the sixth newest batch, and Kafka's broker keeps five."),
    (SIX, 10, 12, APPEND, "Number 10 is the next one."),
    (SIX, 9, 9, REFUSED, "Number 9 is in the log, in the batch 8 to 9; a part of a batch is another batch."),
    (SIX, 5, 5, REFUSED, "The batch 5 to 6 begins with the same number and ends with another."),
    (SIX, 6, 6, REFUSED, "The batch 5 to 6 ends with the same number and begins with another."),
    (SIX, 8, 12, REFUSED, "The batch 8 to 9 begins with the same number and ends with another."),
    ([(7, 8, 0)], 9, 9, APPEND, "Number 9 is the next one, and the offset does not matter."),
    ([(7, 8, 0)], 1, 1, REFUSED, "The next number is 9. Number 1 is the next offset, not the next number."),
)


@gap("05-accept")
def check_accept(answer):
    """Ask for batches that are next, in the window, behind a gap, or partly known."""
    return by_cases(
        answer,
        ACCEPT_CASES,
        lambda batches, first, last, *_: f"answer({batches}, {first}, {last})",
        _objection_accept,
        arguments=lambda batches, first, last, *_: [list(batches), first, last],
    ) or right(
        "It recognises the newest five batches by both numbers, appends the next one, and refuses every other."
    )


def _objection_accept(batches, first, last, should, why, said):
    if said == should and not isinstance(said, bool):
        return None
    return f" returns {said!r}; it should return {should!r}. {why}"


# 05-again: the records of a burst that have to be sent again, by the answers of the article's broker.

AGAIN_RECORDS = 3
AGAIN_CASES = {
    "One request is lost": {"lost_requests": 1},
    "One reply is lost": {"lost_replies": 1},
    "One request is late": {"late_requests": 1},
    "One request and one reply are lost": {"lost_requests": 1, "lost_replies": 1},
}


def burst_with(again, records=4):
    """Return a producer that sends all records at once, and in each round the records that `again` returns."""

    def bursts(node):
        identity = insist(node.log.producer_id, READINGS)
        waiting = list(range(1, records + 1))
        while waiting:
            for record in waiting:
                node.log.send(READINGS, [record], "all", identity, 0, record - 1)
            waiting = again(node, waiting)

    return bursts


def hears_nothing(run):
    """Tell whether a producer asked for no answer to its requests."""
    sendings = {event.step for event in run.trace if event.verb == "send"}
    return not sendings & {event.step for event in run.trace if event.kind == "receive" and event.verb == "reply"}


@gap("05-again")
def check_again(answer):
    """Prove a burst over the article's broker under lost and late messages."""
    program = writes(burst_with(answer, AGAIN_RECORDS), AGAIN_RECORDS, "article")
    refused = stumbles(program, AGAIN_RECORDS, hears_nothing)
    refused = refused or broken(program, once_each(AGAIN_RECORDS, keyed=False), **AGAIN_CASES)
    return refused or right(
        "The burst is in the log once and in order, and the producer finishes, wherever one request is lost or late, "
        "or one reply is lost, or one request and one reply are lost."
    )


# 05-copies: how many copies of a record a fault leaves in the log, under each rule of the broker.


@gap("05-copies")
def check_copies(answer):
    """Ask for each sender and each kind of fault; a run shows the first wrong count."""
    praise = "It counts each of the sixteen cases as the runs do."
    return judged_by_copies(answer, COPIES, sender, "log.append", praise)


# 05-next-life: an id and a number that the next process knows, too.

NEXT_LIFE_RECORDS = 2
MANY = 7  # more than the broker's window and the record that is sent again
LATE = FaultPlan([Fault("log.append", MANY, "crash after")])
NEXT_LIFE_CASES = {
    "The producer dies once": {"crashes": 1},
    "The producer is paused until its successor runs": {"pauses": 1},
    "One reply is lost": {"lost_replies": 1},
    "One request is late": {"late_requests": 1},
}


@gap("05-next-life", refuses=(numbering,))
def check_next_life(answer):
    """Prove the producer under one crash, one pause and one lost or late message; then it dies behind a window."""
    program = writes(answer, NEXT_LIFE_RECORDS)
    refused = stumbles(program, NEXT_LIFE_RECORDS, sent_nothing)
    if refused := refused or broken(program, once_each(NEXT_LIFE_RECORDS), **NEXT_LIFE_CASES):
        return refused
    program = writes(answer, MANY)
    run = called(simulate, program, LATE)
    if run.error or [push.value for push in run.pushes] != [*range(1, MANY + 1)]:
        return wrong(
            f"The producer dies when record {MANY} is in the log, and the next process does not finish. It begins so "
            "far back that a broker with a window of five batches does not recognise the records that come again. "
            "Save the position after each record.",
            run,
            program,
            traceback=run.error,
        )
    return right(
        "Each record is in the log once and in order, wherever the producer dies or is paused once, one reply is "
        "lost, or one request is late. After a death behind seven records, the next process goes on where it was."
    )

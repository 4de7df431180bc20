"""Gap 05-again: what of a burst has to be sent again, by the answers of the article's broker."""

from ....errors import OutcomeUnknown
from ....handlers.logs.idempotent import READINGS
from ....handlers.logs.producer import insist
from ....log.errors import DuplicateSequence, OutOfOrderSequence
from ...tasks.reply import right
from ..registry import Gap
from ..sides import broken, stumbles
from .sessions import once_each, writes

RECORDS = 3
CASES = {
    "One request is lost": {"lost_requests": 1},
    "One reply is lost": {"lost_replies": 1},
    "One request is late": {"late_requests": 1},
    "One request and one reply are lost": {"lost_requests": 1, "lost_replies": 1},
}


def again(node, sent):
    """Hear the answer to each record that was sent, and return those that have to be sent again, in order."""
    missing = []
    for record in sent:
        try:
            node.log.acknowledgement()
        except DuplicateSequence:
            pass  # it is in the log already: as good as an acknowledgement
        except (OutcomeUnknown, OutOfOrderSequence):
            missing.append(record)
    return missing


def burst_with(again, records=4):
    """Return a producer that sends all records at once, and in each round what `again(node, sent)` returns."""

    def bursts(node):
        identity = insist(node.log.producer_id, READINGS)
        waiting = list(range(1, records + 1))
        while waiting:
            for record in waiting:
                node.log.send(READINGS, [record], "all", identity, 0, record - 1)
            waiting = again(node, waiting)

    return bursts


def hears_nothing(run):
    """Tell whether a producer asked for no answer to what it sent."""
    sendings = {event.step for event in run.trace if event.verb == "send"}
    return not sendings & {event.step for event in run.trace if event.kind == "receive" and event.verb == "reply"}


def check(answer):
    """Prove a burst over the article's broker under lost and late messages."""
    program = writes(burst_with(answer, RECORDS), RECORDS, "article")
    refused = stumbles(program, RECORDS, hears_nothing)
    refused = refused or broken(program, once_each(RECORDS, keyed=False), **CASES)
    return refused or right(
        "The burst is in the log once and in order, and the producer comes to its end, wherever one request is lost "
        "or late, or one reply is lost, or one of both."
    )


GAP = Gap(
    title="what goes again",
    judge=check,
    library=again,
    hints=(
        "There are four answers: acknowledged, nothing at all, a duplicate, a gap. After which of them is the record "
        "in the log for certain?",
        "`node.log.acknowledgement()` gives the answers in the order of the requests. It raises `OutcomeUnknown`, "
        "`DuplicateSequence` or `OutOfOrderSequence`; each needs an `except`, or shares one.",
        "In the loop: `try: node.log.acknowledgement()`, then `except DuplicateSequence: pass`, then `except "
        "(OutcomeUnknown, OutOfOrderSequence): missing.append(record)`.",
    ),
)

"""Gap 03-producer: a producer that sends again until it is answered. A later chapter takes it up and repairs it."""

from ....handlers.logs.producer import producer_that_retries
from ...tasks.reply import right
from ..registry import Gap
from ..sides import broken, sends, sent_nothing, strayed, stumbles

RECORDS = 3
CASES = {
    "One request is lost": {"lost_requests": 1},
    "One reply is lost": {"lost_replies": 1},
    "The producer dies once": {"crashes": 1},
    "Two requests are lost": {"lost_requests": 2},
}


def keeps_its_promise(view):
    """In the end nothing is missing; and two faults repeat no more than the records that they struck."""
    missing = sorted({*range(1, RECORDS + 1)} - {*view.outputs})
    if view.done and missing:
        return f"the log holds {view.outputs}: record {missing[0]} is lost"
    if len(view.outputs) > RECORDS + 2:
        return f"the log holds {view.outputs}: each fault may repeat one record, and no more"
    return strayed(view) or True


def check(answer):
    """Prove the producer under one fault of each kind, and under two lost requests: one more try is not enough."""
    program = sends(answer, RECORDS)
    refused = stumbles(program, RECORDS, sent_nothing) or broken(program, keeps_its_promise, **CASES)
    return refused or right(
        "Nothing is lost, wherever one reply or two requests are lost, or the producer dies once. It is kept in "
        "my-work/built/, and chapter 05 takes it up."
    )


GAP = Gap(
    title="send again until there is an answer",
    judge=check,
    library=producer_that_retries,
    name="retrying",
    hints=(
        "Two steps are missing: one appends the record to the log, one notes that it is sent. Which one may a crash "
        "cut off without losing the record?",
        "`insist` takes an operation and its arguments, as in `insist(node.read, positions)`. A record has "
        "`items[0].value` and `items[0].key`.",
        "`insist(node.output.push, items[0].value, items[0].key)`, and below it "
        "`insist(node.positions.save, next_positions)`.",
    ),
)

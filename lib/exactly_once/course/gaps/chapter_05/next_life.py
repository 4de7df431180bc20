"""Gap 05-next-life: a number that the next life knows, too."""

from ....faults import Fault, FaultPlan
from ....handlers.logs.idempotent import kept_id, numbering
from ....handlers.logs.producer import insist
from ....simulate import simulate
from ...tasks.reply import right, wrong
from ...tasks.run_answer import called
from ..registry import Gap
from ..sides import broken, sent_nothing, stumbles
from .sessions import once_each, writes

RECORDS = 2
MANY = 7  # more than the broker's window and the record that is sent again
LATE = FaultPlan([Fault("log.append", MANY, "crash after")])
CASES = {
    "The producer dies once": {"crashes": 1},
    "One life is taken for dead and goes on": {"pauses": 1},
    "One reply is lost": {"lost_replies": 1},
    "One request is late": {"late_requests": 1},
}


def repaired(node):
    """Send each record under its place in the inputs, and under an id that every life finds again."""
    identity = kept_id(node)
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        record, append = (items[0].key, items[0].value), node.log.append
        insist(append, "readings", [record], "all", identity, 0, positions["numbers"])
        insist(node.positions.save, next_positions)
        positions = next_positions


def check(answer):
    """Prove the producer under one crash, one pause and one lost or late message; then it dies behind a window."""
    program = writes(answer, RECORDS)
    refused = stumbles(program, RECORDS, sent_nothing)
    if refused := refused or broken(program, once_each(RECORDS), **CASES):
        return refused
    program = writes(answer, MANY)
    run = called(simulate, program, LATE)
    if run.error or [push.value for push in run.pushes] != [*range(1, MANY + 1)]:
        return wrong(
            f"The producer dies when record {MANY} is in the log, and its next life does not come to its end: it "
            "begins so far back that a broker which keeps five batches does not recognise what comes again. Save the "
            "position after each record.",
            run,
            program,
            traceback=run.error,
        )
    return right(
        "Each record is in the log once and in order, wherever the producer dies or sleeps once, one reply is lost, "
        "or one request is late; and when it dies behind seven records, the next life goes on where it was."
    )


GAP = Gap(
    title="a number that outlives the life",
    judge=check,
    library=repaired,
    hints=(
        "A number in a variable dies with its life. Which number of a record is the same in every life, and is in a "
        "store?",
        '`positions["numbers"]` is the place of the record in the inputs, counted from 0. As in chapter 03, the '
        "position is saved after the append.",
        '`insist(append, "readings", [record], "all", identity, 0, positions["numbers"])`, and below it '
        "`insist(node.positions.save, next_positions)`.",
    ),
    refuses=(numbering,),
)

"""Gap 03-copies: how many copies of a record a fault leaves in the log, for each of the two producers."""

from ....delivery.prediction import COPIES
from ....handlers.logs.producer import PRODUCERS
from ..registry import Gap
from ..sides import judged_by_copies, sends


def copies(producer, kind):
    """Return how many copies of a record are in the log after a fault of this kind."""
    written = kind in ("lost reply", "crash after")
    return written + 1 if producer == "retry" else int(written)


def program(retry, records):
    """Return the program of one of the two producers."""
    return sends(PRODUCERS[retry], records)


def check(answer):
    """Ask for each producer and each kind of fault; a run shows what is otherwise."""
    praise = "It counts each of the eight cases as the runs do."
    return judged_by_copies(answer, COPIES, program, "output.push", praise)


GAP = Gap(
    title="count the copies",
    judge=check,
    library=copies,
    hints=(
        "Two questions decide it: had the log appended the record when the fault struck? And does the producer send "
        "it again?",
        "After a lost reply and a crash after the append it is there: one copy. Otherwise none.",
        "The producer that retries adds one copy to that, the one that gives up adds none.",
    ),
)

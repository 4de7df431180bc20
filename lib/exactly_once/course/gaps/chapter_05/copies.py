"""Gap 05-copies: how many copies of a record a fault leaves in the log, under each rule of the broker."""

from ....delivery.numbered import COPIES, KAFKA, NEW_IDS, NO_RULE, sender
from ..registry import Gap
from ..sides import judged_by_copies


def copies(rule, kind):
    """Return how many copies of a record are in the log after a fault of this kind."""
    if kind in ("lost request", "crash before"):
        return 1
    known = rule != "no rule" and (rule != "Kafka's rule, new ids" or kind == "lost reply")
    return 1 if known else 2


def check(answer):
    """Ask for each sender and each kind of fault; a run shows what is otherwise."""
    praise = "It counts each of the sixteen cases as the runs do."
    return judged_by_copies(answer, COPIES, sender, "log.append", praise)


GAP = Gap(
    title="count the copies",
    judge=check,
    library=copies,
    hints=(
        "Two questions decide it: had the broker appended the record when the fault struck? And does it recognise "
        "the record when it comes again?",
        "After a lost request and a crash before the append it was not there: one copy, under every rule.",
        f"After a lost reply and a crash after the append it was there. It is recognised under all rules but "
        f"{NO_RULE!r}; and with {NEW_IDS!r}, unlike {KAFKA!r}, not after a crash.",
    ),
)

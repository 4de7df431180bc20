"""Gap 05-copies: how many copies of a record a fault leaves in the log, under each rule of the broker."""

from ....delivery.numbered import COPIES, KAFKA, NEW_IDS, NO_RULE, sender
from ....faults import Fault, FaultPlan
from ....simulate import simulate
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..chapter_03.sides import no_function
from ..registry import Gap

RECORD = 2


def copies(rule, kind):
    """Return how many copies of a record are in the log after a fault of this kind."""
    if kind in ("lost request", "crash before"):
        return 1
    known = rule != "no rule" and (rule != "Kafka's rule, new ids" or kind == "lost reply")
    return 1 if known else 2


def check(answer):
    """Ask for each sender and each kind of fault; a run shows what is otherwise."""
    refused = no_function(answer, "your function")
    if refused:
        return refused
    cases = [(rule, kind) for rule in COPIES for kind in COPIES[rule]]
    found = answers(answer, [list(case) for case in cases])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for (rule, kind), (went, said) in zip(cases, found, strict=True):
        asked = f"copies({rule!r}, {kind!r})"
        if not went:
            return wrong(f"{asked} fails with {said}.")
        if said != COPIES[rule][kind]:
            program = sender(rule, 3)
            run = simulate(program, FaultPlan([Fault("log.append", RECORD, kind)]))
            left = [push.value for push in run.pushes].count(RECORD)
            return wrong(
                f"{asked} returns {said!r}. In this run, with that fault at record {RECORD}, the log holds it "
                f"{('not at all', 'once', 'twice')[left]}.",
                run,
                program.handler,
            )
    return right("It counts each of the sixteen cases as the runs do.")


GAP = Gap(
    title="count the copies",
    check=check,
    library=copies,
    hints=(
        "Two questions decide it: had the broker appended the record when the fault struck? And does it recognise "
        "the record when it comes again?",
        "After a lost request and a crash before the append it was not there: one copy, under every rule.",
        f"After a lost reply and a crash after the append it was there. It is recognised under all rules but "
        f"{NO_RULE!r}; and with {NEW_IDS!r}, unlike {KAFKA!r}, not after a crash.",
    ),
)

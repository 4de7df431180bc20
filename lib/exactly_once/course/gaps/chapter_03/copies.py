"""Gap 03-copies: how many copies of a record a fault leaves in the log, for each of the two producers."""

from ....delivery.prediction import COPIES
from ....faults import Fault, FaultPlan
from ....handlers.producer import PRODUCERS
from ....simulate import simulate
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap
from .sides import no_function, sends

RECORD = 2


def copies(producer, kind):
    """Return how many copies of a record are in the log after a fault of this kind."""
    written = kind in ("lost reply", "crash after")
    return written + 1 if producer == "retry" else int(written)


def check(answer):
    """Ask for each producer and each kind of fault; a run shows what is otherwise."""
    refused = no_function(answer, "your function")
    if refused:
        return refused
    cases = [(retry, kind) for retry in COPIES for kind in COPIES[retry]]
    found = answers(answer, [list(case) for case in cases])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for (retry, kind), (went, said) in zip(cases, found, strict=True):
        asked = f"copies({retry!r}, {kind!r})"
        if not went:
            return wrong(f"{asked} fails with {said}.")
        if said != COPIES[retry][kind]:
            program = sends(PRODUCERS[retry], 3)
            run = simulate(program, FaultPlan([Fault("output.push", RECORD, kind)]))
            left = [push.value for push in run.pushes].count(RECORD)
            return wrong(
                f"{asked} returns {said!r}. In this run, with that fault at record {RECORD}, the log holds it "
                f"{('not at all', 'once', 'twice')[left]}.",
                run,
                program.handler,
            )
    return right("It counts each of the eight cases as the runs do.")


GAP = Gap(
    title="count the copies",
    check=check,
    library=copies,
    hints=(
        "Two questions decide it: had the log appended the record when the fault struck? And does the producer send "
        "it again?",
        "After a lost reply and a crash after the append it is there: one copy. Otherwise none.",
        "The producer that retries adds one copy to that, the one that gives up adds none.",
    ),
)

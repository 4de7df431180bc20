"""Gap 06-surplus: how much too high a fault leaves the counter, where all else is in one transaction."""

from ....faults import Fault, FaultPlan
from ....handlers import at_least_once
from ....handlers.stream.transactional import coordinator, transactional
from ....node.program import Deployment
from ....simulate import simulate
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap

DEPLOYED = Deployment(transactional, coordinator, at_least_once)
ITEM, RIGHT = 3, 4  # an hour above the threshold, and the counter of a run without faults
NONE = {"lost request": 0, "lost reply": 0, "crash before": 0, "crash after": 0}
SURPLUS = {
    "transaction.send": NONE,
    "database.increment": NONE | {"lost reply": 1, "crash after": 1},
    "transaction.offsets": NONE | {"crash before": 1, "crash after": 1},
    "transaction.end": NONE | {"crash before": 1},
}


def surplus(step, kind):
    """Return how much too high the counter is after a fault at a step of an hour above the threshold."""
    if step == "database.increment":
        return 1 if kind in ("crash after", "lost reply") else 0  # either ends the life
    if step == "transaction.offsets":
        return 1 if kind in ("crash before", "crash after") else 0  # the client repeats what gets no answer
    return 1 if (step, kind) == ("transaction.end", "crash before") else 0


def check(answer):
    """Ask for each step and each kind of fault; a run shows what is otherwise."""
    cases = [(step, kind) for step in SURPLUS for kind in SURPLUS[step]]
    found = answers(answer, [list(case) for case in cases])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for (step, kind), (went, said) in zip(cases, found, strict=True):
        asked = f"surplus({step!r}, {kind!r})"
        if not went:
            return wrong(f"{asked} fails with {said}.")
        if said != SURPLUS[step][kind]:
            run = simulate(DEPLOYED, FaultPlan([Fault(step, ITEM, kind)]))
            return wrong(
                f"{asked} returns {said!r}. In this run, with that fault at hour {ITEM}, the counter is "
                f"{run.outcome.counter}, and without it {RIGHT}.",
                run,
            )
    return right("It counts each of the sixteen cases as the runs do.")


GAP = Gap(
    title="the counter's surplus",
    judge=check,
    library=surplus,
    hints=(
        "Two questions decide it: had the counter gone up when the fault struck? And will the hour be done again?",
        "The hour is done again if its life ends before the commit is decided. A lost message of a transaction ends "
        "no life: the client asks again. One of `database.increment` ends it, since nobody can tell whether it "
        "counted.",
        'It is 1 for `database.increment` with "crash after" and "lost reply", for `transaction.offsets` with both '
        'crashes, and for `transaction.end` with "crash before"; 0 everywhere else.',
    ),
)

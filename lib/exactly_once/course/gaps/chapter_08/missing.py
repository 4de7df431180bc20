"""Gap 08-missing: how much money is gone when a mover is killed at a step of a transfer."""

from ....faults import Fault, FaultPlan
from ....handlers.transfer import STAGES, Bank
from ....simulate import simulate
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap

STEPS = {  # the steps of a transfer at which a fault plan can strike; where there are several, it is the first
    "transaction": ("store.transact", "output.push"),
    "ordered": ("lock.acquire", "store.read", "store.write", "lock.release", "output.push"),
    "halves": ("lock.acquire", "store.read", "store.write", "lock.release", "output.push"),
    "cas": ("store.read", "store.cas", "output.push"),
}
KINDS = ("crash before", "crash after")
AMOUNT = 7


def missing(stage, step, kind, amount):
    """Return how much money is gone when a mover is killed at the first such step of a transfer of an amount."""
    withdrawn = step in ("store.write", "store.cas") and kind == "crash after"
    between = stage == "halves" and step == "lock.release"
    return amount if withdrawn or between else 0


def run_of(stage, step, kind):
    """Return (the `Run`, the money that is gone) of one mover that is killed there."""
    bank = Bank(STAGES[stage], [[("a", "b", AMOUNT)]], apart=stage == "cas")
    run = simulate(bank.programs, FaultPlan([Fault(step, 1, kind)]))
    return run, bank.total - sum(bank.balances(run.outcome).values())


def check(answer):
    """Ask for each stage, step and kind; a run shows what is otherwise."""
    cases = [(stage, step, kind) for stage, steps in STEPS.items() for step in steps for kind in KINDS]
    found = answers(answer, [[*case, AMOUNT] for case in cases])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for case, (went, said) in zip(cases, found, strict=True):
        asked = f"missing({', '.join(map(repr, case))}, {AMOUNT})"
        if not went:
            return wrong(f"{asked} fails with {said}.")
        run, gone = run_of(*case)
        if said != gone:
            return wrong(f"{asked} returns {said!r}. In this run {gone} is gone.", run)
    return right(f"It says what is gone in each of the {len(cases)} runs.")


GAP = Gap(
    title="how much is gone",
    judge=check,
    library=missing,
    hints=(
        "One question decides it: was the withdrawal done, and the deposit not?",
        'The withdrawal is the first "store.write", or the first "store.cas". In one transaction there is no such '
        'moment. And what has happened when "halves" releases its first lock, and when "ordered" does?',
        'It is the amount for "crash after" at "store.write" and at "store.cas", and for the stage "halves" at '
        '"lock.release" with both kinds; 0 everywhere else.',
    ),
)

"""Exercise 03b: a consumer that loses nothing, and repeats no more than it must."""

from ....errors import what_failed
from ....pipeline import Job
from ..reply import right, unsolved, wrong
from ..run_answer import calm, calm_picture, proved
from ..task import Task

JOB = Job(items=4)
READINGS, HOUR = 8, 2
FAULTS = {"crashes": "crash", "lost_requests": "lost request", "lost_replies": "lost reply"}


def rule(view):
    """Nothing is lost in the end, and no more than the readings of one hour are counted twice."""
    if view.done and view.counter < READINGS:
        return f"the counter is {view.counter} and should be at least {READINGS}: a reading is lost"
    if view.counter > READINGS + HOUR:
        return (
            f"the counter is {view.counter}: with one fault the readings of one hour may be counted twice, "
            f"no more, which makes {READINGS + HOUR}"
        )
    return True


def check(handler):
    """Prove the handler under each kind of fault."""
    if handler is ...:
        return unsolved("your handler")
    run = calm(handler, JOB)
    if run.error:
        return wrong(f"The handler itself failed: {what_failed(run.error)}", run, handler)
    if not any(event.kind == "send" for event in run.trace):
        return unsolved("the body of your handler")
    if run.outcome.counter != READINGS:
        return wrong(
            f"Even when nothing goes wrong the counter is {run.outcome.counter}; there are {READINGS} readings, two "
            "an hour, and each counts once.",
            run,
            handler,
        )
    states = 0
    for kind, name in FAULTS.items():
        proof = proved(handler, rule, JOB, **({"crashes": 0} | {kind: 1}))
        if proof.counterexample is not None:
            return wrong(f"One {name}: {proof.counterexample.sentence}", proof.counterexample, handler)
        if not proof.exhausted:
            return wrong(f"Not proved: {proof.stopped}. Write it with fewer steps.")
        states += proof.states
    doubled = proved(handler, once, JOB, crashes=1).counterexample
    price = f"The price: {doubled.sentence}" if doubled else "It counts nothing twice, either: more than was asked."
    return right(
        f"Nothing is lost, and no more than one hour counts twice, wherever one fault strikes ({states:,} "
        f"states). "
        f"{price}",
        doubled,
        handler,
    )


def once(view):
    """The rule that shows the price: nothing is counted twice."""
    return view.counter <= READINGS or f"the counter is {view.counter} and should be {READINGS}"


def show(handler):
    """Draw what a handler does in a calm run, at hour 2."""
    return calm_picture(handler, JOB, 2)


TASK = Task(
    title="write a consumer that loses nothing",
    answer="losing_nothing",
    show=show,
    check=check,
    hints=(
        "The next life knows the saved position, and nothing else. What must have happened before a position may say "
        "that "
        "an hour is done?",
        "Count both readings of the hour first, and save next_positions after them. Save once for each hour, or a "
        "crash "
        "makes more than one hour count twice.",
        "An OutcomeUnknown that is caught and forgotten may be an increment that never arrived. Let it pass: the "
        "life ends, and the next one does the hour again.",
        "positions = node.positions.load(); while node.running(): items, next_positions = node.read(positions); for "
        "item "
        "in items: node.database.increment(); node.positions.save(next_positions); positions = next_positions.",
    ),
)

"""Gap 04-try-again: call an increment again when nobody knows whether it took place."""

from ....errors import CourseError, OutcomeUnknown, what_failed
from ....faults import Fault, FaultPlan
from ....pipeline import Job
from ....simulate import simulate
from ....verdict import judge
from ....verdict.ideal import endless, step_limit
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

HOUR = 3
FAULTS = {"lost request": "its request is lost", "lost reply": "its reply is lost"}


def try_again(increment):
    """Call `increment`, and once more when the outcome of the first call is unknown."""
    try:
        increment()
    except OutcomeUnknown:
        increment()


def handler_that(manages):
    """Return the chapter's handler, which leaves its increment to `manages`."""

    def handler(node):
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, next_positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.output.push(window.average())
            if len(window) > node.threshold:
                manages(node.database.increment)
            node.state.save(window)
            node.positions.save(next_positions)
            positions = next_positions

    return handler


def run_with(manages, plan):
    """Return the `Run` of that handler under a fault plan."""
    return simulate(handler_that(manages), plan, Job())


def verdict(manages, plan):
    """Return the `Verdict` on the learner's lines under a fault plan; they run in the sandbox."""
    try:
        run = called(run_with, manages, plan)
    except CourseError as why:
        if str(why) == endless(step_limit([Job()])):
            raise CourseError("Your lines call the increment again and again, and do not return.") from None
        raise
    return judge(run, handler_that(try_again)), run


def check(answer):
    """Run the chapter's handler with the learner's lines: calm, with the request lost, with the reply lost."""
    calm, run = verdict(answer, FaultPlan())
    handler = handler_that(answer)
    if run.error:
        return wrong(
            f"With nothing lost, your lines fail: {what_failed(run.error)}", calm, handler, traceback=run.error
        )
    if not run.outcome.counter:
        return unsolved("your lines")
    if not calm.exactly_once:
        return wrong(f"With nothing lost, one call is enough. {calm.sentence}", calm, handler)
    lost = {kind: verdict(answer, FaultPlan([Fault("database.increment", HOUR, kind)])) for kind in FAULTS}
    for kind, (judged, run) in lost.items():
        if run.error:
            return wrong(
                f"When {FAULTS[kind]}, your lines fail: {what_failed(run.error)} The error has to be caught.",
                judged,
                handler,
                traceback=run.error,
            )
    request = lost["lost request"][0]
    if request.damage.counter > request.damage.expected_counter:
        return wrong(f"When {FAULTS['lost request']}, one more call is enough. {request.sentence}", request, handler)
    if not request.exactly_once:
        return wrong(
            f"When {FAULTS['lost request']}, nothing was carried out, and nobody tries again. {request.sentence}",
            request,
            handler,
        )
    return right(
        "It calls once when all goes well, and again when nobody knows. What that costs is the next question."
    )


GAP = Gap(
    title="try again when the outcome is unknown",
    judge=check,
    library=try_again,
    hints=(
        "`increment` raises `OutcomeUnknown` when no reply came. What does Python do with an error that one expects?",
        "A `try` with the call in it, and an `except OutcomeUnknown` below.",
        "In the `except` branch stands the same call once more. Nothing comes after it.",
    ),
)

"""Gap 07-fence: a new life shuts the earlier ones out of the database, too."""

from ....errors import CourseError, what_failed
from ....faults import FaultPlan
from ....handlers.stream.two_phase import take_over
from ....simulate import simulate
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap
from .handlers import ONE_HOUR, TWO_HOURS, counterexample, with_take_over

CASES = (
    ("A life dies", TWO_HOURS, {"crashes": 1}),
    ("A life falls asleep, and wakes up beside its successor", ONE_HOUR, {"crashes": 0, "pauses": 1}),
)


def check(answer):
    """Run the handler with the learner's fence, and prove it after a crash and with a pause."""
    if called(_does_nothing, answer):
        return unsolved("your lines")
    try:
        run = called(simulate, with_take_over(answer).programs(ONE_HOUR), FaultPlan(), ONE_HOUR)
    except CourseError as why:
        if "lives died or gave up" not in str(why):
            raise
        return wrong(
            "Nothing goes wrong, and yet no life prepares anything: the version that your function returns is not "
            "the one that the cell has after your write."
        )
    if run.error:
        return wrong(f"Nothing goes wrong, and the handler fails: {what_failed(run.error)}", run, answer)
    for when, job, bounds in CASES:
        if found := called(counterexample, answer, with_take_over, job, bounds):
            return wrong(f"{when}. {found.sentence}", found, with_take_over(answer))
    return right(
        "An earlier life prepares nothing any more, and shuts no later one out: explored with a crash, and with a "
        "pause."
    )


class Cell:
    """An engine and a database of which `take_over` asks what there is to ask; it notes if the cell is written."""

    def __init__(self):
        self.epoch, self.database, self.written = 4, self, False

    def fence(self):
        """Give the epoch."""
        return self.epoch

    def read(self, part):
        """Give the cell, as an earlier life left it."""
        return 1, 1

    def cas(self, *arguments):
        """Note a write."""
        self.written = True
        return True

    write = transact = cas


def _does_nothing(theirs):
    cell = Cell()
    return theirs(cell, cell) is None and not cell.written


GAP = Gap(
    title="shut the earlier lives out of the database",
    judge=check,
    library=take_over,
    hints=(
        "Who may write its epoch into the cell? Think of a life that falls asleep right after the read, and of one "
        "that the engine has fenced already.",
        "A life that finds a larger epoch than its own is an earlier one: it stops. And `cas` writes only if nobody "
        "wrote since the read; whom it refuses stops as well.",
        "`if (newest or 0) > engine.epoch or not node.database.cas(EPOCH, version, engine.epoch): raise "
        "ProducerFenced(…)`, then `return version + 1`: a cell's version goes up by one with each write.",
    ),
)

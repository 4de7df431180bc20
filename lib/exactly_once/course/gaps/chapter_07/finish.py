"""Gap 07-finish: what a new life does about transactions that an earlier one left in doubt."""

from ....handlers.stream.two_phase import finish as library
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap
from .handlers import ONE_HOUR, TWO_HOURS, counterexample, with_finish

CASES = (
    ("A life dies once", TWO_HOURS, {"crashes": 1}),
    ("Lives die twice", ONE_HOUR, {"crashes": 2}),
    (
        "A life falls asleep within `finish`, and a later one prepares (with the fence that comes next)",
        ONE_HOUR,
        {"crashes": 0, "pauses": 1},
    ),
)


class Doubt:
    """A database and an engine of which `finish` asks what there is to ask; it notes what is ended, and how."""

    def __init__(self):
        self.epoch, self.ended, self.database = 4, [], self

    def decided(self):
        """The id of the transaction that was decided last."""
        return "1.3"

    def prepared(self):
        """What is in doubt."""
        return ["1.3", "2.3"]

    def commit_prepared(self, identifier):
        """Note a commit."""
        self.ended.append(identifier)

    rollback_prepared = commit_prepared


def _ended(theirs):
    doubt = Doubt()
    theirs(doubt, doubt)
    return doubt.ended


def check(answer):
    """Prove the handler with the learner's recovery: after a crash, after two, and with a life that falls asleep."""
    if not called(_ended, answer):
        return unsolved("your lines")
    for when, job, bounds in CASES:
        if found := called(counterexample, answer, with_finish, job, bounds):
            return wrong(f"{when}. {found.sentence}", found, with_finish(answer))
    return right(
        "What was decided is committed, what was not is rolled back, and what a later life prepared is left alone: "
        "explored with two crashes, and with a pause."
    )


GAP = Gap(
    title="end what is in doubt",
    judge=check,
    library=library,
    hints=(
        "There are three cases: the one that was decided; one that an earlier life prepared, and that was never "
        "decided; one that a later life has prepared.",
        "`node.database.commit_prepared(identifier)` ends the decided one. Can an earlier life still decide its own? "
        "Can a later one?",
        "`if identifier == decided: node.database.commit_prepared(identifier)`, and `elif epoch < engine.epoch: "
        "node.database.rollback_prepared(identifier)`.",
    ),
)

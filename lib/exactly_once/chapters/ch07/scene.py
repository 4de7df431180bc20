"""Chapter 07's scene: the same fault on three designs that write to two systems."""

from ...handlers import STRATEGIES
from ...pipeline import Job, programs_of
from ...simulate.schedule import LOST_REPLY, STEP_AND_CRASH
from ...widgets.player.scene import Choice, Question
from ..scenes import Averages

DESIGNS = {
    "at_least_once": "two commits in a row",
    "offset_in_sink": "the position beside the effect",
    "two_phase": "two-phase commit",
}


class Designs(Averages):
    """A handler that pushes averages to one system and counts in another."""

    what, job = "The handler", Job(items=2, duration=1, threshold=1)
    question = Question(
        "One process dies, at a step that you choose. In which design is something wrong in the end?",
        {"rows": "two commits in a row", "beside": "position beside the effect", "phase": "two-phase commit"},
    )
    names = ("handler", "sink")
    choices = {"design": Choice("The design", DESIGNS)}
    strikes = (STEP_AND_CRASH, LOST_REPLY)
    good = "Output and counter are right."

    def programs(self, chosen):
        """Return the programs of the design."""
        return programs_of(STRATEGIES[chosen["design"]], self.job)


SCENE = Designs()

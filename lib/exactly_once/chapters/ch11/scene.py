"""Chapter 11's scene: a node stops for good, under two-phase commit and beside a lock-free twin."""

from ...pipeline import Job
from ...pipeline.job import programs_of
from ...widgets.player.scene import Choice, Question, Scene
from ..stream_rule import once_each, told
from .stop import CONTROLS, HANDLERS, LANES

JOB = Job(items=1, duration=1, threshold=0)


class Stop(Scene):
    """Put a node to sleep and never wake it: so it is stopped for good. Let the others run."""

    what, noun, job = "The nodes", "node", JOB
    question = Question(
        "A node stops for good behind the first half of two-phase commit. What becomes of the counter's row?",
        {"free": "it is free: nothing was committed", "held": "it is held, for everybody", "done": "it is committed"},
    )
    choices = {"protocol": Choice("The protocol", LANES | CONTROLS, "two_phase")}
    bounds = {"crashes": 1}
    good = "All have ended, and everything is right."

    def programs(self, chosen):
        """Return the nodes of the protocol."""
        return programs_of(HANDLERS[chosen["protocol"]], JOB)

    def rule(self, view, chosen):
        """Each average is in the output once, and each hour is counted once."""
        return once_each(view, JOB)

    def because(self, state):
        """Return what is in the output, and which transactions are in doubt."""
        in_doubt = state.position.replay.run.outcome.in_doubt
        held = " A transaction is prepared in the database and in doubt: its row is held." if in_doubt else ""
        return f"{told(state.position.view)}{held}"


SCENE = Stop()

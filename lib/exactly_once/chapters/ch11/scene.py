"""Chapter 11's scene: a node stops for good, under two-phase commit and beside a lock-free twin."""

from ...pipeline import programs_of
from ...widgets.player.scene import Choice, Question
from ..scenes import Averages
from .stop import CONTROLS, HANDLERS, LANES


class Stop(Averages):
    """Put a node to sleep and never wake it: so it is stopped for good. Let the others run."""

    what, noun = "The nodes", "node"
    question = Question(
        "A node stops for good behind the first half of two-phase commit. What becomes of the counter's row?",
        {"free": "it is free: nothing was committed", "held": "it is held, for everybody", "done": "it is committed"},
    )
    choices = {"protocol": Choice("The protocol", LANES | CONTROLS, "two_phase")}
    good = "All have ended, and everything is right."

    def programs(self, chosen):
        """Return the nodes of the protocol."""
        return programs_of(HANDLERS[chosen["protocol"]], self.job)

    def because(self, state):
        """Return what is in the output, the counter, and which transactions are in doubt."""
        in_doubt = state.position.replay.run.outcome.in_doubt
        held = " A transaction is prepared in the database and in doubt: its row is held." if in_doubt else ""
        return f"{super().because(state)}{held}"


SCENE = Stop()

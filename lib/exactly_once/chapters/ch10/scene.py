"""Chapter 10's scene: two live twins of the lock-free handler; stop one of them at any step."""

from ...handlers import lock_free
from ...node.program import deployment_of
from ...simulate.schedule import PAUSE, STEP_AND_CRASH
from ...widgets.player.scene import Question
from ..scenes import Averages


class Twins(Averages):
    """Two nodes that handle the same input at once."""

    what, noun = "The twins", "twin"
    question = Question(
        "One twin stops for good in the middle of its work. What does the other one do?",
        {"waits": "it waits", "again": "it does the hour anew", "on": "it takes over what is begun"},
    )
    strikes = (STEP_AND_CRASH, PAUSE)
    good = "The hour is in the output once, whoever did it."

    def programs(self, chosen):
        """Return two twins without a sink beside them."""
        return deployment_of(lock_free).of_nodes(3).programs(self.job)

    def title(self, node):
        """Return the name of a twin, or of the sink."""
        return f"twin {node + 1}" if node < 2 else "sink"


SCENE = Twins()

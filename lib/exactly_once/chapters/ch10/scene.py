"""Chapter 10's scene: two live twins of the lock-free handler; stop one of them at any step."""

from ...handlers import lock_free
from ...node.program import deployment_of
from ...pipeline import Job
from ...simulate.decision import PAUSE, STEP_AND_CRASH
from ...widgets.player.scene import Question, Scene
from ..stream_rule import once_each, told

JOB = Job(items=1, duration=1, threshold=0)


class Twins(Scene):
    """Two nodes that handle the same input at once."""

    what, noun, job = "The twins", "twin", JOB
    question = Question(
        "One twin stops for good in the middle of its work. What does the other one do?",
        {"waits": "it waits", "again": "it does the hour anew", "on": "it takes over what is begun"},
    )
    strikes = (STEP_AND_CRASH, PAUSE)
    bounds = {"crashes": 1}
    good = "The hour is in the output once, whoever did it."

    def programs(self, chosen):
        """Return two twins without a sink beside them."""
        return deployment_of(lock_free).of_nodes(3).programs(JOB)

    def title(self, node):
        """Return the name of a twin, or of the sink."""
        return f"twin {node + 1}" if node < 2 else "sink"

    def rule(self, view, chosen):
        """Each average is in the output once, and each hour is counted once."""
        return once_each(view, JOB)

    def because(self, state):
        """Return what is in the output, and the counter."""
        return told(state.position.view)


SCENE = Twins()

"""Chapter 09's scene: three pushers at a queue; one of them stalls or dies at any step."""

from ...lockfree.progress import locked
from ...lockfree.pushers import cells_of, placer, pusher
from ...simulate.schedule import STEP_AND_CRASH
from ...widgets.player.scene import Choice, Question, Scene

VALUES = ("a", "b", "c")
QUEUES = {"lock-free": "lock-free push", "prepared": "at a prepared place", "spinlock": "behind a spinlock"}


class Pushers(Scene):
    """Three pushers, of one value each."""

    what, noun = "The queue", "pusher"
    question = Question(
        "One pusher stalls in the middle of its push. Who goes on?",
        {"all": "the two others, in each queue", "lock": "nobody behind a spinlock", "none": "nobody in any"},
    )
    choices = {"queue": Choice("The queue", QUEUES)}
    strikes = (STEP_AND_CRASH,)
    bounds = {"crashes": 1}
    good = "All have ended, and each value is in the queue once."

    def programs(self, chosen):
        """Return the pushers."""
        if chosen["queue"] == "spinlock":
            return [locked] * len(VALUES)
        make = pusher if chosen["queue"] == "lock-free" else placer
        return [make(value) for value in VALUES]

    def rule(self, view, chosen):
        """No value is in the queue twice."""
        found = cells_of(view.registers)
        twice = next((value for value in found if found.count(value) > 1), None)
        return twice is None or f"the value {twice} is in the queue twice"

    def because(self, state):
        """Return what is in the queue."""
        found = cells_of(state.position.view.registers)
        return f"In the queue: {', '.join(map(str, found)) or 'nothing'}."


SCENE = Pushers()

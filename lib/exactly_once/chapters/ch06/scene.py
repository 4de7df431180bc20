"""Chapter 06's scene: a handler in transactions and its coordinator, which may die or sleep at any step."""

from ...handlers import at_least_once
from ...handlers.stream.transactional import coordinator, transactional
from ...node.program import Deployment
from ...pipeline import Job
from ...simulate.schedule import PAUSE, STEP_AND_CRASH
from ...widgets.player.scene import Question, Scene
from ..stream_rule import once_each, told

JOB = Job(items=2, duration=1, threshold=9)  # no hour is above the threshold: the counter is another system


class Transaction(Scene):
    """Output, state and position of an hour in one transaction."""

    what, names, job = "The transaction", ("handler", "coordinator"), JOB
    question = Question(
        "Whom must you strike, and where, to show a reader half of a transaction?",
        {"handler": "the handler before its end", "coordinator": "the coordinator", "nobody": "it cannot be done"},
    )
    strikes = (STEP_AND_CRASH, PAUSE)
    bounds = {"crashes": 1}
    good = "Both transactions are committed, each once."

    def programs(self, chosen):
        """Return the handler and its coordinator."""
        return Deployment(transactional, coordinator, at_least_once).programs(JOB)

    def rule(self, view, chosen):
        """A read_committed reader sees each average once and in order; in the end position and output agree."""
        said, shown = once_each(view, JOB, counted=False), len(view.outputs)
        done = max((view.positions or {}).values(), default=0)
        if said is not True or not view.done:
            return said
        return shown == done or f"{shown} averages are shown, and the position says {done}"

    def because(self, state):
        """Return what a reader sees."""
        return told(state.position.view).partition(". ")[0] + "."


SCENE = Transaction()

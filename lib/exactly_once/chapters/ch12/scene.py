"""Chapter 12's scene: a driver and its task, which may die between the sink's commit and the driver's own."""

from ...handlers.stream.structured_streaming import ROWS, SINK, SINKS, micro_batch, rows_once
from ...simulate.schedule import PAUSE, STEP_AND_CRASH
from ...widgets.player.scene import Choice, Question, Scene

BATCHES = 2


class Batches(Scene):
    """One driver, one task, two batches, and a sink of three kinds."""

    what, names = "The query", ("driver", "task")
    question = Question(
        "The driver dies between the sink's commit and its own. Which batch does the next driver run?",
        {"same": "the same one again", "next": "the next one", "none": "none: the query has failed"},
    )
    choices = {"sink": Choice("The sink", dict(zip(SINKS, SINKS, strict=True)))}
    strikes = (STEP_AND_CRASH, PAUSE)
    bounds = {"crashes": 1}
    good = "Each row is in the sink once."

    def programs(self, chosen):
        """Return driver and task."""
        return micro_batch(chosen["sink"], 1, BATCHES)

    def rule(self, view, chosen):
        """No row is ever in the sink twice, and in the end each is there."""
        return rows_once(1, BATCHES)(view)

    def because(self, state):
        """Return the rows of the sink."""
        return f"In the sink: {'; '.join(state.position.view.look(SINK, ROWS, 'log')) or 'nothing'}."


SCENE = Batches()

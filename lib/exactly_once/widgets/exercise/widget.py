"""The panel of an exercise on the screen: its title, Show, Check, Hint, and below them their results."""

from ..base.widget import HtmlWidget
from .model import ExerciseModel
from .view import fragments


class ExercisePanel(HtmlWidget, page="exercise/exercise", view=fragments):
    """The panel. `model` is its `ExerciseModel`; `opened` is the debugger, once it was asked for."""

    def on_message(self, do, value):
        """Carry out a request of the page."""
        if do == "open":
            self.opened = self.model.state.reply.debugger()
            return None
        return super().on_message(do, value)

    def __repr__(self):
        exercise = self.model.exercise
        return (
            f"Exercise {exercise.name} · {exercise.title} ({exercise.task.tier}). Run this cell again for its "
            "buttons; the calls show, check and hint do the same."
        )


def exercise_panel(exercise):
    """Return the panel of an exercise, given as `exercises.open` returns it."""
    return ExercisePanel(ExerciseModel(exercise))

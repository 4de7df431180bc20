"""The panel of an exercise on the screen: its title, Show, Check, Hint, and below them their results."""

from ..base.widget import HtmlWidget
from .model import ExerciseModel
from .view import head_html, hints_html, result_html, status_html, tools_html


class ExercisePanel(HtmlWidget, page="exercise/exercise"):
    """The panel. `model` is its `ExerciseModel`; `opened` is the debugger, once it was asked for."""

    def __init__(self, behind):
        super().__init__(ExerciseModel(behind))

    def fragments(self):
        """Return {trait: HTML} from the model's state."""
        behind, state = self.model.behind, self.model.state
        return {
            "head": head_html(behind, state),
            "tools": tools_html(behind, state),
            "status": status_html(behind, state),
            "hints": hints_html(behind, state),
            "result": result_html(behind, state),
            "stale": self.model.stale,
        }

    def on_message(self, do, value):
        """Carry out a request of the page."""
        if do == "open":
            self.opened = self.model.state.reply.debugger()
            return None
        return super().on_message(do, value)

    def __repr__(self):
        behind = self.model.behind
        return (
            f"Exercise {behind.title} ({behind.tier}). Run this cell again for its buttons; the calls show, check "
            "and hint do the same."
        )


def exercise_panel(behind):
    """Return the panel of an exercise, given as an `ExerciseBehind`."""
    return ExercisePanel(behind)

"""The panel of an exercise on the screen: its title, Show, Check, Hint, and below them their results."""

from html import escape
from typing import Any

from ..base.controls import button
from ..base.widget import HtmlWidget
from .exercise_model import ExerciseModel

STANDINGS = {"solved": "✓ solved", "tried": "○ tried", "new": "· not yet"}
BUSY = {
    "showing": "Drawing {}…",
    "checking": "Checking {}… Some answers take up to a minute.",
    "stopping": "Stopping…",
}


def fragments(model: ExerciseModel, _width: int) -> dict[str, str]:
    """Return {trait: HTML} from the state of an `ExerciseModel`."""
    exercise, state = model.exercise, model.state
    return {
        "head": head_html(exercise, state),
        "tools": tools_html(exercise, state),
        "status": escape(BUSY[state.busy].format(exercise.task.answer) if state.busy in BUSY else state.status),
        "hints": hints_html(state),
        "result": result_html(state),
        "stale": model.stale,
    }


def head_html(exercise: Any, state: Any) -> str:
    """Return the title, the tier, and the standing of the exercise."""
    return (
        f'<p class="eo-exercise-title">Exercise <strong>{escape(exercise.name)} · {escape(exercise.title)}</strong> '
        f'<span class="eo-tag eo-tier">{exercise.task.tier}</span></p>'
        f'<p class="eo-standing eo-standing-{state.standing}" role="status">{STANDINGS[state.standing]}</p>'
    )


def tools_html(exercise: Any, state: Any) -> str:
    """Return the buttons, and the offer of a hint beside its button."""
    busy, given = state.busy != "idle", len(state.hinted)
    more = given < len(exercise.hints)
    title = f"Hint {given + 1} of {len(exercise.hints)}" if more else f"All {len(exercise.hints)} hints"
    buttons = [
        button("eo-show", "show", "Show", off=busy),
        button("eo-check", "check", "Check", off=busy, primary=True),
        button("eo-hint", "hint", title, off=not more, primary=bool(state.offered)),
    ]
    if state.opened and not more:
        buttons.append(button("eo-solution", "solution", "Solution", off=bool(state.solution)))
    if state.busy in ("checking", "stopping"):
        buttons.append(button("eo-stop", "stop", "Stop", off=state.busy == "stopping"))
    says = f"Both use <code>{escape(exercise.task.answer)}</code> as your last run of its cell left it."
    if state.offered:
        says = f"Two tries were wrong. Hint {state.offered} may help."
    css = "eo-offer" if state.offered else "eo-dim"
    return f'{"".join(buttons)}<span class="eo-beside-buttons {css}" role="status">{says}</span>'


def hints_html(state: Any) -> str:
    """Return the given hints, and the solution once it was asked for."""
    hints = "".join(f'<p class="eo-hint-given">{escape(text)}</p>' for text in state.hinted)
    return hints + f'<pre class="eo-solution-given">{escape(state.solution)}</pre>' * bool(state.solution)


def result_html(state: Any) -> str:
    """Return the picture or the reply, and the button that opens its run."""
    if state.reply is None:
        return f'<div class="eo-shown">{state.picture}</div>' if state.picture else ""
    found = state.reply.html(offer=False)
    opens = button("eo-open-debugger", "open", "Open in the debugger") if state.reply.run is not None else ""
    return f'<div class="eo-replied">{found}<p class="eo-open-row">{opens}</p></div>'


class ExercisePanel(HtmlWidget, page="exercise/exercise", view=fragments):
    """The panel. `model` is its `ExerciseModel`; `opened` is the debugger, once it was asked for."""

    def openings(self) -> dict[Any, Any]:
        """Return how the debugger is made."""
        return {"open": self.model.state.reply.debugger} if self.model.state.reply else {}

    def __repr__(self) -> str:
        exercise = self.model.exercise
        return (
            f"Exercise {exercise.name} · {exercise.title} ({exercise.task.tier}). Run this cell again for its "
            "buttons; the calls show, check and hint do the same."
        )


def exercise_panel(exercise: Any) -> ExercisePanel:
    """Return the panel of an exercise, given as `exercises.open` returns it."""
    return ExercisePanel(ExerciseModel(exercise))

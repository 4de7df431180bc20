"""The panel of an exercise: its title, Show, Check, Hint, and below them their results."""

from dataclasses import dataclass
from html import escape

from ...errors import BadInput
from ...sandbox import pool as sandbox
from ..base.controls import button
from ..base.model import BackgroundWork, BaseState
from ..base.widget import HtmlWidget


@dataclass(frozen=True)
class ExerciseState(BaseState):
    """The state of the screen. `picture` is Show's picture, `reply` the reply of Check; only one of them is set.

    `hinted` are the texts of the given hints; `offered` is the number of the offered hint, or 0. `opened` tells
    whether the solution may be seen, and `solution` is its text once it was asked for.
    """

    standing: str = "new"
    picture: str = ""
    reply: object = None
    hinted: tuple = ()
    offered: int = 0
    opened: bool = False
    solution: str = ""


class ExerciseModel(BackgroundWork):
    """Show, Check and Hint of one exercise of the course; the first two in a thread, and one at a time.

    Of the `exercise` it uses what a notebook calls, such as `show` and `hint`, and `own_answer`, the notebook's.
    """

    what = "The exercise"

    def __init__(self, exercise):
        self.exercise, self._came = exercise, {}
        super().__init__(ExerciseState(**self._standing()))

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return {
            "show": lambda _: self.begin("show", self._show, busy="showing", quiet=True, status=""),
            "check": lambda _: self.begin("check", self._check, busy="checking", quiet=True, status=""),
            "hint": lambda _: self.hint(),
            "solution": lambda _: self.solution(),
            "stop": lambda _: self.stop(),
        }

    def hint(self):
        """Give the next hint. Raises `BadInput` when all were given."""
        number = len(self.state.hinted) + 1
        if number > len(self.exercise.hints):
            raise BadInput(f"These are all {len(self.exercise.hints)} hints.")
        self.exercise.hint(number)
        self.update(**self._standing())

    def solution(self):
        """Give the solution. Raises `BadInput` before the exercise is solved or was tried twice."""
        if not self.exercise.open:
            raise BadInput("Check two answers of your own first; then the solution can be read here.")
        self.update(solution=str(self.exercise.solution()))

    @property
    def stale(self):
        """The remark on the result on the screen while another one is computed; otherwise ""."""
        state = self.state
        return "This is from before." if state.busy != "idle" and (state.picture or state.reply) else ""

    def _show(self, work):
        self._came = {"picture": self.exercise.show(self.exercise.own_answer()).fragment(), "reply": None}

    def _check(self, work):
        reply = self.exercise.judged(self.exercise.own_answer())
        if not work.stopped():  # stopped work is no try
            self._came = {"reply": self.exercise.noted(reply), "picture": ""}

    def interrupt(self, work):
        """End the answer's process at once."""
        sandbox.interrupt(work.thread)

    def failed(self, why, work):
        """Show the error that the work raised, unless it comes from the stop."""
        if not work.stopped():
            super().failed(why, work)

    def at_end(self, work):
        """Return the result of the work as changes of the state."""
        came, self._came = self._came, {}
        return {**came, **self._standing(), "status": "Stopped. This was no try." if work.stopped() else ""}

    def _standing(self):
        own = self.exercise
        return {"standing": own.standing, "hinted": own.given(), "offered": own.offered, "opened": own.open}


STANDINGS = {"solved": "✓ solved", "tried": "○ tried", "new": "· not yet"}
BUSY = {
    "showing": "Drawing {}…",
    "checking": "Checking {}… Some answers take up to a minute.",
    "stopping": "Stopping…",
}


def fragments(model, _width):
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


def head_html(exercise, state):
    """Return the title, the tier, and the standing of the exercise."""
    return (
        f'<p class="eo-exercise-title">Exercise <strong>{escape(exercise.name)} · {escape(exercise.title)}</strong> '
        f'<span class="eo-tag eo-tier">{exercise.task.tier}</span></p>'
        f'<p class="eo-standing eo-standing-{state.standing}" role="status">{STANDINGS[state.standing]}</p>'
    )


def tools_html(exercise, state):
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


def hints_html(state):
    """Return the given hints, and the solution once it was asked for."""
    hints = "".join(f'<p class="eo-hint-given">{escape(text)}</p>' for text in state.hinted)
    return hints + f'<pre class="eo-solution-given">{escape(state.solution)}</pre>' * bool(state.solution)


def result_html(state):
    """Return the picture or the reply, and the button that opens its run."""
    if state.reply is None:
        return f'<div class="eo-shown">{state.picture}</div>' if state.picture else ""
    found = state.reply.html(offer=False)
    opens = button("eo-open-debugger", "open", "Open in the debugger") if state.reply.run is not None else ""
    return f'<div class="eo-replied">{found}<p class="eo-open-row">{opens}</p></div>'


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

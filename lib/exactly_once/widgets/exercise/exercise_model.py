"""The panel of an exercise without its screen: the picture or the reply, the hints, and the offered hint."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput
from ...sandbox import pool as sandbox
from ..base.model import BackgroundWork, BaseState


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

    def __init__(self, exercise: Any) -> None:
        self.exercise, self._came = exercise, {}
        super().__init__(ExerciseState(**self._standing()))

    def actions(self) -> dict[str, Callable[..., Any]]:
        """Return the actions that `do` knows, by name."""
        return {
            "show": lambda _: self.begin("show", self._show, busy="showing", quiet=True, status=""),
            "check": lambda _: self.begin("check", self._check, busy="checking", quiet=True, status=""),
            "hint": lambda _: self.hint(),
            "solution": lambda _: self.solution(),
            "stop": lambda _: self.stop(),
        }

    def hint(self) -> None:
        """Give the next hint. Raises `BadInput` when all were given."""
        number = len(self.state.hinted) + 1
        if number > len(self.exercise.hints):
            raise BadInput(f"These are all {len(self.exercise.hints)} hints.")
        self.exercise.hint(number)
        self.update(**self._standing())

    def solution(self) -> None:
        """Give the solution. Raises `BadInput` before the exercise is solved or was tried twice."""
        if not self.exercise.open:
            raise BadInput("Check two answers of your own first; then the solution can be read here.")
        self.update(solution=str(self.exercise.solution()))

    @property
    def stale(self) -> str:
        """The remark on the result on the screen while another one is computed; otherwise ""."""
        state = self.state
        return "This is from before." if state.busy != "idle" and (state.picture or state.reply) else ""

    def _show(self, work: Any) -> None:
        self._came = {"picture": self.exercise.show(self.exercise.own_answer()).fragment(), "reply": None}

    def _check(self, work: Any) -> None:
        reply = self.exercise.judged(self.exercise.own_answer())
        if not work.stopped():  # stopped work is no try
            self._came = {"reply": self.exercise.noted(reply), "picture": ""}

    def interrupt(self, work: Any) -> None:
        """End the answer's process at once."""
        sandbox.interrupt(work.thread)

    def failed(self, why: Any, work: Any) -> None:
        """Show the error that the work raised, unless it comes from the stop."""
        if not work.stopped():
            super().failed(why, work)

    def at_end(self, work: Any) -> dict[str, Any]:
        """Return the result of the work as changes of the state."""
        came, self._came = self._came, {}
        return {**came, **self._standing(), "status": "Stopped. This was no try." if work.stopped() else ""}

    def _standing(self) -> dict[str, Any]:
        own = self.exercise
        return {"standing": own.standing, "hinted": own.given(), "offered": own.offered, "opened": own.open}

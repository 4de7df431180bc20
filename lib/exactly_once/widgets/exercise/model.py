"""The panel of an exercise without its screen: the picture or the reply, the hints, and the offered hint."""

from collections.abc import Callable
from dataclasses import dataclass

from ...errors import BadInput
from ...sandbox import pool as sandbox
from ..base.model import BackgroundWork, BaseState


@dataclass(frozen=True)
class ExerciseBehind:
    """The texts and functions of a panel.

    `answer` is the notebook's name for the answer, `hints` the number of hints. `show()` returns HTML; `judge()` a
    reply, with `state`, `html()` and `run`, and with `debugger()` if it has a run; `note(reply)` records the reply
    and returns it. `hint(number)` gives a hint, and `given()` returns the texts of the given hints. `standing()` is
    "solved", "tried" or "new"; `offered()` the number of the offered hint, or 0. `opened()` tells whether the
    solution may be seen, and `solution()` returns its text.
    """

    title: str
    tier: str
    answer: str
    hints: int
    show: Callable
    judge: Callable
    note: Callable
    hint: Callable
    given: Callable
    standing: Callable
    offered: Callable
    opened: Callable
    solution: Callable


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
    """Show, Check and Hint of one exercise; the first two in a thread, and one at a time."""

    what = "The exercise"

    def __init__(self, behind):
        self.behind, self._came = behind, {}
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
        if number > self.behind.hints:
            raise BadInput(f"These are all {self.behind.hints} hints.")
        self.behind.hint(number)
        self.update(**self._standing())

    def solution(self):
        """Give the solution. Raises `BadInput` before the exercise is solved or was tried twice."""
        if not self.behind.opened():
            raise BadInput("Check two answers of your own first; then the solution can be read here.")
        self.update(solution=self.behind.solution())

    @property
    def stale(self):
        """The remark on the result on the screen while another one is computed; otherwise ""."""
        state = self.state
        return "This is from before." if state.busy != "idle" and (state.picture or state.reply) else ""

    def _show(self, work):
        self._came = {"picture": self.behind.show(), "reply": None}

    def _check(self, work):
        reply = self.behind.judge()
        if not work.stopped():  # stopped work is no try
            self._came = {"reply": self.behind.note(reply), "picture": ""}

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
        behind = self.behind
        return {
            "standing": behind.standing(),
            "hinted": behind.given(),
            "offered": behind.offered(),
            "opened": behind.opened(),
        }

"""The panel of an exercise without its screen: what is shown or checked, the hints, and the one that is offered."""

from collections.abc import Callable
from dataclasses import dataclass

from ...errors import BadInput
from ...sandbox import pool as sandbox
from ..base.model import BackgroundWork, BaseState


@dataclass(frozen=True)
class ExerciseBehind:
    """What a panel says and calls.

    `answer` is what the notebook calls the answer, `hints` how many there are. `show()` returns HTML; `judge()` a
    reply, with `state`, `html()` and `run`, and with `debugger()` if it has a run; `note(reply)` takes it down and
    returns it. `hint(number)` gives one, and `given()` returns the texts of those that were. `standing()` is
    "solved", "tried" or "new"; `offered()` the number of the hint that is offered, or 0.
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


@dataclass(frozen=True)
class ExerciseState(BaseState):
    """All that the screen needs to know. `picture` is what Show drew, `reply` what Check answered: one of the two.

    `hinted` are the texts of the hints that were given; `offered` is the number of the one that is offered, or 0.
    """

    standing: str = "new"
    picture: str = ""
    reply: object = None
    hinted: tuple = ()
    offered: int = 0


class ExerciseModel(BackgroundWork):
    """Show, Check and Hint of one exercise; the first two in a thread, and one at a time."""

    what = "The exercise"

    def __init__(self, behind, changed=None):
        self.behind, self._came = behind, {}
        super().__init__(ExerciseState(**self._standing()), changed)

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return {
            "show": lambda _: self.begin("show", self._show, busy="showing", quiet=True, status=""),
            "check": lambda _: self.begin("check", self._check, busy="checking", quiet=True, status=""),
            "hint": lambda _: self.hint(),
            "stop": lambda _: self.stop(),
        }

    def hint(self):
        """Give the next hint. Raises `BadInput` when all were given."""
        number = len(self.state.hinted) + 1
        if number > self.behind.hints:
            raise BadInput(f"These are all {self.behind.hints} hints.")
        self.behind.hint(number)
        self.update(**self._standing())

    @property
    def stale(self):
        """What the result on the screen is of, while another one is made; otherwise ""."""
        state = self.state
        return "This is from before." if state.busy != "idle" and (state.picture or state.reply) else ""

    def _show(self, work):
        self._came = {"picture": self.behind.show(), "reply": None}

    def _check(self, work):
        reply = self.behind.judge()
        if not work.stopped():  # what was stopped is no try
            self._came = {"reply": self.behind.note(reply), "picture": ""}

    def interrupt(self, work):
        """End the answer's process at once."""
        sandbox.interrupt(work.thread)

    def failed(self, why, work):
        """Show what the work raised, unless that was its stop."""
        if not work.stopped():
            super().failed(why, work)

    def at_end(self, work):
        """Return what the work brought."""
        came, self._came = self._came, {}
        return {**came, **self._standing(), "status": "Stopped. This was no try." if work.stopped() else ""}

    def _standing(self):
        behind = self.behind
        return {"standing": behind.standing(), "hinted": behind.given(), "offered": behind.offered()}

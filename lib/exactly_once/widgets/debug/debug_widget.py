"""The debugger on the screen: the fragments of HTML of the present step; and *Go on from here, another way*."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from ...errors import CourseError
from ...show import moments as stepviews
from ...show.moments import sentence
from ...simulate.schedule import LOST_REPLY, LOST_REQUEST, PAUSE, STEP, STEP_AND_CRASH, Decision
from ...verdict import Run, judge
from ..base.controls import button, who
from ..base.widget import HtmlWidget
from ..player.scene import SIGNS, Position, Scene
from .debug_model import DebuggerModel


class Found(Scene):
    """The programs of a schedule that the explorer found, at any of its steps."""

    what = "The other way"
    strikes = (STEP_AND_CRASH, PAUSE, LOST_REQUEST, LOST_REPLY)

    def __init__(self, programs: list, job: Any, schedule: tuple[Decision, ...]) -> None:
        self.given, self.job, self.schedule = programs, job, schedule

    def programs(self, chosen: Mapping[str, Any]) -> list:
        """Return the programs, one for each node."""
        return self.given

    def parted(self, way: Sequence[Decision]) -> int:
        """Return after how many steps a way leaves the schedule that was found, or where it ends on it."""
        together = 0
        while together < min(len(way), len(self.schedule)) and way[together] == self.schedule[together]:
            together += 1
        return together

    def picture(self, position: Position) -> str:
        """Draw both ways as rows of steps: what they share, and the branches."""
        way = position.replay.schedule
        shared = self.parted(way)
        rows = [("found", self.schedule[shared:]), ("yours", way[shared:])]
        branches = "".join(f"<p>{name}: {_chips(branch)}</p>" for name, branch in rows)
        return f'<div class="eo-player-branches"><p>together: {_chips(way[:shared])}</p>{branches}</div>'

    def verdict(self, state: Any) -> tuple[str, str, str]:
        """Say where the way is beside the schedule that was found, and what the programs' own errors are."""
        shared, said = self.parted(state.way[: state.at]), super().verdict(state)
        if said[0] != "none" or state.position.view.done:
            return said if said[0] != "good" else self._judged(state.position.replay.run)
        at = f"You are at step {state.at}; the schedule that was found has {len(self.schedule)}."
        return "none", at, "" if shared == state.at else f"You left it after step {shared}."

    def _judged(self, run: Run) -> tuple[str, str, str]:
        """Judge a run in which all have ended by the right outcomes of its first handler, where there are such."""
        try:
            verdict = judge(run, getattr(self.given[0], "handler", self.given[0]))
        except CourseError:
            return "none", "All have ended.", "The table of the stores says what is left."
        first, stop, rest = verdict.sentence.partition(". ")
        return "good" if verdict.exactly_once else "bad", f"{first}{stop}".strip(), rest


def _chips(decisions: Sequence[Decision]) -> str:
    signs = (f"{who(one.actor)}{'' if one.kind == STEP else SIGNS.get(one.kind, '')}" for one in decisions)
    return " ".join(signs) or "–"


def go_on(opened: Any, at: int) -> Any:
    """Return the player at a step of an `Opened` schedule; from there one goes another way."""
    from ..player.player_widget import play  # the player opens debuggers, and this one a player

    schedule = tuple(decision for decision, _ in opened.decisions)
    widget = play(Found(list(opened.programs), opened.job, schedule))
    widget.model.stand(schedule, opened.taken(at))
    return widget


class Debugger(HtmlWidget, page="debug/debugger"):
    """The debugger. `model` is its `DebuggerModel`; each region of the screen is a trait that holds HTML."""

    def __init__(self, model: DebuggerModel) -> None:
        steps = model.steps
        super().__init__(
            model,
            last=model.last,
            marks=steps.faults(),
            about=about_html(model.opened.sentence),
            faults=stepviews.faults_html(steps),
            other=button("eo-go-on", "go_on", "Go on from here, another way") if model.opened.programs else "",
            words=stepviews.steps_html(steps),
        )

    def fragments(self) -> dict[str, Any]:
        """Return {trait: value} for the model's step."""
        steps, at = self.model.steps, self.model.at
        return {
            "at": at,
            "says": escape(sentence(steps, at)),
            "diagram": stepviews.diagram_html(steps, at, self._width),
            "code": stepviews.code_at_html(self.model.opened.handlers, steps, at),
            "stores": stepviews.stores_html(steps, at),
            "processes": stepviews.processes_html(steps, at),
        }

    def openings(self) -> dict[str, Callable[..., Any]]:
        """Return how the player is made."""
        return {"go_on": lambda: go_on(self.model.opened, self.model.at)}

    def go(self, step: int) -> None:
        """Go to a step, counted from 1 as on the screen."""
        self.model.go(step - 1)

    def __repr__(self) -> str:
        return f"Debugger: {sentence(self.model.steps, self.model.at)}"


def about_html(text: str) -> str:
    """Return the sentence on the run's flaw: its first sentence, and the rest on demand."""
    first, stop, rest = text.partition(". ")
    if not rest:
        return escape(text)
    return f"<details><summary>{escape(first + stop)}</summary>{escape(rest)}</details>"


def debugger(source: Any, handler: Any = None, job: Any = None) -> Debugger:
    """Return the debugger: a run step by step, with its diagram, code, stores and clocks.

    source: a result of `prove` with a counterexample; a token of it, or of a fault plan, with the handler;
    a result of `replay`; a verdict, a run or a trace, of the simulated world or of the cluster.
    handler: the handler that ran, whose code is shown; a list of them where each node had its own.
    job: the `Job` for the token of a fault plan; 6 hours by default, as in `simulate`.
    Raises `BadInput` for anything else, a mistyped token, one of another handler, and a proof that found nothing.
    """
    return Debugger(DebuggerModel(source, handler, job))

"""The debugger: the opened run, the present step, their fragments of HTML; and *Go on from here, another way*."""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ...errors import BadInput, CourseError, is_whole
from ...explore import replay
from ...explore.proof import Counterexample, Proof
from ...explore.tokens import FORMAT as SCHEDULE_FORMAT
from ...faults import FORMAT, READ, FaultPlan
from ...node import Program
from ...node.program import Deployment, checked_handler
from ...pipeline import Job
from ...show import moments as stepviews
from ...show.moments import sentence
from ...show.steps import Steps
from ...simulate import simulate
from ...simulate.decision import LOST_REPLY, LOST_REQUEST, PAUSE, STEP, STEP_AND_CRASH, Decision
from ...simulate.replay import Replay
from ...trace import Trace
from ...verdict import Run, Verdict, judge
from ..base.controls import button, who
from ..base.model import BaseState, Model
from ..base.widget import HtmlWidget
from ..player.scene import SIGNS, Position, Scene

WOULD_DO = (
    "give it a proof that found a counterexample, a verdict, a run, a trace, or a token together with its handler"
)


@dataclass(frozen=True)
class Opened:
    """The opened run: its steps, the handlers whose code is shown, and a sentence about the run.

    A schedule whose `programs` are known can be left: its `decisions` are (decision, (life, step) of it).
    """

    steps: Steps
    handlers: tuple
    sentence: str
    programs: tuple = ()
    decisions: tuple = ()
    job: Any = None

    def taken(self, at):
        """Return how many decisions of the schedule are taken at a moment."""
        seen = {(event.life, event.step) for event in self.steps.until(at)}
        return max((number for number, (_, step) in enumerate(self.decisions, 1) if tuple(step) in seen), default=0)


def opened(source, handler=None, job=None):
    """Return the opened run of `source`; `debugger` lists the possible sources.

    Raises `BadInput` for anything else, for a proof without a counterexample, and for a token without its handler.
    """
    given = tuple(handler) if isinstance(handler, (list, tuple)) else (handler,) if handler is not None else ()
    handlers = tuple(one.handler if isinstance(one, (Program, Deployment)) else one for one in given)
    for one in handlers:
        checked_handler(one)
    if isinstance(source, str):
        source = _of_token(source.strip(), given, job)
    if isinstance(source, Proof):
        if (example := source.example) is None:
            raise BadInput(f"This proof of {source.name} has no counterexample to step through: {source.headline}.")
        source = example
    sentence = getattr(source, "sentence", "")
    if isinstance(source, (Counterexample, Replay)):
        steps = Steps(source.run, source.schedule, source.steps)
    elif isinstance(source, (Verdict, Run, Trace)):
        steps = Steps(source.run if isinstance(source, Verdict) else source)
    else:
        raise BadInput(f"The debugger cannot open {reprlib.repr(source)}; {WOULD_DO}.")
    if not len(steps):
        raise BadInput("This run has no step to show: no incarnation of it left a trace.")
    if not given or not isinstance(source, (Counterexample, Replay)):
        return Opened(steps, handlers, sentence)
    programs = given
    if isinstance(given[0], Deployment):
        programs = tuple(given[0].programs(source.run.job))
    elif len(given) == 1:
        programs = given * len({start.detail.get("node", 0) for start in source.run.trace.lives()})
    decisions = tuple(zip(source.schedule, source.steps, strict=True))
    return Opened(steps, handlers, sentence, programs, decisions, source.run.job)


def _of_token(token, handlers, job):
    """Perform the run of a token again, and return it."""
    if not token.startswith(tuple(f"{one}-" for one in (SCHEDULE_FORMAT, *READ))):
        raise BadInput(
            f"{reprlib.repr(token)} is no token: one begins with {SCHEDULE_FORMAT}- (a schedule that prove found) or "
            f"{FORMAT}- (a fault plan). Copy it again."
        )
    if not handlers:
        raise BadInput("A token says which steps were taken, and not by which code: give its handler beside it.")
    if token.startswith(f"{SCHEDULE_FORMAT}-"):
        return replay(token, list(handlers))
    if len(handlers) > 1:
        raise BadInput("The token of a fault plan is for one handler; several were given.")
    return simulate(handlers[0], FaultPlan.parse(token), job or Job())


@dataclass(frozen=True)
class State(BaseState):
    """The present step: `at` is its number, from 0."""

    at: int = 0


class DebuggerModel(Model):
    """The steps of a run, and the present step."""

    what = "The debugger"

    def __init__(self, source, handler=None, job=None):
        self.opened = opened(source, handler, job)
        super().__init__(State())

    @property
    def steps(self):
        """The `Steps` that are shown."""
        return self.opened.steps

    @property
    def at(self):
        """The number of the present step."""
        return self.state.at

    @property
    def last(self):
        """The number of the last step."""
        return len(self.steps) - 1

    def go(self, at):
        """Go to a step; beyond either end, to that end. Anything but a whole number changes nothing."""
        if is_whole(at):
            self.update(at=max(0, min(self.last, at)))

    def actions(self):
        """Return the one action that `do` knows: the page itself counts the steps."""
        return {"step": self.go}


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


def go_on(opened, at):
    """Return the player at a step of an `Opened` schedule; from there one goes another way."""
    from ..player.widget import play  # the player opens debuggers, and this one a player

    schedule = tuple(decision for decision, _ in opened.decisions)
    widget = play(Found(list(opened.programs), opened.job, schedule))
    widget.model.stand(schedule, opened.taken(at))
    return widget


class Debugger(HtmlWidget, page="debug/debugger"):
    """The debugger. `model` is its `DebuggerModel`; each region of the screen is a trait that holds HTML."""

    def __init__(self, model):
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

    def fragments(self):
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

    def on_message(self, do, value):
        """Carry out a request of the page."""
        if do == "go_on":
            self.opened = go_on(self.model.opened, self.model.at)
            return None
        return super().on_message(do, value)

    def go(self, step):
        """Go to a step, counted from 1 as on the screen."""
        self.model.go(step - 1)

    def __repr__(self):
        return f"Debugger: {sentence(self.model.steps, self.model.at)}"


def about_html(text):
    """Return the sentence on the run's flaw: its first sentence, and the rest on demand."""
    first, stop, rest = text.partition(". ")
    if not rest:
        return escape(text)
    return f"<details><summary>{escape(first + stop)}</summary>{escape(rest)}</details>"


def debugger(source, handler=None, job=None):
    """Return the debugger: a run step by step, with its diagram, code, stores and clocks.

    source: a result of `prove` with a counterexample; a token of it, or of a fault plan, with the handler;
    a result of `replay`; a verdict, a run or a trace, of the simulated world or of the cluster.
    handler: the handler that ran, whose code is shown; a list of them where each node had its own.
    job: the `Job` for the token of a fault plan; 6 hours by default, as in `simulate`.
    Raises `BadInput` for anything else, a mistyped token, one of another handler, and a proof that found nothing.
    """
    return Debugger(DebuggerModel(source, handler, job))

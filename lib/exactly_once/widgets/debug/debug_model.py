"""The debugger's model: the opened run, and the present step. Plain Python."""

import reprlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput, is_whole
from ...explore import replay
from ...explore.proof import Counterexample, Proof
from ...faults import FORMAT, READ, FaultPlan
from ...node import Program
from ...node.program import Deployment, checked_handler
from ...pipeline import Job
from ...show.steps import Steps
from ...simulate import simulate
from ...simulate.replay import Replay
from ...simulate.schedule import FORMAT as SCHEDULE_FORMAT
from ...trace import Trace
from ...verdict import Run, Verdict
from ..base.model import BaseState, Model

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

    def taken(self, at: Any) -> int:
        """Return how many decisions of the schedule are taken at a moment."""
        seen = {(event.life, event.step) for event in self.steps.until(at)}
        return max((number for number, (_, step) in enumerate(self.decisions, 1) if tuple(step) in seen), default=0)


def opened(source: Any, handler: Any = None, job: Any = None) -> Opened:
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


def _of_token(token: str, handlers: tuple[Any, ...], job: Any) -> Replay | Run:
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

    def __init__(self, source: Any, handler: Any = None, job: Any = None) -> None:
        self.opened = opened(source, handler, job)
        super().__init__(State())

    @property
    def steps(self) -> Steps:
        """The `Steps` that are shown."""
        return self.opened.steps

    @property
    def at(self) -> int:
        """The number of the present step."""
        return self.state.at

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.steps) - 1

    def go(self, at: Any) -> None:
        """Go to a step; beyond either end, to that end. Anything but a whole number changes nothing."""
        if is_whole(at):
            self.update(at=max(0, min(self.last, at)))

    def actions(self) -> dict[str, Callable[..., Any]]:
        """Return the one action that `do` knows: the page itself counts the steps."""
        return {"step": self.go}

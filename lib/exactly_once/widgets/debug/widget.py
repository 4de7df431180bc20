"""The debugger on the screen: binds its model to one widget, whose JavaScript draws fragments and reports steps."""

from html import escape

from ...show import moments as stepviews
from ...show.moments import sentence
from ..base.controls import button
from ..base.widget import HtmlWidget
from .model import DebuggerModel


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
            from ..player.go_on import go_on  # the player opens debuggers, and this one a player

            opened = self.model.opened
            schedule = [decision for decision, _ in opened.decisions]
            self.opened = go_on(list(opened.programs), opened.job, schedule, opened.taken(self.model.at))
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

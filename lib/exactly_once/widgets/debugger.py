"""The debugger on the screen: binds its model to one widget, whose JavaScript draws fragments and reports steps."""

from html import escape
from pathlib import Path

import anywidget
import traitlets

from .. import show
from ..show import stepviews
from ..show.steptext import sentence
from .debugger_model import DebuggerModel

HERE = Path(__file__).parent
NARROW, WIDE = 480, 1900


class Debugger(anywidget.AnyWidget):
    """The debugger. `model` is its `DebuggerModel`; each region of the screen is a trait that holds HTML."""

    _esm = (HERE / "debugger.js").read_text()
    _css = show.CSS + (HERE / "debugger.css").read_text()
    at = traitlets.Int().tag(sync=True)
    last = traitlets.Int().tag(sync=True)
    marks = traitlets.List().tag(sync=True)
    about = traitlets.Unicode().tag(sync=True)
    faults = traitlets.Unicode().tag(sync=True)
    says = traitlets.Unicode().tag(sync=True)
    diagram = traitlets.Unicode().tag(sync=True)
    code = traitlets.Unicode().tag(sync=True)
    stores = traitlets.Unicode().tag(sync=True)
    processes = traitlets.Unicode().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)

    def __init__(self, model):
        self.model, self._width = model, 900
        steps = model.steps
        super().__init__(
            last=model.last,
            marks=steps.faults(),
            about=escape(model.opened.sentence),
            faults=stepviews.faults_html(steps),
            words=stepviews.steps_html(steps),
            **self._moment(),
        )
        self.on_msg(self._heard)

    def _moment(self):
        """Return the traits that change from step to step."""
        steps, at = self.model.steps, self.model.at
        return {
            "at": at,
            "says": escape(sentence(steps, at)),
            "diagram": stepviews.diagram_html(steps, at, self._width),
            "code": stepviews.code_at_html(self.model.opened.handlers, steps, at),
            "stores": stepviews.stores_html(steps, at),
            "processes": stepviews.processes_html(steps, at),
        }

    def draw(self):
        """Bring the screen to the model's step."""
        with self.hold_sync():
            for name, value in self._moment().items():
                setattr(self, name, value)

    def go(self, step):
        """Go to a step, counted from 1 as on the screen."""
        self.model.go(step - 1)
        self.draw()

    def _heard(self, _, content, __):
        """Hear a message of the page: {do, value}. The page waits for the answer that comes with it."""
        content = content if isinstance(content, dict) else {}
        if content.get("do") == "width":
            self._set_width(content.get("value"))
        else:
            self.model.do(content.get("do"), content.get("value"))
        self.draw()
        self.send({"done": content.get("do")})

    def _set_width(self, width):
        """Draw the diagram for the place that the page gives it, in pixels."""
        if isinstance(width, (int, float)):
            self._width = max(NARROW, min(WIDE, int(width)))

    def __repr__(self):
        return f"Debugger: {sentence(self.model.steps, self.model.at)}"


def debugger(source, handler=None, job=None):
    """Return the debugger: a run step by step, with its diagram, code, stores and clocks.

    source: what `prove` returned, if it found a counterexample; a token of it, or of a fault plan, with the handler;
    what `replay` returned; a verdict, a run or a trace, of the simulated world or of the cluster.
    handler: the handler that ran, whose code is shown; a list of them where each node had its own.
    job: the `Job` for the token of a fault plan; 6 hours by default, as in `simulate`.
    Raises `BadInput` for anything else, a mistyped token, one of another handler, and a proof that found nothing.
    """
    return Debugger(DebuggerModel(source, handler, job))

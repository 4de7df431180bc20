"""The crash console on the screen: binds the model to one widget; its JavaScript draws fragments and reports clicks."""

import threading
from pathlib import Path

import anywidget
import traitlets

from .. import show
from .console_model import ConsoleModel
from .console_view import fragments
from .worlds import Worlds

HERE = Path(__file__).parent
NARROW, WIDE = 480, 1900


class CrashConsole(anywidget.AnyWidget):
    """The crash console. `model` is its `ConsoleModel`; each region of the screen is a trait that holds HTML."""

    _esm = (HERE / "page.js").read_text() + (HERE / "console.js").read_text()
    _css = show.CSS + (HERE / "controls.css").read_text() + (HERE / "console.css").read_text()
    toolbar = traitlets.Unicode().tag(sync=True)
    code = traitlets.Unicode().tag(sync=True)
    verdict = traitlets.Unicode().tag(sync=True)
    tape = traitlets.Unicode().tag(sync=True)
    facts = traitlets.Unicode().tag(sync=True)
    diagram = traitlets.Unicode().tag(sync=True)
    matrix = traitlets.Unicode().tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)
    error = traitlets.Unicode().tag(sync=True)
    busy = traitlets.Unicode("idle").tag(sync=True)

    def __init__(self, model):
        self._drawing = threading.RLock()
        self._width = 900
        self._drawn = {}
        self.model = model
        super().__init__(**fragments(model, self._width))
        model.changed = self.draw
        self.on_msg(self._heard)

    def draw(self):
        """Bring the screen up to the model's state. Called from any thread."""
        with self._drawing, self.hold_sync():
            for region, html in fragments(self.model, self._width, self._drawn).items():
                setattr(self, region, html)
            self.busy = self.model.state.busy

    def _heard(self, _, content, __):
        """Hear a message of the page: {do, value}. Runs on the kernel's main thread, so it only starts things."""
        content = content if isinstance(content, dict) else {}
        if content.get("do") == "width":
            self._set_width(content.get("value"))
        else:
            self.model.do(str(content.get("do")), content.get("value"))

    def _set_width(self, width):
        """Draw the diagram for the place that the page gives it, in pixels."""
        if not isinstance(width, (int, float)):
            return
        width = max(NARROW, min(WIDE, int(width)))
        if width != self._width:
            self._width = width
            self.draw()

    def __repr__(self):
        shown = self.model.state.verdict
        return f"Crash console: {shown.sentence if shown else 'nothing was run yet.'}"


def crash_console(handler=None, strategy="at_least_once", cluster=None, job=None):
    """Return the crash console: a handler, the places where it can die, and what comes of it.

    handler: the learner's own handler, a function of one argument, the node; it is offered beside the strategies.
    strategy: the name of the strategy that is chosen at first, if no handler is given.
    cluster: a Spark session to run on; without one the course's own cluster is started when it is first needed.
    job: the `Job` to do; 6 hours with a window of 24 hours and a threshold of 4 numbers by default.
    Raises `BadInput` for a handler that cannot be called with one argument, an unknown strategy, a cluster that is no
    session of Spark, or a job that is none.
    """
    return CrashConsole(ConsoleModel(handler, strategy, job, Worlds(cluster)))

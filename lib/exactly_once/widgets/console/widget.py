"""The crash console on the screen: binds the model to one widget; its JavaScript draws fragments and reports
clicks.
"""

import anywidget
import traitlets

from ..base.widget import HtmlWidget, css, esm
from ..debug.widget import debugger
from ..prove.model import ProveModel
from ..prove.widget import open_proof, warm_up
from .model import ConsoleModel
from .view import fragments
from .worlds import Worlds


class CrashConsole(HtmlWidget):
    """The crash console. `model` is its `ConsoleModel`, `proving` its `ProveModel`; each region is a trait with HTML.

    `opened` is the debugger, once it was asked for.
    """

    _esm = esm("console/console.js")
    _css = css("console/console.css")
    toolbar = traitlets.Unicode().tag(sync=True)
    code = traitlets.Unicode().tag(sync=True)
    verdict = traitlets.Unicode().tag(sync=True)
    tape = traitlets.Unicode().tag(sync=True)
    facts = traitlets.Unicode().tag(sync=True)
    diagram = traitlets.Unicode().tag(sync=True)
    matrix = traitlets.Unicode().tag(sync=True)
    proof = traitlets.Unicode().tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)
    opened = anywidget.WidgetTrait().tag(sync=True)

    def __init__(self, model):
        self._drawn = {}
        self.proving = ProveModel(lambda: (model.handler(),), model.state.job)
        super().__init__(model)
        self.proving.changed = self.draw
        warm_up()

    def models(self):
        """Return the models whose states are on the screen."""
        return self.model, self.proving

    def fragments(self):
        """Return {trait: HTML} from the states of both models."""
        return fragments(self.model, self.proving, self._width, self._drawn)

    def on_message(self, do, value):
        """Do what the page asks for."""
        if do == "open_proof":
            open_proof(self, self.proving)
        elif do == "open_run":
            self._open_run()
        elif do in self.proving.actions():
            self.proving.do(do, value)
        else:
            super().on_message(do, value)

    def _open_run(self):
        """Open the run that is on the screen below the console."""
        state = self.model.state
        self.opened = debugger(state.verdict, self.model.handler(state.shown))

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

"""The crash console on the screen: its JavaScript draws the model's fragments and reports clicks."""

import time

from ..base.widget import HtmlWidget
from ..debug.widget import debugger
from .model import ConsoleModel
from .prove import ProveModel, warm_up
from .runs import Worlds
from .view import fragments

STRIKING = {"point": "strike", "item": "hour"}  # on the screen a choice of these starts a run at once


class CrashConsole(HtmlWidget, page="console/console"):
    """The crash console. `model` is its `ConsoleModel`, `proving` its `ProveModel`; each region is a trait with HTML.

    `opened` is the debugger, once it was asked for.
    """

    def __init__(self, model):
        self._made = time.time()
        self.proving = ProveModel(model.handler, model.state.job)
        model.prepare()
        super().__init__(model)
        self.proving.changed = self.draw
        warm_up()

    def models(self):
        """Return the models whose states are on the screen."""
        return self.model, self.proving

    def fragments(self):
        """Return {trait: value} from the states of both models."""
        state = self.model.state
        return fragments(self.model, self.proving, self._width) | {
            "made": self._made,
            "place": self.model.place_in_sight(),
            "shows_place": state.place is not None,
            "replayed": state.replays,
        }

    def on_message(self, do, value):
        """Carry out a request of the page."""
        if do == "open_proof":
            self._open_proof()
        elif do == "open_run":
            self.opened = debugger(self.model.state.verdict, self.model.handler(self.model.state.shown))
        elif do in self.proving.actions():
            self.proving.do(do, value)
        else:
            if do == "stop":
                self.proving.do("stop_proof")
            super().on_message(STRIKING.get(do, do), value)

    def _open_proof(self):
        """Open the result of the search below the console."""
        try:
            self.opened = debugger(self.proving.state.proof, self.proving.state.handler)
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless the console shows it
            self.proving.fail(why)

    def __repr__(self):
        shown = self.model.state.verdict
        return f"Crash console: {shown.sentence if shown else 'nothing was run yet.'}"


def crash_console(handler=None, strategy="at_least_once", cluster=None, job=None):
    """Return the crash console: a handler, its crash places, and the results of the crashes.

    handler: the learner's own handler, a function of one argument, the node; it is offered beside the strategies.
    strategy: the name of the first strategy, if no handler is given.
    cluster: a Spark session to run on; without one the course's own cluster is started when it is first needed.
    job: the `Job` to do; 6 hours with a window of 24 hours and a threshold of 4 numbers by default.
    Raises `BadInput` for a handler that cannot be called with one argument, an unknown strategy, a cluster that is no
    session of Spark, or a job that is none.
    """
    return CrashConsole(ConsoleModel(handler, strategy, job, Worlds(cluster)))

"""The Twins console on the screen: binds its model to one widget."""

import traitlets

from ..base.widget import HtmlWidget, css, esm
from .model import TwinsModel
from .view import fragments
from .words import verdict
from .worlds import TwinsWorlds


class TwinsConsole(HtmlWidget):
    """The Twins console. `model` is its `TwinsModel`; each region of the screen is a trait that holds HTML."""

    _esm = esm("twins/twins.js")
    _css = css("twins/twins.css")
    head = traitlets.Unicode().tag(sync=True)
    nodes = traitlets.Unicode().tag(sync=True)
    says = traitlets.Unicode().tag(sync=True)
    pictures = traitlets.Unicode().tag(sync=True)
    events = traitlets.Unicode().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)

    def fragments(self):
        """Return {trait: HTML} from the model's state."""
        return fragments(self.model, self._width)

    def __repr__(self):
        state = self.model.state
        if state.result is not None:
            return f"Twins console: {state.result}"
        return f"Twins console: {verdict(state)[1] if state.shot else 'nothing was started yet.'}"


def twins(nodes=2, pace=2, job=None, cluster=None):
    """Return the Twins console: nodes run the lock-free handler at once, and you kill and stop them meanwhile.

    nodes: the first number of twins, 2 or 3 (with the database's own node they need 3 or 4 slots). pace: the number
    of hours that arrive in a second, one of 0.5, 1, 2, 4, 8 and 16. job: a `Job` with window and threshold. cluster:
    a Spark session to run on; without one the course's own cluster is started when Start is pressed, and nothing runs
    before. Raises `BadInput` for anything else.
    """
    return TwinsConsole(TwinsModel(nodes, pace, job, TwinsWorlds(cluster)))

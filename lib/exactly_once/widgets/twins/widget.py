"""The Twins console on the screen: binds its model to one widget."""

from ..base.widget import HtmlWidget
from .model import TwinsModel, TwinsWorlds
from .view import fragments
from .words import verdict


class TwinsConsole(HtmlWidget, page="twins/twins", view=fragments):
    """The Twins console. `model` is its `TwinsModel`; each region of the screen is a trait that holds HTML."""

    def __repr__(self):
        shot = self.model.state.shot
        if shot is None:
            return "Twins console: nothing was started yet."
        return f"Twins console: {shot.sentence if shot.wrong is not None else verdict(self.model.state)[1]}"


def twins(nodes=2, pace=2, job=None, cluster=None):
    """Return the Twins console: nodes run the lock-free handler at once, and you kill and stop them meanwhile.

    nodes: the first number of twins, 2 or 3 (with the database's own node they need 3 or 4 slots). pace: the number
    of hours that arrive in a second, one of 0.5, 1, 2, 4, 8 and 16. job: a `Job` with window and threshold. cluster:
    a Spark session to run on; without one the course's own cluster is started when Start is pressed, and nothing runs
    before. Raises `BadInput` for anything else.
    """
    return TwinsConsole(TwinsModel(nodes, pace, job, TwinsWorlds(cluster)))

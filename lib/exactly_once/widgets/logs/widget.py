"""The log viewer on the screen: binds its model to one widget."""

import traitlets

from ..base.widget import HtmlWidget, css, esm
from .model import NONE, LogViewerModel
from .view import fragments


class LogViewer(HtmlWidget):
    """The log viewer. `model` is its `LogViewerModel`; each region of the screen is a trait that holds HTML."""

    _esm = esm("logs/log_viewer.js")
    _css = css("logs/log_viewer.css")
    toolbar = traitlets.Unicode().tag(sync=True)
    producer = traitlets.Unicode().tag(sync=True)
    brokers = traitlets.Unicode().tag(sync=True)
    ahead = traitlets.Unicode().tag(sync=True)
    says = traitlets.Unicode().tag(sync=True)
    partitions = traitlets.Unicode().tag(sync=True)
    lost = traitlets.Unicode().tag(sync=True)
    notes = traitlets.Unicode().tag(sync=True)
    table = traitlets.Unicode().tag(sync=True)

    def fragments(self):
        """Return {trait: HTML} from the model's state."""
        return fragments(self.model)

    def __repr__(self):
        state = self.model.state
        return f"Log viewer: {state.notes[-1].what if state.notes else 'an empty log.'}"


def log_viewer(story=NONE):
    """Return the log viewer: a small log of three brokers for the learner to write to, to damage and to inspect.

    story: the first story: "none", "leader-alone" (acks=1, the leader dies), "in-sync", "unclean" (an unclean
    election), "min-insync" (the same with min.insync.replicas=2) or "kip-101" (the rule of truncation that Kafka gave
    up in 0.11). Raises `BadInput` for another name.
    """
    return LogViewer(LogViewerModel(story))

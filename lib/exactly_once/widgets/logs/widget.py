"""The log viewer on the screen: binds its model to one widget."""

from ..base.widget import HtmlWidget
from .model import NONE, LogViewerModel
from .view import fragments


class LogViewer(HtmlWidget, page="logs/log_viewer", view=fragments):
    """The log viewer. `model` is its `LogViewerModel`; each region of the screen is a trait that holds HTML."""

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

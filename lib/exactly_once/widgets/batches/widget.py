"""The micro-batch timeline on the screen: binds its model to one widget."""

from ..base.widget import HtmlWidget
from .model import BatchesModel
from .view import fragments, told


class BatchTimeline(HtmlWidget, page="batches/batches", view=fragments):
    """The micro-batch timeline. `model` is its `BatchesModel`."""

    def __repr__(self):
        state = self.model.state
        _, headline, rest = told(state)
        return f"The micro-batch timeline, sink {state.sink!r}. {headline} {rest}"


def batch_timeline(sink="append"):
    """Return the timeline of a streaming query, batch by batch; a click on a letter kills the driver there.

    sink: "append", or "batch id", which keeps the batch id beside its rows in one transaction. *Now for real* runs
    the query in driver processes that are killed at the same places; a cluster of this notebook is stopped first.
    Raises `BadInput` for another sink.
    """
    return BatchTimeline(BatchesModel(sink))

"""The micro-batch timeline on the screen: binds its model to one widget."""

import traitlets

from ..base.widget import HtmlWidget, css, esm
from .model import BatchesModel
from .view import fragments, told


class BatchTimeline(HtmlWidget):
    """The micro-batch timeline. `model` is its `BatchesModel`."""

    _esm = esm("batches/batches.js")
    _css = css("batches/batches.css")
    toolbar = traitlets.Unicode().tag(sync=True)
    says = traitlets.Unicode().tag(sync=True)
    stage = traitlets.Unicode().tag(sync=True)
    tape = traitlets.Unicode().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)

    def fragments(self):
        """Return {trait: HTML} from the model's state."""
        return fragments(self.model, self._width)

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

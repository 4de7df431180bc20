"""The same fault on the screen: binds its model to one widget, whose page drags the arrival."""

import traitlets

from ..base.widget import HtmlWidget, css, esm
from .model import SameFaultModel
from .view import fragments, lanes_table


class SameFault(HtmlWidget):
    """One late request under several strategies. `model` is its `SameFaultModel`.

    `rail` gives the page the range of the arrival: the place of the first step, the pixels of a step, the number of
    steps, and the present one.
    """

    _esm = esm("same_fault/same_fault.js")
    _css = css("same_fault/same_fault.css")
    toolbar = traitlets.Unicode().tag(sync=True)
    stage = traitlets.Unicode().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)
    rail = traitlets.Dict().tag(sync=True)

    def fragments(self):
        """Return {trait: value} from the model's state."""
        return fragments(self.model, self._width)

    def __repr__(self):
        return f"The same fault, several protocols:\n{lanes_table(self.model.state).to_string(index=False)}"


def same_fault(late="output"):
    """Return one late request under five strategies, step beside step; the reader drags its arrival.

    late: the late request: "output", "counter", or "commit", the request that ends the pass. Raises `BadInput` for
    anything else.
    """
    return SameFault(SameFaultModel(late))

"""The same fault on the screen: binds its model to one widget, whose page drags the arrival."""

from ..base.widget import HtmlWidget
from .model import SameFaultModel
from .view import fragments, lanes_table


class SameFault(HtmlWidget, page="same_fault/same_fault", view=fragments):
    """One late request under several strategies. `model` is its `SameFaultModel`.

    `rail` gives the page the range of the arrival: the place of the first step, the pixels of a step, the number of
    steps, and the present one.
    """

    def __repr__(self):
        return f"The same fault, several protocols:\n{lanes_table(self.model.state).to_string(index=False)}"


def same_fault(late="output"):
    """Return one late request under five strategies, step beside step; the reader drags its arrival.

    late: the late request: "output", "counter", or "commit", the request that ends the pass. Raises `BadInput` for
    anything else.
    """
    return SameFault(SameFaultModel(late))

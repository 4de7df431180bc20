"""The delivery lab on the screen: binds its model to one widget, whose JavaScript plays the steps of a run."""

import traitlets

from ..base.widget import HtmlWidget, css, esm
from .model import DeliveryModel
from .view import fragments


class DeliveryLab(HtmlWidget):
    """The delivery lab. `model` is its `DeliveryModel`; the page has all steps of a run and needs no kernel to
    play.
    """

    _esm = esm("delivery/delivery.js")
    _css = css("delivery/delivery.css")
    toolbar = traitlets.Unicode().tag(sync=True)
    promise = traitlets.Unicode().tag(sync=True)
    says = traitlets.List().tag(sync=True)
    stages = traitlets.List().tag(sync=True)
    marks = traitlets.List().tag(sync=True)
    verdict = traitlets.Unicode().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)
    four = traitlets.Unicode().tag(sync=True)

    def fragments(self):
        """Return {trait: value} from the model's state."""
        return fragments(self.model)

    def __repr__(self):
        end = self.model.state.delivery.end
        return f"Delivery lab: {len(end.lost)} lost, {len(end.doubled)} doubled."


def delivery_lab():
    """Return the delivery lab: a producer, a log and a consumer, the faults between them, and their results."""
    return DeliveryLab(DeliveryModel())

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
    error = traitlets.Unicode().tag(sync=True)

    def __init__(self, model):
        super().__init__(model, **fragments(model))

    def draw(self):
        """Bring the screen up to the model's state."""
        with self.hold_sync():
            for name, value in fragments(self.model).items():
                setattr(self, name, value)

    def hear(self, do, value):
        """Do what the page asks for, and draw what comes of it."""
        super().hear(do, value)
        self.draw()

    def __repr__(self):
        end = self.model.delivery.end
        return f"Delivery lab: {len(end.lost)} lost, {len(end.doubled)} doubled."


def delivery_lab():
    """Return the delivery lab: a producer, a log and a consumer, what goes wrong between them, and what comes of
    it.
    """
    return DeliveryLab(DeliveryModel())

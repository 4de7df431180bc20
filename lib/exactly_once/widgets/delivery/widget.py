"""The delivery lab on the screen: binds its model to one widget, whose JavaScript plays the steps of a run."""

from ..base.widget import HtmlWidget
from .model import DeliveryModel
from .view import fragments


class DeliveryLab(HtmlWidget, page="delivery/delivery", view=fragments):
    """The delivery lab. `model` is its `DeliveryModel`; the page has all steps of a run and needs no kernel to
    play.
    """

    def __repr__(self):
        end = self.model.state.delivery.end
        return f"Delivery lab: {len(end.lost)} lost, {end.surplus} doubled."


def delivery_lab():
    """Return the delivery lab: a producer, a log and a consumer, the faults between them, and their results."""
    return DeliveryLab(DeliveryModel())

"""The delivery lab on the screen: binds its model to one widget, whose JavaScript plays the steps of a run."""

from pathlib import Path

import anywidget
import traitlets

from .. import show
from .delivery_model import DeliveryModel
from .delivery_view import fragments

HERE = Path(__file__).parent


class DeliveryLab(anywidget.AnyWidget):
    """The delivery lab. `model` is its `DeliveryModel`; the page has all steps of a run and needs no kernel to play."""

    _esm = (HERE / "page.js").read_text() + (HERE / "delivery.js").read_text()
    _css = show.CSS + (HERE / "controls.css").read_text() + (HERE / "delivery.css").read_text()
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
        self.model = model
        super().__init__(**fragments(model))
        self.on_msg(self._heard)

    def _heard(self, _, content, __):
        """Hear a message of the page: {do, value}; draw what comes of it."""
        content = content if isinstance(content, dict) else {}
        self.model.do(str(content.get("do")), content.get("value"))
        with self.hold_sync():
            for name, value in fragments(self.model).items():
                setattr(self, name, value)
        self.send({"done": content.get("do")})

    def __repr__(self):
        end = self.model.delivery.end
        return f"Delivery lab: {len(end.lost)} lost, {len(end.doubled)} doubled."


def delivery_lab():
    """Return the delivery lab: a producer, a log and a consumer, what goes wrong between them, and what comes of it."""
    return DeliveryLab(DeliveryModel())

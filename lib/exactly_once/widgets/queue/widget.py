"""The stepper on the screen: binds its model to one widget."""

from ..base.widget import HtmlWidget
from .model import QueueModel
from .view import fragments


class QueueStepper(HtmlWidget, page="queue/queue", view=fragments):
    """The stepper. `model` is its `QueueModel`; each region of the screen is a trait."""

    @property
    def token(self):
        """The token of the taken steps; `replay(token, widget.handlers)` performs them."""
        return self.model.token

    @property
    def handlers(self):
        """The handlers of the pushers, in the form of `prove` and `replay`."""
        return self.model.handlers

    def __repr__(self):
        state = self.model.state
        return f"Queue stepper, {state.queue}: {state.at} steps taken, {state.moment.full} cells full."


def queue_stepper(queue="lock-free", pushers=2, values=2):
    """Return the stepper: pushers at a queue; at every step the learner lets each continue, sleep or die.

    queue: "lock-free" (the queue's own push), "prepared" (a place is fixed first, and kept in a register), "spinlock"
    or "reserving" (obstruction-free); pushers: their number, 2 or 3; values: the number of values of each, 1 or 2;
    behind a spinlock and when reserving it is one. Raises `BadInput` for anything else.
    """
    return QueueStepper(QueueModel(queue, pushers, values))

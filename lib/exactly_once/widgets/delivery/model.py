"""The delivery lab without its screen: what is chosen for both sides of a log, and the run that comes of it."""

from dataclasses import dataclass, replace

from ...delivery.run import deliver
from ...errors import BadInput, CourseError, number_in, one_of, whole
from ...faults import Fault, FaultPlan
from ...handlers.consumer import EFFECTS, POSITIONS, UPDATES
from ...handlers.producer import PRODUCERS

RECORDS = 6
NOTHING = "nothing"
SENDING = {
    NOTHING: ("nothing", None, False),
    "request": ("the request is lost", "lost request", False),
    "reply": ("the acknowledgement is lost", "lost reply", False),
    "client before": ("the producer dies before it sends", "crash before", False),
    "client after": ("the producer dies before it hears", "crash after", False),
    "broker before": ("the broker dies before it writes", "lost request", True),
    "broker after": ("the broker dies when it has written", "lost reply", True),
}
RECEIVING = {
    NOTHING: ("nothing", None),
    "before": ("it dies before the effect", "crash before"),
    "after": ("it dies after the effect", "crash after"),
    "request": ("its request to save is lost", "lost request"),
    "reply": ("the answer to its save is lost", "lost reply"),
}


@dataclass(frozen=True)
class Settings:
    """One setting of the lab: two choices for each side, and what goes wrong there at which record."""

    retry: str = "retry"
    sending: str = "reply"
    sending_at: int = 3
    position: str = "last"
    update: str = "add"
    receiving: str = NOTHING
    receiving_at: int = 3

    def run(self):
        """Return the `Delivery` of these settings."""
        _, kind, broker = SENDING[self.sending]
        sending = FaultPlan([Fault("output.push", self.sending_at, kind)] if kind else [])
        _, kind = RECEIVING[self.receiving]
        at = "positions.save" if kind in ("lost request", "lost reply") else EFFECTS[self.update][-1]
        receiving = FaultPlan([Fault(at, self.receiving_at, kind)] if kind else [])
        return deliver(self.retry, self.position, self.update, sending, receiving, broker, RECORDS)

    def changed(self, name, value):
        """Return these settings with one of them changed. Raises `BadInput` for a value that makes no sense."""
        if name in _CHOICES:
            return replace(self, **{name: one_of(*_CHOICES[name][:1], value, _CHOICES[name][1])})
        text = str(value).strip()
        if (number := number_in(text)) is None:
            raise BadInput(f"The record is {text or 'empty'!r}; give a whole number from 1 to {RECORDS}.")
        return replace(self, **{name: whole("The record at which it goes wrong", number, 1, RECORDS)})


_CHOICES = {
    "retry": ("What the producer does after an error", PRODUCERS),
    "sending": ("What goes wrong on the producer's side", SENDING),
    "position": ("When the position is saved", POSITIONS),
    "update": ("What an update does", UPDATES),
    "receiving": ("What goes wrong on the consumer's side", RECEIVING),
}


class DeliveryModel:
    """What is chosen, the run of it step by step, and the error of the last action, a sentence or ""."""

    def __init__(self, settings=None):
        self.settings, self.error = settings or Settings(), ""
        self.delivery = self.settings.run()

    def do(self, name, value=None):
        """Change one of the settings, or "reset" them all. Whatever goes wrong stands in `error` afterwards."""
        try:
            one_of("The lab's action", name, [*Settings.__dataclass_fields__, "reset"])
            settings = Settings() if name == "reset" else self.settings.changed(name, value)
            self.delivery, self.settings, self.error = settings.run(), settings, ""
        except CourseError as why:
            self.error = str(why)

    def four(self):
        """Return {(retry, position): `Delivery`} of the four settings under the same faults."""
        return {
            (retry, position): replace(self.settings, retry=retry, position=position).run()
            for retry in PRODUCERS
            for position in ("last", "first")
        }

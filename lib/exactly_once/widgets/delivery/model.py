"""The delivery lab without its screen: the settings of both sides of a log, and the resulting run."""

from dataclasses import dataclass, replace

from ...delivery.run import Delivery, deliver
from ...errors import one_of
from ...faults import Fault, FaultPlan
from ...handlers.logs.consumer import EFFECTS, POSITIONS, UPDATES
from ...handlers.logs.producer import PRODUCERS
from ..base.model import BaseState, Model, typed_number

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
FAULTS = {"sending": SENDING, "receiving": RECEIVING}
SIDES = {"sending": "producer", "receiving": "consumer"}  # the fault of each side, and who suffers from it


@dataclass(frozen=True)
class Settings:
    """One setting of the lab: two choices for each side, a fault for each side, and the record at which it
    strikes.
    """

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
            title, values = _CHOICES[name]
            return replace(self, **{name: one_of(title, value, values)})
        number = typed_number(name, "The record at which it goes wrong", value, 1, RECORDS)
        return replace(self, **{name: number})


_CHOICES = {
    "retry": ("What the producer does after an error", PRODUCERS),
    "sending": ("What goes wrong on the producer's side", SENDING),
    "position": ("When the position is saved", POSITIONS),
    "update": ("What an update does", UPDATES),
    "receiving": ("What goes wrong on the consumer's side", RECEIVING),
}


def _run(settings, who=None):
    """Return the state of a run as a dictionary; it begins before the first fault, or before that of one side."""
    run = settings.run()
    faults = (n for n, moment in enumerate(run.moments) if moment.faulty and who in (None, moment.who))
    return {"settings": settings, "of": settings, "delivery": run, "begin": max(0, next(faults, 0) - 1)}


@dataclass(frozen=True)
class State(BaseState):
    """The chosen settings, and the run on the screen: `of` are the settings of that run; `begin` is the step from
    which the newest change shows, the one before the fault.
    """

    settings: Settings
    of: Settings
    delivery: Delivery
    begin: int = 0


class DeliveryModel(Model):
    """The chosen settings, and their run step by step."""

    what = "The lab"

    def __init__(self, settings=None):
        super().__init__(State(**_run(settings or Settings())))

    def actions(self):
        """Return the actions that `do` knows: each setting by its name, "strike" and "reset"."""
        chosen = {name: lambda value, name=name: self.choose(name, value) for name in Settings.__dataclass_fields__}
        return chosen | {"strike": self.strike, "reset": lambda _: self.reset()}

    def choose(self, name, value):
        """Change one of the settings. The new settings do not run while a field holds a wrong input."""
        self._take(self.state.settings.changed(name, value), name)

    def strike(self, value):
        """Let a fault strike a record: `value` is the side, the fault and the record, as in "sending|reply|3"."""
        side, fault, record = str(value).split("|")
        settings = self.state.settings.changed(one_of("the side", side, SIDES), fault).changed(f"{side}_at", record)
        self._take(settings, f"{side}_at", SIDES[side])

    def reset(self):
        """Go back to the first settings."""
        self.put_right(*self.state.refused)
        self.update(**_run(Settings()))

    def _take(self, settings, field, who=None):
        self.put_right(field)
        self.update(**({"settings": settings} if self.state.refused else _run(settings, who)))

    @property
    def stale(self):
        """Describe the run on the screen while a field holds a wrong input; otherwise ""."""
        of = self.state.of
        if not self.state.refused:
            return ""
        said = ", and ".join(
            f"{FAULTS[side][kind][0]} at record {getattr(of, f'{side}_at')}"
            for side in SIDES
            if (kind := getattr(of, side)) != NOTHING
        )
        return f"This is the run before: {said or 'nothing goes wrong'}. Put the marked field right to see another."

    def four(self):
        """Return {(retry, position): `Delivery`} of the four settings under the same faults."""
        return {
            (retry, position): replace(self.state.of, retry=retry, position=position).run()
            for retry in PRODUCERS
            for position in ("last", "first")
        }

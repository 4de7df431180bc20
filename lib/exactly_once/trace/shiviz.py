"""A trace as a history of events: the clocks of both follow from the same messages."""

from .. import clocks
from ..clocks import History
from ..clocks.formats.jsonlines import flight
from .events import Trace


def history_of(trace: Trace) -> History:
    """Return a `Trace` as a `History`: its events and messages, in the trace's order.

    A request that arrives twice was sent once. A received message without a send event in the trace counts as an
    event of its own.
    """
    events = [clocks.Event(event.process, event.kind, event.message, text=event.text) for event in trace]
    return History(flight(events))

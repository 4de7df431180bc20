"""Assembles a trace from the events of the incarnations and the journals of the stores."""

from collections.abc import Iterable

from ..stores.interface import Entry
from ..trace import Event, Trace


def assemble(events: Iterable[Event], entries: Iterable[Entry]) -> Trace:
    """Return the trace of a run from the events of the incarnations and the entries of the stores' journals.

    Each operation that took place adds two events on the line of its part: the arrival of the request and the sending
    of the reply. A request without an arrival was cut off by a kill, or lost.
    """
    events = list(events)
    seen = set()
    for entry in entries:
        name = f"{entry.life}.{entry.step}"
        whose = entry.life, entry.step, entry.item
        effect, wall = entry.operation.effect(entry.value), entry.wall
        if entry.place:  # another part of the same transaction: the first part answers for all parts
            events.append(Event(entry.part, "local", entry.received, entry.verb, effect, *whose, wall=wall))
            continue
        again = "again" if name in seen else ""
        seen.add(name)
        asked, answered = f"{name}>{again}", f"{name}<{again}"
        events.append(Event(entry.part, "receive", entry.received, entry.verb, effect, *whose, asked, wall=wall))
        events.append(Event(entry.part, "send", entry.sent, "reply", "reply", *whose, answered, wall=wall))
    return Trace(events)

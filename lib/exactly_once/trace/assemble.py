"""Putting a trace together: what the lives recorded, and what the stores wrote beside their effects."""

from . import Event, Trace


def assemble(events, entries):
    """Return the trace of a run from the lives' events and the entries of the stores' journals.

    Each operation that took place is two more events, on the line of its part: the arrival of the request and the
    leaving of the reply. A request without an arrival was cut off by a kill, or lost.
    """
    events = list(events)
    seen = set()
    for entry in entries:
        name = f"{entry.life}.{entry.step}"
        common = {"life": entry.life, "step": entry.step, "item": entry.item}
        effect = entry.operation.effect(entry.value)
        if entry.place:  # another part of the same transaction: the first one answers for all
            events.append(Event(entry.part, "local", entry.received, entry.verb, effect, **common))
            continue
        again = "again" if name in seen else ""
        seen.add(name)
        arrival = Event(
            entry.part, "receive", entry.received, entry.verb, effect, message=f"{name}>{again}", **common
        )
        events.append(arrival)
        events.append(Event(entry.part, "send", entry.sent, "reply", "reply", message=f"{name}<{again}", **common))
    return Trace(events)

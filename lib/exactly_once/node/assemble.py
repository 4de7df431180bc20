"""Putting a trace together: what the lives recorded, and what the stores wrote beside their effects."""

from ..trace import Event, Trace
from .words import describe


def assemble(events, entries):
    """Return the trace of a run from the lives' events and the entries of the stores' journals.

    Each operation that took place is two more events, on the line of its part: the arrival of the request and the
    leaving of the reply. A request without an arrival was cut off by a kill, or lost.
    """
    events = list(events)
    seen = set()
    for entry in entries:
        name = f"{entry.life}.{entry.step}"
        again = "again" if name in seen else ""
        seen.add(name)
        common = {"life": entry.life, "step": entry.step, "item": entry.item}
        events.append(
            Event(
                entry.part, "receive", entry.received, entry.verb, _effect(entry), message=f"{name}>{again}", **common
            )
        )
        events.append(Event(entry.part, "send", entry.sent, "reply", "reply", message=f"{name}<{again}", **common))
    return Trace(events)


def _effect(entry):
    if entry.verb == "add":
        return f"{entry.value - 1} → {entry.value}"
    if entry.verb == "cas" and entry.value is None:
        return "refused"
    if entry.verb in ("put", "take"):
        sender, message = entry.value
        return f"from node {sender}: {describe(message)}"
    if entry.verb in ("acquire", "release"):
        return f"held by life {entry.life}" if entry.verb == "acquire" else "free" if entry.value else "not held"
    return entry.verb if entry.value is None else describe(entry.value)

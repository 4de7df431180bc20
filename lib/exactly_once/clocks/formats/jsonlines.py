"""Histories as JSON lines: one object a line, with `process`, `kind` (local, send, receive) and `message`.

The lines of a process stand in its own order; a receive may stand before its send, as in logs that were put together
process by process. `"redelivery": true` marks a further receipt of a message. `text` and a `stamp` may be there too;
whatever else is in a line is passed over, a local event's message too, so that a saved trace can be read as well.
"""

import json

from ...errors import BadInput, is_whole, whole
from ..history import Event, History
from .clock_lines import once, shortened

AGAIN = "again"  # the flight recorder's word, at the end of a message's name, for a request that arrives once more


def read_jsonlines(lines):
    """Return the `History` in `lines`, (number, text) pairs without the empty ones. Raises `BadInput`, with the line.

    A flight recorder's line has a `verb`: what it received and nobody sent is then an event of its own.
    """
    events, recorded = [], False
    for number, text in lines:
        found = _object(number, text)
        recorded = recorded or ("verb" in found and "stamp" in found)
        events.append(_event(number, found))
    return History(flight(events) if recorded else events)


def flight(events):
    """Return a flight recorder's events as a history wants them: repeats marked, and no receipt without a send."""
    sent = {event.message for event in events if event.kind == "send"}
    received, made = set(), []
    for event in events:
        kind, message, redelivery = event.kind, event.message, event.redelivery
        if kind == "receive":
            message = (message or "").removesuffix(AGAIN)
            redelivery = redelivery or message in received
            if message not in sent:
                kind, message, redelivery = "local", None, False
            else:
                received.add(message)
        if kind == "local" or message is None:
            kind, message = "local", None
        made.append(Event(event.process, kind, message, redelivery, event.text, event.line))
    return made


def _event(number, found):
    for field in ("process", "kind"):
        if field not in found:
            raise BadInput(f"Line {number}: there is no {field!r}; a line has process and kind, and a message.")
    for field in ("stamp", "lamport"):
        if field in found:
            whole(f"Line {number}: the {field}", found[field])
    process, text = _name(found["process"]), found.get("text", "")
    message = None if found["kind"] == "local" else _name(found.get("message"))
    redelivery = found.get("redelivery", False)
    return Event(process, found["kind"], message, redelivery, text if isinstance(text, str) else "", number)


def _name(value):
    """Return a number as the name that it is; anything else as it stands, for the history to judge."""
    return str(value) if is_whole(value) else value


def _object(number, text):
    try:
        found = _strict(text)
    except ValueError as why:
        raise BadInput(
            f"Line {number}: this is no JSON object ({why}): {shortened(text)}. Give each event a line of its own, "
            'such as {"process": "a", "kind": "send", "message": "m1"}.'
        ) from None
    if not isinstance(found, dict):
        raise BadInput(
            f"Line {number}: this is no JSON object: {shortened(text)}. Each line is one event, in braces."
        )
    return found


def is_object(text):
    """Tell whether a line is an object of JSON."""
    return _whole_object(text) is not None


def is_event(text):
    """Tell whether a line is meant as an event: an object of JSON that has a process or a kind."""
    found = _whole_object(text)
    return found is not None and ("process" in found or "kind" in found)


def _whole_object(text):
    try:
        found = _strict(text) if text.lstrip().startswith("{") else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _strict(text):
    """Return what `text` says in JSON. Raises `ValueError` also for NaN, infinities and a name that is there
    twice.
    """

    def refuse(name):
        raise ValueError(f"{name} is no number of JSON")

    try:
        return json.loads(text, parse_constant=refuse, object_pairs_hook=once)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def jsonlines_text(history):
    """Return a `History` as JSON lines that `read_jsonlines` reads, in the order of its events.

    Raises `BadInput` for a history, read from a ShiViz log, in which one event sends to several others or receives
    from several: these lines cannot say that.
    """
    lines = []
    for place, event in enumerate(history):
        if event.kind != "local" and event.message is None:
            raise BadInput(
                f"{history.where(place)}: this event sends or receives more than one message, and a line of JSON "
                "names one. Save the history as a ShiViz log."
            )
        found = {"process": event.process, "kind": event.kind, "message": event.message, "text": event.text}
        found |= {"redelivery": True} if event.redelivery else {}
        lines.append(json.dumps({name: value for name, value in found.items() if value}, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)

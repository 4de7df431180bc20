"""A history in a file of JSON lines, and a report on it.

A line is an object with `process`, `kind` (local, send, receive) and `message`. The lines of a process stand in its
own order; a receive may stand before its send, as in logs that were put together process by process.
`"redelivery": true` marks a further receipt of a message by one process. `text` and a `stamp` may be there too;
whatever else is in a line is passed over, a local event's message too, so that a saved trace can be read as well.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import BadInput, is_whole, whole
from ..paths import FileName, content, file_named
from .history import Event, History

AGAIN = "again"  # the flight recorder's word, at the end of a message's name, for a request that arrives once more
MOST_BYTES = 128 * 2**20  # a history takes some twenty times its file's size in memory
GIVE = 'Give each event a line of its own, such as {"process": "a", "kind": "send", "message": "m1"}.'


def read_history(path: FileName) -> History:
    """Return the history in a file, "-" for standard input.

    Raises `BadInput` that begins with the file's name and the line: see `read_text`.
    """
    if str(path) == "-":
        name: FileName = "standard input"
        found = content(sys.stdin.buffer, MOST_BYTES)
    else:
        name = path = file_named("The file of a history", path)
        try:
            found = content(path, MOST_BYTES)
        except OSError as why:
            raise BadInput(
                f"The file {path} cannot be read ({why.strerror}). Name a file with a history's events."
            ) from why
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        line = found.count(b"\n", 0, why.start) + 1
        what = "UTF-16" if found[:2] in (b"\xff\xfe", b"\xfe\xff") else f"the byte 0x{found[why.start]:02x}"
        raise BadInput(f"In {name}, line {line}: this is no UTF-8 text ({what}). Save the file as UTF-8.") from None
    return read_text(text, name)


def read_text(text: str, name: FileName = "the text") -> History:
    """Return the `History` in JSON lines, as this module describes them; empty lines are passed over.

    A flight recorder's line has a `verb`: what it received and nobody sent is then an event of its own. Raises
    `BadInput`, with `name` and the line of the first mistake, for a text that is another form or is wrong.
    """
    events, recorded = list[Event](), False
    try:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                found = _object(number, line.strip())
                recorded = recorded or ("verb" in found and "stamp" in found)
                events.append(_event(number, found))
        if not events:
            raise BadInput(f"Line 1: there is nothing. {GIVE}")
        return History(flight(events) if recorded else events)
    except BadInput as why:
        said = str(why)
        raise BadInput(f"In {name}, {said[0].lower()}{said[1:]}") from None


def flight(events: Sequence[Event]) -> list[Event]:
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


def _event(number: int, found: dict[str, Any]) -> Event:
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


def _name(value: Any) -> Any:
    """Return a number as the name that it is; anything else as it stands, for the history to judge."""
    return str(value) if is_whole(value) else value


def _object(number: int, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as why:
        reason = str(why)
    except RecursionError:
        reason = "it is nested too deeply"
    else:
        if isinstance(found, dict):
            return found
        reason = "its braces are missing"
    shown = repr(text if len(text) <= 60 else text[:59] + "…")
    raise BadInput(f"Line {number}: this is no JSON object ({reason}): {shown}. {GIVE}")


def report_text(history: History) -> str:
    """Return the report on a history as JSON, each event on a line of its own.

    `processes`: their names. `concurrent_pairs`, `ordered_pairs`: how many pairs of events are concurrent, and how
    many are not. `events`, in the file's order: `process`, `index` (the n-th event there, from 1), `kind`, `message`
    and `redelivery` if it has them, `lamport`, `vector` (without zeros), `order` (its place from 1 in the total order
    by stamp and process name), `line` of the file.
    """
    pairs, concurrent = len(history) * (len(history) - 1) // 2, history.concurrent_pairs()
    numbers = {"concurrent_pairs": concurrent, "ordered_pairs": pairs - concurrent}
    events = ",\n".join(f"    {json.dumps(event)}" for event in _stamped(history))
    head = json.dumps({"processes": history.processes} | numbers, indent=2).removesuffix("\n}")
    return f'{head},\n  "events": [\n{events}\n  ]\n}}'


def _stamped(history: History) -> Iterator[dict[str, Any]]:
    order = {place: number for number, place in enumerate(history.total_order(), 1)}
    for place, event in enumerate(history):
        found = {"process": event.process, "index": history.index[place], "kind": event.kind}
        if event.message is not None:
            found["message"] = event.message
        if event.redelivery:
            found["redelivery"] = True
        stamps = {"lamport": history.lamport[place], "vector": history.vectors[place], "order": order[place]}
        yield found | stamps | ({"line": event.line} if event.line else {})

"""Histories in files, JSON lines or logs of clocks (`logs`), told apart by their contents; and a report on them.

A line of JSON is an object with `process`, `kind` (local, send, receive) and `message`. The lines of a process stand
in its own order; a receive may stand before its send, as in logs that were put together process by process.
`"redelivery": true` marks a further receipt of a message. `text` and a `stamp` may be there too; whatever else is in
a line is passed over, a local event's message too, so that a saved trace can be read as well.
"""

import json
import sys

from ..errors import BadInput, is_whole, whole
from ..paths import content, file_named
from .history import Event, History
from .logs import has_head, host_of, once, read_shiviz, shiviz_text, shortened, split_clock, style_of

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


FORMS = {"jsonl": jsonlines_text, "shiviz": shiviz_text}
MOST_BYTES = 128 * 2**20  # a history takes some twenty times its file's size in memory
ENOUGH = 100  # lines that tell the form of a file


def read_histories(path, expression=None, delimiter=None):
    """Return the contents of a file, "-" for standard input, as a list of (name, `History`) for the executions.

    Raises `BadInput` that begins with the file's name and the line: see `read_text`.
    """
    if str(path) == "-":
        return read_text(
            _decoded(content(sys.stdin.buffer, MOST_BYTES), "standard input"), "standard input", expression, delimiter
        )
    path = file_named("The file of a history", path)
    try:
        found = content(path, MOST_BYTES)
    except OSError as why:
        raise BadInput(f"The file {path} cannot be read ({why.strerror}). Name a file with a log of events.") from why
    return read_text(_decoded(found, path), path, expression, delimiter)


def read_text(text, name="the text", expression=None, delimiter=None):
    """Return the histories in `text` as a list of (name of the execution, `History`); most texts have one, named "".

    The text is JSON lines, as this module describes them, or a log of clocks (see `logs`); with an `expression` or a
    `delimiter`, it is the latter.
    Raises `BadInput`, with `name` and the line of the first mistake, for a text that is neither or is wrong.
    """
    text = text.replace("\r\n", "\n") if "\n" in text else text.replace("\r", "\n")
    lines = list(enumerate(text.split("\n"), 1))
    while lines and not lines[0][1].strip():
        lines.pop(0)
    try:
        if not lines:
            raise BadInput("Line 1: there is nothing. " + NEITHER)
        if expression is not None or delimiter is not None or not _is_json(lines):
            return read_shiviz(lines, expression, delimiter)
        return [("", read_jsonlines([(number, line) for number, line in lines if line.strip()]))]
    except BadInput as why:
        said = str(why)
        raise BadInput(f"In {name}, {said[0].lower()}{said[1:]}") from None


NEITHER = (
    'Give each event a line of JSON, such as {"process": "a", "kind": "send", "message": "m1"}, or a log in ShiViz\'s'
    ' form: a host and its clock, such as a {"a":1}, and the words of the event on the next line.'
)


def _is_json(lines):
    """Tell whether lines are JSON lines, or meant to be. Raises `BadInput` when they are neither those nor a log."""
    few = [line for _, line in lines[:ENOUGH] if line.strip()]
    if has_head(few[0]):
        return False
    if is_event(few[0]):
        return True
    clock = split_clock(few[0])
    if clock and clock.clock and host_of(clock, guess=True):
        return False
    if any(map(is_event, few)) or all(map(is_object, few)):  # a log of clocks has lines with words
        return True
    if style_of(lines) is not None:
        return False
    if few[0].lstrip()[0] not in "{[":
        raise BadInput(f"Line {lines[0][0]}: this is neither JSON nor a log of clocks. {NEITHER}")
    return True


def _decoded(found, name):
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        line = found.count(b"\n", 0, why.start) + 1
        what = "UTF-16" if found[:2] in (b"\xff\xfe", b"\xfe\xff") else f"the byte 0x{found[why.start]:02x}"
        raise BadInput(f"In {name}, line {line}: this is no UTF-8 text ({what}). Save the file as UTF-8.") from None


def report(histories):
    """Return the report on (name, `History`) pairs, ready for JSON.

    `processes`: their names. `concurrent_pairs`, `ordered_pairs`: how many pairs of events of one execution are
    concurrent, and how many are not. `executions`: the same numbers for each, with its name and number of events, and
    `completed_clocks`, the number of a ShiViz log's own clocks that lacked an entry of their causes and are completed
    here. `events`, in the file's order: `process`, `index` (the n-th event there, from 1), `kind`, `message` and
    `redelivery` if it has them, `lamport`, `vector` (without zeros), `order` (its place from 1 in the total order by
    stamp and process name), `line` of the file, and `execution` if the file has several.
    """
    executions, events, processes = [], [], {}
    for name, history in histories:
        processes |= dict.fromkeys(history.processes)
        pairs, concurrent = len(history) * (len(history) - 1) // 2, history.concurrent_pairs()
        numbers = {"concurrent_pairs": concurrent, "ordered_pairs": pairs - concurrent}
        size = {"name": name, "events": len(history)}
        executions.append(size | numbers | {"completed_clocks": history.completed})
        events += [event if len(histories) == 1 else {"execution": name, **event} for event in _events(history)]
    totals = {key: sum(each[key] for each in executions) for key in ("concurrent_pairs", "ordered_pairs")}
    return {"processes": list(processes), **totals, "executions": executions, "events": events}


def _events(history):
    order = {place: number for number, place in enumerate(history.total_order(), 1)}
    for place, event in enumerate(history):
        found = {"process": event.process, "index": history.index[place], "kind": event.kind}
        if event.message is not None:
            found["message"] = event.message
        if event.redelivery:
            found["redelivery"] = True
        stamps = {"lamport": history.lamport[place], "vector": history.vectors[place], "order": order[place]}
        yield found | stamps | ({"line": event.line} if event.line else {})


def report_text(histories):
    """Return the report as JSON, each event on a line of its own."""
    found = report(histories)
    events = ",\n".join(f"    {json.dumps(event)}" for event in found.pop("events"))
    head = json.dumps(found, indent=2).removesuffix("\n}")
    return f'{head},\n  "events": [\n{events}\n  ]\n}}'

"""Read histories in files, JSON lines or ShiViz's form, told apart by their contents, and report on them."""

import json
import sys

from ...errors import BadInput
from ...paths import content, file_named
from .clock_lines import host_of, split_clock, style_of
from .jsonlines import is_event, is_object, jsonlines_text, read_jsonlines
from .shiviz_log import has_head, read_shiviz, shiviz_text

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

    The text is JSON lines (see `jsonlines`) or a ShiViz log (see `shivizlog`); with an `expression` or a
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

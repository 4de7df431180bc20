"""Histories in files, JSON lines or logs of vector clocks, told apart by their first line; and a report on them.

A line of JSON is an object with `process`, `kind` (local, send, receive) and `message`. The lines of a process stand
in its own order; a receive may stand before its send, as in logs that were put together process by process.
`"redelivery": true` marks a further receipt of a message. `text` and a `stamp` may be there too; whatever else is in
a line is passed over, a local event's message too, so that a saved trace can be read as well.

A log of clocks is in ShiViz's form, https://bestchai.bitbucket.io/shiviz/: a first line with the regular expression
that reads an event (its host, its clock, its words), a second one that separates executions or is empty, and then the
log. Without that head the form is ShiViz's own, which GoVector and its kin write: a host and its clock, and the
event's words on the next line; `=== name ===` separates executions. A clock that counts more of another host's events
than the one before it has heard of the newest of them; the arrows are those that ShiViz draws: I. Beschastnikh et
al., "Visualizing Distributed System Executions", ACM TOSEM 29(2), 2020.
"""

import bisect
import itertools
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..errors import BadInput, is_whole, whole
from ..paths import FileName, content, file_named
from .history import Event, History

AGAIN = "again"  # the flight recorder's word, at the end of a message's name, for a request that arrives once more
AFTER = r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)"
EXECUTIONS = r"^=== (?<trace>.*) ===$"
GROUPS = ("host", "clock", "event")
MOST_BYTES = 128 * 2**20  # a history takes some twenty times its file's size in memory
NEITHER = (
    'Give each event a line of JSON, such as {"process": "a", "kind": "send", "message": "m1"}, or a log in ShiViz\'s'
    ' form: a host and its clock, such as a {"a":1}, and the words of the event on the next line.'
)


class Record(NamedTuple):
    """One event of a log: its line, its host, its clock as it was read, and its words."""

    line: int
    host: str
    clock: dict[str, int]
    text: str


def read_histories(
    path: FileName, expression: str | None = None, delimiter: str | None = None
) -> list[tuple[str, History]]:
    """Return the contents of a file, "-" for standard input, as a list of (name, `History`) for the executions.

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
                f"The file {path} cannot be read ({why.strerror}). Name a file with a log of events."
            ) from why
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        line = found.count(b"\n", 0, why.start) + 1
        what = "UTF-16" if found[:2] in (b"\xff\xfe", b"\xfe\xff") else f"the byte 0x{found[why.start]:02x}"
        raise BadInput(f"In {name}, line {line}: this is no UTF-8 text ({what}). Save the file as UTF-8.") from None
    return read_text(text, name, expression, delimiter)


def read_text(
    text: str, name: FileName = "the text", expression: str | None = None, delimiter: str | None = None
) -> list[tuple[str, History]]:
    """Return the histories in `text` as a list of (name of the execution, `History`); most texts have one, named "".

    The text is JSON lines or a log of clocks, as this module describes them; with an `expression` or a `delimiter`,
    regular expressions in place of a log's own head, it is the latter. Raises `BadInput`, with `name` and the line of
    the first mistake, for a text that is neither or is wrong.
    """
    lines = [line.rstrip(" \t\r") for line in text.split("\n")]
    try:
        first = next((number for number, line in enumerate(lines) if line), None)
        if first is None:
            raise BadInput("Line 1: there is nothing. " + NEITHER)
        if expression is None and delimiter is None and lines[first].lstrip()[0] in "{[":
            return [("", read_jsonlines([(number, line) for number, line in enumerate(lines, 1) if line]))]
        return read_shiviz(lines, first, expression, delimiter)
    except BadInput as why:
        said = str(why)
        raise BadInput(f"In {name}, {said[0].lower()}{said[1:]}") from None


def shortened(text: str, most: int = 60) -> str:
    """Return `text` in quotes, cut to `most` characters."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def read_jsonlines(lines: Iterable[tuple[int, str]]) -> History:
    """Return the `History` in `lines`, (number, text) pairs without the empty ones. Raises `BadInput`, with the line.

    A flight recorder's line has a `verb`: what it received and nobody sent is then an event of its own.
    """
    events, recorded = [], False
    for number, text in lines:
        found = _object(number, text)
        recorded = recorded or ("verb" in found and "stamp" in found)
        events.append(_event(number, found))
    return History(flight(events) if recorded else events)


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
    except (ValueError, RecursionError) as why:
        reason = str(why) if isinstance(why, ValueError) else "it is nested too deeply"
        raise BadInput(
            f"Line {number}: this is no JSON object ({reason}): {shortened(text)}. Give each event a line of its "
            'own, such as {"process": "a", "kind": "send", "message": "m1"}.'
        ) from None
    if not isinstance(found, dict):
        raise BadInput(
            f"Line {number}: this is no JSON object: {shortened(text)}. Each line is one event, in braces."
        )
    return found


def jsonlines_text(history: History) -> str:
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
        found: dict[str, Any] = {"process": event.process, "kind": event.kind, "message": event.message}
        found |= {"text": event.text, "redelivery": event.redelivery}
        lines.append(json.dumps({name: value for name, value in found.items() if value}, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)


def read_shiviz(
    lines: Sequence[str], first: int = 0, expression: str | None = None, delimiter: str | None = None
) -> list[tuple[str, History]]:
    """Return the executions in a log, from the line at `first` on, as (name, `History`); a single one's name is "".

    `expression` and `delimiter` are as ShiViz takes them (groups `(?<host>…)`, `(?<clock>…)`, `(?<event>…)`, and
    `(?<trace>…)` for an execution's name), in place of the log's own head. Raises `BadInput`, with the line, for a
    log that cannot be read so, or whose clocks cannot be.
    """
    text, starts = "\n".join(lines), [0, *itertools.accumulate(len(line) + 1 for line in lines)]
    own = expression is None and any(f"(?<{group}>" in lines[first] for group in GROUPS)
    if own:
        expression, first = lines[first], first + 1
    reads = _reader(expression)
    if own and first < len(lines) and lines[first] and not reads.match(text, starts[first]):
        delimiter, first = delimiter or f"^{lines[first].strip()}$", first + 1
    if expression is None and delimiter is None:
        delimiter = EXECUTIONS
    cuts = [*_compiled(delimiter, "delimiter").finditer(text, starts[first])] if delimiter else []
    names = ["", *(cut.groupdict().get("trace") or "" for cut in cuts)]
    ends = zip(
        [starts[first], *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(text)], strict=True
    )
    parts = [
        (name, [_record(match, starts) for match in reads.finditer(text, start, end)])
        for name, (start, end) in zip(names, ends, strict=True)
    ]
    parts = [(name, records) for name, records in parts if records]
    if not parts:
        what = f"the expression {shortened(expression)} reads no event in the log." if expression else NEITHER
        raise BadInput(
            f"Line {first + 1}: {'' if expression else 'this is neither JSON nor a log of clocks. '}{what}"
        )
    return [
        (name or (f"execution {number}" if len(parts) > 1 else ""), history_of(records))
        for number, (name, records) in enumerate(parts, 1)
    ]


def _reader(expression: str | None) -> re.Pattern[str]:
    """Return the expression that reads an event; ShiViz's own begins with a word, so that it is quick."""
    if expression in (None, AFTER):
        return _compiled(rf"(?<!\S){AFTER}", "expression")
    compiled = _compiled(expression, "expression")
    if missing := [group for group in GROUPS if group not in compiled.groupindex]:
        raise BadInput(
            f"The expression {shortened(expression)} has no group {missing[0]!r}; it needs (?<host>…), (?<clock>…) "
            "and (?<event>…)."
        )
    return compiled


def _compiled(expression: str, what: str) -> re.Pattern[str]:
    """Return a regular expression of JavaScript as Python's: the two write named groups differently."""
    try:
        return re.compile(re.sub(r"\(\?<(?![=!])", "(?P<", expression).replace("[^]", r"[\s\S]"), re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as why:
        raise BadInput(f"The {what} {shortened(expression)} is no regular expression ({why}). Correct it.") from None


def _record(match: re.Match[str], starts: Sequence[int]) -> Record:
    """Return the record of one match; of a group that took no part, its words are empty.

    TLA+ writes a clock as a string, with a backslash before each quotation mark; ShiViz reads that too.
    """
    line = bisect.bisect_right(starts, match.start("clock"))
    host, text, event = (match[group] or "" for group in GROUPS)
    clock = _clock(text) or _clock(text.replace('\\"', '"'))
    if not isinstance(clock, dict):
        raise BadInput(
            f"Line {line}: the clock is no JSON: {shortened(text)}. A clock is written as " + '{"a":1, "b":2}.'
        )
    if host not in clock:
        raise BadInput(
            f"Line {line}: the host {shortened(host)} has no entry in its own clock, which has "
            f"{', '.join(list(clock)[:4])}. Write each event's host before its clock, or give the log a head: a "
            "first line with the regular expression that reads it, and an empty one."
        )
    return Record(line, host, clock, event.strip())


def _clock(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def history_of(records: Sequence[Record]) -> History:
    """Return the `History` of a log's `Record`s; a host's own order is that of its clock, wherever its lines stand.

    A clock that lacks an entry of its causes is completed, and `History.completed` counts it. Raises `BadInput` with
    the line for entries that are no whole numbers of at least 0, own entries that do not count 1, 2, 3, …, hosts that
    have no events, and events that are counted and not there.
    """
    records, rows = _in_own_order([record._replace(clock=_entries(record)) for record in records])
    arrows = []
    for row in rows.values():
        known = Counter[str]()
        for place in row:
            arrows += [(cause, place) for cause in _causes(records, rows, place, known)]
    history = History(*_events(records, arrows))
    history.completed = sum(record.clock != vector for record, vector in zip(records, history.vectors, strict=True))
    return history


def _entries(record: Record) -> dict[str, int]:
    for host, time in record.clock.items():
        if type(time) is not int or time < 0:
            whole(f"Line {record.line}: the entry of {shortened(host)}", time)
    return {host: time for host, time in record.clock.items() if time or host == record.host}


def _in_own_order(records: Sequence[Record]) -> tuple[list[Record], dict[str, list[int]]]:
    """Return the records with each host's in the order of its own clock, and the places of each host's.

    They take the places that the host's lines have, so the rest of the log stays as it is.
    """
    rows = defaultdict(list)
    for place, record in enumerate(records):
        rows[record.host].append(place)
    ordered = list(records)
    for host, row in rows.items():
        own = sorted((records[place] for place in row), key=lambda record: record.clock[host])
        for number, (place, record) in enumerate(zip(row, own, strict=True), 1):
            ordered[place] = record
            if (time := record.clock[host]) != number:
                before = f"after line {own[number - 2].line}" if number > 1 else "at the host's first event"
                raise BadInput(
                    f"Line {record.line}: the clock of {shortened(host)} stands at {time} {before}, and not at "
                    f"{number}; each event of a host counts one more, from 1. Log all of its events. Two "
                    "executions in one file need a line === name === between them."
                )
    return ordered, rows


def _causes(records: Sequence[Record], rows: dict[str, list[int]], place: int, known: Counter[str]) -> list[int]:
    """Return the places of the newest events of other hosts that this one knows, less those known through another.

    `known` is what its host has heard, and is brought up to date.
    """
    record, heard = records[place], []
    for host, time in record.clock.items():
        if host != record.host and time > known[host]:
            if time > len(rows.get(host, ())):
                raise BadInput(
                    f"Line {record.line}: the clock counts {time} events of {shortened(host)}, and the log has "
                    f"{len(rows.get(host, ()))}. Log all of its events, and put all processes' logs into one file."
                )
            known[host] = time
            heard.append((host, time, rows[host][time - 1]))
    return [
        cause
        for host, time, cause in heard
        if not any(records[other].clock.get(host, 0) >= time for _, _, other in heard if other != cause)
    ]


def _events(
    records: Sequence[Record], arrows: Sequence[tuple[int, int]]
) -> tuple[list[Event], list[tuple[int, int]] | None]:
    """Return events and arrows for a `History`; where each event has one arrow at most, names of messages instead."""
    sends, receives = Counter(send for send, _ in arrows), Counter(receive for _, receive in arrows)
    plain = all(sends[place] + receives[place] < 2 for place in range(len(records)))
    names = {place: f"m{n}" for n, arrow in enumerate(sorted(arrows), 1) for place in arrow} if plain else {}
    events = [
        Event(
            record.host,
            "receive" if receives[place] else "send" if sends[place] else "local",
            names.get(place),
            text=record.text,
            line=record.line,
        )
        for place, record in enumerate(records)
    ]
    return events, None if plain else sorted(arrows)


def shiviz_text(history: History) -> str:
    """Return a `History` as a log that ShiViz and `read_shiviz` read: each event's host and clock, then its words."""
    hosts, lines = host_names(history.processes), [AFTER, ""]
    for place, (event, vector) in enumerate(zip(history, history.vectors, strict=True)):
        clock = {hosts[process]: time for process, time in vector.items()}
        words = event.text or " ".join(filter(None, (event.kind, event.message, "again" * event.redelivery)))
        lines += [f"{hosts[event.process]} {json.dumps(clock, ensure_ascii=False)}"]
        lines += [f"{history.lamport[place]} {' '.join(words.split())}"]
    return "\n".join(lines) + "\n"


def host_names(processes: Iterable[str]) -> dict[str, str]:
    """Return a name without spaces for each process, no two the same: ShiViz ends a host's name at a space."""
    hosts: dict[str, str] = {}
    for process in processes:
        name = host = "-".join(process.split()) or "process"
        number = 2
        while host in hosts.values():
            host, number = f"{name}-{number}", number + 1
        hosts[process] = host
    return hosts


FORMS = {"jsonl": jsonlines_text, "shiviz": shiviz_text}


def report(histories: Sequence[tuple[str, History]]) -> dict[str, Any]:
    """Return the report on (name, `History`) pairs, ready for JSON.

    `processes`: their names. `concurrent_pairs`, `ordered_pairs`: how many pairs of events of one execution are
    concurrent, and how many are not. `executions`: the same numbers for each, with its name and number of events, and
    `completed_clocks`, the number of a ShiViz log's own clocks that lacked an entry of their causes and are completed
    here. `events`, in the file's order: `process`, `index` (the n-th event there, from 1), `kind`, `message` and
    `redelivery` if it has them, `lamport`, `vector` (without zeros), `order` (its place from 1 in the total order by
    stamp and process name), `line` of the file, and `execution` if the file has several.
    """
    executions: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []
    processes: dict[str, None] = {}
    for name, history in histories:
        processes |= dict.fromkeys(history.processes)
        pairs, concurrent = len(history) * (len(history) - 1) // 2, history.concurrent_pairs()
        numbers = {"concurrent_pairs": concurrent, "ordered_pairs": pairs - concurrent}
        size = {"name": name, "events": len(history)}
        executions.append(size | numbers | {"completed_clocks": history.completed})
        events += [event if len(histories) == 1 else {"execution": name, **event} for event in _stamped(history)]
    totals = {key: sum(each[key] for each in executions) for key in ("concurrent_pairs", "ordered_pairs")}
    return {"processes": list(processes), **totals, "executions": executions, "events": events}


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


def report_text(histories: Sequence[tuple[str, History]]) -> str:
    """Return the report as JSON, each event on a line of its own."""
    found = report(histories)
    events = ",\n".join(f"    {json.dumps(event)}" for event in found.pop("events"))
    head = json.dumps(found, indent=2).removesuffix("\n}")
    return f'{head},\n  "events": [\n{events}\n  ]\n}}'

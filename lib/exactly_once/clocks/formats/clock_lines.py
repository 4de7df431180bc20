"""Lines of a host and its vector clock, as logging libraries write them, the words of the events beside them, and the
history that these clocks tell.

A clock that counts more of another host's events than the one before it has heard of the newest of them. The arrows
are those that ShiViz draws: I. Beschastnikh et al., "Visualizing Distributed System Executions", ACM TOSEM 29(2),
2020.
"""

import json
import re
from collections import Counter, defaultdict
from typing import NamedTuple

from ...errors import BadInput, whole
from ..history import Event, History

LOOKS = re.compile(r"""\S+ (\{.*\}|\{"[^"{}]*":\s*\d[^{}]*)\s*""")  # whole, or cut off as a killed process leaves it
BRACES = 20  # how many braces of a line may open a clock: names with braces are odd, and a line may be long


class Record(NamedTuple):
    """One event of a log: its line, its host, its clock as it was read, and its words."""

    line: int
    host: str
    clock: dict
    text: str


class ClockLine(NamedTuple):
    """A line with a clock: the text before the clock, the clock (None when it is broken), and the text after it."""

    before: str
    clock: dict | None
    after: str


def shortened(text, most=60):
    """Return `text` in quotes, cut to `most` characters."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def read_clock(line, text):
    """Return the clock that `text` is. Raises `BadInput` with the line for anything but an object of JSON.

    TLA+ writes a clock as a string, with a backslash before each quotation mark; ShiViz reads that too.
    """
    for form in (text, text.replace('\\"', '"')):
        try:
            clock = json.loads(form, object_pairs_hook=once)
        except (ValueError, RecursionError) as why:
            reason = str(why) if isinstance(why, ValueError) else "it is nested too deeply"
            continue
        if isinstance(clock, dict):
            return clock
        reason = "it is no object in braces"
    raise BadInput(
        f"Line {line}: the clock is no JSON ({reason}): {shortened(text)}. A clock is written as " + '{"a":1, "b":2}.'
    )


def once(pairs):
    """Make an object of JSON from its pairs. Raises `ValueError` for a name that is there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{shortened(next(name for name in names if names.count(name) > 1))} is there twice")
    return found


DECODER = json.JSONDecoder(object_pairs_hook=once)


def split_clock(text):
    """Return the `ClockLine` of a line that has one, or None. A clock maps names to numbers, of whatever kind."""
    for form in (text, text.replace('\\"', '"')) if '\\"' in text else (text,):
        at = -1
        for _ in range(BRACES):
            at = form.find("{", at + 1)
            if at < 0:
                break
            try:
                clock, end = DECODER.raw_decode(form, at)
            except (ValueError, RecursionError):
                continue
            if clock and all(isinstance(time, int | float) for time in clock.values()):
                return ClockLine(form[:at].strip(), clock, form[end:].strip())
    broken = LOOKS.fullmatch(text.strip())
    return ClockLine(broken[0][: broken.start(1)].strip(), None, "") if broken else None


def host_of(found, guess):
    """Return the host of a `ClockLine`: the name before the clock that has an entry in it, or None.

    That is all of it, or its last word; with `guess`, the entry whose name comes last in it, between brackets, say.
    """
    before, clock = found.before, found.clock or {}
    for name in (before, before.split()[-1] if before else ""):
        if name in clock:
            return name
    if guess:
        places = {name: _last(before, name) for name in clock if name}
        name = max(places, key=lambda each: (places[each], len(each)), default=None)
        if name is not None and places[name] >= 0:
            return name
    return None


def _last(text, name):
    """Return where `name` stands last in `text` as a word of its own, or -1."""
    found = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    return found[-1] if found else -1


def style_of(lines):
    """Return where a log without a head has the words of its events: "beside" the clock, "before" it or "after" it.

    None when no line has a clock. `lines` are (number, text) pairs.
    """
    marks = [split_clock(text) for _, text in lines if text.strip()]
    sure = [found and (found.clock is None or host_of(found, guess=True) is not None) for found in marks]
    marks = [found if certain or not any(sure) else None for found, certain in zip(marks, sure, strict=True)]
    clocks = [found for found in marks if found]
    if not clocks:
        return None
    if 2 * sum(bool(found.after) for found in clocks) > len(clocks) or len(clocks) == len(marks):
        return "beside"
    return "after" if marks[0] else "before"


def records(lines, style, guess=False):
    """Yield the `Record` of each event in `lines`, (number, text) pairs, with the words of the events as `style`
    says.

    Raises `BadInput` with the line for a clock that is none, or that has no entry for its own host.
    """
    place = 0
    while place < len(lines):
        number, text = lines[place]
        found = split_clock(text)
        place += 1
        if not found:
            continue
        host = host_of(found, guess)
        if host is None:
            follows = place < len(lines) and split_clock(lines[place][1])
            if style == "before" and (follows or len(found.before.split()) > 1):
                continue  # the words of an event, with braces in them
            raise no_host(number, found, text)
        words = found.after
        if not words and style == "after" and place < len(lines):
            words = lines[place][1]
            place += 1
        elif not words and style == "before" and place > 1 and not split_clock(lines[place - 2][1]):
            words = lines[place - 2][1]
        yield Record(number, host, found.clock, words.strip())


def no_host(number, found, text=""):
    """Return the error of a clock without an entry for its own host, or of one that cannot be read."""
    if found.clock is None:
        return _broken(number, text)
    names = ", ".join(list(map(str, found.clock))[:4])
    return BadInput(
        f"Line {number}: the host {shortened(found.before)} has no entry in its own clock, which has {names}. Write "
        "each event's host before its clock, or give the log a head: a first line with the regular expression that "
        "reads it, and an empty one."
    )


def _broken(number, text):
    try:
        read_clock(number, LOOKS.fullmatch(text.strip())[1])
    except BadInput as why:
        return why
    return BadInput(f"Line {number}: the clock has an entry that is no number: {shortened(text)}.")


def history_of(records):
    """Return the `History` of a log's `Record`s; a host's own order is that of its clock, wherever its lines stand.

    A clock that lacks an entry of its causes is completed, and `History.completed` counts it. Raises `BadInput` with
    the line for entries that are no whole numbers of at least 0, own entries that do not count 1, 2, 3, …, hosts that
    have no events, and events that are counted and not there.
    """
    records, rows = _in_own_order([record._replace(clock=_entries(record)) for record in records])
    arrows = []
    for row in rows.values():
        known = Counter()
        for place in row:
            arrows += [(cause, place) for cause in _causes(records, rows, place, known)]
    history = History(*_events(records, arrows))
    history.completed = sum(record.clock != vector for record, vector in zip(records, history.vectors, strict=True))
    return history


def _entries(record):
    for host, time in record.clock.items():
        if type(time) is not int or time < 0:
            whole(f"Line {record.line}: the entry of {shortened(host)}", time)
    if not record.clock[record.host]:
        raise BadInput(
            f"Line {record.line}: the clock of {shortened(record.host)} stands at 0 at an event of its own; count "
            "the event in: the first one has 1."
        )
    return {host: time for host, time in record.clock.items() if time}


def _in_own_order(records):
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
            if record.clock[host] != number:
                raise _gap(host, own, number)
    return ordered, rows


def _gap(host, own, number):
    record = own[number - 1]
    time, name = record.clock[host], shortened(host)
    if number > 1 and time == number - 1:
        return BadInput(
            f"Line {record.line}: the clock of {name} stands at {time} again, as on line {own[number - 2].line}; "
            "each event of a host counts one more. Two executions in one file need a line === name === between them."
        )
    before = f"after {number - 1}, on line {own[number - 2].line}" if number > 1 else "at the host's first event"
    return BadInput(
        f"Line {record.line}: the clock of {name} stands at {time} {before}; each event of a host counts one "
        "more, from 1. Log all of its events."
    )


def _causes(records, rows, place, known):
    """Return the places of the newest events of other hosts that this one knows, less those known through another.

    `known` is what its host has heard, and is brought up to date.
    """
    record, heard = records[place], []
    for host, time in record.clock.items():
        if host != record.host and time > known[host]:
            if time > len(rows.get(host, ())):
                raise _unknown(record, host, time, rows)
            known[host] = time
            heard.append((host, time, rows[host][time - 1]))
    return [
        cause
        for host, time, cause in heard
        if not any(records[other].clock.get(host, 0) >= time for _, _, other in heard if other != cause)
    ]


def _unknown(record, host, time, rows):
    if host not in rows:
        known = ", ".join(map(str, list(rows)[:4]))
        return BadInput(
            f"Line {record.line}: the clock counts {time} events of {shortened(host)}, an unknown process: the log "
            f"has events of {known}. Put the logs of all processes into one file."
        )
    return BadInput(
        f"Line {record.line}: the clock counts {time} events of {shortened(host)}, and the log has "
        f"{len(rows[host])}. "
        "Log all of its events."
    )


def _events(records, arrows):
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

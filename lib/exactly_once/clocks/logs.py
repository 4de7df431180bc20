"""Logs of events with vector clocks, as GoVector, JVector and their kin write them for ShiViz.

First the lines of a host and its clock, the words of the events beside them, and the history that these clocks tell.
A clock that counts more of another host's events than the one before it has heard of the newest of them. The arrows
are those that ShiViz draws: I. Beschastnikh et al., "Visualizing Distributed System Executions", ACM TOSEM 29(2),
2020.

Then ShiViz's form, which its page describes, https://bestchai.bitbucket.io/shiviz/: a first line with the regular
expression that reads an event (its host, its clock, its words), a second one that separates executions or is empty,
and then the log. A log without that head is read by its lines: the words of an event stand before, after or beside
its clock, and `=== name ===` separates executions.
"""

import bisect
import itertools
import json
import re
import subprocess
import sys
import warnings
from collections import Counter, defaultdict
from typing import NamedTuple

from ..errors import BadInput, whole
from .history import Event, History

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


AFTER = r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)"
STYLES = {AFTER: "after", r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})": "before"}
EXECUTIONS = r"^=== (?<trace>.*) ===$"
GROUPS = ("host", "clock", "event")
LONGEST = 100_000  # characters in a line that an expression may work on: some need the square of its length


def has_head(line):
    """Tell whether the first line of a file is the regular expression of a ShiViz log."""
    return any(f"(?<{group}>" in line for group in GROUPS)


def read_shiviz(lines, expression=None, delimiter=None):
    """Return the executions in a log, (number, text) lines, as (name, `History`); the name of a single one is "".

    `expression` and `delimiter` are regular expressions as ShiViz takes them (groups `(?<host>…)`, `(?<clock>…)`,
    `(?<event>…)`, and `(?<trace>…)` for an execution's name), in place of the log's own head. Raises `BadInput`, with
    the line, for a log that cannot be read so, or whose clocks cannot be.
    """
    if expression is None:
        expression, divider, lines = _head(lines)
        delimiter = delimiter or divider or (EXECUTIONS if expression is None else None)
    parts = _parts(lines, expression, delimiter)
    try:
        return _histories(parts)
    except BadInput:
        if expression is not None or len(parts) == 1:
            raise
        try:
            return _histories(_parts(lines, None, None))  # what looked like a separator may be the words of an event
        except BadInput:
            pass
        raise


def _parts(lines, expression, delimiter):
    """Return the name and the records of each execution in a log that has any."""
    parts = list(_executions(lines, delimiter))
    found = []
    for number, ((name, part), events) in enumerate(zip(parts, _reader(expression)(parts), strict=True)):
        if events:
            found.append((name, events))
        elif number and any(text.strip() for _, text in part):
            raise BadInput(f"Line {part[0][0]}: {_nothing(expression)} in this execution.")
    if not found:
        raise BadInput(f"Line {lines[0][0] if lines else 1}: {_nothing(expression)} in the log.")
    return found


def _histories(parts):
    """Return the history of each part under a name of its own."""
    found = {}
    for number, (name, events) in enumerate(parts, 1):
        name = unique = name or (f"execution {number}" if len(parts) > 1 else "")
        again = 2
        while unique in found:
            unique, again = f"{name} ({again})", again + 1
        found[unique] = history_of(events)
    return list(found.items())


def _nothing(expression):
    if expression is None:
        return "there is no event, a line with a host and its clock such as " + 'a {"a":1},'
    return f"the expression {shortened(expression)} reads no event"


def _head(lines):
    """Return the expression and the delimiter of a log's head, None for what it lacks, and the lines after it.

    A second line that separates nothing, and that the expression reads as part of an event, belongs to the log.
    """
    if not lines or not has_head(lines[0][1]):
        return None, None, lines
    expression, rest = lines[0][1].strip(), lines[1:]
    delimiter = rest[0][1].strip() if rest else ""
    if not delimiter:
        return expression, None, rest
    some = "\n".join(text for _, text in rest[:6])
    (first,) = matches(_compiled(expression, "expression"), [some], "expression", every=False)
    if first and first[0][0] < len(rest[0][1]):
        try:
            divides = re.compile(_python(f"^{delimiter}$"))
        except re.error:
            return expression, None, rest
        if not any(matches(divides, [text for _, text in rest[1:]], "delimiter", every=False)):
            return expression, None, rest
    return expression, f"^{delimiter}$", rest[1:]


def _executions(lines, delimiter):
    """Yield the parts of a log between the lines that `delimiter` matches, each with its name."""
    if delimiter is None:
        yield "", lines
        return
    name, part = "", []
    for line, title in zip(lines, _titles([text for _, text in lines], delimiter), strict=True):
        if title is None:
            part.append(line)
            continue
        yield name, part
        name, part = title, []
    yield name, part


def _titles(texts, delimiter):
    """Return for each text the name of the execution that it begins, None for what is no delimiter."""
    divides = _compiled(delimiter, "delimiter")
    if delimiter == EXECUTIONS:  # our own, which is quick whatever the text
        return [match and match["trace"] for match in map(divides.search, texts)]
    found = matches(divides, texts, "delimiter", every=False)
    spans = [first[0][1].get("trace", (-1, -1)) if first else None for first in found]
    return [span and (text[slice(*span)] if span[0] >= 0 else "") for text, span in zip(texts, spans, strict=True)]


def _reader(expression):
    """Return the function that yields, for each (name, lines) of an execution, its records."""
    if expression is None:
        return lambda parts: (list(records(lines, style_of(lines), guess=True)) for _, lines in parts)
    if expression in STYLES:
        return lambda parts: (list(records(lines, STYLES[expression])) for _, lines in parts)
    compiled = _compiled(expression, "expression")
    if missing := [group for group in GROUPS if group not in compiled.groupindex]:
        raise BadInput(
            f"The expression {shortened(expression)} has no group {missing[0]!r}; it needs (?<host>…), (?<clock>…) "
            "and (?<event>…)."
        )
    return lambda parts: _matched([lines for _, lines in parts], compiled)


def _matched(parts, compiled):
    """Yield for each part the records of the expression's matches, which may reach over several lines."""
    for number, text in itertools.chain.from_iterable(parts):
        if len(text) > LONGEST:
            raise BadInput(
                f"Line {number}: it has {len(text):,} characters, and an expression can take very long over more "
                f"than {LONGEST:,}. Shorten the line, or give the log the head {AFTER} if it has that form."
            )
    texts = ["\n".join(text for _, text in lines) for lines in parts]
    for lines, text, found in zip(parts, texts, matches(compiled, texts, "expression"), strict=True):
        starts = [0, *itertools.accumulate(len(line) + 1 for _, line in lines)]
        yield [_record(lines, text, starts, spans) for _, spans in found]


def _record(lines, text, starts, spans):
    """Return the record of one match; of a group that took no part, its words are empty."""
    number = lines[bisect.bisect_right(starts, spans["clock"][0]) - 1][0]
    host, clock, event = (text[slice(*spans[group])] if spans[group][0] >= 0 else "" for group in GROUPS)
    clock = read_clock(number, clock)
    if host not in clock:
        raise no_host(number, ClockLine(host, clock, ""))
    return Record(number, host, clock, event.strip())


def _python(expression):
    """Return a regular expression of JavaScript, with its named groups, as Python writes it."""
    return re.sub(r"\(\?<(?![=!])", "(?P<", expression).replace("[^]", r"[\s\S]")


def _compiled(expression, what):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(_python(expression), re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as why:
        raise BadInput(f"The {what} {shortened(expression)} is no regular expression ({why}). Correct it.") from None


def shiviz_text(history):
    """Return a `History` as a log that ShiViz and `read_shiviz` read: each event's host and clock, then its words."""
    hosts, lines = host_names(history.processes), [AFTER, ""]
    for place, (event, vector) in enumerate(zip(history, history.vectors, strict=True)):
        clock = {hosts[process]: time for process, time in vector.items()}
        words = event.text or " ".join(filter(None, (event.kind, event.message, "again" * event.redelivery)))
        lines += [f"{hosts[event.process]} {json.dumps(clock, ensure_ascii=False)}"]
        lines += [f"{history.lamport[place]} {' '.join(words.split())}"]
    return "\n".join(lines) + "\n"


def host_names(processes):
    """Return a name without spaces for each process, no two the same: ShiViz ends a host's name at a space."""
    hosts = {}
    for process in processes:
        name = host = "-".join(process.split()) or "process"
        number = 2
        while host in hosts.values():
            host, number = f"{name}-{number}", number + 1
        hosts[process] = host
    return hosts


SECONDS = 10.0
MEMORY_BYTES = 2 * 1024**3
CHILD = """
import json, re, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), resource.getrlimit(resource.RLIMIT_AS)[1]))
except (ImportError, ValueError, OSError):  # a system without this limit has that of time
    pass
asked = json.load(sys.stdin)
pattern = re.compile(asked["pattern"], asked["flags"])
names = pattern.groupindex
found = []
for text in asked["texts"]:
    matches = pattern.finditer(text) if asked["every"] else filter(None, [pattern.search(text)])
    found.append([[match.start(), {name: match.span(name) for name in names}] for match in matches])
json.dump(found, sys.stdout)
"""


def matches(compiled, texts, what, every=True):
    """Return for each text the matches of an expression: (where it begins, {group: (from, to)}), from −1 for none.

    `every` says whether all or the first one. Raises `BadInput`, calling the expression `what`, for one that takes
    more than `SECONDS` seconds, or the memory of the process.
    """
    asked = {"pattern": compiled.pattern, "flags": compiled.flags, "texts": texts, "every": every}
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-W", "ignore", "-c", CHILD, str(MEMORY_BYTES)],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            encoding="ascii",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BadInput(_too_much(compiled, what, f"{SECONDS:g} seconds")) from None
    if done.returncode:
        raise BadInput(_too_much(compiled, what, f"{MEMORY_BYTES / 2**30:g} GB of memory"))
    return json.loads(done.stdout)


def _too_much(compiled, what, limit):
    return (
        f"The {what} {shortened(compiled.pattern)} needs more than {limit} for this log. Write one that matches "
        "a line in one way only: without a repetition inside a repetition, such as (a+)+."
    )

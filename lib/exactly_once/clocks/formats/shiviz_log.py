"""Logs in ShiViz's form: events with vector clocks, written by GoVector, JVector and their kin.

The form is described on ShiViz's page, https://bestchai.bitbucket.io/shiviz/: a first line with the regular
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

from ...errors import BadInput
from .clock_lines import ClockLine, Record, history_of, no_host, read_clock, records, shortened, style_of

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

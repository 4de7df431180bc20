"""Lines of a host and its vector clock, as logging libraries write them, and the words of the events beside them."""

import json
import re
from typing import NamedTuple

from ...errors import BadInput

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

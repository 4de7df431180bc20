"""Exercise 06b: the last stable offset of a log, and the records that read_committed shows below it (KIP-98)."""

from html import escape

from ... import show as drawing
from ..kinds.cases import Cases, sketched
from .partition import COMMIT, DATA, last_stable, logs, owner, tape, transactions, visible

LONGEST = 4
EXAMPLE = (
    (
        ("data", "a", "tea"),
        ("data", None, "tea"),
        ("data", "b", "sugar"),
        ("abort", "a", None),
        ("data", "a", "cake"),
        ("commit", "b", None),
        ("data", "b", "salt"),
        ("commit", "a", None),
    ),
    7,
)


def cases():
    """Return every log of up to four entries, with every high watermark, the shortest first, and a longer one."""
    return [*((log, high) for log in logs(LONGEST) for high in range(len(log) + 1)), EXAMPLE]


def seen(log, high):
    """Return (the last stable offset, the values that read_committed shows)."""
    return last_stable(log, high), [value for _, value in visible(log, high)]


def objection(log, high, said):
    """Return a sentence on the mistake in one answer, or None."""
    stable, values = seen(log, high)
    try:
        offset, shown = said
        shown = list(shown)
    except (TypeError, ValueError):
        return f"Your function returns {said!r}; return a pair, the last stable offset and the list of values."
    if (offset, shown) == (stable, values):
        return None
    if isinstance(offset, bool) or offset != stable:
        why = _stable_because(log, high, offset)
        return f"For this log your function says {offset!r}; the last stable offset is {stable}. {why}"
    for value in shown:
        if value not in values:
            return f"Your function shows {value!r}. {_hidden_because(log, stable, value)}"
    for value in values:
        if value not in shown:
            return f"Your function does not show {value!r}. {_shown_because(log, high, value)}"
    return f"Your function shows {shown!r}; a reader gets each record once, in the order of the offsets: {values!r}."


def _stable_because(log, high, offset):
    stable = last_stable(log, high)
    if stable == high:
        if isinstance(offset, int) and offset > high:
            return f"No reader goes beyond the high watermark, {high}: the entries there may still be lost."
        return "All transactions that begin below the high watermark are decided, by markers below it."
    one = next(each for each in transactions(log) if each.first == stable)
    if one.marker is None:
        return f"Producer {one.producer}'s transaction begins there and is open."
    return (
        f"Producer {one.producer}'s transaction begins there; its marker is at offset {one.marker}, not below the "
        f"high watermark, {high}, so it may still be lost."
    )


def _hidden_because(log, stable, value):
    offset = next((place for place, entry in enumerate(log) if entry[0] == DATA and entry[2] == value), None)
    if offset is None:
        return "No record has this value: markers take an offset, and readers never see them."
    if offset >= stable:
        return f"The record is at offset {offset}, and the last stable offset is {stable}: every reader stops there."
    one = owner(log, offset)
    return f"It belongs to producer {one.producer}'s transaction from offset {one.first} on, aborted at {one.marker}."


def _shown_because(log, high, value):
    offset = next(place for place, shown in visible(log, high) if shown == value)
    one = owner(log, offset)
    if one is None:
        return f"The record is at offset {offset}, below the last stable offset, and belongs to no transaction."
    assert one.result == COMMIT
    return (
        f"The record is at offset {offset}, below the last stable offset, and its transaction, begun at {one.first}, "
        f"was committed at {one.marker}."
    )


def drawn(log, high, said, told=True):
    """Return the picture of a log, of an answer to it, and of the right answer."""
    picture = drawing.log(tape(log), {"high watermark": high})
    lines = [_line("Yours", said)] if said is not None else []
    lines += [_line("Right", seen(log, high))] if told else []
    html = "".join(f"<p><b>{escape(line)}</b></p>" for line in lines)
    table = picture.table
    return drawing.Picture(f"{picture.fragment()}{html}", text="\n".join([table.to_string(index=False), *lines]))


def _line(whose, said):
    try:
        offset, shown = said
        return f"{whose}: last stable offset {offset}; shown: {', '.join(map(str, shown)) or 'nothing'}."
    except (TypeError, ValueError):
        return f"{whose}: {said!r}"


TASK = Cases(
    answer="seen",
    form="a function of a log and its high watermark",
    cases=cases,
    oracle=seen,
    objection=objection,
    fails=lambda log, high, said: f"For the log {list(log)!r} with high watermark {high} it fails with {said}.",
    draw=drawn,
    sketch=sketched(drawn, EXAMPLE),
    praise="Your function agrees with the broker on all {count} logs. Below the last stable offset everything is "
    "decided, so a reader needs only the list of aborted transactions. And one open transaction holds back the "
    "records of all producers behind its first one.",
    example=EXAMPLE,
    arguments=lambda log, high: [list(log), high],
)

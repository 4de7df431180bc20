"""Exercise 06b: the last stable offset of a log, and what read_committed shows below it (KIP-98)."""

from html import escape

from .... import show as drawing
from ..cases import CasesTask, sketched
from .partition import COMMIT, DATA, last_stable, logs, owner, tape, transactions, visible

LONGEST = 4
EXAMPLE = (
    (
        ("data", "a", "tea"),
        ("data", None, "milk"),
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
    """Return (the last stable offset, what read_committed shows)."""
    return last_stable(log, high), [value for _, value in visible(log, high)]


def objection(log, high, said):
    """Return a sentence on what is wrong with one answer, or None."""
    stable, values = seen(log, high)
    try:
        offset, shown = said
        shown = list(shown)
    except (TypeError, ValueError):
        return f"It returns {said!r}; return a pair, the last stable offset and the list of values."
    if (offset, shown) == (stable, values):
        return None
    if isinstance(offset, bool) or offset != stable:
        why = _stable_because(log, high, offset)
        return f"For this log it says {offset!r}; the last stable offset is {stable}. {why}"
    for value in shown:
        if value not in values:
            return f"It shows {value!r}. {_hidden_because(log, stable, value)}"
    for value in values:
        if value not in shown:
            return f"It does not show {value!r}. {_shown_because(log, value)}"
    return f"It shows {shown!r}; a reader gets each record once, in the order of the offsets: {values!r}."


def _stable_because(log, high, offset):
    stable = last_stable(log, high)
    if stable == high:
        if isinstance(offset, int) and offset > high:
            return f"Nobody reads beyond the high watermark, {high}: what is there may still be lost."
        return "All transactions that begin below the high watermark are decided, by markers below it."
    one = next(each for each in transactions(log) if each.first == stable)
    if one.marker is None:
        return f"Producer {one.producer}'s transaction begins there, and it is open."
    return (
        f"Producer {one.producer}'s transaction begins there; its marker is at offset {one.marker}, not below the "
        f"high watermark, {high}, so it may still be lost."
    )


def _hidden_because(log, stable, value):
    offset = next((place for place, entry in enumerate(log) if entry[0] == DATA and entry[2] == value), None)
    if offset is None:
        return "That is no record: markers take an offset, and readers never see them."
    if offset >= stable:
        return f"It is at offset {offset}, and the last stable offset is {stable}: reading ends there for everybody."
    one = owner(log, offset)
    return f"It is of producer {one.producer}'s transaction from offset {one.first} on, aborted at {one.marker}."


def _shown_because(log, value):
    offset = next(place for place, entry in enumerate(log) if entry[0] == DATA and entry[2] == value)
    one = owner(log, offset)
    if one is None:
        return f"It is at offset {offset}, below the last stable offset, and of no transaction at all."
    assert one.result == COMMIT
    return (
        f"It is at offset {offset}, below the last stable offset, and its transaction, which began at {one.first}, "
        f"was committed at {one.marker}."
    )


def drawn(log, high, said, told=True):
    """Return the picture of a log, of what an answer says of it, and of what is right."""
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


TASK = CasesTask(
    title="the last stable offset",
    answer="seen",
    signature="a function of a log and its high watermark",
    cases=cases,
    oracle=seen,
    objection=objection,
    fails=lambda log, high, said: f"For the log {list(log)!r} with high watermark {high} it fails with {said}.",
    draw=drawn,
    sketch=sketched(drawn, EXAMPLE),
    praise="It agrees with the broker on all {count} logs. Below the last stable offset everything is decided, so a "
    "reader needs no more than the list of what was aborted; and one open transaction holds back everybody's records "
    "behind its first one.",
    example=EXAMPLE,
    arguments=lambda log, high: [list(log), high],
    hints=(
        "Go through the log once and note for each producer where its transaction began. Which of them are not "
        "decided at the end?",
        "A marker at or beyond the high watermark may still be lost with its broker. So a transaction is decided "
        "when its marker stands below the high watermark, and not before.",
        "The last stable offset is the smallest of the high watermark and the first offsets of all transactions that "
        "are not decided. Below it, hide the markers and the records of aborted transactions; one producer may have "
        "aborted one transaction and committed the next.",
        "Collect ranges: began[producer] = offset at the first record; at a marker below high, "
        "ended.append((producer, began.pop(producer), offset, kind)). A record is hidden if a range with 'abort' of "
        "its producer has first <= offset < end.",
    ),
)

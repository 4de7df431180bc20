"""The stores' contents at a moment of a run, rebuilt from the journals' writes up to that moment."""

from collections import Counter
from typing import NamedTuple

from ...node.access import named_part
from ...pipeline import Window, spans
from ...stores.codec import describe
from ...verdict.outcome import readings_in
from ..diagrams.layout import by_number
from ..diagrams.table import part_title

WRITES = ("append", "produce", "write", "cas", "add", "put", "take", "acquire", "release")
WITHOUT_EFFECT = (("cas", "refused"), ("release", "not held"))
FIXED = ("output", "counter", "state", "positions")
EMPTY = {"output": "empty", "counter": "0"}


class Change(NamedTuple):
    """One write to a part of a store, in the words of the page."""

    part: str
    verb: str
    text: str
    item: int | None
    life: int


class Holding(NamedTuple):
    """The contents of a part of a store, in words; those of the output log record by record.

    changed: the current step changed the part
    """

    part: str
    title: str
    text: str
    records: tuple = ()
    changed: bool = False


def change_of(event, values):
    """Return the `Change` of an event on a store's line, or None.

    `values` are the journal's values by (part, stamp of the arrival); without a value the trace's own words are used.
    """
    if event.kind != "receive" or event.verb not in WRITES or (event.verb, event.text) in WITHOUT_EFFECT:
        return None
    key = (event.process, event.stamp)
    text = event.text.rpartition(" → ")[2] if event.verb == "add" else event.text  # of "3 → 4" it is 4
    text = _shown(event.process, values[key]) if key in values else text
    return Change(event.process, event.verb, text, event.item, event.life)


def _shown(part, value):
    if isinstance(value, Window):
        counts = readings_in(value)
        often = {hour for (hour, _), times in counts.items() if times > 1}
        twice = f"; {spans(often)} more than once" if often else ""
        hours = spans(hour for hour, _ in counts)
        return f"{hours}, {len(value.readings)} readings{twice}" if counts else "an empty window"
    if isinstance(value, dict) and "values" in value:  # a partition's note of an append
        return ", ".join(map(describe, value["values"]))
    if part.endswith("positions") and isinstance(value, dict):
        return ", ".join(f"{stream} {offset}" for stream, offset in value.items())
    return describe(value)


def holdings(parts, changes, newest=None, over=()):
    """Return a `Holding` for each of `parts` after these `Change`s; the last is of this step if it is `newest`.

    `over` are the ended incarnations: their locks are free.
    """
    return [_holding(part, [change for change in changes if change.part == part], newest, over) for part in parts]


def _holding(part, changes, newest, over):
    seen, records, text = Counter(), [], EMPTY.get(part, "nothing yet")
    if any(change.verb in ("append", "produce") for change in changes):
        for change in changes:
            seen[change.item] += 1
            records.append((change.text, change.item, seen[change.item]))
        text = ", ".join(_record(*record) for record in records)
    elif any(change.verb == "put" for change in changes):
        text = "; ".join(_waiting(changes)) or "empty"
    elif changes:
        last = changes[-1]
        freed = last.verb == "acquire" and last.life in over
        text = f"free, as incarnation {last.life} is over" if freed else last.text
    changed = newest is not None and newest.part == part
    return Holding(part, part_title(part), text, tuple(records), changed)


def _waiting(changes):
    """Return the messages that wait in an inbox after these changes, in words."""
    waiting = []
    for change in changes:
        (waiting.append if change.verb == "put" else waiting.remove)(change.text)
    return waiting


def _record(text, item, times):
    hour = "" if item is None else f" (hour {item})"
    return f"{text}{hour}{', again' if times > 1 and item is not None else ''}"


def parts_of(events):
    """Return the parts of stores that a run uses, without parts that hold no value, in display order."""
    asked = {event.process for event in events} | {event.detail.get("part") for event in events}
    named = sorted((name for name in asked - {None} if named_part(name)), key=by_number)
    return [*(name for name in FIXED if name in asked), *named]

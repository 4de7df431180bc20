"""A log as tapes: a row for each partition, or for each of its replicas, with a cell for each offset."""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple, TypeAlias

from ..errors import BadInput, is_whole
from ..log.log import Log
from .base.picture import Cell, Picture, cells_table, scrolling, slots, table_of

Positions: TypeAlias = int | Mapping[Any, int]  # an offset, or {row: offset}, where a row is a partition or a title
MOST = 24  # offsets of one tape; of a longer one the newest are drawn
LONGEST = 12  # characters of a value that a cell shows
STANDS = {"": "committed", "open": "not committed", "parts": "not in the leader's log"}
COLUMNS = ["tape", "is", "offset", "key", "value", "epoch", "segment", "stands"]


class Tape(NamedTuple):
    """The cells of a partition, a replica or a list: what readers call it, its title, its role in a word, its high
    watermark, and the offset behind its newest record.
    """

    name: object
    title: str
    role: str
    cells: list[Cell]
    high: int | None
    end: int


class Group(NamedTuple):
    """The tapes of one partition, under its name and a head; `lost` names its lost records in words."""

    name: str
    head: str
    tapes: list[Tape]
    lost: Sequence[str] = ()


def log(source: Log | Mapping[str, Sequence[Any]], readers: Mapping[str, Positions] | None = None) -> Picture:
    """Return a log as tapes, with the table that says the same.

    `source` is a `Log`, or lists of records by title, a record being a value or (key, value). Each partition of a
    `Log` is a tape; of a partition with several replicas each replica is a tape. `readers` maps names to positions:
    an offset, or {partition or title: offset}. A tape of more than 24 offsets shows the newest. Raises `BadInput`.
    """
    groups = _of_log(source) if isinstance(source, Log) else _of_lists(source)
    rows = [tape for group in groups for tape in group.tapes]
    places = _places(readers, rows)
    html = "".join(_drawn(group, places) for group in groups)
    if any(tape.high is not None for tape in rows):
        html += (
            '<p class="eo-dim">Solid: committed. Dashed: not yet. ✗: not in the leader’s log. '
            "Amber bar: the replica’s high watermark. e1: written in leader epoch 1.</p>"
        )
    table = table_of((cell for tape in rows for cell in tape.cells), COLUMNS)
    table = table.dropna(axis="columns", how="all").loc[:, lambda found: (found != "").any()]
    return Picture(html, table, unfold="The tapes as a table")


def _of_lists(source: object) -> list[Group]:
    if not isinstance(source, Mapping) or not all(isinstance(one, (list, tuple)) for one in source.values()):
        raise BadInput(f"{reprlib.repr(source)} cannot be shown as a log; give a Log, or lists of records by title.")
    tapes = []
    for title, records in source.items():
        pairs = [one if isinstance(one, tuple) and len(one) == 2 else (None, one) for one in records]
        said = [{"offset": offset, "key": key, "value": value} for offset, (key, value) in enumerate(pairs)]
        tapes.append(_tape(title, str(title), "", said, len(said)))
    return [Group("", "", tapes)]


def _of_log(source: Log) -> list[Group]:
    topics = source.topics()
    mine = [partition for partition in source.snapshot()["partitions"] if partition["topic"] in topics]
    single = [_single(one, len(topics) > 1) for one in mine if len(one["replicas"]) == 1]
    several = [one for one in mine if len(one["replicas"]) > 1]
    groups = [Group("", "", single)] if single else []
    return groups + [_replicated(one, bool(groups) or len(several) > 1) for one in several]


def _single(partition: Mapping[str, Any], several: bool) -> Tape:
    (replica,), number = partition["replicas"], partition["partition"]
    title = f"{partition['topic']}-{number}" if several else f"partition {number}"
    unknown = {"epoch": None}
    if len({record["segment"] for record in replica["records"]}) == 1:
        unknown["segment"] = None
    records = [{**one, **unknown} for one in replica["records"]]
    return _tape(number, title, "" if replica["alive"] else "✖ dead", records, replica["end"])


def _replicated(partition: Mapping[str, Any], several: bool) -> Group:
    number, leads = partition["partition"], next((one for one in partition["replicas"] if one["leader"]), None)
    there = {(one["offset"], one["epoch"]) for one in leads["records"]} if leads else None
    name, tapes = f"{partition['topic']}-{number}", []
    for replica in sorted(partition["replicas"], key=lambda one: one["broker"]):
        committed, records = (leads or replica)["high_watermark"], []
        for record in replica["records"]:
            parts = there is not None and (record["offset"], record["epoch"]) not in there
            kind = "parts" if parts else "" if record["offset"] < committed else "open"
            records.append({**record, "segment": None, "kind": kind})
        broker = f"broker {replica['broker']}"
        title, where = "★ " * replica["leader"] + broker, f"{name}, {broker}" if several else broker
        tapes.append(_tape(number, title, _role(replica), records, replica["end"], replica["high_watermark"], where))
    leader = "no leader" if leads is None else f"leader: broker {partition['leader']}"
    said = [leader, f"leader epoch {partition['epoch']}", f"in sync: {', '.join(map(str, partition['isr']))}"]
    lost = [
        f"✗ {_short(one['value'])} is lost. Its producer had been told: {_promised(one)}."
        for one in partition["promises"]
        if one["lost"]
    ]
    return Group(name, " · ".join(said), tapes, lost)


def _tape(
    name: object, title: str, role: str, records: Sequence[Mapping[str, Any]], end: int,
    high: int | None = None, where: str = "",
) -> Tape:  # fmt: skip
    """Return the tape of records, each with its line in the table; a deleted offset is an empty cell."""
    cells, before, where = [Cell("", kind="deleted", at=offset) for offset in range(end)], None, where or title
    for one in records:
        kind, epoch, segment = one.get("kind", ""), one.get("epoch"), one.get("segment")
        key, value, offset = one["key"], one["value"], one["offset"]
        below = [str(key)] * (key is not None) + [f"e{epoch}"] * (epoch is not None)
        looks = f"{kind}{' first' if segment not in (None, before) else ''}".strip()
        before = segment
        row = {
            "tape": where, "is": role, "offset": offset, "key": key, "value": "tombstone" if value is None else value,
            "epoch": epoch, "segment": segment, "stands": STANDS[kind] if high is not None else None,
        }  # fmt: skip
        top = f"{'✗ ' if kind == 'parts' else ''}{_short(value)}"
        cells[offset] = Cell(top, " · ".join(below), kind=looks, at=offset, row=row)
    if not records:
        row = {"tape": where, "is": role or "empty", "stands": role and "empty"}
        cells[-1:] = [replace(cells[-1], row=row) if end else Cell("", "empty", kind="empty", row=row)]
    return Tape(name, title, role, cells, high, end)


def _promised(entry: Mapping[str, Any]) -> str:
    if entry["promise"] == "none":
        return "nothing" if entry["acks"] != "all" else "nothing yet"
    return f"acknowledged, acks={entry['acks']}"


def _role(replica: Mapping[str, Any]) -> str:
    if not replica["alive"]:
        return "✖ dead"
    return "leader" if replica["leader"] else "in sync" if replica["in_sync"] else "not in sync"


def _places(readers: Mapping[str, Positions] | None, rows: Sequence[Tape]) -> dict[object, list[tuple[str, int]]]:
    """Return {row: the (reader, offset) pairs at it}."""
    found: dict[object, list[tuple[str, int]]] = {}
    for name, positions in (readers or {}).items():
        by_row = positions if isinstance(positions, Mapping) else {rows[0].name: positions} if rows else {}
        for row, offset in by_row.items():
            if not is_whole(offset):
                raise BadInput(f"The reader {name!r} is at {offset!r}; a position is an offset, a whole number.")
            found.setdefault(row, []).append((str(name), offset))
    return found


def _drawn(group: Group, places: Mapping[object, list[tuple[str, int]]]) -> str:
    """Return a group of tapes as HTML, with the readers of a partition under its last tape."""
    ends = [tape.end for tape in group.tapes]
    ends += [at for tape in group.tapes for _, at in places.get(tape.name, ())]
    columns = max([*ends, 2]) + 1
    offsets = range(max(0, columns - MOST), columns)
    rows = []
    for number, tape in enumerate(group.tapes, 1):
        bad = ' class="eo-bad"' if tape.role == "✖ dead" else ""
        who = f"<b{bad}>{escape(tape.title)}</b> <small>{escape(tape.role)}</small>"
        rows.append([who, *slots(tape.cells, offsets, tape.high)])
        readers = places.get(tape.name, ())
        if readers and (number == len(group.tapes) or group.tapes[number].name != tape.name):
            names = [", ".join(name for name, there in readers if there == at) for at in offsets]
            rows.append(["", *(f'<b class="eo-flag">▲ {escape(said)}</b>' if said else "" for said in names)])
    head = f'<p class="eo-dim"><b>{escape(group.name)}</b> · {group.head}</p>' if group.head else ""
    lost = "".join(f'<p class="eo-bad"><b>{escape(one)}</b></p>' for one in group.lost)
    drawn = cells_table(["offset", *map(str, offsets)], rows, "eo-tape")
    return f"{head}{scrolling(drawn, 'The log as tapes; the table below says the same', 'eo-log')}{lost}"


def _short(value: object) -> str:
    text = "✝" if value is None else value if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

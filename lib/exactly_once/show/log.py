"""A log as tapes: a row for each partition, or for each of its replicas, with a cell for each offset."""

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, TypeAlias

import pandas as pd

from ..errors import BadInput
from ..log.log import Log
from .base.picture import Picture

Positions: TypeAlias = int | Mapping[Any, int]  # an offset, or {row: offset}, where a row is a partition or a title
MOST = 24  # offsets of one tape; of a longer one the newest are drawn
LONGEST = 12  # characters of a value that a cell shows
STANDS = {"": "committed", "open": "not committed", "parts": "not in the leader's log"}
COLUMNS = ["tape", "is", "offset", "key", "value", "epoch", "segment", "stands"]
STYLE = """
.eo .eo-log { overflow-x: auto; max-width: 100%; padding-bottom: 2px; }
.eo .eo-log-row { position: relative; display: flex; align-items: center; min-height: 40px; width: max-content; }
.eo .eo-log-row > span:first-child { flex: 0 0 var(--who); padding-right: 10px; white-space: nowrap;
  overflow: hidden; }
.eo .eo-log-row b { color: var(--eo-ink); } .eo .eo-log-row small { color: var(--eo-dim); font-size: 12px; }
.eo .eo-log-cell { flex: none; width: var(--cell); height: 38px; padding: 2px; text-align: center; line-height: 1.3;
  border: 1px solid color-mix(in srgb, var(--eo-sky) 55%, var(--eo-bg)); overflow: hidden; white-space: nowrap;
  background: color-mix(in srgb, var(--eo-sky) 15%, var(--eo-bg)); }
.eo .eo-log-cell b { display: block; font: 600 13px/1.35 var(--jp-code-font-family, monospace); }
.eo .eo-log-cell small { display: block; font-size: 12px; }
.eo .eo-log-cell.eo-open { border: 1px dashed var(--eo-grey); background: none; }
.eo .eo-log-cell.eo-gone { border: 1px dotted var(--eo-line); background: none; color: var(--eo-dim); }
.eo .eo-log-cell.eo-parts { border: 1.5px dashed var(--eo-red); background: repeating-linear-gradient(45deg,
  color-mix(in srgb, var(--eo-red) 16%, var(--eo-bg)) 0 6px,
  color-mix(in srgb, var(--eo-red) 5%, var(--eo-bg)) 6px 12px); }
.eo .eo-log-cell.eo-parts b { color: var(--eo-red); }
.eo .eo-log-cell.eo-first { box-shadow: inset 4px 0 0 var(--eo-purple); }
.eo .eo-log-row.eo-down > span:first-child b { color: var(--eo-red); } .eo .eo-down .eo-log-cell { opacity: 0.75;
  filter: grayscale(1); }
.eo .eo-log-row.eo-thin { min-height: 18px; font-size: 12px; color: var(--eo-dim); }
.eo .eo-log-row.eo-thin i { flex: none; width: var(--cell); text-align: center; font-style: normal; }
.eo .eo-log-none { padding-left: 8px; }
.eo .eo-log-row b.eo-log-at { position: absolute; left: calc(var(--who) + var(--at) * var(--cell));
  transform: translateX(-0.4em); color: var(--eo-green); font-size: 12px; white-space: nowrap; }
.eo .eo-log-row.eo-marks { margin-bottom: 8px; }
.eo .eo-log-high { position: absolute; top: 0; bottom: 0; width: 3px; border-radius: 2px; background: var(--eo-amber);
  left: calc(var(--who) + var(--at) * var(--cell) - 1.5px); }
.eo .eo-log-title { margin: 6px 0 0; color: var(--eo-dim); } .eo .eo-log-title b { color: var(--eo-ink); }
.eo .eo-log-lost { margin: 2px 0 0; color: var(--eo-red); font-weight: 600; }
.eo .eo-log-key { margin: 6px 0 0; color: var(--eo-dim); font-size: 12px; }
"""


@dataclass(frozen=True)
class Entry:
    """One record on a tape. `kind` is "", "open" (not committed) or "parts" (missing from the leader's log)."""

    offset: int
    key: object
    value: object
    kind: str = ""
    epoch: int | None = None
    segment: int | None = None


@dataclass(frozen=True)
class Tape:
    """One row: its name, its role in a word, its records, its start and end, and its high watermark, if any."""

    name: object
    title: str
    role: str
    entries: tuple[Entry, ...]
    start: int
    end: int
    high: int | None = None


@dataclass(frozen=True)
class Group:
    """The tapes of one partition, under its name and a head; `lost` names its lost records in words."""

    name: str
    head: str
    tapes: tuple[Tape, ...]
    lost: tuple[str, ...] = ()


def log(
    source: Log | Mapping[str, Sequence[Any]],
    readers: Mapping[str, Positions] | None = None,
    numbers: str = "offset",
) -> Picture:
    """Return a log as tapes, with the table that says the same.

    `source` is a `Log`, or lists of records by title, a record being a value or (key, value). Each partition of a
    `Log` is a tape; of a partition with several replicas each replica is a tape. `readers` maps names to positions:
    an offset, or {partition or title: offset}. `numbers` is the title of the numbers above the tapes, where lists are
    no logs. A tape of more than 24 offsets shows the newest. Raises `BadInput`.
    """
    groups = _of_log(source) if isinstance(source, Log) else _of_lists(source)
    rows = [tape for group in groups for tape in group.tapes]
    places = _places(readers, rows)
    html = "".join(_drawn(group, places, escape(numbers)) for group in groups)
    if any(tape.high is not None for tape in rows):
        html += (
            '<p class="eo-log-key">Solid: committed. Dashed: not yet. ✗: not in the leader’s log. '
            "Amber bar: the replica’s high watermark. e1: written in leader epoch 1.</p>"
        )
    table = _table(groups).rename(columns={"offset": numbers})
    return Picture(f"<style>{STYLE}</style>{html}", table, unfold="The tapes as a table")


def _of_lists(source: object) -> list[Group]:
    if not isinstance(source, Mapping) or not all(isinstance(one, (list, tuple)) for one in source.values()):
        raise BadInput(f"{reprlib.repr(source)} cannot be shown as a log; give a Log, or lists of records by title.")
    tapes = []
    for title, records in source.items():
        pairs = [one if isinstance(one, tuple) and len(one) == 2 else (None, one) for one in records]
        entries = tuple(Entry(offset, key, value) for offset, (key, value) in enumerate(pairs))
        tapes.append(Tape(title, str(title), "", entries, 0, len(entries)))
    return [Group("", "", tuple(tapes))]


def _of_log(source: Log) -> list[Group]:
    found = source.snapshot()["partitions"]
    topics = source.topics()
    mine = [partition for partition in found if partition["topic"] in topics]
    single = [_single(one, len(topics) > 1) for one in mine if len(one["replicas"]) == 1]
    groups = [Group("", "", tuple(single))] if single else []
    return groups + [_replicated(one) for one in mine if len(one["replicas"]) > 1]


def _single(partition: Mapping[str, Any], several: bool) -> Tape:
    (replica,) = partition["replicas"]
    number = partition["partition"]
    title = f"{partition['topic']}-{number}" if several else f"partition {number}"
    several_segments = len({record["segment"] for record in replica["records"]}) > 1
    segment = (lambda one: one["segment"]) if several_segments else lambda _: None
    entries = tuple(_entry(one, "", None, segment(one)) for one in replica["records"])
    role = "" if replica["alive"] else "✖ dead"
    return Tape(number, title, role, entries, replica["start"], replica["end"])


def _replicated(partition: Mapping[str, Any]) -> Group:
    number, leads = partition["partition"], next((one for one in partition["replicas"] if one["leader"]), None)
    there = {(one["offset"], one["epoch"]) for one in leads["records"]} if leads else None
    tapes = []
    for replica in sorted(partition["replicas"], key=lambda one: one["broker"]):
        entries = []
        for record in replica["records"]:
            high = (leads or replica)["high_watermark"]
            parts = there is not None and (record["offset"], record["epoch"]) not in there
            kind = "parts" if parts else "" if record["offset"] < high else "open"
            entries.append(_entry(record, kind, record["epoch"], None))
        title = f"{'★ ' if replica['leader'] else ''}broker {replica['broker']}"
        high = replica["high_watermark"]
        tapes.append(Tape(number, title, _role(replica), tuple(entries), replica["start"], replica["end"], high))
    leader = "no leader" if leads is None else f"leader: broker {partition['leader']}"
    said = [leader, f"leader epoch {partition['epoch']}", f"in sync: {', '.join(map(str, partition['isr']))}"]
    lost = tuple(
        f"✗ {_short(one['value'])} is lost. Its producer had been told: {_promised(one)}."
        for one in partition["promises"]
        if one["lost"]
    )
    return Group(f"{partition['topic']}-{number}", " · ".join(said), tuple(tapes), lost)


def _promised(entry: Mapping[str, Any]) -> str:
    if entry["promise"] == "none":
        return "nothing" if entry["acks"] != "all" else "nothing yet"
    return f"acknowledged, acks={entry['acks']}"


def _role(replica: Mapping[str, Any]) -> str:
    if not replica["alive"]:
        return "✖ dead"
    return "leader" if replica["leader"] else "in sync" if replica["in_sync"] else "not in sync"


def _entry(record: Mapping[str, Any], kind: str, epoch: int | None, segment: int | None) -> Entry:
    return Entry(record["offset"], record["key"], record["value"], kind, epoch, segment)


def _places(readers: Mapping[str, Positions] | None, rows: Sequence[Tape]) -> dict[object, list[tuple[str, int]]]:
    """Return {row: the (reader, offset) pairs at it}."""
    found: dict[object, list[tuple[str, int]]] = {}
    for name, positions in (readers or {}).items():
        by_row = positions if isinstance(positions, Mapping) else {rows[0].name: positions} if rows else {}
        for row, offset in by_row.items():
            if isinstance(offset, bool) or not isinstance(offset, int):
                raise BadInput(f"The reader {name!r} is at {offset!r}; a position is an offset, a whole number.")
            found.setdefault(row, []).append((str(name), offset))
    return found


def _drawn(group: Group, places: Mapping[object, list[tuple[str, int]]], called: str) -> str:
    """Return a group of tapes as HTML."""
    ends = [tape.end for tape in group.tapes]
    ends += [at for tape in group.tapes for _, at in places.get(tape.name, ())]
    columns = max([*ends, 2]) + 1
    first = max(0, columns - MOST)
    widest = max([*(_width(entry) for tape in group.tapes for entry in tape.entries), 4])
    who = max(len(f"{tape.title} {tape.role}") for tape in group.tapes) * 7 + 22
    style = f"--cell:{widest * 8 + 14}px;--who:{min(max(who, 90), 220)}px"
    numbers = "".join(f"<i>{offset}</i>" for offset in range(first, columns))
    rows = f'<div class="eo-log-row eo-thin"><span>{called}</span>{numbers}</div>'
    for number, tape in enumerate(group.tapes):
        rows += _row(tape, first)
        if number + 1 == len(group.tapes) or group.tapes[number + 1].name != tape.name:
            rows += _readers(places.get(tape.name, ()), first)
    head = f'<p class="eo-log-title"><b>{escape(group.name)}</b> · {group.head}</p>' if group.head else ""
    lost = "".join(f'<p class="eo-log-lost">{escape(one)}</p>' for one in group.lost)
    label = 'role="region" aria-label="The log as tapes; the table below says the same"'
    return f'{head}<div class="eo-log" style="{style}" tabindex="0" {label}>{rows}</div>{lost}'


def _row(tape: Tape, first: int) -> str:
    entries = {entry.offset: entry for entry in tape.entries}
    cells, before = "", None
    for offset in range(first, tape.end):
        entry = entries.get(offset)
        if entry is None:
            cells += '<div class="eo-log-cell eo-gone"></div>'
            continue
        new = entry.segment is not None and entry.segment != before
        before = entry.segment
        kinds = f"{f' eo-{entry.kind}' if entry.kind else ''}{' eo-first' if new else ''}"
        sign = "✗ " if entry.kind == "parts" else ""
        below = " · ".join([*([escape(str(entry.key))] if entry.key is not None else []), *_epoch(entry)])
        cells += (
            f'<div class="eo-log-cell{kinds}"><b>{sign}{escape(_short(entry.value))}</b><small>{below}</small></div>'
        )
    cells = cells or '<small class="eo-log-none">empty</small>'
    at = -1 if tape.high is None else tape.high - first
    bar = f'<span class="eo-log-high" style="--at:{at}"></span>' if at >= 0 else ""
    down = " eo-down" if tape.role == "✖ dead" else ""
    role = f" <small>{tape.role}</small>" if tape.role else ""
    return f'<div class="eo-log-row{down}"><span><b>{escape(tape.title)}</b>{role}</span>{cells}{bar}</div>'


def _readers(places: Iterable[tuple[str, int]], first: int) -> str:
    """Return a row of marks for the readers of a tape; two readers at one offset share a mark."""
    at: dict[int, list[str]] = {}
    for name, offset in places:
        at.setdefault(offset, []).append(name)
    marks = "".join(
        f'<b class="eo-log-at" style="--at:{offset - first + 0.5}">▲ {escape(", ".join(names))}</b>'
        for offset, names in sorted(at.items())
    )
    return f'<div class="eo-log-row eo-thin eo-marks"><span></span>{marks}</div>' if marks else ""


def _epoch(entry: Entry) -> list[str]:
    return [] if entry.epoch is None else [f"e{entry.epoch}"]


def _short(value: object) -> str:
    text = "✝" if value is None else value if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _width(entry: Entry) -> int:
    below = " · ".join([*([str(entry.key)] if entry.key is not None else []), *_epoch(entry)])
    return max(len(_short(entry.value)) + 2 * (entry.kind == "parts"), len(below))


def _table(groups: Sequence[Group]) -> pd.DataFrame:
    rows = []
    for group in groups:
        for tape in group.tapes:
            where = tape.title.removeprefix("★ ")
            where = f"{group.name}, {where}" if group.name and len(groups) > 1 else where
            for entry in tape.entries:
                stands = STANDS[entry.kind] if tape.high is not None else None
                known = [entry.offset, entry.key, "tombstone" if entry.value is None else entry.value]
                rows.append([where, tape.role, *known, entry.epoch, entry.segment, stands])
            if not tape.entries:
                rows.append([where, tape.role or "empty", *[None] * 5, tape.role and "empty"])
    table = pd.DataFrame(rows, columns=COLUMNS, dtype=object)
    return table.dropna(axis="columns", how="all").loc[:, lambda found: (found != "").any()]

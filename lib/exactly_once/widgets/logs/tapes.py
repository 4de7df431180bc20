"""The log viewer's tapes: each partition's replicas under each other, offset by offset, and the same as a table."""

from dataclasses import replace
from html import escape

from ... import show
from ...show.base.tape import Cell, Flag, Tape, table_of, thin_html
from ..base.controls import button
from .words import SIGNS, kept, promised

COLUMNS = ("partition", "replica", "is", "high watermark", "log end", "offset", "record", "key", "epoch", "stands",
           "promise")  # fmt: skip
WORDS = {"none": "not acknowledged", "leader": "acknowledged, acks=1", "committed": "acknowledged, acks=all"}


def partition_html(partition, state, paused):
    """Return one partition: its head, a tape for each replica, the consumer's view, and the lost records."""
    number, leads = partition["partition"], _leader(partition)
    columns = _columns(partition, state)
    flags = [Flag(leads["high_watermark"], "▼", "high")] if leads else []
    rows = thin_html("offset", range(columns), flags)
    for replica, tape in _tapes(partition):
        rows += replace(tape, acts=_acts(partition, replica, state, paused)).html()
    lost = {one["offset"]: one for one in sorted(partition["promises"], key=lambda one: one["epoch"]) if one["lost"]}
    if lost:  # the list below has all of those at one offset
        cells = [
            Cell(f"✗ {one['value']}", f"acks={one['acks']}", kind="lost", title=promised(one), at=offset)
            for offset, one in sorted(lost.items())
        ]
        rows += Tape("lost", cells, kind="bad").html()
    at = state.positions[number]
    sees = "sees nothing: no leader" if leads is None else f"at {at}, sees below {leads['high_watermark']}"
    rows += thin_html(f"<b>consumer</b> <small>{sees}</small>", flags=[Flag(at, "▲")])
    style = f'class="eo-partition eo-partition-{number}" style="--columns:{columns}"'
    return (
        f'<section {style} aria-label="Partition {number}">{_head(partition)}'
        f'<div class="eo-scroll eo-tapes" tabindex="0">{rows}</div></section>'
    )


def _tapes(partition):
    """Return [(replica, its `Tape`)] of a partition; each cell has its line in the table."""
    leads, found = _leader(partition), []
    for replica in sorted(partition["replicas"], key=lambda one: one["broker"]):
        is_, mark = role(partition, replica), replica["high_watermark"]
        of = (partition["partition"], f"broker {replica['broker']}", is_, mark, replica["end"])
        cells = [_cell(of, leads, replica, record) for record in replica["records"]]
        cells = cells or [Cell("", kind="empty", row=dict(zip(COLUMNS, of + ("",) * 6, strict=True)))]
        kind = "leads" if replica["leader"] else "" if replica["alive"] else "dead"
        title = f"{'★ ' if replica['leader'] else ''}broker {replica['broker']}"
        spoken = f"Broker {replica['broker']}, {is_}, high watermark {mark}, log end {replica['end']}"
        found.append((replica, Tape(title, cells, is_, kind, mark, spoken=spoken)))
    return found


def _cell(of, leads, replica, record):
    how, promise = standing(leads, record), WORDS[record["promise"] or "none"]
    kind = {"committed": "", "not committed": "open"}.get(how, "parts")
    sign = "✗" if kind == "parts" else SIGNS[record["promise"] or "none"]
    first = any(start == record["offset"] and epoch > 0 for epoch, start in replica["epochs"])
    key, epoch, offset, value = record["key"] or "–", record["epoch"], record["offset"], record["value"]
    title = f"{how}; {promise}; written in leader epoch {epoch}"
    row = dict(zip(COLUMNS, (*of, offset, value, key, epoch, how, promise), strict=True))
    kind += " first" * first
    return Cell(str(value), f"{key} · e{epoch}", (), kind, title, offset, sign, promise, row=row)


def lost_records(partitions, state):
    """Return the list of lost records, each with its promise, without the records of the newest note."""
    told = state.notes[-1].then if state.notes else ()
    items = "".join(
        f"<li><b>✗ {escape(str(one['value']))}</b> (partition {partition['partition']}, offset {one['offset']}, "
        f"epoch {one['epoch']}) is lost. It was {escape(promised(one))}. {escape(kept(one))}"
        + (" The consumer has read it already." if one["value"] in state.read else "")
        + "</li>"
        for partition in partitions
        for one in partition["promises"]
        if one["lost"] and not any(line.startswith(f"✗ {one['value']} is lost") for line in told)
    )
    return f'<ul class="eo-lost-list">{items}</ul>' if items else ""


def table(snapshot, state):
    """Return the tapes as a table in words."""
    cells = [cell for one in snapshot["partitions"] for _, tape in _tapes(one) for cell in tape.cells]
    positions = ", ".join(f"partition {number} at offset {at}" for number, at in enumerate(state.positions))
    consumer = f"<p>Consumer: {positions}.</p></details>"
    return show.folded(table_of(cells, COLUMNS), "The tapes as a table").replace("</details>", consumer)


def role(partition, replica):
    """Return the role of a replica, in words."""
    if not replica["alive"]:
        return "dead" + (", was in sync" if replica["in_sync"] and partition["leader"] is None else "")
    if replica["leader"]:
        return "leader"
    behind = (_leader(partition) or replica)["end"] - replica["end"]
    lag = f", {behind} behind" if behind > 0 else f", {-behind} too many" if behind < 0 else ""
    return ("in sync" if replica["in_sync"] else "out of sync") + lag


def standing(leads, record):
    """Return the standing of a replica's record against the leader's log: committed, not committed, or not in it."""
    if leads is None:
        return "committed" if record["committed"] else "not committed"
    same = any((one["offset"], one["epoch"]) == (record["offset"], record["epoch"]) for one in leads["records"])
    if not same:
        return "not in the leader's log"
    return "committed" if record["offset"] < leads["high_watermark"] else "not committed"


def _leader(partition):
    return next((replica for replica in partition["replicas"] if replica["leader"]), None)


def _columns(partition, state):
    ends = [replica["end"] for replica in partition["replicas"]]
    lost = [one["offset"] + 1 for one in partition["promises"] if one["lost"]]
    return max([*ends, *lost, state.positions[partition["partition"]], 4]) + 1


def _head(partition):
    number, wanted = partition["partition"], partition["min_insync_replicas"]
    few = len(partition["isr"]) < wanted
    leader = f"leader: broker {partition['leader']}" if partition["leader"] is not None else "no leader"
    said = [
        _span(leader, partition["leader"] is None),
        _span(f"leader epoch {partition['epoch']}"),
        _span(f"in sync: {', '.join(map(str, partition['isr']))}{' (too few for acks=all)' if few else ''}", few),
    ]
    if partition["leader"] is not None:
        said += [_span(f"high watermark {partition['high_watermark']}"), _span(f"log end {partition['end']}")]
    else:
        said += [
            _valued(button(f"eo-elect-{number}", "elect", "Elect"), f"{number}|clean"),
            _valued(button(f"eo-elect-unclean-{number}", "elect", "Elect uncleanly"), f"{number}|unclean"),
        ]
    return f"<header><b>Partition {number}</b> {' '.join(said)}</header>"


def _span(words, bad=False):
    return f'<span class="eo-bad">{words}</span>' if bad else f"<span>{words}</span>"


def _acts(partition, replica, state, paused):
    """Return the buttons of a follower: to fetch, and to be too slow."""
    number, leads, broker = partition["partition"], _leader(partition), replica["broker"]
    if not replica["alive"] or leads is None or replica["leader"]:
        return ""
    acts = ""
    if state.replication == "manual":
        acts += button(f"eo-fetch-{number}-{broker}", "fetch", "fetch", off=broker in paused)
    if replica["in_sync"] and replica["end"] < leads["end"]:
        acts += button(f"eo-shrink-{number}-{broker}", "shrink", "too slow")
    return _valued(acts, f"{number}|{broker}")


def _valued(html, value):
    return html.replace("data-do=", f'data-value="{value}" data-do=').replace('data-key="', f'data-key="{value}-')

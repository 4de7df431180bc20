"""The log viewer's tapes: each partition's replicas under each other, offset by offset, and the same as a table."""

from html import escape

from ..base.controls import button
from .words import SIGNS, kept, promised

WORDS = {"none": "not acknowledged", "leader": "acknowledged, acks=1", "committed": "acknowledged, acks=all"}


def partition_html(partition, state, paused):
    """Return one partition: its head, a tape for each replica, the consumer's view, and the lost records."""
    number, leads = partition["partition"], _leader(partition)
    columns = _columns(partition, state)
    replicas = sorted(partition["replicas"], key=lambda replica: replica["broker"])
    rows = "".join(_replica(partition, replica, state, paused) for replica in replicas)
    style = f'class="eo-partition eo-partition-{number}" style="--columns:{columns}"'
    lost = [one for one in partition["promises"] if one["lost"]]
    return (
        f'<section {style} aria-label="Partition {number}">{_head(partition)}'
        f'<div class="eo-scroll eo-tapes" tabindex="0">{_ruler(partition, leads, columns)}{rows}'
        f"{_lost_row(lost)}{_consumer(partition, leads, state)}</div></section>"
    )


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
    rows = ""
    for partition in snapshot["partitions"]:
        leads = _leader(partition)
        for replica in partition["replicas"]:
            for record in replica["records"] or [None]:
                cells = (
                    partition["partition"], f"broker {replica['broker']}", role(partition, replica),
                    replica["high_watermark"], replica["end"],
                    *((record["offset"], record["value"], record["key"] or "–", record["epoch"],
                       standing(partition, leads, record), WORDS[record["promise"] or "none"])
                      if record else [""] * 6),
                )  # fmt: skip
                rows += "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>"
    titles = (
        "partition", "replica", "is", "high watermark", "log end", "offset", "record", "key", "epoch", "stands",
        "promise",
    )  # fmt: skip
    head = "".join(f"<th>{title}</th>" for title in titles)
    positions = ", ".join(f"partition {number} at offset {at}" for number, at in enumerate(state.positions))
    return (
        '<details class="eo-folded"><summary>The tapes as a table</summary><div class="eo-scroll" tabindex="0">'
        f'<table class="eo-table eo-log-table"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        f"<p>Consumer: {positions}.</p></div></details>"
    )


def role(partition, replica):
    """Return the role of a replica, in words."""
    if not replica["alive"]:
        return "dead" + (", was in sync" if replica["in_sync"] and partition["leader"] is None else "")
    if replica["leader"]:
        return "leader"
    behind = (_leader(partition) or replica)["end"] - replica["end"]
    lag = f", {behind} behind" if behind > 0 else f", {-behind} too many" if behind < 0 else ""
    return ("in sync" if replica["in_sync"] else "out of sync") + lag


def standing(partition, leads, record):
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


def _ruler(partition, leads, columns):
    """Return the row of offsets, with the leader's high watermark as a flag."""
    numbers = "".join(f"<i>{offset}</i>" for offset in range(columns))
    flag = f'<b class="eo-log-viewer-flag" style="--at:{leads["high_watermark"]}">▼</b>' if leads else ""
    return (
        '<div class="eo-tape-row eo-ruler" aria-hidden="true"><span class="eo-log-viewer-who">offset</span>'
        f'<span class="eo-offsets">{numbers}{flag}</span></div>'
    )


def _replica(partition, replica, state, paused):
    number, leads = partition["partition"], _leader(partition)
    place = f"{number}|{replica['broker']}"
    kind = "eo-log-viewer-leads" if replica["leader"] else "" if replica["alive"] else "eo-dead"
    acts = ""
    follows = replica["alive"] and leads is not None and not replica["leader"]
    if follows and state.replication == "manual":
        off = replica["broker"] in paused
        acts = _valued(button(f"eo-fetch-{number}-{replica['broker']}", "fetch", "fetch", off=off), place)
    if follows and replica["in_sync"] and replica["end"] < leads["end"]:
        acts += _valued(button(f"eo-shrink-{number}-{replica['broker']}", "shrink", "too slow"), place)
    cells = "".join(_cell(partition, leads, replica, record) for record in replica["records"])
    mark, is_ = replica["high_watermark"], role(partition, replica)
    spoken = f"Broker {replica['broker']}, {is_}, high watermark {mark}, log end {replica['end']}"
    return (
        f'<div class="eo-tape-row {kind}" role="group" aria-label="{spoken}"><span class="eo-log-viewer-who">'
        f"<b>{'★ ' if replica['leader'] else ''}broker {replica['broker']}</b> <small>{is_}</small>{acts}</span>"
        f'<ol class="eo-log-viewer-tape" style="--start:{replica["start"]}">{cells}</ol>'
        f'<span class="eo-hw" style="--at:{mark}" title="its high watermark: {mark}"></span></div>'
    )


def _cell(partition, leads, replica, record):
    how = standing(partition, leads, record)
    kind = {"committed": "eo-committed", "not committed": "eo-log-viewer-open"}.get(how, "eo-doomed")
    sign = "✗" if kind == "eo-doomed" else SIGNS[record["promise"] or "none"]
    promise = WORDS[record["promise"] or "none"]
    words = escape(f"{how}; {promise}; written in leader epoch {record['epoch']}")
    first = any(start == record["offset"] and epoch > 0 for epoch, start in replica["epochs"])
    return (
        f'<li class="eo-log-viewer-record {kind}{" eo-new-epoch" if first else ""}" title="{words}">'
        f'<b>{escape(str(record["value"]))}<i aria-label="{promise}">{sign}</i></b>'
        f"<small>{escape(record['key'] or '–')} · e{record['epoch']}</small></li>"
    )


def _lost_row(lost):
    if not lost:
        return ""
    shown = {one["offset"]: one for one in sorted(lost, key=lambda one: one["epoch"])}  # the list below has them all
    cells = "".join(
        f'<li class="eo-log-viewer-record eo-gone" style="--at:{one["offset"]}" title="{escape(promised(one))}"><b>✗ '
        f"{escape(str(one['value']))}</b><small>acks={one['acks']}</small></li>"
        for one in shown.values()
    )
    who = '<span class="eo-log-viewer-who"><b class="eo-bad">lost</b></span>'
    return f'<div class="eo-tape-row eo-lost-row">{who}<ol class="eo-log-viewer-tape">{cells}</ol></div>'


def _consumer(partition, leads, state):
    at = state.positions[partition["partition"]]
    sees = "sees nothing: no leader" if leads is None else f"at {at}, sees below {leads['high_watermark']}"
    return (
        '<div class="eo-tape-row eo-consumer"><span class="eo-log-viewer-who"><b>consumer</b> '
        f"<small>{sees}</small></span>"
        f'<span class="eo-offsets"><b class="eo-position" style="--at:{at}" aria-hidden="true">▲</b></span></div>'
    )


def _valued(html, value):
    return html.replace("data-do=", f'data-value="{value}" data-do=').replace('data-key="', f'data-key="{value}-')

"""The wire of the delivery lab at one moment: the producer, the log and the consumer, and what is on its way."""

from collections import Counter
from html import escape

from ...delivery.run import key_of


def stage(delivery, place):
    """Return the picture of a moment: producer, wire, log, wire, consumer."""
    moment, before = delivery.moments[place], delivery.moments[max(place - 1, 0)]
    broker = f"restarted, incarnation {moment.lives[2]}" if moment.lives[2] > 1 else "one broker"
    fell = moment.lives[2] > before.lives[2]
    return (
        machine("producer", life(moment, 0), sent(delivery, moment), moment)
        + wire(moment, "producer", "record ▸", "◂ answer")
        + machine("log", broker, log(moment, before), moment, fell)
        + wire(moment, "consumer", "read ▸", "◂ ⚑ position")
        + machine("consumer", life(moment, 1), effects(delivery, moment, before), moment)
    )


def machine(who, about, inside, moment, fell=False):
    """Return a machine; the one that acts is marked, and so is a broker that `fell`."""
    now = moment.who == who or fell
    css = " eo-delivery-hurt" if now and moment.faulty else " eo-delivery-now" if now else ""
    mark = "<b>◂ now</b>" if now else ""
    return (
        f'<section class="eo-delivery-machine eo-delivery-{who}{css}" aria-label="{who.capitalize()}">'
        f'<p class="eo-delivery-life">{escape(about)} {mark}</p>{inside}</section>'
    )


def life(moment, side):
    """Describe a side's present incarnation."""
    name = f"incarnation {moment.lives[side]}"
    return name if moment.alive[side] else f"✖ {name} is dead"


def packet(number, side, css="", sign=""):
    """Return a record as a button: the pointer on it, or the keyboard, opens the menu of what can go wrong."""
    told = f'aria-haspopup="true" aria-label="{sign}{number}: what goes wrong with this record?"'
    data = f'data-side="{side}" data-record="{number}"'
    return f'<button type="button" class="eo-delivery-packet{css}" {data} {told}>{sign}{number}</button>'


def sent(delivery, moment):
    """Return the producer's own records, with marks for noted, lost and unfinished ones."""
    inside = ""
    for n in range(1, delivery.records + 1):
        lost = n in moment.lost and n not in moment.log
        mark = "○ lost" if lost else "✓ noted" if n <= moment.noted else "… sending" if moment.doing == n else ""
        css = " eo-delivery-gone" if lost else ""
        inside += f"<li>{packet(n, 'sending', css)}<span>{key_of(n)}</span><em>{mark}</em></li>"
    return f'<ol class="eo-delivery-records" aria-label="The producer’s records" data-arrows>{inside}</ol>'


def wire(moment, side, there, back):
    """Return the wire between a machine and the log, with what is on its way: one track for each direction."""
    tracks = {True: "", False: ""}  # by whether it goes to the right
    if moment.wire and moment.wire.side == side:
        _, forth, number, lost = moment.wire
        sign = "✖ " if lost else "✓ " if side == "producer" and not forth else ""
        css = " eo-delivery-lost" if lost else ""
        what = packet(number, "sending" if side == "producer" else "receiving", css, sign)
        if side == "consumer" and (lost or not forth):
            what = f'<span class="eo-delivery-packet{css}">{sign}⚑{"" if lost else f" {moment.saved}"}</span>'
        tracks[forth] = f"<span>{what}</span>"
    return (
        f'<div class="eo-delivery-wire"><p>{there}</p><div class="eo-delivery-track">{tracks[True]}</div>'
        f'<div class="eo-delivery-track eo-delivery-back">{tracks[False]}</div><p>{back}</p></div>'
    )


def log(moment, before):
    """Return the log's tape: offsets, records, the consumer's saved position, and the place of the next record."""
    seen, inside = Counter(), ""
    for offset, n in enumerate([*moment.log, None]):
        seen[n] += 1
        css = " eo-delivery-again" if seen[n] > 1 else " eo-delivery-read" * (offset < moment.reached)
        css += " eo-delivery-new" * (offset >= len(before.log))
        flag = '<i title="saved position">⚑</i>' if offset == moment.saved else "<i></i>"
        cell = packet(n, "receiving", css) if n else '<span class="eo-delivery-packet eo-delivery-empty">·</span>'
        inside += f"<li>{flag}<small>{offset}</small>{cell}<em>{'× twice' if seen[n] > 1 else ''}</em></li>"
    label = "The log, oldest first; the flag is the consumer’s saved position"
    return f'<ol class="eo-delivery-records" aria-label="{label}" data-arrows>{inside}</ol>'


def effects(delivery, moment, before):
    """Return the consumer: the records in its memory, each key's value with the records that made it, the counts."""
    message = moment.wire
    arrives = message and message.side == "consumer" and message.forth and not message.lost
    memory = moment.memory[:-1] if arrives else moment.memory
    held = "".join(f'<li class="eo-delivery-packet eo-delivery-read">{n}</li>' for n in memory)
    held = held or '<li class="eo-dim">nothing</li>'
    inside = (
        '<div class="eo-delivery-memory"><span class="eo-dim">in memory</span>'
        f'<ol class="eo-delivery-blocks" aria-label="In memory, without an effect yet">{held}</ol></div>'
    )
    for key, value in moment.held:
        right, over = delivery.right[key], moment is delivery.end
        bad = " eo-bad" if value > right or (over and value != right) else ""
        verb = "counts" if delivery.update == "add" else "holds"
        inside += (
            f'<p class="eo-delivery-key"><b>{key}</b> {verb} <b class="eo-big{bad}">{value}</b> '
            f'<span class="eo-dim">should be {right}</span></p>'
            f'<ol class="eo-delivery-blocks" aria-label="Effects under {key}, oldest first">'
            f"{_blocks(delivery, moment, key, len(before.applied))}</ol>"
        )
    lost = f'<b class="eo-lost{" eo-bad" if moment.lost else ""}">○ {len(moment.lost)}</b> lost so far'
    doubled = f'<b class="eo-doubled{" eo-bad" if moment.surplus else ""}">× {moment.surplus}</b> doubled so far'
    return f'{inside}<p class="eo-delivery-sum"><span>{lost}</span> <span>{doubled}</span></p>'


def _blocks(delivery, moment, key, old):
    """Return the records that took effect under a key, and the lost ones; `old` is the number of earlier effects."""
    seen, newest, found = Counter(), 0, ""
    overwrites = delivery.update == "overwrite"
    mine = [(place, n) for place, n in enumerate(moment.applied) if key_of(n) == key]
    for place, n in mine:
        seen[n] += 1
        again, back, newest = seen[n] > 1, overwrites and n < newest, max(n, newest)
        css = " eo-delivery-again" * again + " eo-delivery-new" * (place >= old)
        css += " eo-delivery-over" * (overwrites and place != mine[-1][0])
        mark = f"<small>{'↩' * back}{f'×{seen[n]}' * again}</small>"
        told = f"record {n}{', an old value again' * back}{f', time {seen[n]}' * again}"
        found += f'<li class="eo-delivery-packet{css}" title="{told}">{n}{mark}</li>'
    for n in moment.lost:
        if key_of(n) == key:
            found += f'<li class="eo-delivery-packet eo-delivery-gone" title="record {n} is lost">○{n}</li>'
    return found or '<li class="eo-dim">no effect yet</li>'

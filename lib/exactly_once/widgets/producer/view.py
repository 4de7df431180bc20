"""The producer lab's screen as fragments of HTML, from its model: controls, one stage for each tick, a table."""

from html import escape

import pandas as pd

from ... import show
from ..base.controls import button, field, number_field, segments, select
from .lane import TRANSIT
from .model import MOST_BATCHES, MOST_IN_FLIGHT
from .words import (
    ABOUT,
    KINDS,
    TITLES,
    answer_words,
    fault_words,
    happens,
    is_on_its_way,
    letter,
    mark,
    sending,
    verdict,
)

ROOMY, MANY = 5, 6  # the largest numbers of batches and of records with wide cells
MOST_CELLS = {False: 11, True: 8}  # of a log, by whether there are many batches; older records are counted
WIDTHS = {6: 52, 7: 48, 8: 45}  # of a batch's cell, in pixels; 56 for fewer
WINDOW = 5
CLIENTS = [("librdkafka", "number refused: librdkafka"), ("java", "number refused: Java")]
ALONE = "With numbers, nothing else is sent until the first batch is acknowledged: a broker takes any first number."
FOR_GOOD = (
    "What the client does with a batch that is sent alone and refused. librdkafka stops. Java begins a new epoch if "
    "it is the next one after the last acknowledged; otherwise it sends the batch again until it expires."
)
CUTS = "After the step on the screen, in all lanes: connections break, and what is on its way is lost."
MODES = {"drop": "✖ drops", "delay": "◷ delays"}


def fragments(model, _width=None):
    """Return {trait: value} of a `ProducerModel`: fragments of HTML, and for each tick its events, and a stage."""
    state, ticks = model.state, model.ticks
    lanes = state.lanes.values()
    return {
        "toolbar": toolbar(state),
        "outages": outages(),
        "columns": f"{WIDTHS.get(state.settings.batches, 56) * state.settings.batches}px",
        "faults": faults(state, ticks),
        "heads": heads(state.settings),
        "ticks": ticks,
        "says": [says(lanes, tick) for tick in ticks],
        "stages": ["".join(stage(lane, tick, state) for lane in lanes) for tick in ticks],
        "marks": marks(state, ticks),
        "words": show.folded(steps_table(lanes, ticks), "All steps as a table")
        + show.folded(token_table(lanes), "Tokens"),
        "stale": model.stale,
    }


def toolbar(state):
    """Return the controls of the common settings of all lanes."""
    settings, refused = state.settings, state.refused
    return (
        number_field("Batches", "batches", settings.batches, refused, MOST_BATCHES)
        + number_field("In flight", "in_flight", settings.in_flight, refused, MOST_IN_FLIGHT)
        + _tipped(button("eo-first-alone", "first_alone", "First batch alone", pressed=settings.first_alone), ALONE)
        + _tipped(select("client", CLIENTS, settings.client), FOR_GOOD, 'aria-label="The client" ')
        + field("A click", segments("mode", MODES, state.mode, spoken="a click on a message {} it"))
    )


def outages():
    """Return the buttons for outages of the broker after the step on the screen."""
    return _tipped(button("eo-restart", "restart", "Restart broker"), CUTS) + _tipped(
        button("eo-fail-over", "fail_over", "Fail over"), CUTS
    )


def _tipped(control, tip, more=""):
    """Return a control with words for the pointer."""
    return control.replace(" ", f' title="{escape(tip)}" {more}', 1)


def faults(state, ticks):
    """Return the chosen faults, each a button that removes it."""
    settings, chips = state.settings, []
    for number, fault in enumerate((*settings.strikes, *settings.outages)):
        sign = KINDS.get(getattr(fault, "kind", ""), "↻")
        words = escape(fault_words(fault, ticks))
        chips.append(
            f'<button type="button" class="eo-producer-chip" data-do="heal" data-value="{number}" '
            f'data-key="heal-{number}" '
            f'aria-label="take away: {words}"><i>{sign}</i> {words} <span aria-hidden="true">×</span></button>'
        )
    if len(chips) > 1:
        chips.append(button("eo-clear eo-small", "clear", "No faults"))
    said = "" if chips else '<span class="eo-dim">none: click a message on its way</span>'
    reset = button("eo-producer-reset eo-small", "reset", "Reset")
    return f'<span class="eo-dim">Faults in all lanes:</span> {said}{"".join(chips)}{reset}'


def heads(settings):
    """Return the titles of the three columns."""
    many = settings.batches > ROOMY
    network, broker = ("same faults", "log") if many else ("same faults for all", "its log by offset")
    return (
        f"<span>Producer: up to {settings.in_flight} in flight</span><span>Network: {network}</span>"
        f"<span>Broker: {broker}, and its memory</span>"
    )


def marks(state, ticks):
    """Return [[place of a tick, sign]] for each tick at which a fault strikes in any lane."""
    found = {}
    for lane in state.lanes.values():
        for tick, *_ in lane.outages:
            found[tick] = "↻"
        for packet in lane.packets:
            if packet.fate == "late":
                found.setdefault(packet.sent, "◷")
            elif packet.lost is not None and not packet.cut:
                found[packet.lost] = "✖"
    return [[ticks.index(tick), sign] for tick, sign in sorted(found.items()) if tick in ticks]


def says(lanes, tick):
    """Return the events of a tick, a line for each lane."""
    return "".join(f"<p><b>{TITLES[lane.rule]}</b> {_happens(lane, tick)}</p>" for lane in lanes)


def _happens(lane, tick):
    found = happens(lane, tick)
    if not found:
        still = "all is done" if tick >= lane.last() else "–"
        return f'<span class="eo-dim">{still}</span>'
    words = [
        f'<span class="eo-producer-hurts">{escape(text)}</span>' if hurts else escape(text) for text, hurts in found
    ]
    return "; ".join(words)


def stage(lane, tick, state):
    """Return one lane at a tick: producer, network, broker, and the result so far."""
    good, headline, rest = verdict(lane, tick)
    sign, kind = ("✓", "good") if good else ("✗", "bad")
    leads = (
        f'<span class="eo-producer-leads">broker {lane.at(tick).broker} leads</span>'
        if lane.settings.brokers > 1
        else ""
    )
    return (
        f'<section class="eo-producer-lane eo-lane-{lane.rule}" aria-label="{TITLES[lane.rule]}" '
        f'data-key="{lane.rule}">'
        f'<p class="eo-title"><b>{TITLES[lane.rule]}</b> <span>{escape(ABOUT[lane.rule])}</span> {leads}</p>'
        f'<div class="eo-lane-row">{producer(lane, tick)}{network(lane, tick, state)}{broker(lane, tick)}</div>'
        f'<p class="eo-producer-verdict eo-producer-{kind}-verdict"><strong>{sign} '
        f"{escape(headline)}</strong> {escape(rest)}</p>"
        "</section>"
    )


def producer(lane, tick):
    """Return the producer's batches: letter, sequence number, and the standing of each."""
    cells = "".join(_batch(lane, batch, tick) for batch in range(1, lane.settings.batches + 1))
    many = " eo-dense" if lane.settings.batches > ROOMY else ""
    return f'<ol class="eo-batches{many}" aria-label="the producer’s batches">{cells}</ol>'


def _batch(lane, batch, tick):
    sent = [packet for packet in lane.packets if packet.batch == batch and packet.sent <= tick]
    many = lane.settings.batches > ROOMY
    flying, words, kind = False, "waits", "unsent"
    if sent:
        last = sent[-1]
        heard = last.heard is not None and last.heard <= tick
        if any(one.taken and one.heard is not None and one.heard <= tick for one in sent):
            words, kind = ("acked" if many else "✓ acked"), "acked"
        elif heard and lane.error and tick >= lane.end:
            words, kind = "stops", "stops"
        elif heard:
            words, kind = ("refused" if last.answered else "again"), "refused"
        else:
            times = f"{len(sent)}×" if many else f"sent {len(sent)}×"
            words, kind, flying = ("sent" if len(sent) == 1 else times), "sent", True
    number = "–"
    if lane.rule != "naive":
        number = str(batch - 1) if not sent else str(sent[-1].sequence)
        number += f"<i>e{sent[-1].epoch}</i>" if sent and sent[-1].epoch else ""
    mark_of = " eo-producer-now" if flying else ""
    inside = f"<b>{letter(batch)}</b><small>{number}</small><em>{words}</em>"
    return f'<li class="eo-batch eo-producer-{kind}{mark_of}">{inside}</li>'


def network(lane, tick, state):
    """Return the messages on their way: requests to the right, answers to the left, and the lost ones of both."""
    requests, lates, answers, waits = [], [], [], []
    for packet in lane.packets:
        where = is_on_its_way(packet, tick)
        if where == "request":
            requests.append(_request(lane, packet, tick, state))
        elif where == "late":
            lates.append(_late(lane, packet, tick))
        elif where == "reply":
            answers.append(_reply(lane, packet, tick))
        elif where == "waits":
            waits.append(packet)
    lost = [_lost(lane, packet, tick, state) for packet in lane.packets if packet.lost is not None]
    above = "".join(html for reply, html in filter(None, lost) if not reply)
    below = "".join(html for reply, html in filter(None, lost) if reply)
    return (
        f'<div class="eo-network"><p class="eo-gone-row">{above}</p>'
        f'<div class="eo-producer-track eo-requests" role="group" aria-label="requests">{"".join(requests)}'
        f'<span class="eo-lates">{"".join(lates)}</span></div>'
        f'<div class="eo-producer-track eo-answers" role="group" aria-label="answers">'
        f'<span class="eo-waits">{_waiting(waits)}</span>{"".join(answers)}</div>'
        f'<p class="eo-gone-row">{below}</p></div>'
    )


def _waiting(packets):
    """Return the answers that have arrived while the producer waits for an older one."""
    found = ""
    for sign, css in (("✓", "eo-yes"), ("✗", "eo-no")):
        letters = "".join(letter(one.batch) for one in packets if _colour(one) == css)
        found += f'<span class="eo-packet eo-here {css}">{sign} {letters}</span>' if letters else ""
    return found


def _name(packet):
    number = "" if packet.sequence is None else f" {packet.sequence}"
    return f"{letter(packet.batch)}{number}"


def _message(lane, packet, kind, do, value, text, label, css, at=None):
    style = "" if at is None else f' style="left:{at}%"'
    key = f"{lane.rule}-{packet.batch}-{packet.attempt}-{kind}"
    return (
        f'<button type="button" class="eo-packet eo-producer-{kind} {css}" data-do="{do}" data-value="{value}" '
        f'data-key="{key}" aria-label="{escape(label)}" title="{escape(label)}"{style}>{text}</button>'
    )


def _request(lane, packet, tick, state):
    what = "drop it" if state.mode == "drop" else "delay it"
    label = f"request {sending(packet)}: {what}, in all lanes"
    value = f"{packet.batch}|{packet.attempt}|request"
    at = 2 + 36 * (tick - packet.sent) / (TRANSIT - 1)
    return _message(lane, packet, "request", "strike", value, escape(_name(packet)), label, "", round(at))


def _late(lane, packet, tick):
    label = f"late request {sending(packet)}: let it arrive now"
    value = f"{packet.batch}|{packet.attempt}|{max(tick - packet.sent + 1, 0)}"
    return _message(lane, packet, "late", "arrive", value, f"<i>◷</i> {escape(_name(packet))}", label, "")


def _reply(lane, packet, tick):
    label = f"answer to {sending(packet)}: drop it, in all lanes"
    value = f"{packet.batch}|{packet.attempt}|reply"
    words = answer_words(packet, lane.rule)
    start = min(70, 89 - 4 * len(words))  # the first place at which the words stay within the track
    at = start - (start - 42) * (tick - packet.sent - TRANSIT) / (TRANSIT - 1)
    return _message(lane, packet, "reply", "strike", value, escape(words), label, _colour(packet), round(at))


def _colour(packet):
    return "eo-yes" if packet.taken or packet.answer in ("offset", "again", "have") else "eo-no"


def _lost(lane, packet, tick, state):
    """Return (whether it is an answer, HTML) of a lost packet for which the producer still waits, or None."""
    since = packet.lost if packet.cut else packet.sent + (TRANSIT if packet.fate == "reply" else 0)
    until = packet.heard if packet.fate != "late" else packet.lost + 2
    if tick < since or (until is not None and tick > until):
        return None
    reply = packet.fate == "reply"
    text = f"<i>✖</i> {'✓ ' if reply else ''}{letter(packet.batch)}"
    strike = state.settings.strike(packet.batch, packet.attempt)
    if packet.cut or strike is None:
        return reply, f'<span class="eo-packet eo-producer-lost">{text}</span>'
    what = "answer to" if reply else "request"
    label = f"{what} {sending(packet)} is lost: let it through"
    number = state.settings.strikes.index(strike)
    return reply, _message(lane, packet, "lost", "heal", number, text, label, "")


def broker(lane, tick):
    """Return the broker: its log, newest last, and its memory of the producer."""
    moment, many = lane.at(tick), lane.settings.batches > ROOMY
    dense = many or len(moment.log) > MANY
    grew = moment.tick == tick and tick > 0 and len(moment.log) > len(lane.at(tick - 1).log)
    first = max(0, len(moment.log) - MOST_CELLS[many])
    cells = (
        [f'<li class="eo-older"><small>{"0" if first == 1 else f"0–{first - 1}"}</small><b>…</b></li>']
        if first
        else []
    )
    cells += [
        _record(lane, moment, offset, dense, grew and offset == len(moment.log) - 1)
        for offset in range(first, len(moment.log))
    ]
    cells.append(
        f'<li class="eo-producer-record eo-producer-next"><small>{len(moment.log)}</small><b>&nbsp;</b><em></em></li>'
    )
    tight = " eo-dense" if dense else ""
    return (
        f'<div class="eo-broker"><ol class="eo-log{tight}" aria-label="the log">{"".join(cells)}</ol>'
        f'<p class="eo-memory{" eo-dense" if many else ""}">{memory(lane, moment, many)}</p></div>'
    )


def _record(lane, moment, offset, dense, new):
    """Return a record of the log: its offset, its letter, and below its number, or its flaw."""
    ill = mark(moment.log, offset)
    kind = (" eo-odd-after" if ill.startswith("after") else " eo-twice" if ill else "") + (
        " eo-producer-new" if new else ""
    )
    packets = (one for one in lane.packets if one.answer == "offset" and one.offset == offset)
    packet = next(packets, None)
    below = "" if packet is None or packet.sequence is None else str(packet.sequence)
    below = f"seq {below}" if below and not dense else below
    if ill:
        short = f"⤨{ill[-1]}" if ill.startswith("after") else f"×{moment.log[: offset + 1].count(moment.log[offset])}"
        below = short if dense else f"{short[0]} {ill}"
    flag = " <u>new</u>" if new and not dense else ""
    said = f' title="{ill}"' if ill else ""
    return (
        f'<li class="eo-producer-record{kind}"{said}><small>{offset}{flag}</small><b>{letter(moment.log[offset])}</b>'
        f"<em>{below}</em></li>"
    )


def memory(lane, moment, tight=False):
    """Return the broker's memory of the producer, by its rule."""
    if lane.rule == "naive":
        return "remembers nothing of its producers"
    if not moment.memory:
        return "has not heard of the producer"
    producer_id, entry = next(iter(moment.memory.items()))
    if lane.rule == "article":
        return f"producer {producer_id}: <b>next = {entry.window[-1][1] + 1}</b>"
    held = [f"{sequence}@{base}" for sequence, _, base in entry.window]
    boxes = "".join(f"<span>{one}</span>" for one in [*held, *([""] * (WINDOW - len(held)))])
    said = (
        f"id {producer_id}, epoch {entry.epoch}:"
        if tight
        else f"producer {producer_id}, epoch {entry.epoch}, last five:"
    )
    return f'{said} <span class="eo-window">{boxes}</span>'


def steps_table(lanes, ticks):
    """Return all ticks as a DataFrame: the events in each lane, and the log after them."""
    rows = []
    for place, tick in enumerate(ticks, 1):
        row = [place, tick]
        for lane in lanes:
            text = "; ".join(words for words, _ in happens(lane, tick)) or "–"
            row += [text, " ".join(letter(batch) for batch in lane.at(tick).log) or "empty"]
        rows.append(row)
    columns = ["step", "tick"]
    for lane in lanes:
        columns += [TITLES[lane.rule], f"{TITLES[lane.rule]}: log"]
    return pd.DataFrame(rows, columns=columns)


def token_table(lanes):
    """Return the token of each lane, with the call that replays it."""
    rows = [
        (TITLES[lane.rule], lane.token, f'replay(lab.token("{lane.rule}"), lab.programs("{lane.rule}"))')
        for lane in lanes
    ]
    return pd.DataFrame(
        rows, columns=["lane", "token", "replayed, for lab = producer_lab() and the replay of explore"]
    )

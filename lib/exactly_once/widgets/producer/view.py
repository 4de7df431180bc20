"""The producer lab's screen as fragments of HTML, from its model: controls, one stage for each tick, a table."""

import re
from html import escape

import pandas as pd

from ... import show
from ..base.controls import banner, button, number_field, select
from .lane import TRANSIT, Settings
from .model import MOST_BATCHES, MOST_IN_FLIGHT
from .words import (
    ABOUT,
    TITLES,
    answer_words,
    compared,
    fault_words,
    first_difference,
    in_words,
    letter,
    mark,
    names,
    sending,
    story,
    verdict,
)

ROOMY, MANY = 5, 6  # the largest numbers of batches and of records with wide cells
MOST_CELLS = {False: 11, True: 8}  # of a log, by whether there are many batches; older records are counted
WIDTHS = {6: 52, 7: 48, 8: 45}  # of a batch's cell, in pixels; 56 for fewer
WINDOW = 5
SIGNS = {"request": "✖", "reply": "✖", "late": "◷"}
CLIENTS = {"librdkafka": "number refused: librdkafka", "java": "number refused: Java"}
ALONE = "With numbers, nothing else is sent until the first batch is acknowledged: a broker takes any first number."
FOR_GOOD = (
    "What the client does with a batch that is sent alone and refused. librdkafka stops. Java begins a new epoch if "
    "it is the next one after the last acknowledged; otherwise it sends the batch again until it expires."
)
CUTS = "After the step on the screen, in all lanes: connections break, and what is on its way is lost."
DIFFERS = '<span class="eo-producer-differs">≠ Here the lanes differ for the first time.</span>'


def fragments(model, _width=None):
    """Return {trait: value} of a `ProducerModel`: fragments of HTML, and for each tick its sentence, and a stage."""
    state, ticks, lanes = model.state, model.ticks, list(model.state.lanes.values())
    stories, differs = [story(lane) for lane in lanes], first_difference(lanes)
    return {
        "toolbar": settings_menu(state) + faults(state.settings, ticks),
        "outages": _tipped(button("eo-restart", "restart", "Restart broker"), CUTS)
        + _tipped(button("eo-fail-over", "fail_over", "Fail over"), CUTS),
        "columns": f"{WIDTHS.get(state.settings.batches, 56) * state.settings.batches}px",
        "heads": heads(state.settings),
        "ticks": ticks,
        "differs": -1 if differs is None else ticks.index(differs),
        "says": [
            says(*compared(stories, lanes, tick, ticks)) + f" {DIFFERS}" * (tick == differs) for tick in ticks
        ],
        "stages": ["".join(stage(lane, tick, state) for lane in lanes) for tick in ticks],
        "marks": marks(lanes, ticks, differs),
        "words": show.folded(steps_table(lanes, stories, ticks), "All steps as a table")
        + show.folded(token_table(lanes), "Tokens"),
        "stale": model.stale,
    }


def settings_menu(state):
    """Return the common settings of all lanes, folded, and beside them those that are not as at first."""
    settings, refused, usual = state.settings, state.refused, Settings()
    inside = (
        number_field("Batches", "batches", settings.batches, refused, MOST_BATCHES)
        + number_field("In flight", "in_flight", settings.in_flight, refused, MOST_IN_FLIGHT)
        + _tipped(button("eo-first-alone", "first_alone", "First batch alone", pressed=settings.first_alone), ALONE)
        + _tipped(select("client", CLIENTS.items(), settings.client), FOR_GOOD, 'aria-label="The client" ')
    )
    said = {
        "batches": f"{settings.batches} batches",
        "in_flight": f"up to {settings.in_flight} in flight",
        "first_alone": "first batch not alone",
        "client": CLIENTS[settings.client],
    }
    chosen = " · ".join(words for name, words in said.items() if getattr(settings, name) != getattr(usual, name))
    return (
        '<details class="eo-menu eo-producer-settings"><summary class="eo-button" data-key="settings">Settings ▾'
        f'</summary><div class="eo-menu-body">{inside}</div></details><span class="eo-producer-chosen">{chosen}</span>'
    )


def _tipped(control, tip, more=""):
    """Return a control with words for the pointer."""
    return control.replace(" ", f' title="{escape(tip)}" {more}', 1)


def faults(settings, ticks):
    """Return the chosen faults, each a button that removes it."""
    chips = []
    for number, fault in enumerate((*settings.strikes, *settings.outages)):
        words = escape(fault_words(fault, ticks))
        chips.append(
            f'<button type="button" class="eo-producer-chip" data-do="heal" data-value="{number}" '
            f'data-key="heal-{number}" aria-label="take away: {words}"><i>{SIGNS.get(fault.kind, "↻")}</i> {words} '
            '<span aria-hidden="true">×</span></button>'
        )
    if len(chips) > 1:
        chips.append(button("eo-clear eo-small", "clear", "No faults"))
    said = "" if chips else '<span class="eo-dim">none</span>'
    reset = button("eo-producer-reset eo-small", "reset", "Reset")
    return f'<span class="eo-dim">Faults:</span>{said}{"".join(chips)}{reset}'


def heads(settings):
    """Return the titles of the three columns."""
    many = settings.batches > ROOMY
    network, broker = ("same faults", "log") if many else ("same faults for all", "its log by offset")
    return (
        f"<span>Producer: up to {settings.in_flight} in flight</span><span>Network: {network}</span>"
        f"<span>Broker: {broker}, and its memory</span>"
    )


def marks(lanes, ticks, differs):
    """Return [[place of a tick, sign]] for each tick at which a fault strikes in any lane, or the lanes differ."""
    found = {}
    for lane in lanes:
        for tick, *_ in lane.outages:
            found[tick] = "↻"
        for packet in lane.packets:
            if packet.fate == "late":
                found.setdefault(packet.sent, "◷")
            elif packet.lost is not None and not packet.cut:
                found[packet.lost] = "✖"
    if differs is not None:
        found[differs] = "≠"
    return [[ticks.index(tick), sign] for tick, sign in sorted(found.items())]


def says(head, rest):
    """Return a sentence that compares the lanes; what hurts in it stands between stars."""
    hurts = re.sub(r"\*(.+?)\*", r'<em class="eo-producer-hurts">\1</em>', escape(rest))
    return f"<strong>{escape(head)}</strong> {hurts}"


def stage(lane, tick, state):
    """Return one lane at a tick: producer, network, broker, and the result so far."""
    good, headline, rest = verdict(lane, tick)
    leads = f"broker {lane.at(tick).broker} leads" if lane.settings.brokers > 1 else ""
    words = f"<strong>{'✓' if good else '✗'} {escape(headline)}</strong> {escape(rest)}"
    return (
        f'<section class="eo-producer-lane eo-lane-{lane.rule}" aria-label="{TITLES[lane.rule]}" '
        f'data-key="{lane.rule}"><p class="eo-title"><b>{TITLES[lane.rule]}</b> '
        f'<b class="eo-producer-leads">{leads}</b> <span>{escape(ABOUT[lane.rule])}</span></p>'
        f'<div class="eo-lane-row">{producer(lane, tick)}{network(lane, tick, state)}{broker(lane, tick)}</div>'
        f"{banner('good' if good else 'bad', words)}</section>"
    )


def cell(kind, above, mark):
    """Return one cell of a row, of a kind; both parts are HTML."""
    return f'<li class="eo-cell{kind}">{above}<small class="eo-mark">{mark}</small></li>'


def producer(lane, tick):
    """Return the producer's batches: letter, sequence number, and the standing of each."""
    cells = "".join(_batch(lane, batch, tick) for batch in range(1, lane.settings.batches + 1))
    return f'<ol class="eo-cells eo-batches" aria-label="the producer’s batches">{cells}</ol>'


def _batch(lane, batch, tick):
    sent = [packet for packet in lane.packets if packet.batch == batch and packet.sent <= tick]
    many = lane.settings.batches > ROOMY
    words, kind = "waits", "unsent"
    if sent:
        last, heard = sent[-1], [one for one in sent if one.heard is not None and one.heard <= tick]
        if any(one.taken for one in heard):
            words, kind = ("acked" if many else "✓ acked"), "acked"
        elif last in heard and lane.error and tick >= lane.end:
            words, kind = "stops", "stops eo-odd"
        elif last in heard:
            words, kind = ("refused" if last.answered else "again"), "refused"
        else:
            times = f"{len(sent)}×" if many else f"sent {len(sent)}×"
            words, kind = ("sent" if len(sent) == 1 else times), "now"
    number = "–"
    if lane.rule != "naive":
        number = str(batch - 1) if not sent else str(sent[-1].sequence)
        number += f"<i>e{sent[-1].epoch}</i>" if sent and sent[-1].epoch else ""
    return cell(f" eo-producer-{kind}", f"<b>{letter(batch)}</b><small>{number}</small>", words)


def network(lane, tick, state):
    """Return the messages on their way: requests to the right, answers to the left, and the lost ones of both."""
    found = {where: [] for where in ("request", "late", "reply", "waits")}
    for packet in lane.packets:
        if where := packet.place(tick):
            found[where].append(packet)
    requests, answers = ("".join(_moving(lane, one, tick, kind) for one in found[kind]) for kind in ("request", "reply"))
    lates = "".join(_late(lane, packet, tick) for packet in found["late"])
    above, below = (_lost(lane, tick, state, replies) for replies in (False, True))
    return (
        f'<div class="eo-network"><p class="eo-gone-row">{above}</p>'
        f'<div class="eo-producer-track eo-requests" role="group" aria-label="requests">{requests}'
        f'<span class="eo-lates">{lates}</span></div>'
        f'<div class="eo-producer-track eo-answers" role="group" aria-label="answers">'
        f'<span class="eo-waits">{_waiting(found["waits"])}</span>{answers}</div>'
        f'<p class="eo-gone-row">{below}</p></div>'
    )


def _waiting(packets):
    """Return the answers that have arrived while the producer waits for an older one."""
    found = ""
    for sign, css in (("✓", "eo-yes"), ("✗", "eo-no")):
        letters = names(one.batch for one in packets if _colour(one) == css).replace(", ", "")
        found += f'<span class="eo-packet eo-here {css}">{sign} {letters}</span>' if letters else ""
    return found


def _key(lane, packet, kind):
    return f"{lane.rule}-{packet.batch}-{packet.attempt}-{kind}"


def _moving(lane, packet, tick, kind):
    """Return a message on its way, "request" or "reply", with the menu of what can be done to it in all lanes."""
    name, number = sending(packet), "" if packet.sequence is None else f" {packet.sequence}"
    if kind == "request":
        text, label, items = letter(packet.batch) + number, f"request {name}: drop or delay it", ("request", "late")
        at = 2 + 36 * (tick - packet.sent) / (TRANSIT - 1)
    else:
        text, label, items = answer_words(packet, lane.rule), f"answer to {name}: drop it", ("reply",)
        start = min(70, 89 - 4 * len(text))  # the first place at which the words stay within the track
        at = start - (start - 42) * (tick - packet.sent - TRANSIT) / (TRANSIT - 1)
    css = f"eo-producer-{kind} {_colour(packet) if kind == 'reply' else ''}"
    menu = "".join(
        button("eo-small", "strike", f"{SIGNS[each]} {'delay' if each == 'late' else 'drop'}",
               value=f"{packet.batch}|{packet.attempt}|{each}", key=_key(lane, packet, each))
        for each in items
    )  # fmt: skip
    return (
        f'<details class="eo-menu" data-key="{_key(lane, packet, "menu")}" style="left:{round(at)}%">'
        f'<summary class="eo-packet {css}" data-key="{_key(lane, packet, kind)}" aria-label="{label}, in all lanes" '
        f'title="{label}, in all lanes">{escape(text)}</summary>'
        f'<div class="eo-menu-body" data-arrows role="group" aria-label="{label}">{menu}</div></details>'
    )


def _message(lane, packet, kind, do, value, text, label):
    return (
        f'<button type="button" class="eo-packet eo-producer-{kind}" data-do="{do}" data-value="{value}" '
        f'data-key="{_key(lane, packet, kind)}" aria-label="{label}" title="{label}">{text}</button>'
    )


def _late(lane, packet, tick):
    label = f"late request {sending(packet)}: let it arrive now"
    value = f"{packet.batch}|{packet.attempt}|late|{max(tick - packet.sent + 1, 0)}"
    number = "" if packet.sequence is None else f" {packet.sequence}"
    return _message(lane, packet, "late", "strike", value, f"<i>◷</i> {letter(packet.batch)}{number}", label)


def _colour(packet):
    return "eo-yes" if packet.answer in ("offset", "again", "have") else "eo-no"


def _lost(lane, tick, state, replies):
    """Return the lost answers or requests for which the producer still waits."""
    found = ""
    for packet in lane.packets:
        if packet.lost is None or replies != (packet.fate == "reply"):
            continue
        since = packet.lost if packet.cut else packet.sent + TRANSIT * replies
        until = packet.heard if packet.fate != "late" else packet.lost + 2
        if tick < since or (until is not None and tick > until):
            continue
        text = f"<i>✖</i> {'✓ ' * replies}{letter(packet.batch)}"
        strike = state.settings.strike(packet.batch, packet.attempt)
        if packet.cut or strike is None:
            found += f'<span class="eo-packet eo-producer-lost">{text}</span>'
        else:
            label = f"{'answer to' if replies else 'request'} {sending(packet)} is lost: let it through"
            number = state.settings.strikes.index(strike)
            found += _message(lane, packet, "lost", "heal", number, text, label)
    return found


def broker(lane, tick):
    """Return the broker: its log, newest last, and its memory of the producer."""
    moment, many = lane.at(tick), lane.settings.batches > ROOMY
    end, grew = len(moment.log), moment.tick == tick > 0 and len(moment.log) > len(lane.at(tick - 1).log)
    first, dense = max(0, end - MOST_CELLS[many]), many or end > MANY
    older = "0" if first == 1 else f"0–{first - 1}"
    cells = cell(" eo-before", f"<small>{older}</small><b>…</b>", "") if first else ""
    for offset in range(first, end):
        cells += _record(lane, moment.log, offset, dense, grew and offset == end - 1)
    cells += cell(" eo-producer-next", f"<small>{end}</small>", "")
    return (
        f'<div class="eo-broker{" eo-dense" if dense else ""}"><ol class="eo-cells eo-log" aria-label="the log">{cells}'
        f'</ol><p class="eo-memory{" eo-tight" if many else ""}">{memory(lane, moment, many)}</p></div>'
    )


def _record(lane, log, offset, dense, new):
    """Return a record of the log: its offset, its letter, and below its number, or its flaw."""
    ill = mark(log, offset)
    kind = (" eo-odd" if ill.startswith("after") else " eo-again" if ill else "") + " eo-producer-new" * new
    packet = next((one for one in lane.packets if one.answer == "offset" and one.offset == offset), None)
    below = "" if packet is None or packet.sequence is None else f"{'' if dense else 'seq '}{packet.sequence}"
    if ill:
        short = f"⤨{ill[-1]}" if ill.startswith("after") else f"×{log[: offset + 1].count(log[offset])}"
        below = short if dense else f"{short[0]} {ill}"
    flag = " <u>new</u>" if new and not dense else ""
    return cell(kind, f"<small>{offset}{flag}</small><b>{letter(log[offset])}</b>", below)


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
    said = f"id {producer_id}, epoch {entry.epoch}:" if tight else f"producer {producer_id}, epoch {entry.epoch}, last five:"
    return f'{said} <span class="eo-window">{boxes}</span>'


def steps_table(lanes, stories, ticks):
    """Return all ticks as a DataFrame: the events in each lane, and the log after them."""
    rows = [
        [place, tick]
        + [text for lane, told in zip(lanes, stories, strict=True)
           for text in (in_words(told, tick), names(lane.at(tick).log).replace(",", "") or "empty")]
        for place, tick in enumerate(ticks, 1)
    ]  # fmt: skip
    columns = [title for lane in lanes for title in (TITLES[lane.rule], f"{TITLES[lane.rule]}: log")]
    return pd.DataFrame(rows, columns=["step", "tick", *columns])


def token_table(lanes):
    """Return the token of each lane, with the call that replays it."""
    rows = [
        (TITLES[lane.rule], lane.token, f'replay(lab.token("{lane.rule}"), lab.programs("{lane.rule}"))')
        for lane in lanes
    ]
    return pd.DataFrame(
        rows, columns=["lane", "token", "replayed, for lab = producer_lab() and the replay of explore"]
    )

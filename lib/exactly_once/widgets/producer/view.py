"""The producer lab's screen as fragments of HTML, from its model: controls, one stage for each tick, a table."""

import re
from html import escape

import pandas as pd

from ... import show
from ..base.controls import banner, button, field, number_field, row, select
from . import words as say
from .lane import TRANSIT, Settings
from .model import NUMBERS

ROOMY, MANY = 5, 6  # the largest numbers of batches and of records with wide cells
MOST_CELLS = {False: 11, True: 8}  # of a log, by whether there are many batches; older records are counted
SIGNS = {"request": "✖", "reply": "✖", "late": "◷"}
CLIENTS = {"librdkafka": "number refused: librdkafka", "java": "number refused: Java"}
ALONE = "With numbers, nothing else is sent until the first batch is acknowledged: a broker takes any first number."
FOR_GOOD = (
    "A batch that is sent alone and refused: librdkafka stops. Java begins a new epoch if the batch is the next one "
    "after the last acknowledged; otherwise it sends the batch again until it expires."
)
CUTS = "After the step on the screen, in all lanes: connections break, and what is on its way is lost."
DIFFERS = ' <span class="eo-producer-differs">≠ Here the lanes differ for the first time.</span>'


def fragments(model, _width=None):
    """Return {trait: value} of a `ProducerModel`: fragments of HTML, and for each tick its sentence, and a stage."""
    state, ticks, lanes = model.state, model.ticks, list(model.state.lanes.values())
    stories, differs = [say.story(lane) for lane in lanes], say.first_difference(lanes)
    said = [says(*say.compared(stories, lanes, tick, ticks)) + DIFFERS * (tick == differs) for tick in ticks]
    return {
        "toolbar": settings_menu(state) + faults(state.settings, ticks),
        "outages": button("eo-restart", "restart", "Restart broker", tip=CUTS)
        + button("eo-fail-over", "fail_over", "Fail over", tip=CUTS),
        "batches": state.settings.batches,
        "heads": f"<span>Producer: up to {state.settings.in_flight} in flight</span> "
        "<span>Network: same faults</span> <span>Broker: log and memory</span>",
        "ticks": ticks,
        "differs": -1 if differs is None else ticks.index(differs),
        "says": said,
        "stages": ["".join(stage(lane, tick, state) for lane in lanes) for tick in ticks],
        "marks": marks(stories, ticks, differs),
        "words": show.folded(steps_table(lanes, stories, ticks), "All steps as a table")
        + show.folded(token_table(lanes), "Tokens"),
        "stale": model.stale,
    }


def settings_menu(state):
    """Return the common settings of all lanes, folded, and beside them those that are not as at first."""
    settings, refused, usual = state.settings, state.refused, Settings()
    inside = (
        number_field("Batches", "batches", settings.batches, refused, NUMBERS["batches"][1])
        + number_field("In flight", "in_flight", settings.in_flight, refused, NUMBERS["in_flight"][1])
        + button("eo-first-alone", "first_alone", "First batch alone", pressed=settings.first_alone)
        + f"<p>{ALONE}</p>{field('The client', select('client', CLIENTS.items(), settings.client))}<p>{FOR_GOOD}</p>"
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
        f'</summary><div class="eo-menu-body">{inside}</div></details>'
        + f'<b class="eo-producer-chosen">{chosen}</b> '
        * bool(chosen)
    )


def faults(settings, ticks):
    """Return the chosen faults, each a button that removes it."""
    chips = ""
    for fault in (*settings.strikes, *settings.outages):
        words = say.fault_words(fault, ticks)
        does = ("strike", fault) if fault in settings.strikes else (fault.kind.replace(" ", "_"), fault.tick)
        title = f"{SIGNS.get(fault.kind, '↻')} {words} ×"
        chips += button("eo-producer-chip", does[0], title, value=does[1], spoken=f"take away: {words}")
    if len(settings.strikes) + len(settings.outages) > 1:
        chips += button("eo-clear eo-small", "clear", "No faults")
    reset = button("eo-producer-reset eo-small", "reset", "Reset")
    return f'<span class="eo-dim">Faults:{"" if chips else " none"}</span>{chips}{reset}'


def marks(stories, ticks, differs):
    """Return [[place of a tick, sign]] for each tick at which a fault strikes in any lane, or the lanes differ."""
    found = {} if differs is None else {differs: "≠"}
    for tick, one in ((tick, one) for told in stories for tick, events in told.items() for one in events if one.sign):
        found.setdefault(tick, one.sign)
    return [[ticks.index(tick), sign] for tick, sign in sorted(found.items())]


def says(head, *rest):
    """Return the sentences that compare the lanes; what hurts in them stands between stars."""
    hurts = re.sub(r"\*(.+?)\*", r'<em class="eo-producer-hurts">\1</em>', escape(" ".join(rest)))
    return f"<strong>{escape(head)}</strong> {hurts}"


def stage(lane, tick, state):
    """Return one lane at a tick: producer, network, broker, and the result so far."""
    good, headline, rest = say.verdict(lane, tick)
    leads = f"<b>broker {lane.at(tick).broker} leads</b> · " if lane.settings.brokers > 1 else ""
    words = f"<strong>{'✓' if good else '✗'} {escape(headline)}</strong> {escape(rest)}"
    return (
        f'<section class="eo-producer-lane eo-lane-{lane.rule}" aria-label="{say.TITLES[lane.rule]}" '
        f'data-key="{lane.rule}"><p class="eo-title"><b>{say.TITLES[lane.rule]}</b> · '
        f"{leads}{escape(say.ABOUT[lane.rule])}</p>"
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
    heard = [packet for packet in sent if packet.heard is not None and packet.heard <= tick]
    many, last = lane.settings.batches > ROOMY, sent[-1] if sent else None
    if not sent:
        words, kind = "waits", "unsent"
    elif any(packet.taken for packet in heard):
        words, kind = "acked" if many else "✓ acked", "acked"
    elif last not in heard:
        words, kind = "sent" if len(sent) == 1 else f"{len(sent)}×" if many else f"sent {len(sent)}×", "now"
    elif lane.error and tick >= lane.end:
        words, kind = "stops", "stops eo-odd"
    else:
        words, kind = "refused" if last.answered else "again", "refused"
    number = "–" if lane.rule == "naive" else last.sequence if sent else batch - 1
    epoch = f"<i>e{last.epoch}</i>" if sent and last.epoch else ""
    return cell(f" eo-producer-{kind}", f"<b>{say.letter(batch)}</b><small>{number}{epoch}</small>", words)


def network(lane, tick, state):
    """Return the messages on their way: requests to the right, answers to the left, and the lost ones of both."""
    found, lost = dict.fromkeys(("request", "late", "reply"), ""), {True: "", False: ""}
    for packet in lane.packets:
        if (where := packet.place(tick)) == "lost":
            lost[packet.fate == "reply"] += _lost(lane, packet, state.settings)
        elif where in found:
            found[where] += _moving(lane, packet, tick, where)
    return (
        f'<div class="eo-network"><p class="eo-gone-row">{lost[False]}</p>'
        f'<div class="eo-producer-track eo-requests" role="group" aria-label="requests">{found["request"]}'
        f'<span class="eo-lates">{found["late"]}</span></div>'
        f'<div class="eo-producer-track eo-answers" role="group" aria-label="answers">'
        f'<span class="eo-waits">{_waiting(lane, tick)}</span>{found["reply"]}</div>'
        f'<p class="eo-gone-row">{lost[True]}</p></div>'
    )


def _waiting(lane, tick):
    """Return the answers that have arrived while the producer waits for an older one."""
    found, waiting = "", [packet for packet in lane.packets if packet.place(tick) == "waits"]
    for sign, css, there in (("✓", "eo-yes", True), ("✗", "eo-no", False)):
        letters = "".join(say.letter(one.batch) for one in waiting if one.is_there == there)
        found += f'<span class="eo-packet eo-here {css}">{sign} {letters}</span>' if letters else ""
    return found


def _moving(lane, packet, tick, kind):
    """Return a message on its way, "request" or "reply", with the menu of what can be done to it in all lanes; or a
    late request, which arrives at a click.
    """
    name, what, colour = say.sending(packet), f"{packet.batch}|{packet.attempt}", ""
    text = say.letter(packet.batch) + ("" if packet.sequence is None else f" {packet.sequence}")
    if kind == "late":
        value = f"{what}|late|{max(tick - packet.sent + 1, 0)}"
        return _button(lane, packet, kind, value, f"◷ {text}", f"late request {name}: let it arrive now")
    gone = (tick - packet.sent) % TRANSIT / (TRANSIT - 1)  # the part of the way
    if kind == "request":
        label, items, at = f"request {name}: drop or delay it", ("request", "late"), 2 + 36 * gone
    else:
        text, label, items = say.answer_words(packet, lane.rule), f"answer to {name}: drop it", ("reply",)
        start = min(70, 89 - 4 * len(text))  # the first place at which the words stay within the track
        at, colour = start - (start - 42) * gone, " eo-yes" if packet.is_there else " eo-no"
    key = f"{lane.rule}-{packet.batch}-{packet.attempt}-"
    does = {each: f"{SIGNS[each]} {'delay' if each == 'late' else 'drop'}" for each in items}
    menu = [button("eo-small", "strike", does[each], value=f"{what}|{each}", key=key + each) for each in items]
    return (
        f'<details class="eo-menu" data-key="{key}menu" style="left:{at:.0f}%"><summary data-key="{key}{kind}" '
        f'class="eo-packet eo-producer-{kind}{colour}" aria-label="{label}, in all lanes" '
        f'title="{label}, in all lanes">{escape(text)}</summary>{row("eo-menu-body", label, *menu)}</details>'
    )


def _lost(lane, packet, settings):
    """Return a lost message. If a fault of the settings lost it, a click lets it through."""
    reply, strike = packet.fate == "reply", settings.strike(packet.batch, packet.attempt)
    text = f"✖ {'✓ ' * reply}{say.letter(packet.batch)}"
    if packet.cut or strike is None:
        return f'<span class="eo-packet eo-producer-lost">{text}</span>'
    label = f"{'answer to' if reply else 'request'} {say.sending(packet)} is lost: let it through"
    return _button(lane, packet, "lost", strike, text, label)


def _button(lane, packet, kind, value, text, label):
    css, key = f"eo-packet eo-producer-{kind}", f"{lane.rule}-{packet.batch}-{packet.attempt}-{kind}"
    return button(css, "strike", text, value=value, spoken=label, tip=label, key=key)


def broker(lane, tick):
    """Return the broker: its log, newest last, and its memory of the producer."""
    moment, many = lane.at(tick), lane.settings.batches > ROOMY
    end, grew = len(moment.log), moment.tick == tick > 0 and len(moment.log) > len(lane.at(tick - 1).log)
    first, dense = max(0, end - MOST_CELLS[many]), many or end > MANY
    older = f"<small>{f'0–{first - 1}' if first > 1 else 0}</small><b>…</b>"
    cells = cell(" eo-before", older, "") * (first > 0)
    for offset in range(first, end):
        cells += _record(lane, moment.log, offset, dense, grew and offset == end - 1)
    cells += cell(" eo-producer-next", f"<small>{end}</small>", "")
    return (
        f'<div class="eo-broker{" eo-dense" * dense}"><ol class="eo-cells eo-log" aria-label="the log">{cells}</ol>'
        f'<p class="eo-memory">{memory(lane, moment, many)}</p></div>'
    )


def _record(lane, log, offset, dense, new):
    """Return a record of the log: its offset, its letter, and below its number, or its flaw."""
    ill = say.mark(log, offset)
    kind = (" eo-odd" if ill.startswith("after") else " eo-again" if ill else "") + " eo-producer-new" * new
    packet = next((one for one in lane.packets if one.answer == "offset" and one.offset == offset), None)
    below = "" if packet is None or packet.sequence is None else f"{'' if dense else 'seq '}{packet.sequence}"
    if ill:
        short = f"⤨{ill[-1]}" if ill.startswith("after") else f"×{log[: offset + 1].count(log[offset])}"
        below = short if dense else f"{short[0]} {ill}"
    flag = " <u>new</u>" if new and not dense else ""
    return cell(kind, f"<small>{offset}{flag}</small><b>{say.letter(log[offset])}</b>", below)


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
    boxes = "".join(f"<span>{one}</span>" for one in [*held, *[""] * 5][:5])
    who = f"{'id' if tight else 'producer'} {producer_id}, epoch {entry.epoch}{'' if tight else ', last five'}:"
    return f'{who} <span class="eo-window">{boxes}</span>'


def steps_table(lanes, stories, ticks):
    """Return all ticks as a DataFrame: the events in each lane, and the log after them."""
    rows = [
        [place, tick]
        + [text for lane, told in zip(lanes, stories, strict=True)
           for text in (say.in_words(told, tick), say.names(lane.at(tick).log).replace(",", "") or "empty")]
        for place, tick in enumerate(ticks, 1)
    ]  # fmt: skip
    columns = [title for lane in lanes for title in (say.TITLES[lane.rule], f"{say.TITLES[lane.rule]}: log")]
    return pd.DataFrame(rows, columns=["step", "tick", *columns])


def token_table(lanes):
    """Return the token of each lane, with the call that replays it."""
    call = 'replay(lab.token("{0}"), lab.programs("{0}"))'
    rows = [(say.TITLES[lane.rule], lane.token, call.format(lane.rule)) for lane in lanes]
    how = "replayed, for lab = producer_lab() and the replay of explore"
    return pd.DataFrame(rows, columns=["lane", "token", how])

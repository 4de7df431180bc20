"""The Twins console on the screen, as fragments of HTML, one for each region."""

from html import escape

import pandas as pd

from ... import show
from ..base.controls import banner, button, field, select
from ..base.nodes import plural, who
from .model import MOST, PACES
from .picture import axis_of, register_svg, tape_svg, waits_svg
from .reading import POINTS, by_hour, hours_of, strikes
from .words import armed_words, millis, seconds, status_words, verdict

SIDE, GAP = 244, 14  # pixels of the events' column, and before it
TOGETHER = 720  # pixels, from this width on the events stand beside the pictures
FAULTS = ("stopped", "killed")
KILL, STOP, RESUME = "✖ Kill", "❚❚ Stop", "▶ Resume"


def fragments(model, width):
    """Return {trait: HTML} of a `TwinsModel`; `width` is that of the whole console, in pixels."""
    state = model.state
    axis = axis_of(state, width - SIDE - GAP if width >= TOGETHER else width)
    return {
        "head": head_html(model),
        "nodes": nodes_html(model),
        "says": says_html(state),
        "pictures": pictures_html(state, axis),
        "events": events_html(state),
        "words": tables_html(state),
        "status": status_html(state),
    }


def head_html(model):
    """Return the row of controls of the run as a whole."""
    state = model.state
    idle, live = state.busy == "idle", model.is_live
    start = button("eo-start", "start", "▶ Start" if state.shot is None else "▶ Start again", not idle, primary=True)
    end = button("eo-end", "end", "■ End" if live or idle else "■ Stop", idle or state.busy == "stopping")
    twins = len(state.shot.twins) if state.shot else model.nodes
    more = {2: "+ Add a third", 3: "three are at work"}.get(twins, "+ Add one")
    return (
        f"{start}{end}{button('eo-add', 'add', more, not live or twins == MOST)}"
        f"{_inline('Strike', select('point', list(POINTS.items()), state.point, not live))}"
        f"{_pace(state.pace)}"
    )


def _inline(title, control):
    return field(title, control).replace('class="eo-field"', 'class="eo-field eo-inline"', 1)


def _pace(pace):
    words = f"{pace:g} {'hour' if pace == 1 else 'hours'} a second"
    control = (
        f'<input type="range" class="eo-pace" min="0" max="{len(PACES) - 1}" step="1" value="{PACES.index(pace)}" '
        f'data-do="pace" data-key="pace" aria-valuetext="{words}">'
    )
    return _inline(f"Pace: {pace:g} {'hour' if pace == 1 else 'hours'}/s", control)


def nodes_html(model):
    """Return a panel for each twin: its place, its state, and its buttons."""
    state = model.state
    if state.shot is None:
        waiting = [f"<section class=\"eo-twin\"><p>{_named(number)}</p><p class=\"eo-dim\">not started</p></section>"
                   for number in range(1, model.nodes + 1)]  # fmt: skip
        return "".join(waiting)
    return "".join(_panel(model, twin) for twin in state.shot.twins)


def _named(number):
    return f"{who(number - 1)} <strong>Twin {number}</strong>"


def _panel(model, twin):
    off, armed = not model.is_live, getattr(twin, "armed", None)
    placed = f"executor {twin.executor}, pid {twin.pid}" if twin.pid else ""
    stopped = twin.status == "stopped"
    if armed:
        do = _button("disarm", twin, f"Take back {armed[0]}", off)
        kind, words = "warn", armed_words(armed)
    else:
        do = (
            _button("resume", twin, RESUME, off)
            if stopped
            else _button("stop", twin, STOP, off or twin.status != "running")
        )
        kind, words = status_words(twin)
    kill = _button("kill", twin, KILL, off or twin.status not in ("running", "stopped") or bool(armed))
    return (
        f'<section class="eo-twin" aria-label="Twin {twin.number}" data-status="{twin.status}">'
        f'<p>{_named(twin.number)} <span class="eo-dim">{escape(placed)}</span></p>'
        f'<div class="eo-twins-row">{kill}{do}<span class="eo-status-of eo-is-{kind}">{escape(words)}</span></div>'
        "</section>"
    )


def _button(do, twin, title, off=False):
    spoken = f"{title.lstrip('✖❚▶ ')} twin {twin.number}"
    return button(f"eo-{do}", do, title, off, primary=do == "resume", value=twin.number, spoken=spoken)


def says_html(state):
    """Return the verdict so far, in sentences."""
    kind, title, words = verdict(state)
    return banner(kind, f"<strong>{title}</strong> {words}")


def pictures_html(state, axis):
    """Return the register, the tape and the waits, each under its heading, over the same hours."""
    shot = state.shot
    won = " ".join(f"{who(twin.number - 1)} {twin.won}" for twin in shot.twins) if shot else ""
    total = f"cas won: {won}" if shot else ""
    tape = f", {_span(axis)} of {len(shot.tape)}" if shot else ""
    counter = _counter(shot) if shot else ""
    beside = f"<span>{total}</span>{_looking(state, axis)}"
    return (
        f'<div style="width:{axis.width}px">'
        f"{_heading('The machine’s register', ', version by version', beside)}"
        f"{register_svg(state, axis)}"
        f"{_heading('Output tape', tape, counter)}{tape_svg(state, axis)}"
        f"{_heading('How long each record waited', ', log scale', _one(state))}{waits_svg(state, axis)}</div>"
    )


def _heading(title, more, right):
    return (
        f'<div class="eo-heading"><p><strong>{title}</strong><span class="eo-dim eo-more-words">{more}</span></p>'
        f'<div class="eo-twins-right">{right}</div></div>'
    )


def _span(axis):
    return f"hours {axis.hours[0]}–{axis.hours[-1]}"


def _looking(state, axis):
    """Return the buttons that choose the hours in sight."""
    hours, last, step = hours_of(state.shot), axis.hours[-1], axis.count // 2
    no_earlier, follows = not hours or axis.hours[0] <= hours[0], state.newest is None
    buttons = (
        button(
            "eo-small eo-earlier", "look", "◀", no_earlier, value=last - step, spoken="Earlier hours", key="earlier"
        ),
        button("eo-small eo-later", "look", "▶", follows, value=last + step, spoken="Later hours", key="later"),
        button("eo-small eo-to-fault", "fault", "Last fault", not strikes(state.shot)),
        button("eo-small eo-follow", "follow", "Follow", not hours, pressed=follows),
    )
    return f'<span class="eo-looking" role="group" aria-label="Which hours are in sight">{"".join(buttons)}</span>'


def _counter(shot):
    sign = '<b class="eo-good">✓</b>' if shot.counter == shot.counter_due else '<b class="eo-dim">… on the way</b>'
    if shot.counter > shot.counter_due:
        sign = '<b class="eo-bad">✗</b>'
    return f"<span>Counter in the other store: <b>{shot.counter}</b> of {shot.counter_due} {sign}</span>"


def _one(state):
    """Return the button that measures one node under the same fault, or the result."""
    if state.one is not None:
        one = state.one
        what = f"stopped for {seconds(one.still)}"
        if one.kind == "kill":
            what = f"killed, {seconds(one.still)} to its next incarnation"
        return f'<span class="eo-one-says">◇ one node, {what}</span>'
    off = state.shot is None or state.busy not in ("idle", "live")
    ask = button("eo-small eo-one", "one", "◇ Same fault, one node", off)
    return f"<span>it is measured …</span>{ask}" if state.busy == "measuring" else ask


# -- events ----------------------------------------------------------------------------------------------------


def events_html(state):
    """Return the events, by Lamport stamp: the newest, and before them those around the newest fault."""
    if state.shot is None:
        return '<p class="eo-eh"><strong>Events</strong><span class="eo-dim">, by Lamport stamp</span></p>'
    rows = "".join(_event(state.shot, each) for each in chosen(state.shot.happenings, 9 + len(state.shot.twins)))
    return (
        '<p class="eo-eh"><strong>Events</strong><span class="eo-dim">, by Lamport stamp</span></p>'
        f'<ol class="eo-event-list">{rows}</ol>'
    )


def chosen(happenings, most=11):
    """Return the events to show: around the newest fault, and the newest; an int is a number of events left out."""
    last = len(happenings) - 1
    fault = next((at for at in range(last, -1, -1) if happenings[at].kind in FAULTS), None)
    if fault is None or fault + 8 > last:
        return list(happenings[-most:])
    around = list(happenings[max(0, fault - 2) : fault + 4])
    tail = list(happenings[-(most - len(around) - 1) :])
    return [*around, len(happenings) - max(0, fault - 2) - len(around) - len(tail), *tail]


def _event(shot, one):
    if isinstance(one, int):
        words = plural(one, "more event")
        return f'<li class="eo-twins-event eo-skipped"><span>⋮</span><span></span><span>{words}</span></li>'
    css = {"stopped": " eo-is-fault", "killed": " eo-is-fault", "died": " eo-is-fault", "resumed": " eo-is-back"}
    sign = {"stopped": "❚❚", "killed": "✖"}.get(one.kind, one.stamp)
    side = f"{who(one.node - 1)}" if one.node <= len(shot.twins) else '<i class="eo-node-sign">◫</i>'
    called = f"twin {one.node}" if one.node <= len(shot.twins) else "database"
    words = "finishes" if one.kind == "ended" else one.text
    return (
        f'<li class="eo-twins-event{css.get(one.kind, "")}"><span>{sign}</span>{side}'
        f"<span><b>{called}:</b> {escape(words)}</span></li>"
    )


# -- tables ----------------------------------------------------------------------------------------------------


def tables_html(state):
    """Return the contents of the drawings as tables."""
    if state.shot is None:
        return ""
    tables = {
        "twins": twins_table(state.shot), "the register": register_table(state.shot),
        "the tape and the waits": tape_table(state), "events": events_table(state.shot),
    }  # fmt: skip
    return "".join(show.folded(table, f"As a table: {title}") for title, table in tables.items())


def twins_table(shot):
    """Return the twins as a DataFrame."""
    rows = [
        (twin.number, twin.executor, twin.pid, status_words(twin)[1], twin.won, twin.lost, twin.version)
        for twin in shot.twins
    ]
    return pd.DataFrame(rows, columns=["twin", "executor", "pid", "state", "cas won", "cas lost", "version it knows"])


def register_table(shot, most=60):
    """Return the newest versions of the register as a DataFrame."""
    lost = {}
    for loss in shot.losses:
        lost.setdefault(loss.found, []).append(f"twin {loss.node}")
    rows = [
        (version.number, version.stage, hour, f"twin {version.node}", ", ".join(lost.get(version.number, [])))
        for hour, versions in by_hour(shot.versions).items() for version in versions
    ]  # fmt: skip
    return pd.DataFrame(rows[-most:], columns=["version", "stage", "hour", "won by", "a cas found it and lost"])


def tape_table(state, most=60):
    """Return the newest hours of the output, with the waits of twins and of one node, as a DataFrame."""
    shot, one = state.shot, dict(state.one.points) if state.one else {}
    at = next(
        (strike.hour for strike in reversed(strikes(shot)) if state.one and strike.kind == state.one.kind), None
    )
    rows = [
        (cell.hour, cell.text, f"twin {cell.node}", millis(cell.wait), millis(one[cell.hour - at])
         if at is not None and cell.hour - at in one else "")
        for cell in shot.tape
    ]  # fmt: skip
    return pd.DataFrame(rows[-most:], columns=["hour", "average, °F", "written by", "waited", "one node waited"])


def events_table(shot, most=60):
    """Return the newest events as a DataFrame."""
    rows = [(one.stamp, one.node, one.kind, one.text) for one in shot.happenings[-most:]]
    return pd.DataFrame(rows, columns=["stamp", "node", "kind", "what"])


def status_html(state):
    """Return the line on the work under way."""
    if state.busy in ("idle", "live") or not state.status:
        return ""
    return f'<span class="eo-spin" aria-hidden="true"></span><span>{escape(state.status)}</span>'

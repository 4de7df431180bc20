"""The Twins console on the screen, as fragments of HTML, one for each region."""

from html import escape

import pandas as pd

from ... import show
from ..base.controls import banner, button, field, select
from ..base.nodes import plural, who
from .model import MOST, PACES
from .picture import axis_of, one_node_of, register_svg, tape_svg, waits_svg
from .reading import POINTS, by_hour, hours_of, strikes
from .words import millis, seconds, status_words, verdict

SIDE, GAP = 244, 14  # pixels of the events' column, and before it
TOGETHER = 720  # pixels, from this width on the events stand beside the pictures
SIGNS = {"stopped": "❚❚", "killed": "✖"}  # of faults
LOOKS = {"stopped": " eo-is-fault", "killed": " eo-is-fault", "died": " eo-is-fault", "resumed": " eo-is-back"}
ROWS = 60  # of a table


def fragments(model, width):
    """Return {trait: HTML} of a `TwinsModel`; `width` is that of the whole console, in pixels."""
    state = model.state
    kind, title, words = verdict(state)
    status = ""
    if state.status and state.busy not in ("idle", "live"):
        status = f'<span class="eo-spin" aria-hidden="true"></span><span>{escape(state.status)}</span>'
    return {
        "head": head_html(model),
        "nodes": nodes_html(model),
        "says": banner(kind, f"<strong>{title}</strong> {words}"),
        "pictures": pictures_html(state, axis_of(state, width - SIDE - GAP if width >= TOGETHER else width)),
        "events": events_html(state.shot),
        "words": tables_html(state),
        "status": status,
    }


def head_html(model):
    """Return the row of controls of the run as a whole."""
    state, idle, live = model.state, model.state.busy == "idle", model.is_live
    twins, pace = len(state.shot.twins) if state.shot else model.nodes, state.pace
    more = {2: "+ Add a third", 3: "three are at work"}.get(twins, "+ Add one")
    hours = "hour" if pace == 1 else "hours"
    slider = (
        f'<input type="range" class="eo-pace" min="0" max="{len(PACES) - 1}" step="1" value="{PACES.index(pace)}" '
        f'data-do="pace" data-key="pace" aria-valuetext="{pace:g} {hours} a second">'
    )
    return "".join((
        button("eo-start", "start", "▶ Start" if state.shot is None else "▶ Start again", not idle, primary=True),
        button("eo-end", "end", "■ End" if live or idle else "■ Stop", idle or state.busy == "stopping"),
        button("eo-add", "add", more, not live or twins == MOST),
        field("Strike", select("point", POINTS.items(), state.point, not live)),
        field(f"Pace: {pace:g} {hours}/s", slider),
    ))  # fmt: skip


def nodes_html(model):
    """Return a panel for each twin: its place, its state, and its buttons."""
    if model.state.shot is None:
        return "".join(
            f'<section class="eo-twin"><p>{_named(number)}</p><p class="eo-dim">not started</p></section>'
            for number in range(1, model.nodes + 1)
        )
    return "".join(_panel(twin, model.state.shot.now, not model.is_live) for twin in model.state.shot.twins)


def _named(number):
    return f"{who(number - 1)} <strong>Twin {number}</strong>"


def _panel(twin, now, off):
    def press(do, title, off):
        spoken = f"{title.lstrip('✖❚▶ ')} twin {twin.number}"
        return button(f"eo-{do}", do, title, off, primary=do == "resume", value=twin.number, spoken=spoken)

    placed = f"executor {twin.where['executor']}, pid {twin.where['pid']}" if twin.where else ""
    kill = press("kill", "✖ Kill", off or twin.status not in ("running", "stopped") or bool(twin.armed))
    if twin.armed:
        other = press("disarm", f"Take back {twin.armed[0]}", off)
    elif twin.status == "stopped":
        other = press("resume", "▶ Resume", off)
    else:
        other = press("stop", "❚❚ Stop", off or twin.status != "running")
    kind, words = status_words(twin, now)
    return (
        f'<section class="eo-twin" aria-label="Twin {twin.number}" data-status="{twin.status}">'
        f'<p>{_named(twin.number)} <span class="eo-dim">{escape(placed)}</span></p>'
        f'<div class="eo-twins-row">{kill}{other}<span class="eo-status-of eo-is-{kind}">{escape(words)}</span></div>'
        "</section>"
    )


def pictures_html(state, axis):
    """Return the register, the tape and the waits, each under its heading, over the same hours."""
    shot, won, tape, counter = state.shot, "", "", ""
    if shot:
        won = "cas won: " + " ".join(f"{who(twin.number - 1)} {twin.won}" for twin in shot.twins)
        tape = f", hours {axis.hours[0]}–{axis.hours[-1]} of {len(shot.tape)}"
        sign = '<b class="eo-dim">… on the way</b>'
        if shot.counter >= shot.counter_due:
            sign = '<b class="eo-good">✓</b>' if shot.counter == shot.counter_due else '<b class="eo-bad">✗</b>'
        counter = f"<span>Counter in the other store: <b>{shot.counter}</b> of {shot.counter_due} {sign}</span>"
    return (
        f'<div style="width:{axis.width}px">'
        f"{_heading('The machine’s register', ', version by version', f'<span>{won}</span>{_looking(state, axis)}')}"
        f"{register_svg(state, axis)}"
        f"{_heading('Output tape', tape, counter)}{tape_svg(state, axis)}"
        f"{_heading('How long each record waited', ', log scale', _one(state))}{waits_svg(state, axis)}</div>"
    )


def _heading(title, more, right):
    return (
        f'<div class="eo-heading"><p><strong>{title}</strong><span class="eo-dim eo-more-words">{more}</span></p>'
        f'<div class="eo-twins-right">{right}</div></div>'
    )


def _looking(state, axis):
    """Return the buttons that choose the hours in sight."""
    hours, last, step = hours_of(state.shot), axis.hours[-1], len(axis.hours) // 2
    first, follows = not hours or axis.hours[0] <= hours[0], state.newest is None
    buttons = (
        button("eo-small eo-earlier", "look", "◀", first, value=last - step, spoken="Earlier hours", key="earlier"),
        button("eo-small eo-later", "look", "▶", follows, value=last + step, spoken="Later hours", key="later"),
        button("eo-small eo-to-fault", "fault", "Last fault", not strikes(state.shot)),
        button("eo-small eo-follow", "follow", "Follow", not hours, pressed=follows),
    )
    return f'<span class="eo-looking" role="group" aria-label="Which hours are in sight">{"".join(buttons)}</span>'


def _one(state):
    """Return the button that measures one node under the same fault, or the result."""
    if one := state.one:
        still = seconds(one.still)
        what = f"killed, {still} to its next incarnation" if one.kind == "kill" else f"stopped for {still}"
        return f'<span class="eo-one-says">◇ one node, {what}</span>'
    off = state.shot is None or state.busy not in ("idle", "live")
    ask = button("eo-small eo-one", "one", "◇ Same fault, one node", off)
    return f"<span>it is measured …</span>{ask}" if state.busy == "measuring" else ask


def events_html(shot):
    """Return the events, by Lamport stamp: the newest, and before them those around the newest fault."""
    head = '<p class="eo-eh"><strong>Events</strong><span class="eo-dim">, by Lamport stamp</span></p>'
    if shot is None:
        return head
    rows = "".join(_event(each, len(shot.twins)) for each in chosen(shot.happenings, 9 + len(shot.twins)))
    return f'{head}<ol class="eo-event-list">{rows}</ol>'


def chosen(happenings, most=11):
    """Return the events to show: around the newest fault, and the newest; an int is a number of events left out."""
    last = len(happenings) - 1
    fault = next((at for at in range(last, -1, -1) if happenings[at].kind in SIGNS), None)
    if fault is None or fault + 8 > last:
        return list(happenings[-most:])
    around = list(happenings[max(0, fault - 2) : fault + 4])
    tail = list(happenings[-(most - len(around) - 1) :])
    return [*around, len(happenings) - max(0, fault - 2) - len(around) - len(tail), *tail]


def _event(one, twins):
    if isinstance(one, int):
        words = plural(one, "more event")
        return f'<li class="eo-twins-event eo-skipped"><span>⋮</span><span></span><span>{words}</span></li>'
    side, called = '<i class="eo-node-sign">◫</i>', "database"
    if one.node <= twins:
        side, called = who(one.node - 1), f"twin {one.node}"
    words = "finishes" if one.kind == "ended" else one.text
    return (
        f'<li class="eo-twins-event{LOOKS.get(one.kind, "")}"><span>{SIGNS.get(one.kind, one.stamp)}</span>{side}'
        f"<span><b>{called}:</b> {escape(words)}</span></li>"
    )


def tables_html(state):
    """Return the contents of the drawings as tables."""
    if state.shot is None:
        return ""
    tables = {"the register": register_table(state.shot), "the tape and the waits": tape_table(state)}
    return "".join(show.folded(table, f"As a table: {title}") for title, table in tables.items())


def register_table(shot):
    """Return the newest versions of the register as a DataFrame."""
    lost = {}
    for loss in shot.happened("lost"):
        lost.setdefault(loss.version, []).append(f"twin {loss.node}")
    rows = [
        (one.version, one.stage, hour, f"twin {one.node}", ", ".join(lost.get(one.version, [])))
        for hour, versions in by_hour(shot.versions).items() for one in versions
    ]  # fmt: skip
    return pd.DataFrame(rows[-ROWS:], columns=["version", "stage", "hour", "won by", "a cas found it and lost"])


def tape_table(state):
    """Return the newest hours of the output, with the waits of twins and of one node, as a DataFrame."""
    other = {hour: millis(wait) for hour, wait in one_node_of(state).items()}
    rows = [
        (cell.hour, cell.text, f"twin {cell.node}", millis(cell.wait), other.get(cell.hour, ""))
        for cell in state.shot.tape[-ROWS:]
    ]
    return pd.DataFrame(rows, columns=["hour", "average, °F", "written by", "waited", "one node waited"])

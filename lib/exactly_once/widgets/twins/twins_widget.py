"""The Twins console on the screen: its model as fragments of HTML, and as drawings over one axis of hours."""

from html import escape
from math import inf, log10
from typing import Any, NamedTuple

import pandas as pd

from ... import show
from ...errors import plural
from ...show.base import canvas
from ...show.base.canvas import BOLD, Labels, box, dot, line, svg, way, words
from ..base.controls import banner, button, colour, field, select, who
from ..base.widget import HtmlWidget, css, esm
from .twins_model import (
    MOST,
    PACES,
    POINTS,
    TwinsModel,
    by_hour,
    held_by,
    hours_of,
    millis,
    seconds,
    status_words,
    strikes,
    undisturbed,
    verdict,
)  # fmt: skip

SIDE, GAP = 244, 14  # pixels of the events' column, and before it
TOGETHER = 720  # pixels, from this width on the events stand beside the pictures
SIGNS = {"stopped": "❚❚", "killed": "✖"}  # of faults
LOOKS = {"stopped": " eo-is-fault", "killed": " eo-is-fault", "died": " eo-is-fault", "resumed": " eo-is-back"}
ROWS = 60  # of a table
LEFT, RIGHT = 104, 52  # pixels for the words on the left, and for the due hour on the right
WIDEST, NARROWEST = 84, 50  # pixels of an hour's column
MOST_HOURS = 12
STAGES = ("HANDLING", "PREPARING", "WRITING")
FIRST, STAGE = 58, 24  # pixels to the stage HANDLING, and from one stage to the next
LANES = {1: 24, 2: FIRST + 2 * STAGE + 24, 3: FIRST + 2 * STAGE + 55}  # {twin: pixels to the lane of its losses}
TAPE, WAITS = 44, 156  # pixels of height
LEAST_GAP = 14  # pixels from the edges that a line with words needs


def fragments(model: TwinsModel, width: int) -> dict[str, str]:
    """Return {trait: HTML} of a `TwinsModel`; `width` is that of the whole console, in pixels."""
    state = model.state
    kind, title, said = verdict(state)
    status = ""
    if state.status and state.busy not in ("idle", "live"):
        status = f'<span class="eo-spin" aria-hidden="true"></span><span>{escape(state.status)}</span>'
    return {
        "head": head_html(model),
        "nodes": nodes_html(model),
        "says": banner(kind, f"<strong>{title}</strong> {said}"),
        "aloud": title,  # the verdict counts hours five times a second: its first words are read when they change
        "pictures": pictures_html(state, axis_of(state, width - SIDE - GAP if width >= TOGETHER else width)),
        "events": events_html(state.shot),
        "words": tables_html(state),
        "status": status,
    }


def head_html(model: TwinsModel) -> str:
    """Return the row of controls of the run as a whole."""
    state, idle, live = model.state, model.state.busy == "idle", model.is_live
    twins, pace = len(state.shot.twins) if state.shot else model.nodes, state.pace
    more = {2: "+ Add a third", 3: "three are at work"}.get(twins, "+ Add one")
    slider = (
        f'<input type="range" class="eo-pace" min="0" max="{len(PACES) - 1}" step="1" value="{PACES.index(pace)}" '
        f'data-do="pace" data-key="pace" aria-valuetext="{pace:g} hour{"s" * (pace != 1)} a second">'
    )
    return "".join((
        button("eo-start", "start", "▶ Start" if state.shot is None else "▶ Start again", not idle, primary=True),
        button("eo-end", "end", "■ End" if live or idle else "■ Stop", idle or state.busy == "stopping"),
        button("eo-add", "add", more, not live or twins == MOST),
        field("Strike", select("point", POINTS.items(), state.point, not live)),
        field(f"Pace: {pace:g} hour{'s' * (pace != 1)}/s", slider),
    ))  # fmt: skip


def nodes_html(model: TwinsModel) -> str:
    """Return a panel for each twin: its place, its state, and its buttons."""
    shot = model.state.shot
    if shot is None:
        named = (f"<p>{who(at)} <strong>Twin {at + 1}</strong></p>" for at in range(model.nodes))
        return "".join(f'<section class="eo-twin">{one}<p class="eo-dim">not started</p></section>' for one in named)
    return "".join(_panel(twin, shot.now, not model.is_live) for twin in shot.twins)


def _panel(twin: Any, now: float, off: bool) -> str:
    def press(do: str, title: str, off: bool) -> str:
        spoken = f"{title.lstrip('✖❚▶ ')} twin {twin.number}"
        return button(f"eo-{do}", do, title, off, primary=do == "resume", value=twin.number, spoken=spoken)

    named = f"{who(twin.number - 1)} <strong>Twin {twin.number}</strong>"
    placed = f"executor {twin.where['executor']}, pid {twin.where['pid']}" if twin.where else ""
    buttons = press("kill", "✖ Kill", off or twin.status not in ("running", "stopped") or bool(twin.armed))
    if twin.armed:
        buttons += press("disarm", f"Take back {twin.armed[0]}", off)
    elif twin.status == "stopped":
        buttons += press("resume", "▶ Resume", off)
    else:
        buttons += press("stop", "❚❚ Stop", off or twin.status != "running")
    kind, said = status_words(twin, now)
    return (
        f'<section class="eo-twin" aria-label="Twin {twin.number}" data-status="{twin.status}">'
        f'<p>{named} <span class="eo-dim">{escape(placed)}</span></p>'
        f'<div class="eo-twins-row">{buttons}<span class="eo-status-of eo-{kind}">{escape(said)}</span></div>'
        "</section>"
    )


def pictures_html(state: Any, axis: "Axis") -> str:
    """Return the register, the tape and the waits, each under its heading, over the same hours."""
    shot, won, tape, counter = state.shot, "", "", ""
    if shot:
        won = "cas won: " + " ".join(f"{who(twin.number - 1)} {twin.won}" for twin in shot.twins)
        tape = f", hours {axis.hours[0]}–{axis.hours[-1]} of {len(shot.tape)}"
        right = shot.counter == shot.counter_due
        sign = f'<b class="eo-{"good" if right else "bad"}">{"✓" if right else "✗"}</b>'
        if shot.counter < shot.counter_due:
            sign = '<b class="eo-dim">… on the way</b>'
        counter = f"<span>Counter in the other store: <b>{shot.counter}</b> of {shot.counter_due} {sign}</span>"
    won = f"<span>{won}</span>{_looking(state, axis)}"
    found = (
        ("The machine’s register", ", version by version", won, register_svg),
        ("Output tape", tape, counter, tape_svg),
        ("How long each record waited", ", log scale", "", waits_svg),
    )
    parts = (
        f'<div class="eo-heading"><p><strong>{title}</strong><span class="eo-dim eo-more-words">{more}</span></p>'
        f'<div class="eo-twins-right">{right}</div></div>{draw(state, axis)}'
        for title, more, right, draw in found
    )
    return f'<div style="width:{axis.width}px">{"".join(parts)}</div>'


def _looking(state: Any, axis: "Axis") -> str:
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


def events_html(shot: Any) -> str:
    """Return the events, by Lamport stamp: the newest, and before them those around the newest fault."""
    head = '<p class="eo-eh"><strong>Events</strong><span class="eo-dim">, by Lamport stamp</span></p>'
    if shot is None:
        return head
    rows = "".join(_event(each, len(shot.twins)) for each in chosen(shot.happenings, 9 + len(shot.twins)))
    return f'{head}<ol class="eo-event-list">{rows}</ol>'


def chosen(happenings: tuple[Any, ...], most: int = 11) -> list[Any]:
    """Return the events to show: around the newest fault, and the newest; an int is a number of events left out."""
    last = len(happenings) - 1
    fault = next((at for at in range(last, -1, -1) if happenings[at].kind in SIGNS), None)
    if fault is None or fault + 8 > last:
        return list(happenings[-most:])
    around = list(happenings[max(0, fault - 2) : fault + 4])
    tail = list(happenings[-(most - len(around) - 1) :])
    return [*around, len(happenings) - max(0, fault - 2) - len(around) - len(tail), *tail]


def _event(one: Any, twins: int) -> str:
    if isinstance(one, int):
        said = plural(one, "more event")
        return f'<li class="eo-twins-event eo-dim"><span>⋮</span><span></span><span>{said}</span></li>'
    side, called = '<i class="eo-node-sign">◫</i>', "database"
    if one.node <= twins:
        side, called = who(one.node - 1), f"twin {one.node}"
    said = "finishes" if one.kind == "ended" else escape(one.text)
    return (
        f'<li class="eo-twins-event{LOOKS.get(one.kind, "")}"><span>{SIGNS.get(one.kind, one.stamp)}</span>{side}'
        f"<span><b>{called}:</b> {said}</span></li>"
    )


def tables_html(state: Any) -> str:
    """Return the contents of the drawings as tables."""
    if state.shot is None:
        return ""
    register = show.folded(register_table(state.shot), "As a table: the register")
    return register + show.folded(tape_table(state), "As a table: the tape and the waits")


def register_table(shot: Any) -> Any:
    """Return the newest versions of the register as a DataFrame."""
    lost = {}
    for loss in shot.happened("lost"):
        lost.setdefault(loss.version, []).append(f"twin {loss.node}")
    rows = [
        (one.version, one.stage, hour, f"twin {one.node}", ", ".join(lost.get(one.version, [])))
        for hour, versions in by_hour(shot.versions).items() for one in versions
    ]  # fmt: skip
    return pd.DataFrame(rows[-ROWS:], columns=["version", "stage", "hour", "won by", "a cas found it and lost"])


def tape_table(state: Any) -> Any:
    """Return the newest hours of the output, with the waits, as a DataFrame."""
    rows = [(cell.hour, cell.text, f"twin {cell.node}", millis(cell.wait)) for cell in state.shot.tape[-ROWS:]]
    return pd.DataFrame(rows, columns=["hour", "average, °F", "written by", "waited"])


class Axis(NamedTuple):
    """The hours in sight, and their places in pixels."""

    width: int
    hours: range
    column: float

    def x(self, hour: Any, part: float = 0.5) -> float:
        """Return the place of an hour; `part` goes from 0, its left edge, to 1."""
        return LEFT + self.column * (hour - self.hours[0] + part)

    @property
    def end(self) -> float:
        """The right edge of the last column."""
        return self.x(self.hours[-1], 1)

    def ground(self, shot, top, height):
        """Yield the columns' lines, and the hours at which a fault struck."""
        for strike in strikes(shot):
            if strike.hour in self.hours:
                yield box(self.x(strike.hour, 0), top, self.column, height, "struck")
        for hour in [*self.hours, self.hours[-1] + 1]:
            yield line(self.x(hour, 0), top, self.x(hour, 0), top + height, "column")


def axis_of(state: Any, width: int) -> Axis:
    """Return the `Axis` of a console's state: the hours up to the last one in sight."""
    count = max(4, min(MOST_HOURS, int((width - LEFT - RIGHT) / NARROWEST)))
    column = min(WIDEST, (width - LEFT - RIGHT) / count)
    hours = hours_of(state.shot)
    first = max(1, (state.newest or (hours[-1] if hours else count)) - count + 1)
    return Axis(width, range(first, first + count), column)


def mark(number: int, x: Any, y: int, css: str = "", size: float = 4.3) -> Any:
    """Return a twin's mark in its colour, `size` is half of it; an open mark is a failed cas."""
    css, tone = f"mark {css}", colour(number - 1)
    if number == 1:
        return dot(x, y, size, css, tone=tone)
    if number == 2:
        side = 2 * size - 0.6
        return box(x - size + 0.3, y - size + 0.3, side, side, css, tone=tone)
    top = size * 1.15
    triangle = f"M{x:.1f} {y - top:.1f} l{top:.1f} {2 * top - 1:.1f} h{-2 * top:.1f} z"
    return canvas.mark("path", css, d=triangle, tone=tone)


def register_svg(state: Any, axis: Any) -> Any:
    """Return the machine's register, version by version: the winner and the losers of each, and a stopped twin's
    version.
    """
    shot, count = state.shot, len(state.shot.twins) if state.shot else 2
    lanes = {number: y for number, y in LANES.items() if number <= max(2, count)}
    parts = [*axis.ground(shot, FIRST - 12, 2 * STAGE + 24)]
    for number, stage in enumerate(STAGES):
        y = FIRST + STAGE * number
        parts += [words(2, y + 4, stage, "stage"), line(LEFT, y, axis.end, y, "row")]
    for number, y in lanes.items():
        parts += mark(number, 8, y, "lost"), words(18, y + 4, f"cas lost by twin {number}", "sub")
    if shot:
        places, marks = {}, []
        for hour, versions in by_hour(shot.versions).items():
            for at, one in enumerate(versions if hour in axis.hours else ()):
                x, y = axis.x(hour, (at + 0.5) / len(versions)), FIRST + STAGE * STAGES.index(one.stage)
                places[one.version] = x, y
                marks.append(mark(one.node, x, y))
                if one.stage == STAGES[0]:
                    css = "newest" if one is shot.versions[-1] else "sub"
                    marks.append(words(x, FIRST - 16, one.version, css, "middle"))
        parts += [way(places.values(), fill="none", stroke="grey", wide=1.1, opacity=0.55), *marks]
        for loss in shot.happened("lost"):
            if loss.version in places and loss.node in lanes:
                x, y = places[loss.version][0], lanes[loss.node]
                parts.append(line(x, y, x, y + (8 if y < FIRST else -8), "tail", tone=colour(loss.node - 1)))
                parts.append(mark(loss.node, x, y, "lost", 3.4))
        for twin in shot.twins:
            if twin.status == "stopped":
                parts += _held(shot, axis, twin, places, lanes[twin.number])
    return svg(parts, axis.width, max(lanes.values()) + 20, "The machine’s register, version by version")


def _held(shot, axis, twin, places, y):
    """Yield the line from the version that a stopped twin holds to the register's present version."""
    held = held_by(shot, twin)
    dotted = {"stroke": colour(twin.number - 1), "wide": 2, "dash": "1.5 4", "stroke_linecap": "round"}
    x, top = places.get(held.version, (LEFT if held.version < min(places, default=inf) else axis.end, None))
    if top is not None:
        yield line(x, top, x, y, **dotted)
        yield dot(x, top, 8.5, "ring", fill="none", stroke="amber", wide=2)
    yield line(x, y, axis.end + 8, y, **dotted)
    said, right = f"❚❚ stopped {seconds(shot.now - twin.since)}, holds {held.version}", ""
    if held.stale:
        right = "next: it reads again" if held.reads else f"next cas: {held.version} ≠ {len(shot.versions)}"
    at, x = y - 10 if y < FIRST else y + 15, min(x, axis.width - BOLD * len(said + right) - 12)
    yield words(max(LEFT, x), at, said, "warn halo")
    if right:
        yield mark(twin.number, axis.end + 14, y, "lost")
        yield words(axis.end + 22, y + 4, "✗" * (not held.reads), "bad halo")
        yield words(axis.width - 2, at, right, "sub" if held.reads else "bad halo", "end")


def tape_svg(state: Any, axis: Any) -> Any:
    """Return the output tape: value, hour and writer of each hour in sight, and the hour that is due."""
    shot, begun = state.shot, hours_of(state.shot)
    cells = {cell.hour: cell for cell in shot.tape} if shot else {}
    waiting = dict(shot.waiting) if shot else {}
    parts = [words(2, 17, "average, °F", "sub"), words(2, 34, "hour, writer", "sub")]
    for hour in axis.hours:
        x, cell = axis.x(hour, 0), cells.get(hour)
        if cell:
            parts += _cell(x, axis.column, cell.text, hour, "cell" if cell.right else "cell wrong")
            parts.append(mark(cell.node, x + axis.column / 2 + 12, 32, "", 4))
        elif hour in waiting or hour in begun[-1:]:
            parts += _cell(x, axis.column, "waits" if hour in waiting else "due", hour, "due")
    if axis.hours[-1] in cells and axis.hours[-1] in begun[-1:]:
        parts += _cell(axis.end + 3, RIGHT - 6, "due", axis.hours[-1] + 1, "due")
    return svg(parts, axis.width, TAPE, "The output tape")


def _cell(x, wide, above, hour, css):
    yield box(x + 0.5, 1, wide - 1, TAPE - 3, css)
    yield words(x + wide / 2, 17, above, "sub" if css == "due" else "value", "middle")
    yield words(x + wide / 2 - (0 if css == "due" else 6), 36, hour, "sub", "middle")


def waits_svg(state, axis):
    """Return the waiting time of each record in sight, on a logarithmic scale."""
    shot = state.shot
    cells = [cell for cell in shot.tape if cell.hour in axis.hours] if shot else []
    waiting = [(hour, wait) for hour, wait in shot.waiting if hour in axis.hours] if shot else []
    waits = [cell.wait for cell in cells] + [wait for _, wait in waiting]
    least = 0.001 if min(waits, default=1) < 0.008 else 0.01
    decades = log10(max(1.0, *waits, 0) * 1.6 / least)

    def at(hour: float, wait: float) -> tuple[float, float]:
        return axis.x(hour), WAITS - 6 - log10(max(wait, least) / least) / decades * (WAITS - 14)

    parts, said, labels = [*axis.ground(shot, 0, WAITS - 6)], [], Labels(axis.end, 11, WAITS - 9)
    for power in range(round(log10(least)), int(log10(least) + decades + 1e-9) + 1):
        y = at(axis.hours[0], 10.0**power)[1]
        parts += line(LEFT, y, axis.end, y, "row"), words(LEFT - 6, y + 4, millis(10.0**power), "sub", "end")
    parts.append(way([at(cell.hour, cell.wait) for cell in cells], fill="none", stroke="ink", wide=2))
    parts += [mark(cell.node, *at(cell.hour, cell.wait)) for cell in cells]
    twice = 2 * ((shot and undisturbed(shot)) or 0)
    x, y = at(axis.hours[-1] + 0.5, twice)
    if twice and LEAST_GAP < y < WAITS - LEAST_GAP:
        parts.append(line(LEFT, y, axis.end, y, stroke="green", wide=1.4, dash="6 4"))
        parts.append(words(axis.end + 4, y + 4, millis(twice), "good"))
        said.append(labels.beside(x, y - 4, "twice the undisturbed", "good", away=3))
    for number, (x, y) in enumerate(at(*one) for one in waiting):
        hook = f"M{x - 4:.1f} {y:.1f} h8 M{x:.1f} {y:.1f} v-9"
        parts.append(canvas.mark("path", "waiting", d=hook, fill="none", stroke="amber", wide=2.4))
        said += [labels.beside(x, y - 2, "still waiting", "warn", away=3)] if number == 0 else []
    if cells:
        high = max(cells, key=lambda cell: cell.wait)
        x, y = at(high.hour, high.wait)
        said.append(labels.beside(x, y - 12, f"twins, in view: at most {millis(high.wait)}", "strong", away=3))
    return svg([*parts, *said], axis.width, WAITS, "How long each record waited")


class TwinsConsole(HtmlWidget, view=fragments):
    """The Twins console. `model` is its `TwinsModel`; each region of the screen is a trait that holds HTML."""

    _esm, _css = esm("twins/twins.js"), css("player/player.css", "twins/twins.css")

    def __repr__(self) -> str:
        shot = self.model.state.shot
        if shot is None:
            return "Twins console: nothing was started yet."
        return f"Twins console: {shot.sentence if shot.wrong is not None else verdict(self.model.state)[1]}"


def twins(nodes: Any = 2, pace: int = 2, job: Any = None) -> Any:
    """Return the Twins console: nodes run the lock-free handler at once, and you kill and stop them meanwhile.

    nodes: the first number of twins, 2 or 3 (with the database's own node they need 3 or 4 slots). pace: the number
    of hours that arrive in a second, one of 0.5, 1, 2, 4, 8 and 16. job: a `Job` with window and threshold. The
    cluster is started when Start is pressed, and nothing runs before. Raises `BadInput` for anything else.
    """
    return TwinsConsole(TwinsModel(nodes, pace, job))

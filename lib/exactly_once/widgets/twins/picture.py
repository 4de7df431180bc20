"""The Twins console's drawings over one axis of hours: the register, the output tape, how long records waited."""

from math import inf, log10
from typing import NamedTuple

from ...show.base import canvas
from ...show.base.canvas import BOLD, Labels, box, diamond, dot, line, svg, way, words
from ..base.nodes import colour
from .reading import by_hour, held_by, hours_of, strikes, undisturbed
from .words import millis, seconds

LEFT, RIGHT = 104, 52  # pixels for the words on the left, and for the due hour on the right
WIDEST, NARROWEST = 84, 50  # pixels of an hour's column
MOST_HOURS = 12
STAGES = ("HANDLING", "PREPARING", "WRITING")
FIRST, STAGE = 58, 24  # pixels to the stage HANDLING, and from one stage to the next
LANES = {1: 24, 2: FIRST + 2 * STAGE + 24, 3: FIRST + 2 * STAGE + 55}  # {twin: pixels to the lane of its losses}
TAPE, WAITS = 44, 156  # pixels of height
LEAST_GAP = 14  # pixels from the edges that a line with words needs
CSS = "eo-st eo-twins-svg"


class Axis(NamedTuple):
    """The hours in sight, and their places in pixels."""

    width: int
    hours: range
    column: float

    def x(self, hour, part=0.5):
        """Return the place of an hour; `part` goes from 0, its left edge, to 1."""
        return LEFT + self.column * (hour - self.hours[0] + part)

    @property
    def end(self):
        """The right edge of the last column."""
        return self.x(self.hours[-1], 1)

    def ground(self, shot, top, height):
        """Yield the columns' lines, and the hours at which a fault struck."""
        for strike in strikes(shot):
            if strike.hour in self.hours:
                yield box(self.x(strike.hour, 0), top, self.column, height, "struck")
        for hour in [*self.hours, self.hours[-1] + 1]:
            yield line(self.x(hour, 0), top, self.x(hour, 0), top + height, "column")


def axis_of(state, width):
    """Return the `Axis` of a console's state: the hours up to the last one in sight."""
    count = max(4, min(MOST_HOURS, int((width - LEFT - RIGHT) / NARROWEST)))
    column = min(WIDEST, (width - LEFT - RIGHT) / count)
    hours = hours_of(state.shot)
    first = max(1, (state.newest or (hours[-1] if hours else count)) - count + 1)
    return Axis(width, range(first, first + count), column)


def mark(number, x, y, css="", size=4.3):
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


def register_svg(state, axis):
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
        places = dict(_places(shot, axis))
        parts.append(way(places.values(), fill="none", stroke="grey", wide=1.1, opacity=0.55))
        for version in shot.versions:
            if version.version in places:
                parts += _version(version, *places[version.version], version is shot.versions[-1])
        for loss in shot.happened("lost"):
            if loss.version in places and loss.node in lanes:
                x, y = places[loss.version][0], lanes[loss.node]
                parts.append(line(x, y, x, y + (8 if y < FIRST else -8), "tail", tone=colour(loss.node - 1)))
                parts.append(mark(loss.node, x, y, "lost", 3.4))
        for twin in shot.twins:
            if twin.status == "stopped":
                parts += _held(shot, axis, twin, places, lanes[twin.number])
    return svg(parts, axis.width, max(lanes.values()) + 20, "The machine’s register, version by version", CSS)


def _places(shot, axis):
    """Yield (number of a version, (x, y)) of all versions in sight."""
    for hour, versions in by_hour(shot.versions).items():
        if hour in axis.hours:
            for number, version in enumerate(versions):
                x = axis.x(hour, (number + 0.5) / len(versions))
                yield version.version, (x, FIRST + STAGE * STAGES.index(version.stage))


def _version(version, x, y, newest):
    yield mark(version.node, x, y)
    if version.stage == STAGES[0]:
        yield words(x, FIRST - 16, version.version, "number newest" if newest else "number", "middle")


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
    yield words(max(LEFT, x), at, said, "warn")
    if right:
        yield mark(twin.number, axis.end + 14, y, "lost")
        yield words(axis.end + 22, y + 4, "✗" * (not held.reads), "bad")
        yield words(axis.width - 2, at, right, "sub" if held.reads else "bad", "end")


def tape_svg(state, axis):
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
    return svg(parts, axis.width, TAPE, "The output tape", CSS)


def _cell(x, wide, above, hour, css):
    yield box(x + 0.5, 1, wide - 1, TAPE - 3, css)
    yield words(x + wide / 2, 17, above, "sub" if css == "due" else "value", "middle")
    yield words(x + wide / 2 - (0 if css == "due" else 6), 36, hour, "sub", "middle")


def waits_svg(state, axis):
    """Return the waiting time of each record in sight, on a logarithmic scale, and beside it one node under the same
    fault.
    """
    shot = state.shot
    cells = [cell for cell in shot.tape if cell.hour in axis.hours] if shot else []
    waiting = [(hour, wait) for hour, wait in shot.waiting if hour in axis.hours] if shot else []
    other = [(hour, wait) for hour, wait in one_node_of(state).items() if hour in axis.hours]
    waits = [cell.wait for cell in cells] + [wait for _, wait in [*waiting, *other]]
    least = 0.001 if min(waits, default=1) < 0.008 else 0.01
    decades = log10(max(1.0, *waits, 0) * 1.6 / least)

    def at(hour, wait):
        return axis.x(hour), WAITS - 6 - log10(max(wait, least) / least) / decades * (WAITS - 14)

    parts, said, labels = [*axis.ground(shot, 0, WAITS - 6)], [], Labels(axis.end, 11, WAITS - 9)
    for power in range(round(log10(least)), int(log10(least) + decades + 1e-9) + 1):
        y = at(axis.hours[0], 10.0**power)[1]
        parts += line(LEFT, y, axis.end, y, "row"), words(LEFT - 6, y + 4, millis(10.0**power), "sub", "end")
    if other:
        parts.append(way([at(*one) for one in other], fill="none", stroke="grey", wide=1.6, dash="5 4"))
        parts += [diamond(*at(*one), 5, "diamond", fill="bg", stroke="grey", wide=1.7) for one in other]
        x, y = at(*max(other, key=lambda one: one[1]))
        longest = max(wait for _, wait in other)
        said.append(labels.beside(x, y + 4, f"one node: {millis(longest)}", "strong", away=3))
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
    return svg([*parts, *said], axis.width, WAITS, "How long each record waited", CSS)


def one_node_of(state):
    """Return {hour: wait} of the one node's records, laid over the hours around the twins' newest such fault."""
    one = state.one
    hours = [strike.hour for strike in strikes(state.shot) if one and strike.kind == one.kind]
    return {hours[-1] + since: wait for since, wait in one.points} if hours else {}

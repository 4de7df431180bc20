"""The Twins console's drawings over one axis of hours: the register, the output tape, the waiting times of
records.
"""

from math import log10
from typing import NamedTuple

from ...show.base import canvas
from ...show.base.canvas import Labels, box, diamond, dot, line, way, words
from ..base.nodes import colour
from .reading import by_hour, held_by, hours_of, strikes, undisturbed
from .words import millis, seconds

LEFT, RIGHT = 104, 52  # pixels for the words on the left, and for the due hour on the right
WIDEST, NARROWEST = 84, 50  # pixels of an hour's column
MOST_HOURS = 12
STAGES = ("HANDLING", "PREPARING", "WRITING")
FIRST, STAGE = 58, 24  # pixels to the stage HANDLING, and from one stage to the next
LANE, SAYS = 24, 10  # pixels to the lane above the stages, and to its words
BELOW, NEXT = 24, 31  # pixels from WRITING to the first lane below, and from one lane to the next
TAPE, WAITS = 44, 156  # pixels of height
LEAST_GAP = 14  # pixels from the edges that a line with words needs
SIZE = 4.3  # half of a mark


class Axis(NamedTuple):
    """The hours in sight, and their places in pixels."""

    width: int
    hours: tuple
    column: float

    def x(self, hour, part=0.5):
        """Return the place of an hour; `part` goes from 0, its left edge, to 1."""
        return LEFT + self.column * (hour - self.hours[0] + part)

    @property
    def end(self):
        """The right edge of the last column."""
        return LEFT + self.column * self.count

    @property
    def count(self):
        """The number of columns."""
        return len(self.hours)


def axis_of(state, width):
    """Return the `Axis` of a console's state: the hours up to the last one in sight."""
    count = max(4, min(MOST_HOURS, int((width - LEFT - RIGHT) / NARROWEST)))
    column = min(WIDEST, (width - LEFT - RIGHT) / count)
    hours = hours_of(state.shot)
    newest = state.newest or (hours[-1] if hours else count)
    first = max(1, newest - count + 1)
    return Axis(width, tuple(range(first, first + count)), column)


def mark(number, x, y, css="", size=SIZE):
    """Return a twin's mark in its colour; an open mark is a failed cas."""
    css, tone = f"mark {css}", colour(number - 1)
    if number == 1:
        return dot(x, y, size, css, tone=tone)
    if number == 2:
        side = 2 * size - 0.6
        return box(x - size + 0.3, y - size + 0.3, side, side, css, tone=tone)
    top = size * 1.15
    triangle = f"M{x:.1f} {y - top:.1f} l{size * 1.15:.1f} {2 * top - 1:.1f} h{-2.3 * size:.1f} z"
    return canvas.mark("path", css, d=triangle, tone=tone)


def svg(axis, height, about, marks):
    """Return a drawing; `about` names it, and what is in it stands in the tables below."""
    return canvas.svg(marks, axis.width, height, about, "eo-st eo-twins-svg")


def ground(axis, shot, top, height):
    """Yield the columns' lines, and the hours at which a fault struck."""
    for strike in strikes(shot):
        if strike.hour in axis.hours:
            yield box(axis.x(strike.hour, 0), top, axis.column, height, "struck")
    for number in range(axis.count + 1):
        yield line(LEFT + axis.column * number, top, LEFT + axis.column * number, top + height, "column")


# -- the register ----------------------------------------------------------------------------------------------


def lanes_of(count):
    """Return {twin: the y of its lane}: the first above the stages, the others below."""
    under = FIRST + 2 * STAGE + BELOW
    return {1: LANE} | {number: under + NEXT * (number - 2) for number in range(2, count + 1)}


def register_svg(state, axis):
    """Return the machine's register, version by version: the winner and the losers of each, and a stopped twin's
    version.
    """
    shot = state.shot
    twins = shot.twins if shot else ()
    lanes = lanes_of(max(2, len(twins)))
    height = max(lanes.values()) + 20
    places = dict(_places(shot, axis)) if shot else {}
    parts = [*ground(axis, shot, FIRST - 12, 2 * STAGE + 24)]
    for number, stage in enumerate(STAGES):
        y = FIRST + STAGE * number
        parts += [words(2, y + 4, stage, "stage"), line(LEFT, y, axis.end, y, "row")]
    for number, y in lanes.items():
        parts += mark(number, 8, y, "lost"), words(18, y + 4, f"cas lost by twin {number}", "sub")
    if shot:
        parts += _versions(shot, axis, places)
        parts += _losses(shot, places, lanes)
        for twin in twins:
            if twin.status == "stopped":
                parts += _held(shot, axis, twin, places, lanes)
    return svg(axis, height, "The machine’s register, version by version", parts)


def _places(shot, axis):
    """Yield (number of a version, (x, y)) of all versions in sight."""
    for hour, versions in by_hour(shot.versions).items():
        if hour in axis.hours:
            for number, version in enumerate(versions):
                x = axis.x(hour, (number + 0.5) / len(versions))
                yield version.number, (x, FIRST + STAGE * STAGES.index(version.stage))


def _versions(shot, axis, places):
    yield way(places.values(), "way")
    for version in shot.versions:
        if version.number in places:
            x, y = places[version.number]
            yield mark(version.node, x, y)
            if version.stage == STAGES[0]:
                newest = version.number == len(shot.versions)
                yield words(x, FIRST - 16, version.number, "number newest" if newest else "number", "middle")


def _losses(shot, places, lanes):
    for loss in shot.losses:
        if loss.found in places and loss.node in lanes:
            x, y = places[loss.found][0], lanes[loss.node]
            yield line(x, y, x, y + (8 if y < FIRST else -8), "tail", tone=colour(loss.node - 1))
            yield mark(loss.node, x, y, "lost", 3.4)


def _held(shot, axis, twin, places, lanes):
    """Yield the line from the version that a stopped twin holds to the register's present version."""
    held, y = held_by(shot, twin), lanes[twin.number]
    x, top = places.get(held.version, (LEFT if held.version < min(places, default=0) else axis.end, None))
    tone, says = colour(twin.number - 1), y - 10 if y < FIRST else y + 15
    said = f"❚❚ stopped {seconds(twin.since)}, holds {held.version}"
    if top is not None:
        yield line(x, top, x, y, "held", tone=tone)
        yield dot(x, top, 8.5, "ring")
    yield line(x, y, axis.end + 8, y, "held", tone=tone)
    wide, right = 7 * len(said), ""
    if held.stale and held.next != "read":
        right = f"next cas: {held.version} ≠ {len(shot.versions)}"
    elif held.stale:
        right = "next: it reads again"
    x = max(LEFT, min(x, axis.width - wide - 7 * len(right) - 12))
    yield words(x, says, said, "warn")
    if right:
        yield mark(twin.number, axis.end + 14, y, "lost")
        yield words(axis.end + 22, y + 4, "✗" * (held.next != "read"), "bad")
        yield words(axis.width - 2, says, right, "bad" if held.next != "read" else "sub", "end")


# -- the output ------------------------------------------------------------------------------------------------


def tape_svg(state, axis):
    """Return the output tape: value, hour and writer of each hour in sight, and the hour that is due."""
    cells = {cell.hour: cell for cell in state.shot.tape} if state.shot else {}
    parts = [words(2, 17, "average, °F", "sub"), words(2, 34, "hour, writer", "sub")]
    begun = hours_of(state.shot)
    waiting = {hour for hour, _ in state.shot.waiting} if state.shot else set()
    for hour in axis.hours:
        x, cell = axis.x(hour, 0), cells.get(hour)
        if cell is None:
            if hour in waiting or (begun and hour == begun[-1]):
                word = "waits" if hour in waiting else "due"
                parts += _box(x, axis.column, "due"), *_cell(x, axis.column, word, hour, "sub")
            continue
        parts += (
            _box(x, axis.column, "cell" if cell.right else "cell wrong"),
            *_cell(x, axis.column, cell.text, hour, "value"),
        )
        parts.append(mark(cell.node, x + axis.column / 2 + 12, 32, "", 4))
    following = axis.hours[-1] + 1
    if begun and begun[-1] == axis.hours[-1] and axis.hours[-1] in cells:
        parts += _box(axis.end + 3, RIGHT - 6, "due"), *_cell(axis.end + 3, RIGHT - 6, "due", following, "sub")
    return svg(axis, TAPE, "The output tape", parts)


def _box(x, wide, css):
    return box(x + 0.5, 1, wide - 1, TAPE - 3, css)


def _cell(x, wide, above, hour, css):
    shift = -6 if css == "value" else 0
    yield words(x + wide / 2, 17, above, css, "middle")
    yield words(x + wide / 2 + shift, 36, hour, "sub", "middle")


# -- the waits -------------------------------------------------------------------------------------------------


class Scale(NamedTuple):
    """A logarithmic scale of seconds, in pixels from the top."""

    least: float
    most: float

    def y(self, wait):
        """Return the place of a wait."""
        part = (log10(max(wait, self.least)) - log10(self.least)) / (log10(self.most) - log10(self.least))
        return WAITS - 6 - part * (WAITS - 14)

    def ticks(self):
        """Return the powers of ten in sight."""
        return [10.0**power for power in range(-3, 4) if self.least <= 10.0**power <= self.most]


def scale_of(waits):
    """Return the `Scale` with room for all these waits: from 1 or 10 ms on, to a second at least."""
    least = 0.001 if min(waits, default=1) < 0.008 else 0.01
    most = max(1.0, *waits, 0) * 1.6
    return Scale(least, most)


def waits_svg(state, axis):
    """Return the waiting time of each record in sight, and beside it one node under the same fault."""
    shot, one = state.shot, state.one
    cells = [cell for cell in shot.tape if cell.hour in axis.hours] if shot else []
    waiting = [(hour, wait) for hour, wait in shot.waiting if hour in axis.hours] if shot else []
    other = _one_node(shot, one, axis) if one else []
    calm = undisturbed(shot) if shot else None
    scale = scale_of([cell.wait for cell in cells] + [wait for _, wait in waiting] + [wait for _, wait in other])
    parts, said, labels = [*ground(axis, shot, 0, WAITS - 6)], [], Labels(axis.end, 11, WAITS - 9)
    for tick in scale.ticks():
        y = scale.y(tick)
        parts += line(LEFT, y, axis.end, y, "row"), words(LEFT - 6, y + 4, millis(tick), "sub", "end")
    if other:
        parts += _series(axis, scale, other, "one")
        parts += [diamond(axis.x(hour), scale.y(wait), 5, "diamond") for hour, wait in other]
        high = max(other, key=lambda point: point[1])
        x, y = axis.x(high[0]), scale.y(high[1]) + 4
        said.append(labels.beside(x, y, f"one node: {millis(high[1])}", "strong", away=3))
    parts += _series(axis, scale, [(cell.hour, cell.wait) for cell in cells], "twins")
    parts += [mark(cell.node, axis.x(cell.hour), scale.y(cell.wait)) for cell in cells]
    if calm and LEAST_GAP < scale.y(2 * calm) < WAITS - LEAST_GAP:
        y = scale.y(2 * calm)
        parts.append(line(LEFT, y, axis.end, y, "calm"))
        parts.append(words(axis.end + 4, y + 4, millis(2 * calm), "good"))
        said.append(labels.beside(axis.x(axis.hours[-1] + 0.5), y - 4, "twice the undisturbed", "good", away=3))
    if waiting:
        said.append(labels.beside(axis.x(waiting[0][0]), scale.y(waiting[0][1]) - 2, "still waiting", "warn", away=3))
    for hour, wait in waiting:
        x, y = axis.x(hour), scale.y(wait)
        parts.append(canvas.mark("path", "waiting", d=f"M{x - 4:.1f} {y:.1f} h8 M{x:.1f} {y:.1f} v-9"))
    if cells:
        high = max(cells, key=lambda cell: cell.wait)
        x, y = axis.x(high.hour), scale.y(high.wait) - 12
        said.append(labels.beside(x, y, f"twins, in view: at most {millis(high.wait)}", "strong", away=3))
    return svg(axis, WAITS, "How long each record waited", [*parts, *said])


def _one_node(shot, one, axis):
    """Return [(hour, wait)] of the one node's records, laid over the hours around the twins' newest fault."""
    like = [strike for strike in strikes(shot) if strike.kind == one.kind]
    if not like:
        return []
    return [(like[-1].hour + since, wait) for since, wait in one.points if like[-1].hour + since in axis.hours]


def _series(axis, scale, points, css):
    if len(points) < 2:
        return []
    return [way([(axis.x(hour), scale.y(wait)) for hour, wait in points], f"series {css}")]

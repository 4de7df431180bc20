"""A history of events as a space–time diagram: a line for each process, a dot with its stamp for each event.

After L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978, figure 1.
"""

import itertools
import math
import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ...clocks import History
from ...errors import BadInput, whole
from ..base.canvas import group, lane, line, mark, svg, words
from ..base.checks import given
from ..base.picture import Picture, scrolling
from .layout import LIFE_COLOURS, RADIUS, half_width, stamped
from .spacetime import message

MOST = 400  # events in one diagram
LANE, TOP, COLUMN = 58, 30, 44
BELOW = 21  # from a dot's middle to the words below it
BENDS = (0, 24, -24, 48, -48)  # pixels by which an arrow's middle may be drawn aside
WORD = 6.8  # about the width of a letter, in pixels


def history(
    events: History,
    stamps: Sequence[object] | None = None,
    path: Sequence[int] = (),
    marked: Mapping[int, str] | None = None,
    order: Sequence[int] | None = None,
) -> Picture:
    """Return a `History` as a diagram, with the table that says the same.

    `stamps` are the labels of the dots, by place (default: the Lamport stamps); where all are "?", the table does not
    show stamps either. `path` is a list of places whose links are drawn thick, as `History.path` returns it; `marked`
    maps places to a few words in red below their dots. `order` holds all places in their order from left to right; a
    message that goes to the left, received before it was sent, is then red and dashed. Raises `BadInput` for a
    history of more than 400 events, for places that the history does not have, and for an `order` that is not all its
    places.
    """
    if len(given(events, History)) > MOST:
        raise BadInput(f"The history has {len(events)} events; a diagram holds {MOST}. Take fewer of them.")
    others, stamps = stamps is not None, events.lamport if stamps is None else list(stamps)
    if len(stamps) != len(events):
        raise BadInput(f"There are {len(stamps)} stamps for {len(events)} events; give one for each.")
    marked, path = dict(marked or {}), list(path or ())
    for place in [*marked, *path]:
        whole("a place to draw", place, 0, len(events) - 1)
    if order is not None and sorted(order) != list(range(len(events))):
        raise BadInput(f"The order is {str(order)[:80]}; give each place from 0 to {len(events) - 1} once.")
    if not len(events):
        return Picture('<p class="eo-dim">Nothing has happened yet.</p>', history_table(events))
    said, table = list(map(str, stamps)), history_table(events)
    svg = _svg(events, said, path, marked, _order(events) if order is None else list(order))
    if others:
        table.insert(4, "drawn", said)
    if others and set(said) == {"?"}:  # a question asks for the stamps
        table = table.drop(columns=["drawn", "stamp", "vector"])
    table = table if order is None else table.iloc[list(order)].reset_index(drop=True)
    return Picture(scrolling(svg, "Space–time diagram"), table, unfold="The events as a table")


def history_table(events: History) -> pd.DataFrame:
    """Return a `History` as a DataFrame: event, kind, message, received event, Lamport stamp and vector stamp."""
    rows = [
        (
            events.name(place),
            event.kind + (" again" if event.redelivery else ""),
            event.message or "",
            "" if (send := events.sender[place]) is None else events.name(send),
            events.lamport[place],
            ", ".join(f"{process}:{events.vectors[place].get(process, 0)}" for process in events.processes),
        )
        for place, event in enumerate(given(events, History))
    ]
    return pd.DataFrame(rows, columns=["event", "kind", "message", "from", "stamp", "vector"])


def _svg(events, stamps, path, marked, order):
    wide = max(map(half_width, [*stamps, ""])) if stamps else RADIUS
    most = max((len(text) for text in marked.values()), default=0) * WORD
    column = max(COLUMN, 2 * wide + 12, 6 * max(map(len, map(events.name, order))) + 20)
    left = 24 + max(len(process) for process in events.processes) * 7
    x = {place: left + column / 2 + column * number for number, place in enumerate(order)}
    y = {process: TOP + LANE * number for number, process in enumerate(sorted(events.processes, key=_by_number))}
    spots = [(x[place], y[event.process]) for place, event in enumerate(events)]
    width, height = left + column * len(order) + max(16, most / 2), TOP + LANE * (len(y) - 1) + 44
    marks = []
    for process, at in y.items():
        marks += [line(left, at, width - 8, at, "line"), lane(process, at)]
    names = _names(events, spots)
    links = set(itertools.pairwise(path))
    marks += [line(*spots[one], *spots[other], "way") for one, other in links if events.previous[other] == one]
    for send, receive in events.arrows:
        ends = sorted((spots[send][0], spots[receive][0]))
        others = [spot for spot in spots if ends[0] < spot[0] < ends[1]]
        kind = "way" if (send, receive) in links else "answer" if events[receive].redelivery else "ask"
        kind = "over" if spots[receive][0] < spots[send][0] else kind
        marks.append(_link(spots[send], spots[receive], kind, others))
    for place, (spot, (aside, under)) in enumerate(zip(spots, names, strict=True)):
        at = spot[0] + aside, spot[1] + (BELOW if under else -14)
        marks.append(words(*at, events.name(place), "sub halo", "middle"))
    marks += [_dot(events, place, spots[place], stamps[place], place in marked) for place in range(len(events))]
    for place, said in marked.items():
        below = BELOW + (12 if names[place][1] else 0)
        marks.append(words(spots[place][0], spots[place][1] + below, said, "bad halo", "middle"))
    about = f"Space–time diagram of {len(events)} events on {len(y)} processes. The table below says the same."
    return svg(marks, width, height, about)


def _by_number(process: str) -> list[tuple[Any, ...]]:
    """Put p2 before p10."""
    parts = [(part.isdecimal(), part.lstrip("0"), part) for part in re.split(r"(\d+)", process)]
    return [(not digits, len(number) if digits else 0, number, part) for digits, number, part in parts]


def _order(events: History) -> Any:
    """Return the places from left to right: in their own order, unless a receive stands before its send."""
    if all(send < receive for send, receive in events.arrows):
        return range(len(events))
    return events.causal_order


def _link(start: tuple[Any, ...], end: tuple[Any, ...], kind: str, others: list[Any]) -> Any:
    """Draw an arrow that passes by the other dots: straight, or bent as little as need be."""
    (x1, y1), (x2, y2) = start, end
    length = math.dist(start, end) or 1
    middles = {
        bend: ((x1 + x2) / 2 - bend * (y2 - y1) / length, (y1 + y2) / 2 + bend * (x2 - x1) / length) for bend in BENDS
    }

    def room(bend: int) -> float:
        points = [_on(start, middles[bend], end, part / 20) for part in range(21)]
        return min((math.dist(spot, point) for spot in others for point in points), default=math.inf)

    free = next((bend for bend in BENDS if room(bend) > RADIUS + 4), None)
    if free is None:
        free = 0 if room(0) > RADIUS else max(BENDS, key=room)
    if not free:
        return message(start, end, kind)
    middle = middles[free]
    last = _on(start, middle, end, max(0.6, 1 - 26 / length))
    curve = f"M{x1:.1f} {y1:.1f} Q{middle[0]:.1f} {middle[1]:.1f} {x2:.1f} {y2:.1f}"
    return group(mark("path", kind, fill="none", d=curve), message(last, end, "over" if kind == "over" else "none"))


def _on(start: tuple[Any, ...], middle: tuple[float, ...], end: tuple[Any, ...], part: float) -> tuple[float, float]:
    """Return the point of a quadratic Bézier curve at `part`, 0 to 1."""
    weights = (1 - part) ** 2, 2 * (1 - part) * part, part**2
    return tuple(sum(map(operator.mul, weights, places)) for places in zip(start, middle, end, strict=True))


def _names(events: History, spots: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return (aside, under) for the name of each event, out of the way of the arrows at its dot."""
    aside, under = [0] * len(events), [False] * len(events)
    for send, receive in events.arrows:
        if spots[send][1] < spots[receive][1]:
            under[receive] = True
        elif spots[send][1] > spots[receive][1]:
            aside[send] = -10 if spots[send][0] < spots[receive][0] else 10
    return list(zip(aside, under, strict=True))


def _dot(events, place, spot, stamp, is_marked):
    event = events[place]
    colour = "red" if is_marked else LIFE_COLOURS[round((spot[1] - TOP) / LANE) % len(LIFE_COLOURS)]
    about = f"{events.name(place)}, {event.kind}{f' of {event.message}' if event.message else ''}: {stamp}"
    return stamped(stamp, *spot, "open" if event.kind == "receive" else "full", about, tone=colour)

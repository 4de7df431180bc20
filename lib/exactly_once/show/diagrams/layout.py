"""The places in a space–time diagram: the lanes, and the column of each event."""

import itertools
from dataclasses import dataclass, field

from ...errors import BadInput, is_number, whole
from ...node.parts import named_part, queue_in
from ...trace import Trace
from ...trace.events import life_name
from ..base.canvas import box, group, words
from ..base.checks import given
from .excerpt import Marks, excerpt, is_drawn, item_of_interest, window
from .table import PARTS, life_title, part_title, placement

LIFE_HEIGHT, PART_HEIGHT, TOP = 58, 40, 44
CLOSE_LIFE_HEIGHT, CLOSE_PART_HEIGHT, CLOSE_TOP = 46, 33, 47
COLUMN, ROOMY_COLUMN = 19.2, 22
GAP = 3  # between two dots with stamps of three digits and more
RADIUS = 9
TITLE = 11  # characters of a lane's title that fit beside a narrow drawing
PLACE = 6.9  # pixels of a character of an incarnation's place, on the average; it is mostly digits
LEAST_WIDTH, MOST_WIDTH = 200, 20_000
COLOURS = {"input": "grey", "positions": "grey", "state": "grey", "output": "sky", "counter": "purple"}
LIFE_COLOURS = ("blue", "green", "purple", "amber")


@dataclass
class Lane:
    """One horizontal line: an incarnation or a part of a store."""

    name: str
    title: str
    under: str
    y: float
    colour: str
    life: int = 0


@dataclass
class Layout:
    """An excerpt of a trace with a place for each event, and its `Marks`. `x` maps an event's id to its pixels."""

    trace: object
    item: int | None
    width: float
    left: float
    lanes: dict = field(default_factory=dict)
    drawn: list = field(default_factory=list)
    x: dict = field(default_factory=dict)
    marks: Marks = field(default_factory=Marks)

    @property
    def height(self):
        """The height of the drawing in pixels."""
        return max((lane.y for lane in self.lanes.values()), default=0) + 28

    def at(self, event):
        """Return (x, y) of a drawn event."""
        return self.x[id(event)], self.lanes[event.process].y


def lay_out_damage(source, item, width):
    """Return the `Layout` of the `window` of a `Verdict` or a `Counterexample`, `width` pixels wide."""
    check_width(width)
    events, marks = window(source, item, int((width - 200) / ROOMY_COLUMN))
    return lay_out(source.run.trace, width=width, part=events, marks=marks)


def check_width(width):
    """Raise `BadInput` for what is no width of a diagram."""
    if not is_number(width) or not LEAST_WIDTH <= width <= MOST_WIDTH:
        raise BadInput(f"The width is {width!r}; give the pixels of the diagram, {LEAST_WIDTH} to {MOST_WIDTH}.")


def lay_out(trace, item=None, width=900, part=None, close=False, marks=None):
    """Return the `Layout` of the events of `item`, at least `width` pixels wide; wider when the events do not fit.

    `part` gives the events to lay out instead, in their order in the drawing. With `close` the lanes stand as close
    as their words allow.
    """
    given(trace, Trace)
    check_width(width)
    if part is None:
        item = item_of_interest(trace) if item is None else whole("the hour to show", item, 1)
        drawn_trace = part = excerpt(trace, item)
    else:
        drawn_trace = trace
    drawn = [event for event in part if is_drawn(event)]
    lanes = _lanes(trace, part, drawn, close)
    placed = max(len(lane.under) for lane in lanes.values()) if lanes else 0  # "executor 1 · pid 16359"
    longest = max((len(lane.title) for lane in lanes.values()), default=0)
    left = max(max(132, 20 + 5.9 * longest) if longest > TITLE else 80, 26 + PLACE * placed if placed else 0)
    widest = max((event.stamp for event in drawn), default=0)
    column = COLUMN if widest < 100 else 2 * half_width(widest) + GAP
    steps = max(len(drawn) - 1, 1)
    # A store's last operation has words below it, and beside it the words of a reply for which nobody waits.
    margin = 116 if drawn and part_title(drawn[-1].process) else 26
    step = max(column, min((width - left - margin) / steps, 60))
    layout = Layout(drawn_trace, item, max(width, left + margin + step * steps), left, lanes, drawn)
    layout.marks = marks or layout.marks
    layout.x = {id(event): left + 12 + step * number for number, event in enumerate(drawn)}
    return layout


def ends(layout, right, letter):
    """Yield the words that stand on lines: what never came there, in a line's widest gap; who waits for what, at its
    end. `letter` is the width of a letter.
    """
    for name, said in layout.marks.ends.items():
        lane = next((lane for lane in layout.lanes.values() if name in (lane.name, *lane.name.split("."))), None)
        if lane is not None:
            own = [layout.at(event)[0] for event in layout.drawn if layout.at(event)[1] == lane.y]
            gaps = list(itertools.pairwise([layout.left, *own, right]))
            begin, end = gaps[-1] if lane.life else max(gaps, key=lambda gap: gap[1] - gap[0])
            fits = begin + 16 + letter * len(said) < end
            yield words(begin + 16 if fits else end - 14, lane.y + 4, said, "bad halo", "" if fits else "end")


def half_width(stamp):
    """Return half the width of a dot, in pixels: round up to two digits, longer where its stamp would not fit."""
    digits = len(str(stamp))
    return RADIUS if digits < 3 else 8.5 + 2.7 * (digits - 3)


def stamped(stamp, x, y, css, about, **more):
    """Return a dot with its stamp; three digits and more are set narrower, not smaller, where dots stand close."""
    half = half_width(stamp)
    narrow = {"textLength": 2 * half - 1.5, "lengthAdjust": "spacingAndGlyphs"} if len(str(stamp)) > 2 else {}
    frame = box(x - half, y - RADIUS, 2 * half, 2 * RADIUS, rx=RADIUS)
    return group(frame, words(x, y + 4, stamp, "stamp", **narrow), css=css, title=about, **more)


def _lanes(trace, part, drawn, close):
    life_height = CLOSE_LIFE_HEIGHT if close else LIFE_HEIGHT
    part_height = CLOSE_PART_HEIGHT if close else PART_HEIGHT
    starts = {start.life: start for start in trace.lives()}
    lives = sorted({event.life for event in part if event.process == life_name(event.life)})
    several = len({start.detail.get("node", 0) for start in starts.values()}) > 1
    lanes, y = {}, CLOSE_TOP if close else TOP
    for life in lives:
        title = life_title(life, starts, several)
        under = placement(starts[life]) if life in starts else ""
        colour = LIFE_COLOURS[(life - 1) % len(LIFE_COLOURS)]
        lanes[life_name(life)] = Lane(life_name(life), title, under, y, colour, life)
        y += life_height
    y -= 0 if close else 8
    # All parts that the whole run used, so that the drawing keeps its height while a run goes on.
    asked = {event.process for event in trace} | {event.detail.get("part") for event in drawn}
    named = sorted((name for name in asked - {None} if named_part(name)), key=by_number)
    shared = by_queue(named)
    for name in [*PARTS, *named]:
        if name in asked and name not in shared:
            lanes[name] = Lane(name, queue_in(name) or part_title(name), "", y, COLOURS.get(name, "sky"))
            y += part_height
    return lanes | {name: lanes[first] for name, first in shared.items()}


def by_queue(named):
    """Return {part: the first of its queue} for all other cells and hints of lock-free queues: they share a lane."""
    first = {}
    return {
        name: first[queue] for name in named if (queue := queue_in(name)) and first.setdefault(queue, name) != name
    }


def by_number(name):
    """Put cells in the order of their indices: output.2 before output.10."""
    queue, _, index = name.rpartition(".")
    return (queue, int(index), "") if index.isdecimal() else (queue, -1, index)

"""The places in a space–time diagram: the lanes, and the column of each event."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...errors import BadInput, is_number, whole
from ...node.access import named_part, queue_in
from ...trace import Trace, life_name, takeover
from ...verdict.outcome import output_index
from ..base.canvas import box, group, words
from ..base.checks import given
from .excerpt import PARTS, Marks, excerpt, is_drawn, item_of_interest, life_title, part_title, placement, window


class Heights(NamedTuple):
    """Pixels from one incarnation's line to the next, from one part's to the next, above the first line, and between
    the last incarnation and the first part.
    """

    life: float
    part: float
    top: float
    between: float


ROOMY, CLOSE = Heights(58, 40, 44, 50), Heights(46, 33, 47, 46)
COLUMN, ROOMY_COLUMN = 19.2, 22
GAP = 3  # between two dots with stamps of three digits and more
EDGE = 10  # from the end of a line to the right edge
RADIUS = 9
TITLE = 11  # characters of a lane's title that fit beside a narrow drawing
PLACE = 6.9  # pixels of a character of an incarnation's place, on the average; it is mostly digits
LEAST_WIDTH, MOST_WIDTH = 200, 20_000
COLOURS = {"input": "grey", "positions": "grey", "state": "grey", "output": "sky", "counter": "purple"}
LIFE_COLOURS = ("blue", "green", "purple", "amber")
# In a quiet drawing, parts that are asked alike share a line: state and positions, what a handler keeps, the counter.
SHARE = {"positions": "state", "decided": "state", "epoch": "counter", "index": "counter", "prepared": "counter"}


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

    trace: Trace
    item: int | None
    width: float
    left: float
    lanes: dict = field(default_factory=dict)
    drawn: list = field(default_factory=list)
    marks: Marks = field(default_factory=Marks)
    x: dict = field(default_factory=dict)

    @property
    def height(self) -> int:
        """The height of the lanes in pixels."""
        return max((lane.y for lane in self.lanes.values()), default=0) + 28

    def at(self, event: Any) -> tuple[float, int]:
        """Return (x, y) of a drawn event."""
        return self.x[id(event)], self.lanes[event.process].y

    def spread(self, margin: int, least: float, most: int) -> "Layout":
        """Give each event its column, `least` to `most` pixels from the one before it, and `margin` behind the last;
        the drawing becomes wider where that is needed.
        """
        steps = max(len(self.drawn) - 1, 1)
        step = max(least, min((self.width - self.left - margin) / steps, most))
        self.width = max(self.width, self.left + margin + step * steps)
        self.x = {id(event): self.left + 12 + step * number for number, event in enumerate(self.drawn)}
        return self

    def lines(self) -> Iterator[Any]:
        """Yield (lane, where its line begins, where it ends, whether there is a death) for each lane; of an
        incarnation without drawn events the beginning is None.
        """
        for lane in {lane.name: lane for lane in self.lanes.values()}.values():
            own = [self.at(event)[0] for event in self.drawn if event.process == lane.name]
            died = any(event.process == lane.name and event.verb == "dies" for event in self.drawn)
            first = own[0] if own and lane.life > 1 else self.left
            yield lane, first if own or not lane.life else None, own[-1] if died else self.width - EDGE, died

    def takeovers(self) -> Iterator[Any]:
        """Yield (death, start of the successor) of each incarnation that was followed by another."""
        starts = {event.message: event for event in self.drawn if event.verb == "start" and event.message}
        for event in self.drawn:
            successor = starts.get(takeover(event.life)) if event.verb == "dies" else None
            if successor is not None:
                yield event, successor


def lay_out(trace, item=None, width=900, part=None, close=False, marks=None, source=None):
    """Return the `Layout` of the events of `item`, at least `width` pixels wide; wider when the events do not fit.

    `part` gives the events to lay out instead, in their order in the drawing; `source`, a `Verdict` or a
    `Counterexample`, its `window` and marks. With `close` the lanes stand as close as their words allow.
    """
    given(trace, Trace)
    if not is_number(width) or not LEAST_WIDTH <= width <= MOST_WIDTH:
        raise BadInput(f"The width is {width!r}; give the pixels of the diagram, {LEAST_WIDTH} to {MOST_WIDTH}.")
    drawn_trace = trace
    if source is not None:
        part, marks = window(source, item, int((width - 200) / ROOMY_COLUMN))
        item = None
    elif part is None:
        item = item_of_interest(trace) if item is None else whole("the hour to show", item, 1)
        drawn_trace = part = excerpt(trace, item)
    drawn = [event for event in part if is_drawn(event)]
    lanes = lanes_of(trace, part, drawn, CLOSE if close else ROOMY)
    placed = max((len(lane.under) for lane in lanes.values()), default=0)  # "executor 1 · pid 16359"
    longest = max((len(lane.title) for lane in lanes.values()), default=0)
    left = max(max(132, 20 + 5.9 * longest) if longest > TITLE else 80, 26 + PLACE * placed if placed else 0)
    widest = max((event.stamp for event in drawn), default=0)
    column = COLUMN if widest < 100 else 2 * half_width(widest) + GAP
    # A store's last operation has words below it, and beside it the words of a reply for which nobody waits.
    margin = 116 if drawn and part_title(drawn[-1].process) else 26
    return Layout(drawn_trace, item, width, left, lanes, drawn, marks or Marks()).spread(margin, column, 60)


def lanes_of(trace, events, drawn, heights, quiet=False):
    """Return {process: `Lane`}: the incarnations of `events`, below them all parts that the whole run used, so that
    the drawing keeps its height while a run goes on. In a `quiet` drawing titles are short, and more parts share one.
    """
    starts = {start.life: start for start in trace.lives()}
    several = len({start.detail.get("node", 0) for start in starts.values()}) > 1
    lanes, y = {}, heights.top
    for life in sorted({event.life for event in events if event.process == life_name(event.life)}):
        title, under = life_title(life, starts, several and not quiet), placement(starts.get(life))
        if quiet:
            under = under.rpartition(" · ")[2]  # "pid 16359" alone has room
            program, _, of = title.rpartition(", ")
            title, under = (program, " · ".join(filter(None, (of, under)))) if program else (title, under)
        lanes[life_name(life)] = Lane(life_name(life), title, under, y, LIFE_COLOURS[(life - 1) % 4], life)
        y += heights.life
    y += heights.between - heights.life
    asked = ({event.process for event in trace} | {event.detail.get("part") for event in drawn}) - {None}
    named = sorted((name for name in asked if named_part(name)), key=by_number)
    shared, titles = _sharing(named, asked, quiet)
    for name in [*PARTS, *named]:
        if name in asked and name not in shared:
            title = titles.get(name) or queue_in(name) or part_title(name)
            lanes[name] = Lane(name, title, "", y, COLOURS.get(name, "sky"))
            y += heights.part
    return lanes | {name: lanes[first] for name, first in shared.items()}


def _sharing(named: list[Any], asked: set[str], quiet: bool) -> tuple[Any, Any]:
    """Return ({part: the part whose line it shares}, {part: title of a line that is shared})."""
    first, titles = {}, {}
    shared = {
        name: first[queue] for name in named if (queue := queue_in(name)) and first.setdefault(queue, name) != name
    }
    if quiet:
        cells = [name for name in named if output_index(name) is not None]
        shared |= dict.fromkeys(cells[1:], cells[0] if cells else "")
        shared |= {name: line for name, line in SHARE.items() if {name, line} <= asked}
        titles = dict.fromkeys(cells[:1], "output cells")
        titles |= {"state": "state & positions"} if "positions" in shared else {}
    return shared, titles


def by_number(name: str) -> tuple[str, int, str]:
    """Put cells in the order of their indices: output.2 before output.10."""
    queue, _, index = name.rpartition(".")
    return (queue, int(index), "") if index.isdecimal() else (queue, -1, index)


def ends(layout: Any, right: Any, letter: Any) -> Iterator[Any]:
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


def half_width(stamp: Any) -> Any:
    """Return half the width of a dot, in pixels: round up to two digits, longer where its stamp would not fit."""
    digits = len(str(stamp))
    return RADIUS if digits < 3 else 8.5 + 2.7 * (digits - 3)


def stamped(stamp: Any, x: Any, y: Any, css: Any, about: Any, **more: Any) -> Any:
    """Return a dot with its stamp; three digits and more are set narrower, not smaller, where dots stand close."""
    half = half_width(stamp)
    narrow = {"textLength": 2 * half - 1.5, "lengthAdjust": "spacingAndGlyphs"} if len(str(stamp)) > 2 else {}
    frame = box(x - half, y - RADIUS, 2 * half, 2 * RADIUS, rx=RADIUS)
    return group(frame, words(x, y + 4, stamp, "stamp", **narrow), css=css, title=about, **more)

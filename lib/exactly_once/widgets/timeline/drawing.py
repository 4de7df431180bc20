"""The places in the timeline's picture, and the few shapes of the drawing."""

from html import escape
from itertools import pairwise

from .parts import PRODUCERS

LEFT, COMING = 124, 266  # pixels: of the names on the left, and of future events on the right
UNIT, WIDEST = 23, 42  # of a step
PREPARES = 0.8  # of a step's width: a decided, not yet complete transaction within ten seconds
WEIGHTS = {"commit": 1.5, "abort": 1.5, "tick": 1.5, "restart": 1.3, "back": 1.3, "release": 1.3}
CELL, NARROWEST, READS = 60, 48, 124  # of an offset, at most and at least, and of the words behind the last offset
AXIS, TOP, BOTTOM = 12, 24, 198  # heights: the axis' words, and the panel of future events
LANES = dict(zip(PRODUCERS, (54, 106), strict=True))
TITLE = 138
ROWS = dict(zip(PRODUCERS, (155, 179), strict=True))
FLAGS, FLAG = 208, 18
SPANS = dict(zip(PRODUCERS, (241, 257), strict=True))
NUMBERS, CELLS, CELL_HEIGHT, UNCOMMITTED, COMMITTED = 276, 283, 47, 352, 394
HEIGHT = 422
CSS = dict(zip(PRODUCERS, ("p1", "p2"), strict=True))
LETTER, BOLD = 6.4, 7.1  # pixels of a letter, on the average


class Place:
    """Maps seconds and offsets to pixels. If the room is too small, the oldest are left out."""

    def __init__(self, world, width):
        self.width, self.now = width, width - COMING
        self.times, weights = [0.0], []
        for (since, _), (until, what) in pairwise(world.starts):
            for end, weight in _parts(world, since, until, what):
                self.times.append(end)
                weights.append(weight)
        room = self.now - LEFT
        unit = min(WIDEST, max(UNIT, room / max(1, sum(weights))))
        ends = [0.0]
        for weight in weights:
            ends.append(ends[-1] + weight * unit)
        shift = min(0.0, room - ends[-1])
        self.ends = [LEFT + end + shift for end in ends]
        self.now = self.ends[-1] if len(self.ends) > 1 else LEFT + 12
        self.cut = shift < 0
        self.unit = unit

    def x(self, at):
        """Return the place of a second."""
        if at >= self.times[-1]:
            return self.now
        for place in range(len(self.times) - 1):
            if at <= self.times[place + 1]:
                first, last = self.times[place], self.times[place + 1]
                part = (at - first) / (last - first)
                return self.ends[place] + part * (self.ends[place + 1] - self.ends[place])
        return self.now

    def offsets(self, end):
        """Return (first shown offset, width of a cell) for a partition with this end."""
        room = self.width - LEFT
        cell = max(NARROWEST, min(CELL, (room - READS) / max(1, end)))
        first = 0
        while LEFT + (end - first) * cell + READS > self.width:
            first += 1
        return first, cell


def _parts(world, since, until, what):
    """Return (end, weight) of the parts of a step: in a long step, markers on their way get enough room."""
    weight = WEIGHTS.get(what, 1)
    if what != "tick":
        return [(until, weight)]
    changes = {at: state for states in world.states.values() for at, state, _ in states if since < at < until}
    cuts = [since, *sorted(changes), until]
    return [
        (end, PREPARES if changes.get(first, "").startswith("Prepare") else weight * (end - first) / (until - since))
        for first, end in pairwise(cuts)
    ]


class Sketch:
    """A picture that is being drawn: the world, the places, and the parts so far."""

    def __init__(self, world, forecast, place, name):
        self.world, self.forecast, self.place, self.name = world, forecast, place, name
        self.parts = []
        self.taken = {}  # by height: (from, to) of the words there

    def add(self, html):
        """Add a part."""
        self.parts.append(html)

    def text(self, x, y, words, css="", anchor="", title=""):
        """Add words."""
        self.add(text(x, y, words, css, anchor, title))

    def line(self, x1, y1, x2, y2, css):
        """Add a line."""
        self.add(f'<line class="{css}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def box(self, x, y, width, height, css, title="", radius=4, fill=""):
        """Add a box; `fill` names a hatching."""
        said = f"<title>{escape(title)}</title>" if title else ""
        style = f' style="fill:url(#{self.name}-{fill})"' if fill else ""
        place = f'x="{x:.1f}" y="{y:.1f}" width="{max(0, width):.1f}" height="{height}" rx="{radius}"'
        self.add(f'<rect class="{css}" {place}{style}>{said}</rect>')

    def record(self, x, y, name, owner, css, title=""):
        """Add a record: a circle for P1, a square for P2, with its name in it."""
        wide = 10 if len(name) <= 2 else 12
        round_ = 10 if owner == PRODUCERS[0] else 3
        said = f"<title>{escape(title)}</title>" if title else ""
        strike = (
            f'<line x1="{x - 12:.1f}" y1="{y + 7}" x2="{x + 12:.1f}" y2="{y - 7}"/>' if "gone" in css.split() else ""
        )
        place = f'x="{x - wide:.1f}" y="{y - 10}" width="{2 * wide}" height="20" rx="{round_}"'
        words = text(x, y + 4.5, name, "" if len(name) <= 2 else "tight", "middle")
        self.add(f'<g class="record {CSS[owner]} {css}">{said}<rect {place}/>{words}{strike}</g>')

    def label(self, x, y, words, css, least=LEFT):
        """Add words above an element, in its middle, or as near to that as leaves all words apart."""
        half = len(words) * (BOLD if "strong" in css else LETTER) / 2
        taken = self.taken.setdefault(y, [])
        spots = [x, least + half, *(edge for first, last in taken for edge in (first - 6 - half, last + 6 + half))]
        free = [
            spot
            for spot in spots
            if spot >= least + half
            and not any(spot - half < last + 5 and spot + half > first - 5 for first, last in taken)
        ]
        x = min(free, key=lambda spot: abs(spot - x))
        taken.append((x - half, x + half))
        self.text(x, y, words, css, "middle")

    def plate(self, x, y, words, css):
        """Add words in the middle of a line, on a ground that hides the line."""
        wide = len(words) * (BOLD if "strong" in css else LETTER) + 6
        self.box(x - wide / 2, y - 8, wide, 16, "plate", radius=0)
        self.text(x, y + 4, words, css, "middle")

    def flag(self, x, y, css):
        """Add the flag of positions that are in a transaction."""
        self.add(f'<path class="flag {css}" d="M{x - 4:.1f} {y + 7}v-13h9l-2.6 3.4 2.6 3.4h-9"/>')

    def pause(self, x, y, css=""):
        """Add the two bars of a pause."""
        self.add(f'<path class="pause {css}" d="M{x:.1f} {y - 5}v10M{x + 5:.1f} {y - 5}v10"/>')


def text(x, y, words, css="", anchor="", title=""):
    """Return words at a place, as SVG; `anchor` is "", "middle" or "end"."""
    style = f' text-anchor="{anchor}"' if anchor else ""
    said = f"<title>{escape(title)}</title>" if title else ""
    name = f' class="{css}"' if css else ""
    return f'<text{name} x="{x:.1f}" y="{y:.1f}"{style}>{said}{escape(words)}</text>'


def fits(words, width):
    """Tell whether words have room in so many pixels."""
    return len(words) * LETTER + 11 <= width

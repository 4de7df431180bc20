"""The places in the timeline's picture, and the few shapes of the drawing."""

from itertools import accumulate, pairwise

import numpy as np

from ...show.base.canvas import BOLD, CHARACTER, Labels, box, group, line, mark, words
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


class Place:
    """Maps seconds and offsets to pixels. If the room is too small, the oldest are left out."""

    def __init__(self, world, width):
        self.width = width
        self.times, weights = [0.0], []
        for (since, _), (until, what) in pairwise(world.starts):
            for end, weight in _parts(world, since, until, what):
                self.times.append(end)
                weights.append(weight)
        room = width - COMING - LEFT
        unit = min(WIDEST, max(UNIT, room / max(1, sum(weights))))
        ends = [*accumulate((weight * unit for weight in weights), initial=0.0)]
        shift = min(0.0, room - ends[-1])
        self.ends = [LEFT + end + shift for end in ends]
        if not weights:
            self.ends = [LEFT + 12]
        self.now = self.ends[-1]
        self.cut = shift < 0

    def x(self, at):
        """Return the place of a second."""
        return float(np.interp(at, self.times, self.ends))

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
    """A picture that is being drawn: the world, the places, and the marks so far."""

    def __init__(self, world, forecast, place, name):
        self.world, self.forecast, self.place, self.name = world, forecast, place, name
        self.marks, self.labels = [], Labels(place.width)

    def add(self, *marks):
        """Add marks."""
        self.marks += marks

    def text(self, x, y, said, css="", anchor="", title=""):
        """Add words."""
        self.add(words(x, y, said, css, anchor, title=title))

    def line(self, x1, y1, x2, y2, css):
        """Add a line."""
        self.add(line(x1, y1, x2, y2, css))

    def box(self, x, y, width, height, css, title="", radius=4, fill=""):
        """Add a box; `fill` names a hatching."""
        look = {"fill": f"url(#{self.name}-{fill})"} if fill else {}
        self.add(box(x, y, max(0, width), height, css, title=title, rx=radius, **look))

    def record(self, x, y, name, owner, css, title=""):
        """Add a record: a circle for P1, a square for P2, with its name in it."""
        wide, css = 10 if len(name) <= 2 else 12, f"record {CSS[owner]} {css}"
        frame = box(x - wide, y - 10, 2 * wide, 20, rx=10 if owner == PRODUCERS[0] else 3)
        said = words(x, y + 4.5, name, "" if len(name) <= 2 else "tight", "middle")
        strike = [line(x - 12, y + 7, x + 12, y - 7)] if "gone" in css.split() else []
        self.add(group(frame, said, *strike, css=css, title=title))

    def label(self, x, y, said, css):
        """Add words above an element, in its middle, or as near to that as leaves all words apart."""
        self.add(self.labels.above(x, y, said, css, LEFT))

    def plate(self, x, y, said, css):
        """Add words in the middle of a line, on a ground that hides the line."""
        wide = len(said) * (BOLD if "strong" in css else CHARACTER) + 6
        self.box(x - wide / 2, y - 8, wide, 16, "plate", radius=0)
        self.text(x, y + 4, said, css, "middle")

    def pause(self, x, y, css=""):
        """Add the two bars of a pause."""
        self.add(mark("path", f"pause {css}", d=f"M{x:.1f} {y - 5}v10M{x + 5:.1f} {y - 5}v10"))

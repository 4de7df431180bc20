"""The timeline's picture: the places in it, the few shapes of the drawing, and its two parts.

Above, over time, both producers' transactions, the coordinator's states, and future events; below the partition,
offset by offset, and the view of each isolation level.
"""

from itertools import accumulate, count, pairwise
from typing import Any

import numpy as np

from ...log.transactions.producer import ABORTABLE_ERROR, FATAL_ERROR, IN_TRANSACTION
from ...log.transactions.rules import COMPLETE_ABORT, COMPLETE_COMMIT, ONGOING, RESULTS
from ...show.base.canvas import BOLD, CHARACTER, Labels, box, dot, fits, group, hatchings, line, mark, svg, words
from ..base.controls import listed
from .timeline_model import hanging, twice, waiting
from .timeline_steps import DEAD, OUTPUT, PARTITION, PRODUCERS, TIMEOUT_S

LEFT, COMING = 124, 266  # pixels: of the names on the left, and of future events on the right
UNIT, WIDEST = 23, 42  # of a step
PREPARES = 0.8  # of a step's width: a decided, not yet complete transaction within ten seconds
WEIGHTS = {"commit": 1.5, "abort": 1.5, "tick": 1.5, "restart": 1.3, "back": 1.3, "release": 1.3}
CELL, NARROWEST, READS = 60, 48, 124  # of an offset, at most and at least, and of the words behind the last offset
ROOMY = 54  # of a cell in which words need not stand close
COMING_AT = 100  # from now to the future events
AXIS, TOP, BOTTOM = 12, 24, 198  # heights: the axis' words, and the panel of future events
LANES = dict(zip(PRODUCERS, (54, 106), strict=True))
HALF = 12  # of the height of a transaction's box
ZOMBIE = 20  # below a producer's line: the line of an earlier incarnation
RING = 19
TITLE = 138
ROWS = dict(zip(PRODUCERS, (155, 179), strict=True))
FLAGS, FLAG = 208, 18
SPANS = dict(zip(PRODUCERS, (241, 257), strict=True))
NUMBERS, CELLS, CELL_HEIGHT, UNCOMMITTED, COMMITTED = 276, 283, 47, 352, 394
HEIGHT = 422
CSS = dict(zip(PRODUCERS, ("p1", "p2"), strict=True))
HATCHES = {"prepare": 6, "stall": 9, "beyond": 9}  # pixels between the lines
SIGNS = {"commit": "◆", "abort": "✗"}
ENDS = {COMPLETE_COMMIT: " ◆", COMPLETE_ABORT: " ✗"}
STANDINGS = {DEAD: "dead ✖", FATAL_ERROR: "fenced ✗", ABORTABLE_ERROR: "has to abort"}
DECISIONS = {"commit": "done", "abort": "void"}  # the look of a record, by the decision on its transaction
ODD = {  # marks that are no plain record: the look, in a sentence, the words above
    "late": ("late", "is late", "◷ late"),
    "arrived": ("late", "arrives late", "◷ arrives"),
    "refused": ("refused", "is refused", "✗ refused"),
}
RECORDS = {  # by the result of a record's transaction: the look, in a sentence, while read_committed waits
    "commit": ("solid", "committed, and not read by read_committed yet", "waits ◆"),
    "abort": ("void gone", "aborted", "aborted"),
    "": ("undecided", "undecided", "open"),
}

_number = count()


def picture(world: Any, about: str, width: int) -> str:
    """Return the picture as SVG, `width` pixels wide. `about` describes it shortly for readers who cannot see it."""
    name = f"eo-tt{next(_number)}"  # keeps the picture's patterns apart from those of others on the page
    sketch = Sketch(world, Place(world, width), name)
    sketch.add(hatchings(name, HATCHES))
    time_part(sketch)
    Tape(sketch).draw()
    return svg(sketch.marks, width, HEIGHT, about, "eo-tt")


class Place:
    """Maps seconds and offsets to pixels. If the room is too small, the oldest are left out."""

    def __init__(self, world: Any, width: int) -> None:
        self.width, parts = width, [(0.0, 0.0)]
        for (since, _), (until, what) in pairwise(world.starts):
            parts += _parts(world, since, until, what)
        self.times, weights = zip(*parts, strict=True)
        room = width - COMING - LEFT
        unit = min(WIDEST, max(UNIT, room / max(1, sum(weights))))
        ends = [LEFT + end for end in accumulate(weight * unit for weight in weights)]
        shift = min(0.0, round(LEFT + room - ends[-1], 6))
        self.ends = [end + shift for end in ends] if len(parts) > 1 else [LEFT + 12]
        self.now, self.cut = self.ends[-1], shift < 0

    def x(self, at: Any) -> float:
        """Return the place of a second; of None, that is of a future one, the place of the present."""
        return self.now if at is None else float(np.interp(at, self.times, self.ends))

    def offsets(self, end: Any) -> Any:
        """Return (first shown offset, width of a cell) for a partition with this end."""
        room = self.width - LEFT - READS
        cell = max(NARROWEST, min(CELL, room / max(1, end)))
        return max(0, end - int(room / cell + 1e-6)), cell


def _parts(world: Any, since: float, until: float, what: str) -> list[Any]:
    """Return (end, weight) of the parts of a step: in a long step, markers on their way get enough room."""
    weight = WEIGHTS.get(what, 1)
    if what != "tick":
        return [(until, weight)]
    changes = {at: state for states in world.states.values() for at, state, _ in states if since < at < until}
    cuts = [since, *sorted(changes), until]
    return [
        (end, PREPARES if changes.get(first) in RESULTS else weight * (end - first) / (until - since))
        for first, end in pairwise(cuts)
    ]


class Sketch:
    """A picture that is being drawn: the world, the places, and the marks so far."""

    def __init__(self, world: Any, place: Place, name: str) -> None:
        self.world, self.place, self.name, self.forecast = world, place, name, world.forecast()
        self.marks, self.labels = [], Labels(place.width)

    def add(self, *marks: Any) -> None:
        """Add marks."""
        self.marks += marks

    def text(self, x: float, y: float, said: Any, css: str = "", anchor: str = "", title: str = "") -> None:
        """Add words."""
        self.add(words(x, y, said, css, anchor, title=title))

    def line(self, x1: Any, y1: int, x2: float, y2: int, css: Any) -> None:
        """Add a line."""
        self.add(line(x1, y1, x2, y2, css))

    def box(self, x, y, width, height, css, title="", radius=4, fill="", least=0):
        """Add a box, at the `least` so many pixels wide; `fill` names a hatching."""
        look = {"fill": f"url(#{self.name}-{fill})"} if fill else {}
        self.add(box(x, y, max(least, width), height, css, title=title, rx=radius, **look))

    def period(self, since, until, y, half, css, title="", gap=0.0, **look):
        """Add a box from one time to another, without the first `gap` pixels. Return the places of its two ends."""
        x, end = max(LEFT, self.place.x(since) + gap), self.place.x(until)
        if end > LEFT:
            self.box(x, y - half, end - x, 2 * half, css, title, **look)
        return x, end

    def record(self, x: float, y: int, name: str, owner: str, css: str, title: str = "") -> None:
        """Add a record: a circle for P1, a square for P2, with its name in it."""
        wide, css = 10 if len(name) <= 2 else 12, f"record {CSS[owner]} {css}"
        frame = box(x - wide, y - 10, 2 * wide, 20, rx=10 if owner == PRODUCERS[0] else 3)
        said = words(x, y + 4.5, name, "" if len(name) <= 2 else "tight", "middle")
        strike = [line(x - 12, y + 7, x + 12, y - 7)] if "gone" in css.split() else []
        self.add(group(frame, said, *strike, css=css, title=title))

    def label(self, x: float, y: int, said: Any, css: str) -> None:
        """Add words above an element, in its middle, or as near to that as leaves all words apart."""
        self.add(self.labels.above(x, y, said, css, LEFT))

    def plate(self, x: float, y: int, said: Any, css: str) -> None:
        """Add words in the middle of a line, on a ground that hides the line."""
        wide = len(said) * (BOLD if "strong" in css else CHARACTER) + 6
        self.box(x - wide / 2, y - 8, wide, 16, "plate", radius=0)
        self.text(x, y + 4, said, css, "middle")


# -- over time -------------------------------------------------------------------------------------------------------


def time_part(sketch: Sketch) -> None:
    """Draw the producers' lanes, the coordinator's rows, and on their right the future events."""
    world, place = sketch.world, sketch.place
    _axis(sketch)
    for owner in PRODUCERS:
        Lane(sketch, owner).draw()
    sketch.text(0, TITLE, "Coordinator", "head")
    y = sum(ROWS.values()) / 2
    for since, until in world.downs:
        x, end = sketch.period(since + 1, until, y, 24, "down", "the coordinator is dead", radius=2)
        if end > LEFT:
            sketch.text((x + end) / 2, y + 4.5, "✖ dead" if end - x > 52 else "✖", "bad strong", "middle")
    for number, said in enumerate([] if sketch.forecast else _nothing_to_come(world)):
        sketch.text(place.now + 16, LANES[PRODUCERS[0]] - 2 + 17 * number, said, "dim lean")
    sketch.line(place.now, TOP - 4, place.now, BOTTOM, "now")


def _axis(sketch: Sketch) -> None:
    place, now = sketch.place, sketch.world.now
    sketch.text(0, AXIS, "Time, seconds", "head")
    sketch.box(place.now, TOP, place.width - place.now, BOTTOM - TOP, "coming", radius=0)
    last = None
    for at in range(0, int(now) + 1, 10):
        x = place.x(at)
        if x < LEFT or (last is not None and x - last < 26):
            continue
        sketch.line(x, TOP, x, BOTTOM, "grid")
        if place.now - x > 46 and not (place.cut and x < LEFT + 62):
            sketch.text(x, AXIS, f"{at}", "dim", "middle")
            last = x
    sketch.text(place.now, AXIS, f"now {now:.0f}", "strong", "middle")
    sketch.text(place.width, AXIS, "to come", "dim lean", "end")
    if place.cut:
        sketch.text(LEFT + 2, AXIS, "earlier …", "dim lean")
    times = sorted({round(at) for at in sketch.forecast.values()})
    if times:
        x = place.now + COMING_AT
        sketch.text(place.now + COMING_AT / 2 + 6, AXIS, "//", "dim", "middle")
        sketch.text(x, AXIS, " / ".join(map(str, times)), "dim", "middle")
        sketch.line(x, TOP, x, BOTTOM, "grid-coming")


def _nothing_to_come(world: Any) -> tuple[str, str]:
    """Return the words where the coordinator has nothing to do by itself."""
    pending = [owner for owner in PRODUCERS if world.entry(owner).state in RESULTS]
    if world.coordinator is None:
        return "No coordinator: no time-out,", "and no marker is written."
    if pending and world.held:
        return f"{listed(pending)}’s markers are held:", "release them."
    if hanging(world, world.partition()[1]):
        return "The coordinator has nothing open:", "no time-out will come."
    return "Nothing is open: nothing", "changes by itself."


def standing(world: Any, owner: str) -> tuple[str, str]:
    """Return a producer's standing, in a word or two, and its colour."""
    life = world.life(owner)
    if life.stalled:
        return "stalled", "bad"
    if life.asks:
        return "waits …", "late"
    if life.state in STANDINGS:
        return STANDINGS[life.state], "bad"
    if life.state == IN_TRANSACTION:
        return "in transaction", CSS[owner]
    mine = [one for one in world.of(owner) if one.life == life.number and one.known]
    done = {"commit": ("done ◆", CSS[owner]), "abort": ("aborted ✗", "dim")}
    return done.get(mine[-1].result if mine else "", ("ready", "dim"))


class Lane:
    """A producer: its transactions over time, the coordinator's states of them, and what is to come."""

    def __init__(self, sketch: Sketch, owner: str) -> None:
        self.sketch, self.world, self.place = sketch, sketch.world, sketch.place
        self.owner, self.css, self.y, self.row = owner, CSS[owner], LANES[owner], ROWS[owner]
        self.life, self.lives, self.mine = self.world.life(owner), self.world.lives[owner], self.world.of(owner)

    def draw(self) -> None:
        """Draw everything, the newest on top."""
        self._who()
        for life in self.lives:
            end = self.place.x(next((at + 1 for at in self.world.deaths[self.owner] if at >= life.began), None))
            if end > LEFT:
                self.sketch.line(max(LEFT, self.place.x(life.began)), self.y, end, self.y, "life")
        for one in self.mine:
            self._transaction(one)
        for life in self.lives:
            for since, until in life.stalls:
                self._stall(since, until)
        for one in self.mine:
            for done in one.marks:
                self._mark(one, *done)
        if self.mine:
            self._labels(self.mine[-1])
        for at in self.world.deaths[self.owner]:
            if self.place.x(at) >= LEFT:
                place = self.place.x(at + 1), self.y + 5
                self.sketch.text(*place, "✖", "bad strong", "middle", f"killed at {at:.0f} s")
        if self.owner in self.world.late:
            self._late(self.world.late[self.owner])
        self._states()
        if self.owner in self.sketch.forecast:
            self._coming(self.sketch.forecast[self.owner])

    def _strong(self, result: str) -> str:
        """Return the look of words on a result."""
        return f"strong {self.css if result == 'commit' else 'dim'}"

    def _who(self) -> None:
        """Name the producer, its epoch, and its standing; and its row of the coordinator."""
        y, life, sketch = self.y, self.life, self.sketch
        for middle in (y - 10, self.row):
            look = {"css": f"badge {self.css}"}
            one = self.owner == PRODUCERS[0]
            sketch.add(dot(10, middle, 6.5, **look) if one else box(3.5, middle - 6.5, 13, 13, rx=3, **look))
        sketch.text(22, y - 5.5, self.owner, f"name {self.css}")
        epoch = "–" if life.epoch is None else life.epoch
        sketch.text(45, y - 5.5, f"epoch {epoch}", "dim", title=f"incarnation {life.number}")
        said, css = standing(self.world, self.owner)
        sketch.text(22, y + 11, said, f"name {css}")
        sketch.text(22, self.row + 4.5, f"{self.owner}’s state", f"name {self.css}")

    def _transaction(self, one: Any) -> None:
        sketch, open_ = self.sketch, one.ended is None
        ill = open_ and one.decided is None and self.lives[one.life - 1].fate
        kind = "ill" if ill else "open" if open_ else "ended"
        kind += " void" * (one.why == "refused" or (one.result == "abort" and not open_))
        said = f"{one.owner}’s transaction in epoch {one.epoch}, from {one.began:.0f} s: {one.result or 'open'}"
        _, end = sketch.period(one.began, one.ended, self.y, HALF, f"tx {self.css} {kind}", said, gap=3)
        if end <= LEFT or one.decided is None or not one.known:
            return
        said = f"{one.result} decided at {one.decided:.0f} s"
        sketch.period(one.decided, one.ended, self.y, HALF, f"prepare {self.css}", said, fill="prepare", least=3)
        if not open_:
            x = end + 4 if one is self.mine[-1] else min(end + 4, self.place.now - 12)
            sketch.text(x, self.y + 5, SIGNS[one.result], self._strong(one.result))

    def _labels(self, one: Any) -> None:
        """Write the requested result above the newest transaction."""
        top, x = self.y - HALF - 5, self.place.x(one.began) + 3
        if self.place.x(one.ended) < LEFT:
            return
        said = {"asked": one.result, "timed out": "time-out", "restart": "new incarnation"}.get(one.why, "")
        if one.decided is not None and said and one.known:
            css = "bad strong" if one.why == "timed out" else self._strong(one.result)
            self.sketch.label(max(LEFT, self.place.x(one.decided)) + 2, top, said, css)
        if x >= LEFT and self.sketch.labels.is_free(x - 4, x + 38, top):
            self.sketch.text(x, top, "begin", "dim")

    def _stall(self, since: float, until: float | None) -> None:
        """Draw a stall, inside a transaction's box or on the line."""
        sketch, place, y, first = self.sketch, self.place, self.y, max(LEFT, self.place.x(since))
        inside = [one for one in self.mine if one.began <= since and (one.ended is None or one.ended > since)]
        end, low = first, y
        if inside:
            end, low = place.x(inside[-1].decided), y + ZOMBIE * (len(self.lives) > inside[-1].life)
        last = place.x(until)
        if last > max(end, LEFT):
            sketch.line(end, low, last, low, "stall-line")
        if inside and last > LEFT:
            last = min(last, end)
            said = f"stalled since {since:.0f} s"
            sketch.box(first, y - HALF + 1, last - first - 1, 2 * HALF - 2, "stall", said, 2, "stall")
        middle, roomy = (first + last) / 2, last - first > 76
        if last - first > 10:
            x = middle - (32 if roomy else 2.5)
            sketch.add(mark("path", "pause bad halo", d=f"M{x:.1f} {y - 5}v10M{x + 5:.1f} {y - 5}v10"))
        if roomy:
            sketch.text(middle - 20, y + 4.5, "stalled", "bad strong halo")

    def _mark(self, one: Any, at: float, kind: str, name: str) -> None:
        x, y = self.place.x(at + 1), self.y
        if x < LEFT + 8:
            return
        if kind == "offsets":
            self.sketch.add(mark("path", f"flag {self.css}", d=f"M{x - 4:.1f} {y + 7}v-13h9l-2.6 3.4 2.6 3.4h-9"))
            return
        css, said, above = ODD.get(kind, (DECISIONS.get(one.result, "solid"), "is sent", ""))
        if self._by_zombie(one, at):
            y += ZOMBIE
            self.sketch.plate(x - 45, y, "✗ zombie", "bad strong")
        elif above:
            colour = "bad" if kind == "refused" else "late"
            self.sketch.label(x, y - HALF - 5, above, f"{colour} strong halo")
        self.sketch.record(x, y, name, one.owner, css, f"{name} {said} at {at:.0f} s, in epoch {one.epoch}")

    def _by_zombie(self, one: Any, at: float) -> bool:
        """Tell whether an incarnation did this after it was replaced; a late arrival does not count."""
        kinds = [kind for when, kind, _ in one.marks if when == at]
        return len(self.lives) > one.life and self.lives[one.life].began <= at and "arrived" not in kinds

    def _late(self, request: Any) -> None:
        """Draw a request that is on its way."""
        sent = next(at for at, kind, name in request.transaction.marks if (kind, name) == ("late", request.name))
        x, now, y = max(LEFT, self.place.x(sent + 1)), self.place.now, self.y + 19
        self.sketch.line(x + 10, y, now, y, "on-way")
        if now - x > 120:
            self.sketch.plate(x + 66, y, f"◷ {request.name} on its way", "late")

    def _states(self) -> None:
        """Draw the coordinator's states of the transactional id, over time."""
        world, y, sketch, owner = self.world, self.row, self.sketch, self.owner
        for (since, state, epoch), (until, following, _) in pairwise([*world.states[owner], (world.now, None, None)]):
            x, end = max(LEFT, self.place.x(since)), self.place.x(until)
            if end - x < 1:
                continue
            last, prepares = following is None, state in RESULTS
            now_open = last and state == ONGOING
            ill = now_open and self.life.fate
            kind = "prepare" if prepares else "going" if state == ONGOING else "rest"
            css, said = f"state {kind} {self.css}{' ill' if ill else ''}", f"{owner}: {state} in epoch {epoch}"
            look = {"title": f"{said}, from {since:.0f} s", "fill": "prepare" * prepares}
            sketch.box(x + 0.5, y - 10, end - x - 1, 20, css, **look)
            said, (free, to) = state, self._widest(x, end)
            if now_open:
                age = f"Ongoing, {world.now - world.entry(owner).started / 1000:.0f} s of {TIMEOUT_S} s"
                said = age if fits(age, to - free) else state
            css = "bad strong" if ill else f"strong {self.css}" if now_open else "dim"
            if not prepares and fits(said, to - free):
                sketch.text((free + to) / 2, y + 4.5, said, css, "middle")
            after, css = f"{state}{ENDS.get(state, '')}", "dim" if state == COMPLETE_ABORT else self.css
            if prepares:
                after += ": in its log" if world.coordinator is None else ": markers on their way"
            if last and (prepares or (state in ENDS and owner not in sketch.forecast)):
                sketch.text(end + 7, y + 4.5, after, f"strong {css}")

    def _widest(self, x: float, end: float) -> tuple[Any, float]:
        """Return the widest part between two places in which the coordinator was not dead."""
        edges = [self.place.x(at) for since, until in self.world.downs for at in (since + 1, until)]
        edges = [x, *(min(max(edge, x), end) for edge in edges), end]
        return max(zip(edges[::2], edges[1::2], strict=True), key=lambda part: part[1] - part[0])

    def _coming(self, at: float) -> None:
        """Draw the coordinator's next action on an open transaction, if no other step is done."""
        y, row, life, sketch = self.y, self.row, self.life, self.sketch
        now, then, left = self.place.now, self.place.now + COMING_AT, at - self.world.now
        ill = "bad" if life.fate else self.css
        for edge in (y - HALF, y + HALF, row - 10, row + 10):
            sketch.line(now, edge, then, edge, f"ahead {ill}")
        middle, part = now + COMING_AT / 2 + 6, max(2, min(100, 100 * left / TIMEOUT_S))
        part_of_ring = {"pathLength": 100, "stroke_dasharray": f"{part:.1f} 100"}
        sketch.add(dot(middle, y, RING, "ring"), dot(middle, y, RING, f"ring-left {ill}", **part_of_ring))
        sketch.text(middle, y + 4.5, f"{left:.0f} s", f"strong {ill}", "middle")
        said = f"aborted at {at:.0f} s, unless", f"{self.owner} ends it before"
        if life.stalled:
            sketch.text(then + 7, y + 25, "INVALID_PRODUCER_EPOCH", "code tight bad")
            said = f"{self.owner} wakes too late, sends", f"at epoch {life.epoch}: ✗ fenced"
        elif life.dead:
            said = f"aborted at {at:.0f} s, or when", f"a new incarnation of {self.owner} starts"
        sketch.text(then + 7, y - 6, said[0], "dim")
        sketch.text(then + 7, y + 10, said[1], "strong bad" if life.stalled else "dim")
        sketch.text(then + 7, row + 4.5, f"PrepareAbort, epoch {self.world.entry(self.owner).epoch + 1}", "dim")


# -- the partition ---------------------------------------------------------------------------------------------------


class Tape:
    """The partition as a row of cells. `first` is the first offset shown, `cell` a cell's width."""

    def __init__(self, sketch: Sketch) -> None:
        self.sketch, self.world = sketch, sketch.world
        self.rows, self.spans = self.world.partition()
        self.end, self.stable, self.since = self.world.high_watermark, self.world.stable, self.world.before[1]
        self.first, self.cell = sketch.place.offsets(self.end)
        self.hangs, self.held = hanging(self.world, self.spans), waiting(self.rows)
        self.wrong = [row.name for row in self.rows if row.seen and row.meant == "abort"]
        self.tight = "" if self.cell > ROOMY else " tight"

    def x(self, offset: Any, part: float = 0.0) -> float:
        """Return the left edge of an offset's cell, or with a `part` of its width a place in it."""
        return LEFT + (max(0, offset - self.first) + part) * self.cell

    def said(self, offset: int, y: int, said: Any, css: str = "") -> None:
        """Write in the middle of an offset's cell."""
        self.sketch.text(self.x(offset, 0.5), y, said, css, "middle")

    def draw(self) -> None:
        """Draw the partition's transactions, its cells, and the two readers."""
        sketch, end, stable = self.sketch, self.x(self.end), self.x(self.stable)
        for y, said, css in (
            (CELLS + 20, "Partition", "head"),
            (CELLS + 37, PARTITION, "code strong"),
            (SPANS[PRODUCERS[0]] + 4, "transactions", "dim"),
            (NUMBERS - 1, "offset", "dim"),
            (UNCOMMITTED - 3, "read_uncommitted", "code tight"),
            (UNCOMMITTED + 13, f"below HW {self.end}", "strong mark"),
            (COMMITTED - 3, "read_committed", "code"),
            (COMMITTED + 13, f"below LSO {self.stable}", "strong bad"),
        ):
            sketch.text(0, y, said, css)
        if self.end > self.stable:  # what read_committed must not see yet
            sketch.box(stable, COMMITTED - 21, end - stable, 42, "beyond", fill="beyond", radius=0)
        sketch.line(LEFT, UNCOMMITTED, end, UNCOMMITTED, "reads")
        sketch.line(LEFT, COMMITTED, stable, COMMITTED, "reads firm")
        for span in self.spans:
            if span.last is None or span.last >= self.first:
                self._span(span)
        for row in self.rows[self.first :]:
            self.said(row.offset, NUMBERS - 1, row.offset, "strong" if row.offset >= self.since else "dim")
            (self._record if row.span else self._marker)(row, self.x(row.offset), self.x(row.offset, 0.5))
        self._next()
        self._summaries()
        self._marker_way()
        self._watermarks()
        if self.first:
            hidden = f"offsets 0 to {self.first - 1} are not shown"
            sketch.text(LEFT - 8, NUMBERS - 1, f"… {self.first}", "dim", "end", hidden)

    def _span(self, span: Any) -> None:
        open_ = span.last is None
        y, sketch, x = SPANS[span.owner], self.sketch, self.x(span.first) + 4
        end = self.x(self.end) + min(70, self.cell) if open_ else self.x(span.last + 1) - 4
        css = "void" if span.result == "abort" else "bad" if self._blocks(span) else CSS[span.owner]
        sketch.line(x, y, end, y, f"span {css}{' open' if open_ else ''}")
        for edge in (x,) if open_ else (x, end):
            sketch.line(edge, y - 5, edge, y + 5, f"span {css}")
        if open_:
            said = f"{span.owner}: open since offset {span.first}"
            said += ", and nobody will end it" if span is self.hangs else ""
            inside = self.x(self.end) - x
            if not fits(said, inside - 30):
                cut = end + 6 + len(said) * BOLD > sketch.place.width
                sketch.text(end + 6, y + 4, f"{span.owner} open" if cut else said, f"strong {css}")
                return
            sketch.plate(x + inside / 2, y, said, f"strong {css}")
            return
        new, short = self.since <= span.last, f"{span.owner} {SIGNS[span.result]}"
        full = f"{span.owner}: {'committed' if span.result == 'commit' else 'aborted'} {SIGNS[span.result]}"
        said = full if new and fits(full, end - x - 12) else short
        if fits(said, end - x):
            sketch.plate((x + end) / 2, y, said, f"strong {css}" if new else css)

    def _blocks(self, span: Any) -> Any:
        """Tell whether readers wait for an open transaction, or have to."""
        return span.last is None and (span is self.hangs or self.world.life(span.owner).fate or self.held)

    def _cell(self, row: Any, css: str, what: str, fate: str = "") -> str:
        """Draw an offset's cell. Return the hint at it."""
        about = f"offset {row.offset}: {what} of {row.owner}, epoch {row.epoch}{fate}"
        css = f"cell {css}{' new' * (row.offset >= self.since)}"
        self.sketch.box(self.x(row.offset), CELLS, self.cell, CELL_HEIGHT, css, about, radius=0)
        return about

    def _marker(self, row: Any, x: float, middle: float) -> None:
        sketch, css = self.sketch, "void" if row.kind == "abort" else CSS[row.owner]
        self._cell(row, f"marker {css}", f"{row.kind} marker")
        sketch.line(x, CELLS + 2, x + self.cell, CELLS + 2, f"edge {css}")
        self.said(row.offset, CELLS + 21, f"{SIGNS[row.kind]} {row.owner}", f"strong {css}")
        said = row.kind.upper() if self.cell > ROOMY else row.kind
        self.said(row.offset, CELLS + 39, said, f"{css}{self.tight}")
        sketch.plate(middle, UNCOMMITTED, "–", "dim")
        if row.offset >= self.stable:
            sketch.text(middle, COMMITTED, "–", "dim", "middle", "a marker: never delivered")
        else:
            sketch.plate(middle, COMMITTED, "–", "dim")

    def _record(self, row: Any, _: float, x: float) -> None:
        sketch, named, (kind, fate, waits) = self.sketch, (row.name, row.owner), RECORDS[row.ended]
        about = self._cell(row, CSS[row.owner], row.name, f", {'read by both' if row.seen else fate}")
        sketch.record(x, CELLS + 16, *named, kind, about)
        said = {"abort": "aborted", "": "open"}.get(row.ended, f"{row.owner} e{row.epoch}")
        css = "bad" if not row.ended and (self.hangs or self._blocks(row.span)) else "dim"
        said, css = ("aborted!", "strong bad") if row.seen and row.meant == "abort" else (said, css)
        self.said(row.offset, CELLS + 40, said, f"{css}{self.tight}")
        sketch.record(x, UNCOMMITTED, *named, "void" if row.ended == "abort" else "done", "read_uncommitted gets it")
        if row.offset >= self.stable:
            sketch.record(x, COMMITTED - 8, *named, "unseen", "not read yet")
            css = f"strong {CSS[row.owner]}" if row.ended == "commit" else "dim"
            self.said(row.offset, COMMITTED + 17, waits if self.cell > 50 else waits.split()[0], f"{css} halo")
            return
        kind, gets = ("solid", "gets it") if row.seen else ("void gone", "passes it over")
        sketch.record(x, COMMITTED, *named, kind, f"read_committed {gets}")

    def _next(self) -> None:
        """Draw the next cells: markers that are decided or expected, and free places."""
        world, ghosts = self.world, []
        if world.coordinator is not None:
            due = [one for one in world.coordinator.due() if PARTITION in one.partitions]
            ghosts = [(one.transactional_id, one.result, "held" if world.held else "due") for one in due]
        ghosts += [
            (owner, "abort", f"at {at:.0f} s")
            for owner, at in sorted(self.sketch.forecast.items(), key=lambda one: one[1])
            if PARTITION in world.entry(owner).partitions
        ]
        for place in range(self.end, self.end + 2):
            x = self.x(place)
            if x + self.cell > self.sketch.place.width:
                break
            self.said(place, NUMBERS - 1, place, "dim")
            self.sketch.box(x + 1, CELLS, self.cell - 2, CELL_HEIGHT, "cell next", radius=0)
            if ghosts:
                owner, result, when = ghosts.pop(0)
                self.said(place, CELLS + 21, f"{SIGNS[result]} {owner}?", "dim")
                self.said(place, CELLS + 39, when, f"dim{self.tight}")

    def _summaries(self) -> None:
        """Write behind a reader's line how many records it has, which of them twice, and what is not right."""
        wait = f"{_short(self.held)} wait{'s' * (len(self.held) == 1)}" if self.held else ""
        wrong = f"{_short(self.wrong)} aborted!" if self.wrong else wait
        everything, seen = [row for row in self.rows if row.span], [row for row in self.rows if row.seen]
        x = self.x(self.end) + 8
        for y, rows, more, css in ((UNCOMMITTED, everything, "", "strong"), (COMMITTED, seen, wrong, "strong bad")):
            again = twice([row.name for row in rows])
            more = f"{_short(again)} twice ×" if again else more
            self.sketch.text(x, y - 3, f"{len(rows)} record{'s' * (len(rows) != 1)}{',' * bool(more)}", "strong")
            if more:
                self.sketch.text(x, y + 13, more, css)
        log = self.world.log  # whose answer to the fetch of a read_committed reader has this list
        lost = log.aborted(OUTPUT, 0, 0, self.stable)
        said = f"aborted list: {', '.join(f'{log.transactions.owner(one)} from {first}' for one, first in lost)}"
        if lost and fits(said, self.x(self.stable) - LEFT):
            self.sketch.text(LEFT + 20, COMMITTED + 24, said, "dim")

    def _marker_way(self) -> None:
        """Draw the way of the newest marker, from the coordinator's decision into the partition."""
        row = next((row for row in reversed(self.rows) if not row.span), None)
        if row is None or row.offset < max(self.first, self.since):
            return
        times = [at for at, state, _ in self.world.states[row.owner] if state in RESULTS]
        x, y = self.sketch.place.x(times[-1]) + 6, ROWS[row.owner] + 11
        to, low = self.x(row.offset, 0.5), NUMBERS - 12
        css = CSS[row.owner] if row.kind == "commit" else "void"
        middle = (y + low) / 2
        curve = f"C{x:.1f} {middle + 14:.1f} {to:.1f} {middle - 14:.1f} {to:.1f} {low}"
        self.sketch.add(mark("path", f"way {css}", d=f"M{x:.1f} {y}{curve}"))

    def _watermarks(self) -> None:
        """Draw the last stable offset and the high watermark as flags on lines, which move."""
        low = self.world.before[0]
        said = f"LSO {f'{low} → ' if low != self.stable else ''}{self.stable}"
        self._flag("lso", self.stable, HEIGHT - 3, said, 10, left=True)
        foot = CELLS + CELL_HEIGHT if self.stable == self.end else UNCOMMITTED + 16
        self._flag("hw", self.end, foot, f"HW {self.end}", 14)

    def _flag(self, name: str, offset: int, foot: int, said: Any, room: int, left: bool = False) -> None:
        """Draw a flag on its pole; its place is a transformation, so that the page can move it there."""
        width = len(said) * BOLD + room
        x = -width if left else 0
        pole, cloth = line(0, FLAGS + 2, 0, foot), box(x, FLAGS, width, FLAG, rx=2)
        text = words(x + width / 2, FLAGS + 13.5, said, anchor="middle")
        moved = f"translateX({self.x(offset):.1f}px)"
        self.sketch.add(group(pole, cloth, text, css=f"flag-{name}", data_key=name, moved=moved))


def _short(names: list[str]) -> str:
    return listed(names) if len(names) < 2 else ", ".join(names) if len(names) < 4 else f"{names[0]} … {names[-1]}"

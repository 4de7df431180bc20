"""The lower part of the timeline's picture: the partition, offset by offset, and the view of each isolation level."""

from ...show.base.canvas import BOLD, box, fits, group, line, mark, words
from ..base.nodes import listed
from .drawing import CELL_HEIGHT, CELLS, COMMITTED, CSS, FLAG, FLAGS, HEIGHT, LEFT, NUMBERS, ROWS, SPANS, UNCOMMITTED
from .lanes import SIGNS
from .parts import PARTITION, PRODUCERS
from .words import hanging, twice, waiting

ROOMY = 54  # pixels of a cell in which words need not stand close
HOW = {"commit": "committed, and not read by read_committed yet", "abort": "aborted"}  # a record that one cannot read


class Tape:
    """The partition as a row of cells. `first` is the first offset shown, `cell` a cell's width."""

    def __init__(self, sketch):
        self.sketch, self.world = sketch, sketch.world
        self.rows, self.spans = self.world.partition()
        self.end, self.stable, self.since = self.world.high_watermark, self.world.stable, self.world.before[1]
        self.first, self.cell = sketch.place.offsets(self.end)
        self.hangs, self.held = hanging(self.world, self.spans), waiting(self.rows)
        self.wrong = [row for row in self.rows if row.seen and row.meant == "abort"]
        self.tight = "" if self.cell > ROOMY else " tight"

    def x(self, offset):
        """Return the left edge of an offset's cell."""
        return LEFT + max(0, offset - self.first) * self.cell

    def said(self, x, y, said, css=""):
        """Write in the middle of the cell that begins at `x`."""
        self.sketch.text(x + self.cell / 2, y, said, css, "middle")

    def draw(self):
        """Draw the partition's transactions, its cells, and the two readers."""
        sketch, shown = self.sketch, [row for row in self.rows if row.offset >= self.first]
        sketch.text(0, CELLS + 20, "Partition", "head")
        sketch.text(0, CELLS + 37, PARTITION, "code strong")
        sketch.text(0, SPANS[PRODUCERS[0]] + 4, "transactions", "dim")
        sketch.text(0, NUMBERS - 1, "offset", "dim")
        if self.end > self.stable:  # what read_committed must not see yet
            x = self.x(self.stable)
            sketch.box(x, COMMITTED - 21, self.x(self.end) - x, 42, "beyond", fill="beyond", radius=0)
        for span in self.spans:
            self._span(span)
        for row in shown:
            self.said(self.x(row.offset), NUMBERS - 1, row.offset, "strong" if row.offset >= self.since else "dim")
            self._cell(row, self.x(row.offset))
        self._next()
        self._readers(shown)
        self._marker_way()
        self._watermarks()
        if self.first:
            hidden = f"offsets 0 to {self.first - 1} are not shown"
            sketch.text(LEFT - 8, NUMBERS - 1, f"… {self.first}", "dim", "end", hidden)

    def _span(self, span):
        open_ = span.last is None
        y, sketch = SPANS[span.owner], self.sketch
        if not open_ and span.last < self.first:
            return
        x = self.x(span.first) + 4
        end = self.x(self.end) + min(70, self.cell) if open_ else self.x(span.last + 1) - 4
        bad = open_ and self._blocks(span)
        css = "bad" if bad else "void" if span.result == "abort" else CSS[span.owner]
        sketch.line(x, y, end, y, f"span {css}{' open' if open_ else ''}")
        for edge in (x,) if open_ else (x, end):
            sketch.line(edge, y - 5, edge, y + 5, f"span {css}")
        short = f"{span.owner} {SIGNS.get(span.result, '')}"
        new, said = open_ or self.since <= span.last, short
        if open_:
            said = f"{span.owner}: open since offset {span.first}"
            said += ", and nobody will end it" if span is self.hangs else ""
        elif new:
            said = f"{span.owner}: {'committed' if span.result == 'commit' else 'aborted'} {SIGNS[span.result]}"
        inside = (self.x(self.end) if open_ else end) - x
        if open_ and not fits(said, inside - 30):
            cut = end + 6 + len(said) * BOLD > sketch.place.width
            sketch.text(end + 6, y + 4, f"{span.owner} open" if cut else said, f"strong {css}")
            return
        said = said if fits(said, inside - 12) else short
        if fits(said, inside):
            sketch.plate(x + inside / 2, y, said, f"strong {css}" if new else css)

    def _blocks(self, span):
        return span is self.hangs or self.world.life(span.owner).fate or self.held

    def _cell(self, row, x):
        sketch, middle, new = self.sketch, x + self.cell / 2, " new" * (row.offset >= self.since)
        about = f"offset {row.offset}: {row.name if row.kind == 'record' else f'{row.kind} marker'} of {row.owner}"
        about += f", epoch {row.epoch}"
        if row.kind != "record":
            css = CSS[row.owner] if row.kind == "commit" else "void"
            sketch.box(x, CELLS, self.cell, CELL_HEIGHT, f"cell marker {css}{new}", about, radius=0)
            sketch.line(x, CELLS + 2, x + self.cell, CELLS + 2, f"edge {css}")
            self.said(x, CELLS + 21, f"{SIGNS[row.kind]} {row.owner}", f"strong {css}")
            said = row.kind.upper() if self.cell > ROOMY else row.kind
            self.said(x, CELLS + 39, said, f"{css}{self.tight}")
            return
        about += f", {'read by both' if row.seen else HOW.get(row.ended, 'undecided')}"
        sketch.box(x, CELLS, self.cell, CELL_HEIGHT, f"cell {CSS[row.owner]}{new}", about, radius=0)
        kind = {"commit": "solid", "abort": "void gone"}.get(row.ended, "undecided")
        sketch.record(middle, CELLS + 16, row.name, row.owner, kind, about)
        said = {"abort": "aborted", "": "open"}.get(row.ended, f"{row.owner} e{row.epoch}")
        opened = not row.ended and next(one for one in self.spans if one.owner == row.owner and one.last is None)
        css = "bad" if opened and (self.hangs or self._blocks(opened)) else "dim"
        said, css = ("aborted!", "strong bad") if row in self.wrong else (said, css)
        self.said(x, CELLS + 40, said, f"{css}{self.tight}")

    def _next(self):
        """Draw the next cells: markers that are decided or expected, and free places."""
        world, ghosts = self.world, []
        if world.coordinator is not None:
            due = [one for one in world.coordinator.due() if PARTITION in one.partitions]
            ghosts = [(one.transactional_id, one.result, "held" if world.held else "due") for one in due]
        ghosts += [
            (owner, "abort", f"at {at:.0f} s")
            for owner, at in sorted(self.sketch.forecast.items(), key=lambda one: one[1])
            if PARTITION in world.known[owner].partitions
        ]
        for place in range(2):
            x = self.x(self.end + place) if self.end >= self.first else LEFT
            if x + self.cell > self.sketch.place.width:
                break
            self.said(x, NUMBERS - 1, self.end + place, "dim")
            self.sketch.box(x + 1, CELLS, self.cell - 2, CELL_HEIGHT, "cell next", radius=0)
            if place < len(ghosts):
                owner, result, when = ghosts[place]
                self.said(x, CELLS + 21, f"{SIGNS[result]} {owner}?", "dim")
                self.said(x, CELLS + 39, when, f"dim{self.tight}")

    def _readers(self, shown):
        sketch, end, stable = self.sketch, self.x(self.end), self.x(self.stable)
        sketch.text(0, UNCOMMITTED - 3, "read_uncommitted", "code tight")
        sketch.text(0, UNCOMMITTED + 13, f"below HW {self.end}", "strong mark")
        sketch.text(0, COMMITTED - 3, "read_committed", "code")
        sketch.text(0, COMMITTED + 13, f"below LSO {self.stable}", "strong bad")
        sketch.line(LEFT, UNCOMMITTED, end, UNCOMMITTED, "reads")
        sketch.line(LEFT, COMMITTED, stable, COMMITTED, "reads firm")
        for row in shown:
            x, unread = self.x(row.offset) + self.cell / 2, row.offset >= self.stable
            if row.kind == "record":
                kind = "void" if row.ended == "abort" else "done"
                sketch.record(x, UNCOMMITTED, row.name, row.owner, kind, "read_uncommitted gets it")
                self._committed(row, x, unread)
                continue
            sketch.plate(x, UNCOMMITTED, "–", "dim")
            if unread:
                sketch.text(x, COMMITTED, "–", "dim", "middle", "a marker: never delivered")
            else:
                sketch.plate(x, COMMITTED, "–", "dim")
        wrong = f"{_short(self.held)} wait{'s' * (len(self.held) == 1)}" if self.held else ""
        if self.wrong:
            wrong = f"{_short([row.name for row in self.wrong])} aborted!"
        names = [row.name for row in self.rows if row.kind == "record"]
        self._summary(UNCOMMITTED, names, "", "strong")
        self._summary(COMMITTED, [row.name for row in self.rows if row.seen], wrong, "strong bad")
        found = self.world.aborted()
        said = f"aborted list: {', '.join(f'{owner} from {first}' for owner, first in found)}"
        if found and fits(said, stable - LEFT):  # the list of a read_committed reader's fetch
            sketch.text(LEFT + 20, COMMITTED + 24, said, "dim")

    def _committed(self, row, x, unread):
        if unread:
            self.sketch.record(x, COMMITTED - 8, row.name, row.owner, "unseen", "not read yet")
            said = {"commit": "waits ◆", "abort": "aborted"}.get(row.ended, "open")
            css = f"strong {CSS[row.owner]}" if row.ended == "commit" else "dim"
            said = said if self.cell > 50 else said.split()[0]
            self.sketch.text(x, COMMITTED + 17, said, f"{css} halo", "middle")
            return
        kind, gets = ("solid", "gets it") if row.seen else ("void gone", "passes it over")
        self.sketch.record(x, COMMITTED, row.name, row.owner, kind, f"read_committed {gets}")

    def _summary(self, y, found, more, css):
        """Write behind a reader's line how many records it has, which of them twice, and `more`."""
        again, x = twice(found), self.x(self.end) + 8
        self.sketch.text(
            x, y - 3, f"{len(found)} record{'s' * (len(found) != 1)}{',' if again or more else ''}", "strong"
        )
        if again or more:
            self.sketch.text(x, y + 13, f"{_short(again)} twice ×" if again else more, css)

    def _marker_way(self):
        """Draw the way of the newest marker, from the coordinator's decision into the partition."""
        new = [row for row in self.rows if row.kind != "record" and row.offset >= self.since]
        if not new or new[-1].offset < self.first:
            return
        row = new[-1]
        times = [at for at, state, _ in self.world.states[row.owner] if state.startswith("Prepare")]
        if not times:
            return
        x, y = self.sketch.place.x(times[-1]) + 6, ROWS[row.owner] + 11
        to, low = self.x(row.offset) + self.cell / 2, NUMBERS - 12
        css = CSS[row.owner] if row.kind == "commit" else "void"
        middle = (y + low) / 2
        curve = f"C{x:.1f} {middle + 14:.1f} {to:.1f} {middle - 14:.1f} {to:.1f} {low}"
        self.sketch.add(mark("path", f"way {css}", d=f"M{x:.1f} {y}{curve}"))

    def _watermarks(self):
        """Draw the last stable offset and the high watermark as flags on lines, which move."""
        stable, end, low = self.x(self.stable), self.x(self.end), self.world.before[0]
        foot = CELLS + CELL_HEIGHT if stable == end else UNCOMMITTED + 16
        said = f"LSO {f'{low} → ' if low != self.stable else ''}{self.stable}"
        wide = len(said) * BOLD + 10
        self.sketch.add(_flag("lso", stable, HEIGHT - 3, -wide, wide, said))
        said = f"HW {self.end}"
        self.sketch.add(_flag("hw", end, foot, 0, len(said) * BOLD + 14, said))


def _flag(name, at, foot, x, width, said):
    """Return a flag on its pole; its place is a transformation, so that the page can move it there."""
    pole, cloth = line(0, FLAGS + 2, 0, foot), box(x, FLAGS, width, FLAG, rx=2)
    text = words(x + width / 2, FLAGS + 13.5, said, anchor="middle")
    return group(pole, cloth, text, css=f"flag-{name}", data_key=name, moved=f"translateX({at:.1f}px)")


def _short(names):
    return listed(names) if len(names) < 2 else ", ".join(names) if len(names) < 4 else f"{names[0]} … {names[-1]}"

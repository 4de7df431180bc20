"""The lower part of the timeline's picture: the partition, offset by offset, and the view of each isolation level."""

from ...show.base.canvas import BOLD, box, group, line, mark, words
from .drawing import (
    CELL_HEIGHT,
    CELLS,
    COMMITTED,
    CSS,
    FLAG,
    FLAGS,
    HEIGHT,
    LEFT,
    NUMBERS,
    ROWS,
    SPANS,
    UNCOMMITTED,
    fits,
)
from .lanes import SIGNS
from .parts import PARTITION, PRODUCERS
from .words import hanging, listed, twice, waiting

ROOMY = 54  # pixels of a cell in which words need not stand close


def partition_part(sketch):
    """Draw the partition's transactions, its cells, and the two readers."""
    world, place = sketch.world, sketch.place
    rows, spans = world.partition()
    end, stable = world.high_watermark, world.stable
    first, cell = place.offsets(end)
    tape = Tape(sketch, rows, spans, first, cell, end, stable)
    sketch.text(0, CELLS + 20, "Partition", "head")
    sketch.text(0, CELLS + 37, PARTITION, "code strong")
    sketch.text(0, SPANS[PRODUCERS[0]] + 4, "transactions", "dim")
    sketch.text(0, NUMBERS - 1, "offset", "dim")
    tape.draw()


class Tape:
    """The partition as a row of cells. `first` is the first offset shown, `cell` a cell's width."""

    def __init__(self, sketch, rows, spans, first, cell, end, stable):
        self.sketch, self.rows, self.spans = sketch, rows, spans
        self.first, self.cell, self.end, self.stable = first, cell, end, stable
        self.hangs = hanging(sketch.world, spans)
        self.wrong = [row for row in rows if row.seen and row.meant == "abort"]
        self.tight = "" if cell > ROOMY else " tight"

    def x(self, offset):
        """Return the left edge of an offset's cell."""
        return LEFT + max(0, offset - self.first) * self.cell

    def draw(self):
        """Draw the tape."""
        self._beyond()
        for span in self.spans:
            self._span(span)
        for row in self.rows:
            if row.offset >= self.first:
                self._number(row.offset, row.offset >= self.sketch.world.before[1])
                self._cell(row)
        self._next()
        self._readers()
        self._marker_way()
        self._watermarks()
        if self.first:
            self.sketch.text(
                LEFT - 8, NUMBERS - 1, f"… {self.first}", "dim", "end", f"offsets 0 to {self.first - 1} are not shown"
            )

    def _number(self, offset, new):
        self.sketch.text(
            self.x(offset) + self.cell / 2, NUMBERS - 1, str(offset), "strong" if new else "dim", "middle"
        )

    def _beyond(self):
        """Hatch the records that read_committed must not see yet."""
        if self.end > self.stable:
            x = self.x(self.stable)
            self.sketch.box(x, COMMITTED - 21, self.x(self.end) - x, 42, "beyond", fill="beyond", radius=0)

    def _span(self, span):
        open_ = span.last is None
        y, sketch = SPANS[span.owner], self.sketch
        if not open_ and span.last < self.first:
            return
        x = self.x(span.first) + 4
        end = self.x(self.end) + min(70, self.cell) if open_ else self.x(span.last + 1) - 4
        bad = open_ and (span is self.hangs or self._blocks(span))
        css = "bad" if bad else "void" if span.result == "abort" else CSS[span.owner]
        sketch.line(x, y, end, y, f"span {css}{' open' if open_ else ''}")
        for edge in (x,) if open_ else (x, end):
            sketch.line(edge, y - 5, edge, y + 5, f"span {css}")
        words = f"{span.owner} {SIGNS.get(span.result, '')}"
        if open_:
            words = f"{span.owner}: open since offset {span.first}"
            words = f"{words}, and nobody will end it" if span is self.hangs else words
        elif self.sketch.world.before[1] <= span.last:
            words = f"{span.owner}: {'committed' if span.result == 'commit' else 'aborted'} {SIGNS[span.result]}"
        inside = (self.x(self.end) if open_ else end) - x
        if open_ and not fits(words, inside - 30):
            short = end + 6 + len(words) * BOLD > sketch.place.width
            sketch.text(end + 6, y + 4, f"{span.owner} open" if short else words, f"strong {css}")
            return
        if not fits(words, inside - 12):
            words = f"{span.owner} {SIGNS[span.result]}"
        if fits(words, inside):
            middle = (x + x + inside) / 2
            new = open_ or self.sketch.world.before[1] <= span.last
            sketch.plate(middle, y, words, f"strong {css}" if new else css)

    def _blocks(self, span):
        life = self.sketch.world.life(span.owner)
        return life.stalled is not None or life.state == "dead" or bool(waiting(self.rows))

    def _cell(self, row):
        sketch, x, cell = self.sketch, self.x(row.offset), self.cell
        new = row.offset >= sketch.world.before[1]
        if row.kind != "record":
            css = CSS[row.owner] if row.kind == "commit" else "void"
            said = f"offset {row.offset}: {row.kind} marker of {row.owner}, epoch {row.epoch}"
            sketch.box(x, CELLS, cell, CELL_HEIGHT, f"cell marker {css}{' new' if new else ''}", said, radius=0)
            sketch.line(x, CELLS + 2, x + cell, CELLS + 2, f"edge {css}")
            sketch.text(x + cell / 2, CELLS + 21, f"{SIGNS[row.kind]} {row.owner}", f"strong {css}", "middle")
            words = row.kind.upper() if cell > ROOMY else row.kind
            sketch.text(x + cell / 2, CELLS + 39, words, f"{css}{self.tight}", "middle")
            return
        said = f"offset {row.offset}: {row.name} of {row.owner}, epoch {row.epoch}, {self._how(row)}"
        sketch.box(x, CELLS, cell, CELL_HEIGHT, f"cell {CSS[row.owner]}{' new' if new else ''}", said, radius=0)
        kind = {"commit": "solid", "abort": "void gone"}.get(row.ended, "undecided")
        sketch.record(x + cell / 2, CELLS + 16, row.name, row.owner, kind, said)
        words = {"abort": "aborted", "": "open"}.get(row.ended, f"{row.owner} e{row.epoch}")
        css = "bad" if not row.ended and (self.hangs or self._blocks(self._of(row))) else "dim"
        if row in self.wrong:
            words, css = "aborted!", "strong bad"
        sketch.text(x + cell / 2, CELLS + 40, words, f"{css}{self.tight}", "middle")

    def _of(self, row):
        return next(one for one in self.spans if one.owner == row.owner and one.last is None)

    def _how(self, row):
        if row.seen:
            return "read by both"
        return {"commit": "committed, and not read by read_committed yet", "abort": "aborted"}.get(
            row.ended, "undecided"
        )

    def _next(self):
        """Draw the next cells: markers that are decided or expected, and free places."""
        sketch, world = self.sketch, self.sketch.world
        ghosts = []
        if world.coordinator is not None:
            ghosts = [
                (due.transactional_id, due.result, "held" if world.held else "due")
                for due in world.coordinator.due()
                if PARTITION in due.partitions
            ]
        ghosts += [
            (owner, "abort", f"at {at:.0f} s")
            for owner, at in sorted(sketch.forecast.items(), key=lambda one: one[1])
            if PARTITION in world.described(owner).partitions
        ]
        for place in range(2):
            x = self.x(self.end + place) if self.end >= self.first else LEFT
            if x + self.cell > sketch.place.width:
                break
            sketch.text(x + self.cell / 2, NUMBERS - 1, str(self.end + place), "dim", "middle")
            sketch.box(x + 1, CELLS, self.cell - 2, CELL_HEIGHT, "cell next", radius=0)
            if place < len(ghosts):
                owner, result, when = ghosts[place]
                sketch.text(x + self.cell / 2, CELLS + 21, f"{SIGNS[result]} {owner}?", "dim", "middle")
                sketch.text(x + self.cell / 2, CELLS + 39, when, f"dim{self.tight}", "middle")

    def _readers(self):
        sketch = self.sketch
        end, stable = self.x(self.end), self.x(self.stable)
        sketch.text(0, UNCOMMITTED - 3, "read_uncommitted", "code tight")
        sketch.text(0, UNCOMMITTED + 13, f"below HW {self.end}", "strong mark")
        sketch.text(0, COMMITTED - 3, "read_committed", "code")
        sketch.text(0, COMMITTED + 13, f"below LSO {self.stable}", "strong bad")
        sketch.line(LEFT, UNCOMMITTED, end, UNCOMMITTED, "reads")
        sketch.line(LEFT, COMMITTED, stable, COMMITTED, "reads firm")
        for row in self.rows:
            if row.offset < self.first:
                continue
            x = self.x(row.offset) + self.cell / 2
            if row.kind != "record":
                for y in (UNCOMMITTED, COMMITTED):
                    beyond = y == COMMITTED and row.offset >= self.stable
                    if beyond:
                        sketch.text(x, y, "–", "dim", "middle", "a marker: never delivered")
                    else:
                        sketch.plate(x, y, "–", "dim")
                continue
            sketch.record(
                x,
                UNCOMMITTED,
                row.name,
                row.owner,
                "void" if row.ended == "abort" else "done",
                "read_uncommitted gets it",
            )
            self._committed(row, x)
        self._summaries(end)
        self._aborted_list()

    def _committed(self, row, x):
        sketch = self.sketch
        if row.offset < self.stable:
            kind = "solid" if row.seen else "void gone"
            sketch.record(
                x,
                COMMITTED,
                row.name,
                row.owner,
                kind,
                f"read_committed {'gets it' if row.seen else 'passes it over'}",
            )
            return
        sketch.record(x, COMMITTED - 8, row.name, row.owner, "unseen", "not read yet")
        words, css = {"commit": ("waits ✓", f"strong {CSS[row.owner]}"), "abort": ("aborted", "dim")}.get(
            row.ended, ("open", "dim")
        )
        sketch.text(x, COMMITTED + 17, words if self.cell > 50 else words.split()[0], f"{css} halo", "middle")

    def _summaries(self, end):
        sketch = self.sketch
        names = [row.name for row in self.rows if row.kind == "record"]
        seen = [row.name for row in self.rows if row.seen]
        for y, found, more in (
            (UNCOMMITTED, names, ""),
            (COMMITTED, seen, f"{_short([row.name for row in self.wrong])} aborted!" if self.wrong else self._held()),
        ):
            again = twice(found)
            sketch.text(
                end + 8,
                y - 3,
                f"{len(found)} record{'s' * (len(found) != 1)}{',' if again or more else ''}",
                "strong",
            )
            if again:
                sketch.text(end + 8, y + 13, f"{_short(again)} twice ×", "strong bad" if y == COMMITTED else "strong")
            elif more:
                sketch.text(end + 8, y + 13, more, "strong bad")

    def _held(self):
        held = waiting(self.rows)
        return f"{_short(held)} wait{'s' * (len(held) == 1)}" if held else ""

    def _aborted_list(self):
        """Write the aborted list of a read_committed reader's fetch."""
        sketch, world = self.sketch, self.sketch.world
        found = world.aborted()
        if not found:
            return
        words = f"aborted list: {', '.join(f'{owner} from {first}' for owner, first in found)}"
        room = self.x(self.stable) - LEFT
        if fits(words, room):
            sketch.text(LEFT + 20, COMMITTED + 24, words, "dim")

    def _marker_way(self):
        """Draw the way of the newest marker, from the coordinator's decision into the partition."""
        sketch, world = self.sketch, self.sketch.world
        new = [row for row in self.rows if row.kind != "record" and row.offset >= world.before[1]]
        if not new or new[-1].offset < self.first:
            return
        row = new[-1]
        times = [at for at, state, _ in world.states[row.owner] if state.startswith("Prepare")]
        if not times:
            return
        x, y = sketch.place.x(times[-1]) + 6, ROWS[row.owner] + 11
        to, low = self.x(row.offset) + self.cell / 2, NUMBERS - 12
        css = CSS[row.owner] if row.kind == "commit" else "void"
        middle = (y + low) / 2
        curve = f"C{x:.1f} {middle + 14:.1f} {to:.1f} {middle - 14:.1f} {to:.1f} {low}"
        sketch.add(mark("path", f"way {css}", d=f"M{x:.1f} {y}{curve}"))

    def _watermarks(self):
        """Draw the last stable offset and the high watermark as flags on lines, which move."""
        sketch = self.sketch
        stable, end = self.x(self.stable), self.x(self.end)
        low = sketch.world.before[0]
        moved = f"{low} → " if low != self.stable else ""
        foot = CELLS + CELL_HEIGHT if stable == end else UNCOMMITTED + 16
        words = f"LSO {moved}{self.stable}"
        wide = len(words) * BOLD + 10
        sketch.add(_flag("lso", stable, HEIGHT - 3, -wide, wide, words))
        words = f"HW {self.end}"
        sketch.add(_flag("hw", end, foot, 0, len(words) * BOLD + 14, words))


def _flag(name, at, foot, x, width, said):
    """Return a flag on its pole; its place is a transformation, so that the page can move it there."""
    pole, cloth = line(0, FLAGS + 2, 0, foot), box(x, FLAGS, width, FLAG, rx=2)
    text = words(x + width / 2, FLAGS + 13.5, said, anchor="middle")
    return group(pole, cloth, text, css=f"flag-{name}", data_key=name, moved=f"translateX({at:.1f}px)")


def _short(names):
    return listed(names) if len(names) < 2 else ", ".join(names) if len(names) < 4 else f"{names[0]} … {names[-1]}"

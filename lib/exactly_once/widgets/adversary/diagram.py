"""The moves so far as a strip, the possible ends after each move, and a space–time diagram, column by column.

After L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978, figure 1: a
line for each node, sleeper and part of a store; the number beside a line is the Lamport clock of its process.
"""

from html import escape
from itertools import groupby

from ...explore.search.outlook import BROKEN, FAULT, OPEN
from ...show.base.canvas import box, dot, group, line, svg, tip, words
from ...show.diagrams.table import part_title
from ...show.steps.steps import Steps
from ...simulate.decision import (
    ARRIVAL,
    CRASH,
    DUPLICATE,
    LATE_DUPLICATE,
    LATE_REQUEST,
    LOST_REPLY,
    LOST_REQUEST,
    PAUSE,
    STEP_AND_CRASH,
)
from ...trace.events import life_name
from ..base.nodes import colour, who
from ..player.moves import CAME, SIGNS, made
from .model import broken_after

LABELS = 118  # pixels of the column with the names of the lines
NODE_ROW, PART_ROW, TOP = 26, 20, 15
WIDEST, NARROWEST = 104, 66  # of a move's column
SAYS = {
    OPEN: ("good", "…", "can still end well"),
    FAULT: ("warn", "!", "only a fault can still save it"),
    BROKEN: ("bad", "✗", "broken"),
    "": ("none", "?", "not known"),
}
CHARACTER = 6.7
ROUND = (10, 2, 6, 2)  # the corners of a node's dots
USUAL = ("input", "positions", "state", "output", "counter")


class Strip:
    """The strip of moves with the diagram's lines, from the state of an `AdversaryModel`."""

    def __init__(self, state, nodes, width):
        self.outlooks, self.at, self.position = state.outlooks, state.at, state.position
        self.turned, self.moves = state.turned_at, made(state.full.replay)
        moves = self.moves
        room = width - LABELS - 8
        self.column = max(NARROWEST, min(WIDEST, room // max(1, len(moves) + 1)))
        self.width = max(room, self.column * (len(moves) + 1))
        self.broken = broken_after(self.outlooks)
        self.lines, y = {}, TOP
        self.sleepers = {move.actor: move for move in moves if move.actor >= nodes}
        self.owners = {node: node for node in range(nodes)}
        self.owners |= {actor: self.sleepers[actor].node for actor in sorted(self.sleepers)}
        parts = {move.part for move in moves if move.part}
        for name in (*self.owners, *(one for one in USUAL if one in parts), *sorted(parts.difference(USUAL))):
            self.lines[name] = y
            y += NODE_ROW if name in self.owners else PART_ROW
        self.height = y

    def html(self):
        """Return the strip, the bands and the diagram as HTML."""
        return (
            f'<div class="eo-adversary-strip"><div class="eo-strip-names">{self._names()}</div>'
            f'<div class="eo-strip-room" tabindex="0" role="region" aria-label="Moves and space–time diagram" '
            f'data-sight="[aria-current], .eo-coming"><div style="width:{self.width}px;--wide:{self.column - 6}px">'
            '<div class="eo-player-chips" role="group" aria-label="Moves" data-arrows>'
            f"{''.join(map(self._chip, self.moves))}{self._coming()}</div>"
            f'<div class="eo-outlooks">{"".join(self._outlooks())}</div>{self._svg()}</div></div></div>'
        )

    def _chip(self, move):
        first, _, rest = move.text.partition(" ")
        mark = ""
        if move.kind in CAME:
            first, rest, mark = CAME[move.kind], move.text, SIGNS.get(move.kind, "↘")
        kinds = " eo-made-bad" * (move.number == self.broken) + " eo-made-turn" * (move.number == self.turned)
        about = f"ove {move.number}, node {move.node + 1}: {move.text}"
        about += f", {CAME[move.kind]}" if move.kind in CAME else ""
        lines = f"{who(move.node)} {escape(mark)} {escape(first)}", escape(rest) or "&nbsp;"
        kinds += " eo-player-chip-fault" * move.is_fault + " eo-player-chip-undone" * (move.number > self.at)
        now = " aria-current=step" if move.number == self.at else ""
        return (
            f'<button type="button" class="eo-player-chip{kinds}" data-do="go" data-value="{move.number}" '
            f'data-key="go-{move.number}"{now} title="M{escape(about)}" aria-label="Go to m{escape(about)}">'
            f"{''.join(f'<span>{line}</span>' for line in lines)}</button>"
        )

    def _coming(self):
        number = len(self.moves) + 1
        if self.at < len(self.moves) or not self.position.open:
            return ""
        return f'<span class="eo-player-chip eo-coming"><span>move {number}</span><span>yours</span></span>'

    def _outlooks(self):
        """Yield the possible ends as bands below the moves after which they were possible."""
        for outlook, same in groupby(self.outlooks[1:]):
            kind, mark, said = SAYS[outlook]
            wide = self.column * len(list(same))
            text = f"{mark} {said}" if len(said) * CHARACTER + 28 < wide else mark
            yield (
                f'<span class="eo-outlook eo-outlook-{kind}" style="width:{wide - 4}px" title="{said}">{text}</span>'
            )

    def _names(self):
        clocks = Steps(self.position.replay.run, self.position.replay.schedule, self.position.replay.steps)
        times = clocks.clocks(len(clocks) - 1) if len(clocks) else {}
        newest = {start.detail.get("node", 0): start.life for start in self.position.replay.run.trace.lives()}
        rows = []
        for one, y in self.lines.items():
            kind, name, process = "eo-line-part", escape(part_title(str(one)) or str(one)), one
            if one in self.owners:
                kind, name, process = "eo-line-node", f"{who(one)} node {one + 1}", life_name(newest.get(one, 0))
            if sleeper := self.sleepers.get(one):
                name, process = f"{who(sleeper.node)} ☾ incarnation {sleeper.life}", life_name(sleeper.life)
            rows.append(
                f'<div class="{kind}" style="top:{y - 9}px"><span>{name}</span>'
                f'<small title="Lamport clock">{times.get(process, 0)}</small></div>'
            )
        return (
            '<div class="eo-adversary-strip-head"><b>Moves</b><span>click: go there</span></div>'
            f'<div class="eo-strip-clocks">clock</div><div class="eo-lines" style="height:{self.height}px">'
            f"{''.join(rows)}</div>"
        )

    def _svg(self):
        marks = [self._line(line, y) for line, y in self.lines.items()]
        undone = "eo-adversary-undone"
        marks += [group(*self._marks(one), css=undone if one.number > self.at else "") for one in self.moves]
        return svg(marks, self.width, self.height, f"Space–time diagram of {len(self.moves)} moves")

    def _line(self, name, y):
        if name in self.owners:
            return line(0, y, self.width, y, "eo-line-of-node", stroke=colour(self.owners[name]))
        return line(0, y, self.width, y, "eo-line-of-part")

    def _marks(self, move):
        """Yield the marks of a move: its arrows, its dot on the line of its node, the sign of a death."""
        x, y = self.column * (move.number - 0.5), self.lines[move.actor if move.kind != ARRIVAL else move.node]
        bad = move.number == self.broken
        if move.part is not None and move.kind not in (CRASH, PAUSE):
            yield from self._arrows(move, x, y, self.lines[move.part], bad)
        if move.kind in (CRASH, PAUSE):
            yield dot(x, y, 11, "eo-struck-dot")
        elif move.kind != ARRIVAL:
            if move.number == self.turned:
                yield box(x - 15, y - 14, 30, 28, "eo-adversary-turn", rx=6)
            yield box(x - 10, y - 10, 20, 20, rx=ROUND[move.node % 4], fill="red" if bad else colour(move.node))
            yield words(x, y + 4, move.number, "eo-dot-number")
        if move.kind in (CRASH, STEP_AND_CRASH, PAUSE):
            yield words(x + 17 * (move.kind == STEP_AND_CRASH), y + 5, SIGNS[move.kind], "eo-struck")

    def _arrows(self, move, x, y, down, bad):
        middle = (y + down) / 2
        if move.kind in (LOST_REQUEST, LATE_REQUEST):
            yield arrow((x + 5, y + 8), (x + 12, middle), "hurt")
            yield words(x + 13, middle + 12, SIGNS[move.kind], "eo-struck")
        elif move.kind == ARRIVAL:
            yield arrow((x - 14, y + 14), (x + 10, down - 5), "over")
            yield self._end(x + 11, down, move, bad)
        elif move.writes or move.kind in (LOST_REPLY, DUPLICATE, LATE_DUPLICATE):
            yield arrow((x + 3, y + 10), (x + 11, down - 5), "bad" if bad else "ask")
            if move.kind == DUPLICATE:
                yield arrow((x + 10, y + 9), (x + 22, down - 5), "hurt")
            yield self._end(x + 12, down, move, bad)
            if move.kind == LOST_REPLY:
                yield arrow((x + 12, down - 5), (x + 22, middle), "hurt")
                yield words(x + 25, middle, SIGNS[LOST_REPLY], "eo-struck")
        else:
            said = f"hour {move.item}" if move.part == "input" and move.item else move.reply or ""
            yield arrow((x - 11, down - 4), (x - 3, y + 11), "answer")
            yield dot(x - 12, down, 3.5, "eo-adversary-read")
            yield self._words(x - 3, down, said)

    def _end(self, x, y, move, bad):
        end = dot(x, y, 5, "eo-write eo-write-bad" if bad else "eo-write")
        return group(end, self._words(x + 9, y, move.effect or "", bad))

    def _words(self, x, y, text, bad=False):
        most = max(4, int((self.column - 22) / CHARACTER))
        text = text.rpartition(" → ")[2].removeprefix("window of ")
        short = text if len(text) <= most else text[: most - 1] + "…"
        return words(x, y + 4, short, "halo bad" if bad else "halo", title=text)


def arrow(start, end, kind):
    """Return a straight arrow between two points, with its tip."""
    return group(line(*start, *end, f"eo-arrow-{kind}"), tip(start, end, 7, 3.5, f"eo-tip-{kind}"))

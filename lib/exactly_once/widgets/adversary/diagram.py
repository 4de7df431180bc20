"""The moves so far as a strip, the possible ends after each move, and a space–time diagram, column by column.

After L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978, figure 1: a
line for each node, sleeper and part of a store; the number beside a line is the Lamport clock of its process.
"""

from html import escape

from ...explore.search.outlook import BROKEN, FAULT, OPEN
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
from ..player.view import chip

LABELS = 118  # pixels of the column with the names of the lines
NODE_ROW, PART_ROW, TOP = 26, 20, 15
WIDEST, NARROWEST = 104, 66  # of a move's column
SAYS = {
    OPEN: ("good", "✓", "can still end well"),
    FAULT: ("warn", "!", "only a fault can still save it"),
    BROKEN: ("bad", "✗", "broken"),
    "": ("none", "?", "not known"),
}
CHARACTER = 6.2
USUAL = ("input", "positions", "state", "output", "counter")


class Strip:
    """The strip of moves with the diagram's lines, from the state of an `AdversaryModel`."""

    def __init__(self, state, nodes, width):
        self.outlooks, self.at, self.position, self.nodes = state.outlooks, state.at, state.position, nodes
        self.turned, self.moves = state.turned_at, made(state.full.replay)
        moves = self.moves
        room = width - LABELS - 8
        self.column = max(NARROWEST, min(WIDEST, room // max(1, len(moves) + 1)))
        self.width = max(room, self.column * (len(moves) + 1))
        self.broken = self.outlooks.index(BROKEN) if BROKEN in self.outlooks else None
        self.lines, y = {}, TOP
        self.sleepers = {move.actor: move for move in moves if move.actor >= nodes}
        for actor in (*range(nodes), *sorted(self.sleepers)):
            self.lines[actor] = y
            y += NODE_ROW
        parts = {move.part for move in moves if move.part}
        for part in [*(one for one in USUAL if one in parts), *sorted(parts.difference(USUAL))]:
            self.lines[part] = y
            y += PART_ROW
        self.height = y

    def x(self, move):
        """Return the middle of a move's column."""
        return self.column * (move.number - 0.5)

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
        now, undone = move.number == self.at, move.number > self.at
        return chip(move, move.number, lines, f"M{about}", f"Go to m{about}", kinds, now, undone)

    def _coming(self):
        number = len(self.moves) + 1
        if self.at < len(self.moves) or not self.position.open:
            return ""
        return f'<span class="eo-player-chip eo-coming"><span>move {number}</span><span>yours</span></span>'

    def _outlooks(self):
        """Yield the possible ends as bands below the moves after which they were possible."""
        groups = []
        for outlook in self.outlooks[1:]:
            if groups and groups[-1][0] == outlook:
                groups[-1][1] += 1
            else:
                groups.append([outlook, 1])
        for outlook, count in groups:
            kind, mark, words = SAYS[outlook]
            wide = self.column * count
            text = f"{mark} {words}" if len(words) * CHARACTER + 30 < wide else mark
            yield (
                f'<span class="eo-outlook eo-outlook-{kind}" style="width:{wide - 4}px" title="{words}">{text}</span>'
            )

    def _names(self):
        clocks = Steps(self.position.replay.run, self.position.replay.schedule, self.position.replay.steps)
        times = clocks.clocks(len(clocks) - 1) if len(clocks) else {}
        newest = {}
        for start in self.position.replay.run.trace.lives():
            newest[start.detail.get("node", 0)] = start.life
        rows = []
        for line, y in self.lines.items():
            if isinstance(line, int) and line < self.nodes:
                name, process = f"{who(line)} node {line + 1}", life_name(newest.get(line, 0))
            elif isinstance(line, int):
                sleeper = self.sleepers[line]
                name, process = f"{who(sleeper.node)} ☾ incarnation {sleeper.life}", life_name(sleeper.life)
            else:
                name, process = escape(part_title(line) or line), line
            kind = "eo-line-node" if isinstance(line, int) else "eo-line-part"
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
        lines = "".join(
            f'<line class="{"eo-line-of-node" if isinstance(line, int) else "eo-line-of-part"}" '
            f'{self._colour(line)} x1="0" x2="{self.width}" y1="{y}" y2="{y}"/>'
            for line, y in self.lines.items()
        )
        drawn = "".join(f'<g class="{self._faded(move)}">{self._move(move)}</g>' for move in self.moves)
        about = f"Space–time diagram of {len(self.moves)} moves"
        return (
            f'<svg class="eo-st" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{about}">{lines}{drawn}</svg>'
        )

    def _colour(self, line):
        if not isinstance(line, int):
            return ""
        node = line if line < self.nodes else self.sleepers[line].node
        return f'style="stroke:var(--eo-{colour(node)})"'

    def _faded(self, move):
        return "eo-adversary-undone" if move.number > self.at else ""

    def _move(self, move):
        x, y = self.x(move), self.lines[move.actor if move.kind != ARRIVAL else move.node]
        bad = move.number == self.broken
        found = self._arrows(move, x, y, bad) + (self._dot(move, x, y, bad) if move.kind != ARRIVAL else "")
        if move.kind in (CRASH, STEP_AND_CRASH, PAUSE):
            shift = 17 if move.kind == STEP_AND_CRASH else 0
            found += f'<text class="eo-struck" x="{x + shift}" y="{y + 5}">{SIGNS[move.kind]}</text>'
        return found

    def _dot(self, move, x, y, bad):
        if move.kind in (CRASH, PAUSE):
            return f'<circle class="eo-struck-dot" cx="{x}" cy="{y}" r="11"/>'
        ring = f'<rect class="eo-adversary-turn" x="{x - 15}" y="{y - 14}" width="30" height="28" rx="6"/>'
        box = f'x="{x - 10}" y="{y - 10}" width="20" height="20"'
        round_ = ("10", "2", "6", "2")[move.node % 4]
        tone = "red" if bad else colour(move.node)
        return (
            f"{ring if move.number == self.turned else ''}"
            f'<rect {box} rx="{round_}" fill="var(--eo-{tone})"/>'
            f'<text class="eo-dot-number" x="{x}" y="{y + 4}">{move.number}</text>'
        )

    def _arrows(self, move, x, y, bad):
        if move.part is None or move.kind in (CRASH, PAUSE):
            return ""
        down, found = self.lines[move.part], []
        tone = "bad" if bad else "ask"
        if move.kind in (LOST_REQUEST, LATE_REQUEST):
            middle = (y + down) / 2
            found.append(arrow((x + 5, y + 8), (x + 12, middle), "hurt"))
            found.append(f'<text class="eo-struck" x="{x + 13}" y="{middle + 12}">{SIGNS[move.kind]}</text>')
            return "".join(found)
        if move.kind == ARRIVAL:
            found.append(arrow((x - 14, self.lines[move.node] + 14), (x + 10, down - 5), "over"))
            found.append(_end(x + 11, down, move.effect or "", bad, self.column))
            return "".join(found)
        if move.writes or move.kind in (LOST_REPLY, DUPLICATE, LATE_DUPLICATE):
            found.append(arrow((x + 3, y + 10), (x + 11, down - 5), tone))
            if move.kind == DUPLICATE:
                found.append(arrow((x + 10, y + 9), (x + 22, down - 5), "hurt"))
            found.append(_end(x + 12, down, move.effect or "", bad, self.column))
            if move.kind == LOST_REPLY:
                middle = (y + down) / 2
                found.append(arrow((x + 12, down - 5), (x + 22, middle), "hurt"))
                found.append(f'<text class="eo-struck" x="{x + 25}" y="{middle}">{SIGNS[LOST_REPLY]}</text>')
        else:
            said = f"hour {move.item}" if move.part == "input" and move.item else move.reply or ""
            found.append(arrow((x - 11, down - 4), (x - 3, y + 11), "answer"))
            found.append(f'<circle class="eo-adversary-read" cx="{x - 12}" cy="{down}" r="3.5"/>')
            found.append(_words(x - 3, down, said, self.column, False))
        return "".join(found)


def _end(x, y, text, bad, room):
    kind = "eo-write eo-write-bad" if bad else "eo-write"
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="5"/>{_words(x + 9, y, text, room, bad)}'


def _words(x, y, text, room, bad):
    most = max(4, int((room - 22) / CHARACTER))
    text = text.rpartition(" → ")[2].removeprefix("window of ")
    short = text if len(text) <= most else text[: most - 1] + "…"
    kind = "halo bad" if bad else "halo"
    return f'<text class="{kind}" x="{x}" y="{y + 4}"><title>{escape(text)}</title>{escape(short)}</text>'


def arrow(start, end, kind):
    """Return a straight arrow of SVG."""
    (x1, y1), (x2, y2) = start, end
    length = max(1.0, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    left, right = (x2 - 7 * dx - 3.5 * dy, y2 - 7 * dy + 3.5 * dx), (x2 - 7 * dx + 3.5 * dy, y2 - 7 * dy - 3.5 * dx)
    tip = " ".join(f"{px:.1f},{py:.1f}" for px, py in ((x2, y2), left, right))
    return (
        f'<line class="eo-arrow-{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
        f'<polygon class="eo-tip-{kind}" points="{tip}"/>'
    )

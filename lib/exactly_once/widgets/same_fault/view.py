"""The lanes as SVG, each step below the same step of the lanes above it; and the same as a table."""

from html import escape

import pandas as pd

from ... import show
from ...show.base.canvas import box, cross, dot, group, line, mark, svg, words
from ...show.diagrams.layout import LIFE_COLOURS
from ...show.diagrams.table import part_title
from ..base.controls import field, segments
from .lane import HOUR, JOB
from .model import BEFORE

LEFT, RIGHT = 132, 16
LEAST = 540  # pixels in which the boxes of a lane have room beside each other; a narrower place scrolls
TOP, BELOW = 25, 23  # pixels above a lane's first line, and below its last
SECOND, PART = 15, 38  # pixels from the first node's line to the second's, and from there to the part's
CHARACTER = 7.2
BESIDE = {"transactional": "coordinator", "offset_in_sink": "sink"}  # the role of the second node
TITLES = {"output": "the output’s", "counter": "the counter’s", "commit": "the one that ends the pass"}
OF = (
    f"{JOB.items} hours; in each lane one request of hour {HOUR} is late: no reply, so its sender gives up (✖) or "
    "asks again. Drag its arrival."
)


def fragments(model, width):
    """Return {trait: value} of a `SameFaultModel`."""
    state = model.state
    scale = Scale(max(width, LEAST), state.most)
    return {
        "toolbar": toolbar(state),
        "rail": {"left": scale.x(1) + scale.step / 2, "step": scale.step, "most": state.most, "at": state.until},
        "stage": "".join(lane_html(lane, scale) for lane in state.lanes),
        "words": show.folded(lanes_table(state), "The same as a table"),
    }


class Scale:
    """The places of the steps, in pixels."""

    def __init__(self, width, most):
        self.width, self.most = width, most
        self.step = (width - LEFT - RIGHT) / (BEFORE + most + 1)

    def x(self, at):
        """Return the place of a step, counted from the late request's."""
        return LEFT + self.step * (at + BEFORE + 0.5)

    @property
    def end(self):
        """The end of the lines, in pixels."""
        return self.width - RIGHT


def toolbar(state):
    """Return the choice of the late request, and the title of the picture."""
    return field("Late is", segments("late", TITLES, state.late, spoken="late is {}")) + (
        f'<p class="eo-same-fault-of">{escape(OF)}</p>'
    )


def lane_html(lane, scale):
    """Return one lane: the drawing, and below it the result."""
    good, headline, rest = verdict(lane)
    sign, kind = ("✓", "good") if good else ("✗", "bad")
    name = lane.strategy.replace("_", " ")
    return (
        f'<section class="eo-same-fault-lane eo-lane-{lane.strategy}" aria-label="{escape(name)}" '
        f'data-key="{lane.strategy}">'
        f"{_Drawing(lane, scale).svg()}"
        f'<p class="eo-same-fault-verdict eo-same-fault-{kind}-verdict"><strong>{sign} '
        f"{escape(headline)}</strong> {escape(rest)}</p>"
        "</section>"
    )


def verdict(lane):
    """Return (good, headline, the late request's result and the damage) of a lane."""
    said = came_of(lane)
    said = said[0].upper() + said[1:]
    if lane.verdict.run.error:
        return False, "The handler failed.", f"{said}."
    hurt = damaged(lane.verdict.damage)
    return (False, "Not exactly once.", f"{said}: {hurt}.") if hurt else (True, "Exactly once.", f"{said}.")


def damaged(damage):
    """Return the damage in few words, so that they fit a line; "" where all is right."""
    said = []
    kinds = {"doubled": damage.duplicated, "incomplete": damage.missing, "wrong": damage.wrong or damage.disordered}
    if any(kinds.values()):
        said.append(f"output {' and '.join(kind for kind, found in kinds.items() if found)}")
    if damage.counter != damage.expected_counter:
        said.append(f"counter {damage.counter} and not {damage.expected_counter}")
    parts = {"window": damage.state_differs, "positions": damage.positions_differ}
    if any(parts.values()):
        said.append(f"{' and '.join(part for part, found in parts.items() if found)} wrong")
    said += ["a transaction in doubt"] * bool(damage.in_doubt) + ["something else wrong"] * bool(damage.others)
    return ", ".join(said)


def came_of(lane):
    """Return the result of the late request, in words."""
    came, when = lane.came, "" if lane.until <= lane.end else ", after the end"
    if came.refused:
        _, _, why = came.text.partition(": ")
        return "refused" + (f" by {why}" if why else "") + when
    if came.known:
        where = f", {came.text}" if "already" in came.text else ": this transaction has ended already"
        return f"recognised{when}{where}"
    answered = any(write.refused or write.known for write in lane.writes if write.at > lane.until)
    return f"carried out{when}" + (", and its repetition refused" if answered else "")


def verb(lane):
    """Return the late step in a word."""
    return lane.step.partition(".")[2].partition("_")[0]


def lanes_table(state):
    """Return all lanes as a DataFrame."""
    rows = [
        (lane.strategy.replace("_", " "), lane.step, lane.until, came_of(lane), lane.verdict.sentence)
        for lane in state.lanes
    ]
    return pd.DataFrame(rows, columns=["strategy", "late", "arrives after steps", "the late request", "verdict"])


class _Drawing:
    def __init__(self, lane, scale):
        self.lane, self.scale = lane, scale
        self.nodes = sorted({step.node for step in lane.steps})
        self.y = {node: TOP + SECOND * number for number, node in enumerate(self.nodes)}
        self.part = max(self.y.values()) + PART
        self.steps = [step for step in lane.steps if step.at >= -BEFORE]
        self.over = []

    def svg(self):
        marks = [*self._titles(), *self._lives(), *self._late(), *self._writes(), *self.over]
        _, headline, rest = verdict(self.lane)
        about = f"{self.lane.strategy.replace('_', ' ')}, {self.lane.step} late. {headline} {rest}"
        return svg(marks, self.scale.width, self.part + BELOW, about, "eo-st eo-quiet eo-same")

    def _titles(self):
        yield words(2, TOP - 9, self.lane.strategy.replace("_", " "), "strategy")
        yield line(LEFT, self.part, self.scale.end, self.part, "line")
        yield words(2, self.part + 4, self._part_title(), "lane")
        for node, y in self.y.items():
            yield words(2, y + 5, "handler" if node == self.nodes[0] else BESIDE[self.lane.strategy], "sub")

    def _part_title(self):
        part = self.lane.part
        if part.startswith("register."):
            return f"cell {part.removeprefix('register.')}"
        named = {"prepared": "database", "index": "index, counter", "log.output": "output partition"}
        return named.get(part) or (part_title(part) or part).removeprefix("coordinator.").replace("__", "")

    def _lives(self):
        for life in dict.fromkeys(step.life for step in self.steps):
            own = [step for step in self.steps if step.life == life]
            y, colour = self.y[own[0].node], LIFE_COLOURS[(life - 1) % len(LIFE_COLOURS)]
            first, last = self.scale.x(own[0].at), self.scale.x(own[-1].at)
            earlier = [step for step in self.lane.steps if step.at < own[0].at and step.node == own[0].node]
            new = any(step.life != life for step in earlier)
            first = first if new else LEFT
            ticks = [dot(self.scale.x(step.at), y, 2.4, "tick") for step in own]
            yield group(line(first, y, last, y, "life"), *ticks, tone=colour)
            if new:
                self._label(first + 3, own[0].node, f"incarnation {life}", "say", "start")

    def _writes(self):
        nodes = {step.at: step.node for step in self.lane.steps}
        for write in self.lane.writes:
            if write.at < -BEFORE:
                continue
            x, y = self.scale.x(write.at), self.y[nodes[write.at]]
            again = write in self._same() and write.at > self.lane.until
            yield line(x, y, x, self.part, "ask")
            self._box(x, self.part - 9, self._named(write), "again" if again else "")

    def _named(self, write):
        known = write.refused or write.verb == "transact"
        return f"index {write.text}" if self.lane.part == "index" and not known else _short(write)

    def _same(self):
        """Return the writes that repeated the late request, where that is damage."""
        came, damage = self.lane.came, self.lane.verdict.damage
        if came.refused or came.known or self.lane.part == "positions" or not damage.any:
            return []
        return [write for write in self.lane.writes if (write.hour, write.verb) == (came.hour, came.verb)]

    def _comes_second(self):
        """Tell whether the late request itself is the surplus write, or brings old positions back."""
        lane = self.lane
        if lane.part == "positions":
            return lane.verdict.damage.positions_differ
        return any(write.at <= lane.until for write in self._same())

    def _late(self):
        """Yield the late request: from its step to its arrival, and the value that it left below the part's line."""
        lane, scale = self.lane, self.scale
        node = next(step.node for step in lane.steps if step.at == 0)
        x1, y1 = scale.x(0), self.y[node]
        x2, y2 = scale.x(lane.until) + scale.step / 2, self.part
        yield mark("path", "late", d=f"M{x1:.1f} {y1} L{x2:.1f} {y2}")
        yield dot(x1, y1, 5, "sent")
        if any(event.life == lane.life for event in lane.verdict.run.trace.deaths()):
            title = f"incarnation {lane.life} gives up: no reply"
            self.over.append(cross(x1 + 11, y1, 4, "cross small", title=title))
        self._label(x1 + 6, node, verb(lane), "late-name", "end")
        came = lane.came
        said = "there already" if came.known else self._named(came)
        idle = came.refused or came.known
        kind = "refused" if idle else "again" if self._comes_second() else ""
        self._box(x2, self.part + 11, f"{'✗ ' if came.refused else ''}{said}", kind, inside=True)

    def _box(self, x, y, said, kind, inside=False):
        half = max(10, len(said) * CHARACTER / 2 + 3)
        middle = max(x, LEFT + half)
        middle = min(middle, self.scale.end - half + 10) if inside else middle
        frame = box(middle - half, y - 9, 2 * half, 18)
        self.over.append(group(frame, words(middle, y + 4, said), css=f"box {kind}"))

    def _label(self, x, node, said, kind, anchor):
        """Write above the first node's line, or below the second's."""
        self.over.append(words(x, self.y[node] + (-9 if node == self.nodes[0] else 15), said, kind, anchor))


def _short(write):
    """Return the value that a write left, as short as possible."""
    if write.refused:
        return "refused"
    if write.known:
        return "known"
    if write.verb == "marker":
        return "marker"
    if write.verb == "end_transaction":
        return "commit"
    if write.verb in ("prepare", "commit_prepared"):
        return "hold" if write.verb == "prepare" else "commit"
    return write.text.partition(" at offset")[0]

"""The same stop, two protocols: a node is gone for good under two-phase commit, and one of two lock-free twins.

Two controls run as well: one lock-free node, and two-phase commit on two nodes that share the decision.
"""

import functools
from dataclasses import dataclass, replace
from html import escape
from typing import cast

import pandas as pd

from ...errors import one_of, whole
from ...faults import POINTS, Fault, FaultPlan
from ...handlers import lock_free, two_phase
from ...handlers.stream.two_phase import shared_decision
from ...node.node import Handler
from ...node.program import Deployment, deployment_of
from ...show.base.picture import Picture, scrolling
from ...show.diagrams.layout import LIFE_COLOURS
from ...verdict import Verdict, judge
from .lane import HOUR, JOB, timed_run

LANES = {"two_phase": "two-phase commit", "lock_free": "lock-free, two twins"}
CONTROLS = {
    "lock_free_alone": "lock-free, one node",
    "shared_decision": "two-phase commit, two nodes share the decision",
}


def on(twins: int, handler: Handler) -> Deployment:
    """Return a lock-free handler deployed on so many twins."""
    return replace(cast(Deployment, deployment_of(handler)), twins=twins)


HANDLERS = {
    "two_phase": two_phase,
    "lock_free": on(2, lock_free),
    "lock_free_alone": on(1, lock_free),
    "shared_decision": on(2, shared_decision),
}
NODES = {"two_phase": ("handler",), "lock_free": ("twin 1", "twin 2", "database node")}
LEFT, RIGHT, TOP, NODE, PART, BELOW = 116, 14, 26, 22, 30, 16  # pixels
CHARACTER, LEAST_WIDTH = 7.2, 300
GOES_ON, STANDS, BLOCKED = "goes on to the end", "stands still", "blocked"


@dataclass(frozen=True)
class Stop:
    """One run: a node stopped for good at a crash point, and the fate of the others as a `word`."""

    strategy: str
    at: str
    verdict: Verdict
    taken: tuple[tuple, ...]  # (place in the run, node, life, its step, verb, hour) of each step

    @property
    def word(self) -> str:
        """ "goes on to the end" where all is right; "blocked" where a row is held for ever; or "stands still"."""
        if self.verdict.blocked:
            return BLOCKED
        return GOES_ON if self.verdict.exactly_once else STANDS

    @property
    def sentence(self) -> str:
        """The fate of the others, in a sentence."""
        run = self.verdict.run
        if self.verdict.blocked:
            _, identifier = run.outcome.in_doubt[0]
            return (
                f"Transaction {identifier} is prepared in the database and in doubt: the counter’s row is held, for "
                "everybody, and who could end it is gone."
            )
        if self.word == GOES_ON:
            return f"All {JOB.items} hours are in the output once, and the counter is right: the other node went on."
        done = len(run.outcome.outputs)
        hours = f"{done} of {JOB.items} hours {'is' if done == 1 else 'are'} in the output"
        return f"No row is held, but {hours}, and nobody is left to handle the others."


@functools.cache
def stop(strategy, at):
    """Simulate the stop of a strategy's first node to get to a crash point of hour 2; of two alike, of either.

    `strategy` is one of `LANES` or `CONTROLS`.
    """
    handler = HANDLERS[one_of("the strategy", strategy, HANDLERS)]
    one_of("the crash point", at, POINTS)
    # without the database's node, which has a point E, too
    for node in range(1, 3 - (strategy == "lock_free_alone")):
        run, simulation = timed_run(handler, FaultPlan((Fault(at, HOUR, "crash-stop", node=node),)))
        if run.reached:
            break
    return Stop(strategy, at, judge(run, handler), tuple(simulation.taken))


def stops_table() -> pd.DataFrame:
    """Return the fate of each protocol and control, for each crash point at which a node is stopped for good."""
    asked = LANES | CONTROLS
    rows = [[f"at {at}", *(stop(strategy, at).word for strategy in asked)] for at in POINTS]
    return pd.DataFrame(rows, columns=["a node is stopped for good", *asked.values()])


def same_stop(at: str = "C", width: int = 1000) -> Picture:
    """Return both protocols, step beside step, where a node is stopped for good at a crash point of hour 2.

    `at` is the point, "A" to "E"; `width` in pixels. Under two-phase commit the stopped node is the only one, and
    under the lock-free machine it is one of two twins, beside the database's node; the table has two controls as
    well. Raises `BadInput` for anything else.
    """
    whole("the width in pixels", width, LEAST_WIDTH)
    lanes = [stop(strategy, one_of("the crash point", at, POINTS)) for strategy in LANES]
    drawings = [_Lane(each) for each in lanes]
    first, last = min(drawing.first for drawing in drawings), max(drawing.last for drawing in drawings)
    html = "".join(_section(drawing, width, first, last) for drawing in drawings)
    table = stops_table()
    text = "\n".join(f"{LANES[each.strategy]}, stopped at {at}: {each.word}. {each.sentence}" for each in lanes)
    return Picture(html, table, text, "All crash points, as a table")


def _section(drawing, width, first, last):
    each = drawing.stop
    sign, mood = ("✓", "good") if each.word == GOES_ON else ("✗", "bad")
    words = each.word[0].upper() + each.word[1:]
    return scrolling(drawing.svg(width, first, last), LANES[each.strategy]) + (
        f'<p class="eo-says eo-is-{mood} eo-stop-{each.strategy}" style="margin:0 0 12px">'
        f"<strong>{sign} {escape(words)}.</strong> {escape(each.sentence)}</p>"
    )


class _Lane:
    """One run, with its steps counted from the stop, which is 0."""

    def __init__(self, found):
        self.stop, trace = found, found.verdict.run.trace
        (death,) = trace.deaths()
        zero, self.node = next(
            (at, node) for at, node, life, step, *_ in found.taken if (life, step) == (death.life, death.step)
        )
        self.at = {(life, step): at - zero for at, _, life, step, *_ in found.taken}
        self.steps = [(at - zero, node) for at, node, *_ in found.taken]
        self.first, self.last = self.steps[0][0], self.steps[-1][0]
        self.writes = [write for event in trace if (write := self._write(event))]

    def _write(self, event):
        """Return (step, "output" or "counter", words) of a change that an observer of the stores sees, or None."""
        place = self.at.get((event.life, event.step))
        if event.kind != "receive" or place is None or event.text.startswith("refused"):
            return None
        queue, _, index = event.process.rpartition(".")
        if event.verb == "append" or (queue == "queues.output" and index.isdecimal() and event.verb == "cas"):
            return place, "output", event.text
        if event.process == "index" and event.verb == "cas":
            return place, "counter", "+1"
        return (place, "counter", {"prepare": "hold", "commit_prepared": "+1"}[event.verb]) if event.verb in (
            "prepare", "commit_prepared"
        ) else None  # fmt: skip

    def svg(self, width, first, last):
        """Return the drawing, from the first to the last step of all lanes."""
        step = (width - LEFT - RIGHT) / (last - first + 2)
        names = NODES[self.stop.strategy]
        end, self.x = width - RIGHT, lambda at: LEFT + step * (at - first + 1)
        y = {node: TOP + 14 + NODE * node for node in range(len(names))}
        rows = {"output": max(y.values()) + PART, "counter": max(y.values()) + 2 * PART}
        parts = [f'<text class="name" x="2" y="{TOP - 10}">{escape(LANES[self.stop.strategy])}</text>']
        for node, name in enumerate(names):
            parts.append(f'<text class="sub" x="2" y="{y[node] + 4}">{name}</text>{self._life(node, y[node])}')
        for row, height in rows.items():
            parts.append(f'<text class="lane" x="2" y="{height + 4}">{row}</text>')
            parts.append(f'<line class="line" x1="{LEFT}" y1="{height}" x2="{end}" y2="{height}"/>')
        parts += [self._stopped(y[self.node], end), self._held(rows["counter"], end)]
        parts += [_box(self.x(at), rows[row], words) for at, row, words in self.writes]
        height = rows["counter"] + BELOW
        about = escape(f"{LANES[self.stop.strategy]}, stopped at {self.stop.at}: {self.stop.word}")
        return (
            f'<svg class="eo-st eo-quiet" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'role="img" aria-label="{about}">{"".join(parts)}</svg>'
        )

    def _life(self, node, y):
        colour = LIFE_COLOURS[node % len(LIFE_COLOURS)]
        own = [at for at, other in self.steps if other == node]
        begin, last = self.x(own[0]), self.x(0 if node == self.node else own[-1])
        ticks = "".join(
            f'<circle cx="{self.x(at):.1f}" cy="{y}" r="2.6" style="fill:var(--eo-{colour})"/>'
            for at in own if not (at == 0 and node == self.node)
        )  # fmt: skip
        return (
            f'<g style="--c:var(--eo-{colour})"><line class="life" x1="{begin:.1f}" y1="{y}" x2="{last:.1f}" '
            f'y2="{y}"/>{ticks}</g>'
        )

    def _stopped(self, y, end):
        x = self.x(0)
        words = f"stopped for good at {self.stop.at}"
        return (
            f'<path class="cross small" d="M{x - 5:.1f} {y - 5} l10 10 m-10 0 l10 -10"/>'
            f'<line class="gone" x1="{x + 8:.1f}" y1="{y}" x2="{end}" y2="{y}" stroke-dasharray="3 5"/>'
            f'<text class="bad" x="{x + 10:.1f}" y="{y - 6}">{words}</text>'
        )

    def _held(self, y, end):
        if not self.stop.verdict.blocked:
            return ""
        begin = next(at for at, _, words in self.writes if words == "hold")
        x = self.x(begin)
        return (
            f'<rect x="{x:.1f}" y="{y - 9}" width="{end - x:.1f}" height="18" style="fill:color-mix(in srgb, '
            f'var(--eo-red) 14%, var(--eo-bg));stroke:var(--eo-red);stroke-dasharray:6 4"/>'
            f'<text class="bad" x="{x + 34:.1f}" y="{y + 4}">in doubt: nobody is left to end it</text>'
        )


def _box(x, y, words):
    half = max(11, len(words) * CHARACTER / 2 + 4)
    place = f'x="{x - half:.1f}" y="{y - 9}" width="{2 * half:.1f}" height="18"'
    return f'<g class="box"><rect {place}/><text x="{x:.1f}" y="{y + 4}">{escape(words)}</text></g>'

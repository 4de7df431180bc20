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
from ...pipeline import Job
from ...pipeline.job import checked_run
from ...show.base.canvas import box, cross, dot, group, line, svg, words
from ...show.base.picture import Picture, scrolling
from ...show.diagrams.layout import LIFE_COLOURS
from ...simulate.hub import WAITS
from ...simulate.world import Simulation
from ...verdict import Verdict, judge

JOB, HOUR = Job(items=3, duration=2, threshold=2), 2  # hour 2 is counted, and another hour comes after it
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


class TimedSimulation(Simulation):
    """A simulation that notes, for each step of an incarnation, its number among all steps of the run."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.taken = []

    def _advance(self, actor):
        if actor.found != WAITS:
            event = actor.world.event
            self.taken.append((self.steps + 1, actor.node, actor.number, event.step, event.verb, event.item))
        super()._advance(actor)


def timed_run(handler, plan):
    """Return (the `Run` of a handler under a fault plan, its `TimedSimulation`)."""
    programs, plan = checked_run(handler, plan, JOB)
    simulation = TimedSimulation(programs, plan, 0)
    try:
        return simulation.run(), simulation
    finally:
        simulation.close()


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
        marks = [words(2, TOP - 10, LANES[self.stop.strategy], "name")]
        for node, name in enumerate(names):
            marks += [words(2, y[node] + 4, name, "sub"), self._life(node, y[node])]
        for row, height in rows.items():
            marks += [words(2, height + 4, row, "lane"), line(LEFT, height, end, height, "line")]
        marks += [*self._stopped(y[self.node], end), *self._held(rows["counter"], end)]
        for at, row, said in self.writes:
            half = max(11, len(said) * CHARACTER / 2 + 4)
            frame = box(self.x(at) - half, rows[row] - 9, 2 * half, 18)
            marks.append(group(frame, words(self.x(at), rows[row] + 4, said), css="box"))
        about = f"{LANES[self.stop.strategy]}, stopped at {self.stop.at}: {self.stop.word}"
        return svg(marks, width, rows["counter"] + BELOW, about, "eo-st eo-quiet")

    def _life(self, node, y):
        colour = LIFE_COLOURS[node % len(LIFE_COLOURS)]
        own = [at for at, other in self.steps if other == node]
        begin, last = self.x(own[0]), self.x(0 if node == self.node else own[-1])
        ticks = [dot(self.x(at), y, 2.6, fill=colour) for at in own if not (at == 0 and node == self.node)]
        return group(line(begin, y, last, y, "life"), *ticks, tone=colour)

    def _stopped(self, y, end):
        x = self.x(0)
        yield cross(x, y, 5, "cross small")
        yield line(x + 8, y, end, y, "gone", stroke_dasharray="3 5")
        yield words(x + 10, y - 6, f"stopped for good at {self.stop.at}", "bad")

    def _held(self, y, end):
        if self.stop.verdict.blocked:
            x = self.x(next(at for at, _, said in self.writes if said == "hold"))
            yield box(x, y - 9, end - x, 18, "eo-held", stroke="red", dash="6 4")
            yield words(x + 34, y + 4, "in doubt: nobody is left to end it", "bad")

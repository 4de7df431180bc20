"""One lane: a simulated run of one strategy with one late request; the events are placed by the steps of the run."""

import functools
from dataclasses import dataclass, replace

from ...faults import Fault, FaultPlan
from ...handlers import STRATEGIES
from ...node.world import shown
from ...pipeline import Job
from ...pipeline.job import checked_run
from ...simulate.hub import WAITS
from ...simulate.world import Simulation
from ...verdict import Verdict, ideal_outcomes, judge

JOB, HOUR = Job(items=3, duration=2, threshold=2), 2  # hour 2 is counted, and another hour comes after it
STEPS = {  # of a strategy: the late step that carries the output, is the first on the counter, or ends the pass
    "at_least_once": ("output.push", "database.increment", "positions.save"),
    "idempotent_output": ("register.cas", "database.increment", "positions.save"),
    "transactional": ("transaction.send", "database.increment", "transaction.end"),
    "two_phase": ("engine.commit", "database.prepare", "database.commit_prepared"),
    "offset_in_sink": ("engine.commit", "database.transact", "engine.commit"),
}
LANES = tuple(STEPS)
LATE = {
    late: {strategy: steps[at] for strategy, steps in STEPS.items()}
    for at, late in enumerate(("output", "counter", "commit"))
}
WRITES = ("append", "cas", "produce", "marker", "transact", "add", "prepare", "commit_prepared", "write",
          "end_transaction")  # fmt: skip


@dataclass(frozen=True)
class Step:
    """One step of the run: `at` counts from the late request's step, which is 0; `verb` and `hour` describe the
    step.
    """

    at: int
    node: int
    life: int
    number: int
    verb: str
    hour: int | None


@dataclass(frozen=True)
class Write:
    """A write at the late request's part. `at` is the step, None for the late request itself.

    `known` tells that the store had it already, and gave the earlier answer.
    """

    at: int | None
    text: str
    hour: int | None
    verb: str
    known: bool = False

    @property
    def refused(self):
        """True for a write that the store refused."""
        return self.text.startswith("refused")


@dataclass(frozen=True)
class Lane:
    """One run: its steps, the writes to the late request's part, and its verdict.

    `step` is the late step, `part` the part of its request, `life` the incarnation that sent it; `came` is the write
    of the late request. `until` is the number of steps before it arrives, `end` the last step.
    """

    strategy: str
    step: str
    part: str
    life: int
    until: int
    end: int
    steps: tuple[Step, ...]
    writes: tuple[Write, ...]
    came: Write
    verdict: Verdict


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
def run_lane(strategy, late, until):
    """Return the `Lane` of a strategy whose late request arrives after `until` steps (None: when all nodes have
    ended). Each run is made once.
    """
    handler, step = STRATEGIES[strategy], LATE[late][strategy]
    run, simulation = timed_run(handler, FaultPlan((Fault(step, HOUR, "late request", until=until),)))
    verdict = judge(run, handler, _ideals(handler))
    return _lane(strategy, step, until, simulation.taken, simulation.posted[0].request, verdict)


@functools.cache
def _ideals(handler):
    return ideal_outcomes(handler, JOB)


def _lane(strategy, step, until, taken, request, verdict):
    sent = request.origin.life, request.origin.step
    at = {(life, number): place for place, _, life, number, _, _ in taken}
    zero, part = at[sent], shown(request.store, request.part)
    steps = tuple(
        Step(place - zero, node, life, number, verb, hour) for place, node, life, number, verb, hour in taken
    )
    writes, came = [], None
    for event in verdict.run.trace:
        if event.kind != "receive" or event.process != part or event.verb not in WRITES:
            continue
        own = (event.life, event.step)
        place = None if own == sent else at[own] - zero
        write = Write(place, event.text, event.item, event.verb, "already" in event.text)
        if own == sent:
            came = write
        else:
            writes.append(write)
    if came is not None and came.verb == "end_transaction" and any(came.text == write.text for write in writes):
        came = replace(came, known=True)  # the same epoch as before: the transaction had ended
    if came is None:
        came = Write(None, "refused", HOUR, request.verb)  # a store notes no write where a condition does not hold
    end = taken[-1][0] - zero
    until = end + 1 if until is None else until
    writes = tuple(sorted(writes, key=lambda write: write.at))
    return Lane(strategy, step, part, sent[0], until, end, steps, writes, came, verdict)

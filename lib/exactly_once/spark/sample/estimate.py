"""How often is a batch late? p for one handler, p² for two at once: measured with p scaled up, as a Spark job.

In each slot of time one batch is due, and each node is out with probability p: it stalls at a random step and stays
so until the slot is over. The batch is late when no node has put its result into the output by then. Another node
must be able to finish the half-done batch of a stalled node, so the handler has to be lock-free. Source: the article
on concurrent exactly-once (a mishap a day and a batch every 10 s make p about 1e-4).
"""

import math
import random
import sys
from dataclasses import dataclass

import pandas

from ...errors import BadInput, CourseError, is_number, whole
from ...explore.model.automaton import Automaton
from ...explore.model.shortcuts import Reliances
from ...explore.model.store_contents import Contents
from ...explore.search.properties import outcome_of
from ...lockfree import hourly_means
from ...lockfree.estimate import Estimate, Z, wilson
from ...node.pickling import pickle_handler, unpickle_handler
from ...node.program import checked_handler, program_of
from ...pipeline import Job
from ...sandbox import pool
from ..cluster.cluster import cluster
from ..run.tasks import SparkTask, await_all

PROBABILITIES = (0.02, 0.05, 0.1, 0.2)
FAR = Estimate().p  # a batch every 10 s, one mishap a day
SLOTS_OF_A_RUN = 12  # batches of one run; then a new one begins
ROUNDS = 20  # how often the nodes may take the steps of the batch in one slot: a waiting node loops
COLUMNS = ("nodes", "p", "batches", "late", "rate", "low", "high", "expected", "measured")


@dataclass(frozen=True)
class SlotsUnit:
    """The work of one task: `batches` batches, with `nodes` nodes, each of them out with probability `p`."""

    pickled: bytes
    nodes: int
    p: float
    batches: int
    seed: str
    path: list


def late_batches(
    handler=hourly_means, batches=20_000, nodes=(1, 2), ps=PROBABILITIES, seed=0, spark=None, patience=300.0
):
    """Measure how often a batch is late, and extrapolate. Returns a pandas DataFrame.

    A row for each number of `nodes` and each p of `ps`, measured over so many `batches`: `late` of them were late,
    `rate` is their share, `low` and `high` its 95 % interval (Wilson), `expected` is p to the power of `nodes`. The
    rate of two lock-free nodes is somewhat below p², since the work of a node before its stall need not be done
    again. Then one row for each number of nodes at p = 1.2e-4, with `measured` False: it extrapolates a straight line
    through the logarithms of the measured rates, far below the measured p, with the interval of that line. It is as
    good as the assumption that mishaps strike the nodes independently, which no measurement here can support.

    `handler` puts a result for each hour into the output; nodes run it at once. Raises `BadInput` for numbers that
    make no sense, `CourseError` for a handler whose nodes do not finish a batch when none is out.
    """
    checked_handler(handler)
    whole("the number of batches", batches, least=100)
    for count in nodes:
        whole("the number of nodes", count, least=1, most=5)
    for p in ps:
        if not is_number(p) or not 0 < p < 1:
            raise BadInput(f"A probability is {p!r}; give numbers between 0 and 1, such as 0.05.")
    pool.ideals(handler, Job(items=2))
    spark = spark or cluster()
    shares = max(1, spark.sparkContext.defaultParallelism)
    pickled, work = pickle_handler(handler), []
    for count in nodes:
        for p in ps:
            sizes = [batches // shares + (number < batches % shares) for number in range(shares)]
            work += [
                SlotsUnit(pickled, count, p, size, f"{seed}.{number}", sys.path) for number, size in enumerate(sizes)
            ]
    remedy = "Look for a loop in the handler that never leaves, or give fewer batches."
    found = await_all(SparkTask(spark, work, try_batches), "the measurement", remedy, patience)
    rows = []
    for count in nodes:
        measured = []
        for p in ps:
            late = sum(late for one, late in zip(work, found, strict=True) if (one.nodes, one.p) == (count, p))
            measured.append((count, p, batches, late, late / batches, *wilson(late, batches), p**count, True))
        rows += [*measured, _extrapolated(count, measured)]
    return pandas.DataFrame(rows, columns=COLUMNS)


def line_to(points, x):
    """Return (y, its standard error) at `x`, on the straight line through (x, y, 1/variance) points."""
    total = sum(weight for _, _, weight in points)
    mean_x = sum(weight * at for at, _, weight in points) / total
    mean_y = sum(weight * y for _, y, weight in points) / total
    spread = sum(weight * (at - mean_x) ** 2 for at, _, weight in points)
    slope = sum(weight * (at - mean_x) * (y - mean_y) for at, y, weight in points) / spread
    return mean_y + slope * (x - mean_x), math.sqrt(1 / total + (x - mean_x) ** 2 / spread)


def _extrapolated(count, measured):
    """Return the row at p = `FAR`: a line through the logarithms, each weighted by how surely it was measured."""
    points = [
        (math.log(p), math.log(rate), late / (1 - rate))  # the variance of a log rate is (1 - rate) / late
        for _, p, _, late, rate, *_ in measured
        if 0 < rate < 1
    ]
    if len({at for at, _, _ in points}) < 2:
        return (count, FAR, 0, 0, math.nan, math.nan, math.nan, FAR**count, False)
    y, error = line_to(points, math.log(FAR))
    return (count, FAR, 0, 0, math.exp(y), math.exp(y - Z * error), math.exp(y + Z * error), FAR**count, False)


def try_batches(trials):
    """Count the late batches of each `SlotsUnit`, in a worker. Yields ("late", [count]) or ("failed", why)."""
    for one in trials:
        sys.path += [place for place in one.path if place not in sys.path]
        automaton = None
        try:
            job = Job(items=SLOTS_OF_A_RUN)
            contents = Contents(job, reliances=Reliances(plain=True))
            automaton = Automaton([program_of(unpickle_handler(one.pickled), job)], contents)
            yield "late", [Slots(automaton, one).late()]
        except CourseError as why:  # an error that is raised here would make Spark try again, and again
            yield "failed", str(why)
        finally:
            if automaton is not None:
                automaton.close()


class Slots:
    """Runs of nodes on the explorer's automaton, slot by slot."""

    def __init__(self, automaton, trials):
        self.automaton, self.contents, self.trials = automaton, automaton.contents, trials
        self.outputs, self.needs = {}, {}  # results that an observer sees, by store state; steps that a node needs
        self.rng = random.Random(f"{trials.seed}.{trials.nodes}.{trials.p}")

    def late(self):
        """Return how many batches were late."""
        late, left = 0, self.trials.batches
        while left:
            slots = min(left, SLOTS_OF_A_RUN)
            late += self._run(slots)
            left -= slots
        return late

    def _run(self, slots):
        """Return how many of the first batches of a new run were late. What is late is made up for, before the
        next.
        """
        locals_, store_state, late = [self.automaton.starts[0]] * self.trials.nodes, 0, 0
        for slot in range(1, slots + 1):
            store_state, in_time = self._slot(locals_, store_state, slot, self.trials.p)
            if not in_time:
                late += 1
                # those that stalled go on from where they were
                store_state, done = self._slot(locals_, store_state, slot, 0.0)
                if not done:
                    raise CourseError(f"The nodes did not finish batch {slot}, though none of them was out any more.")
        return late

    def _slot(self, locals_, store_state, slot, p):
        """Let the nodes work in random order until `slot` results are there; return (world, whether they are)."""
        rng, out = self.rng, {}
        needs = [self._alone(local, store_state, slot) for local in locals_]
        for node, steps in enumerate(needs):
            if rng.random() < p:
                out[node] = rng.randrange(steps)
        for _ in range(ROUNDS * sum(needs)):
            if self._seen(store_state) >= slot:
                return store_state, True
            going = [node for node in range(len(locals_)) if out.get(node) != 0 and self._going(locals_[node])]
            if not going:
                return store_state, False
            node = rng.choice(going)
            locals_[node], store_state = self._step(locals_[node], store_state, rng)
            if node in out:
                out[node] -= 1
        return store_state, self._seen(store_state) >= slot

    def _alone(self, local, store_state, slot):
        """Return how many steps a node needs for the batch when it is alone: it stalls before one of them.

        One that waits for another is taken to need as many as there are states on its way round.
        """
        start = local, store_state, slot
        if start not in self.needs:
            steps, rng, before = 0, random.Random(0), set()
            while self._seen(store_state) < slot and self._going(local) and (local, store_state) not in before:
                before.add((local, store_state))
                local, store_state = self._step(local, store_state, rng)
                steps += 1
            self.needs[start] = max(1, steps)
        return self.needs[start]

    def _going(self, local):
        return self.automaton.states[local].kind in ("store", "point", "choose")

    def _step(self, local, store_state, rng):
        """Take one step, without any other fault; return (local state, store state)."""
        state, automaton = self.automaton.states[local], self.automaton
        if state.kind == "store":
            ((_, store_state, result),) = self.contents.outcomes(store_state, state.operation)
        else:
            result = rng.randrange(state.options) if state.kind == "choose" else None
        local = automaton.next(local, result)
        if automaton.states[local].kind == "raised":
            raise CourseError(f"The handler failed: {automaton.states[local].text}")
        return local, store_state

    def _seen(self, store_state):
        if store_state not in self.outputs:
            self.outputs[store_state] = len(outcome_of(self.contents, store_state).outputs)
        return self.outputs[store_state]

"""Exercise 14b: the cheapest strategy that keeps a promise within a budget, checked by running and by counting."""

import functools
import itertools
from dataclasses import dataclass
from html import escape

import pandas as pd

from ... import show as drawing
from ...costs.counted import counted, number
from ...costs.model import duration, predicted, rated
from ...errors import BadInput, CourseError
from ...faults import POINTS, FaultPlan
from ...handlers import STRATEGIES
from ...node.world import DATABASE
from ...pipeline import Job
from ...pipeline.job import programs_of
from ...simulate import simulate
from ...verdict import judge
from ..kinds.reply import right, wrong
from ..kinds.values import OneOf, Values, Whole

JOB = Job(items=4, threshold=2)
STRUCK = (2, 3)  # the hours in whose passes a crash strikes
MOST = 1_000  # partitions
PROMISES = {
    "nothing lost": "No record is lost, neither in the output nor in the counter; twice is allowed.",
    "exactly once": "Each record counts once, in the output and in the counter.",
    "two at once": "Each record counts once, and two nodes work on each partition at the same time: neither "
    "makes the other give up.",
}
NOT_LOST, ONCE, AT_ONCE = PROMISES


@dataclass(frozen=True)
class Budget:
    """A promise, how many records a second there are, and how long an operation takes, in seconds."""

    promise: str
    rate: int
    near: float
    database: float

    def cost(self, strategy):
        """Return the `Prediction` for a strategy."""
        return predicted(of(strategy), lambda store, verb: self.database if store == DATABASE else self.near)

    def partitions(self, strategy):
        """Return how many partitions a strategy needs."""
        return self.cost(strategy).partitions(self.rate)


BUDGETS = {
    "one region": Budget(ONCE, 500, 0.005, 0.005),
    "one region, twice allowed": Budget(NOT_LOST, 500, 0.005, 0.005),
    "a far database": Budget(ONCE, 990, 0.001, 0.020),
    "a far database, twice allowed": Budget(NOT_LOST, 990, 0.001, 0.020),
    "no take-over": Budget(AT_ONCE, 200, 0.001, 0.001),
}
of = functools.cache(counted)


@dataclass(frozen=True)
class Choice:
    """The form of a choice: a strategy and a number of partitions."""

    def read(self, name, value):
        """Return (strategy, partitions). Raises `BadInput` for a value of another form."""
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            raise BadInput(f"For {name!r} you give {repr(value)[:60]}; give a strategy and a number of partitions.")
        strategy = OneOf(tuple(STRATEGIES)).read(f"the strategy for {name!r}", value[0])
        return strategy, Whole(1, MOST).read(f"the number of partitions for {name!r}", value[1])


@functools.cache
def broken(strategy, promise):
    """Return (sentence, verdict or None, programs) of the first run in which a strategy breaks a promise, or None.

    At first nothing strikes; then a crash strikes each node at each crash point, in two passes.
    """
    programs = programs_of(STRATEGIES[strategy], JOB)
    programs = [programs[0], *programs] if promise == AT_ONCE else programs
    strikes = itertools.product(POINTS, STRUCK, ["worker"], [None], range(1, len(programs) + 1))
    for plan in [FaultPlan(), *itertools.starmap(FaultPlan.crash, strikes)]:
        try:
            verdict = judge(simulate(programs, plan), STRATEGIES[strategy])
        except CourseError:  # after fifty incarnations
            return "Two nodes at once make each other give up, again and again, without an end.", None, programs
        lost = bool(verdict.damage.missing) or verdict.damage.counter < verdict.damage.expected_counter
        if lost if promise == NOT_LOST else not verdict.exactly_once:
            return verdict.sentence, verdict, programs
        again = len(verdict.run.trace.lives()) - len(programs)
        if promise == AT_ONCE and not plan.faults and again:
            told = f"With two nodes at once one of them gives up {again} times in {JOB.items} records"
            return f"{told}, since the other one was faster.", verdict, programs
    return None


def objection(name, strategy, partitions):
    """Return the `Reply` to the choice for a budget, if it is wrong, or None."""
    budget = BUDGETS[name]
    if found := broken(strategy, budget.promise):
        told, verdict, programs = found
        said = f"{name}: {strategy} does not keep the promise {budget.promise!r}. {told}"
        if len(programs) == 1:
            return wrong(said, verdict, programs)
        return wrong(said, picture=verdict and drawing.spacetime(verdict.run, STRUCK[0]))
    cost, needed = budget.cost(strategy), budget.partitions(strategy)
    slowest = f"its slowest node takes {duration(max(cost.by_node))} a record"
    if partitions < needed:
        made = rated(partitions * cost.rate)
        return wrong(
            f"{name}: {strategy} keeps the promise, and {slowest}. So {partitions} partitions make {made} records a "
            f"second, and {budget.rate} are needed."
        )
    cheaper = [other for other in STRATEGIES if budget.partitions(other) < needed]
    for other in sorted(cheaper, key=budget.partitions):
        if not broken(other, budget.promise):
            return wrong(
                f"{name}: {strategy} keeps the promise, and {slowest}, so it needs {needed} partitions. But {other} "
                f"keeps it, too, and needs {budget.partitions(other)}."
            )
    if partitions > needed:
        return wrong(f"{name}: {strategy} is the cheapest, and {slowest}. So {needed} partitions are enough.")
    return None


def rule(said):
    """Judge each choice, in the order of the budgets."""
    replies = (objection(name, *choice) for name, choice in said.items())
    return next(
        filter(None, replies),
        right(
            "Each promise is kept after a crash at every point, and no other strategy that keeps it needs fewer "
            "partitions. A stronger promise need not be dearer: what costs is how often a handler asks, and whom.",
            picture=drawn(said),
        ),
    )


def drawn(said):
    """Draw the choices with what they cost."""
    rows = []
    for name, (strategy, partitions) in said.items():
        cost = BUDGETS[name].cost(strategy)
        operations = " + ".join(number(sum(node.values())) for node in cost.counted.nodes)
        makes = rated(partitions * cost.rate)
        rows.append((name, strategy, operations, duration(max(cost.by_node)), partitions, makes, BUDGETS[name].rate))
    heads = ["budget", "strategy", "operations", "a record", "partitions", "makes a second", "needed"]
    return _table(heads, rows, "What each choice asks for, node by node, and what that makes.")


def blank():
    """Draw the budgets."""
    rows = [
        (name, one.promise, one.rate, duration(one.database), duration(one.near)) for name, one in BUDGETS.items()
    ]
    heads = ["budget", "promise", "records a second", "database", "other stores"]
    return _table(heads, rows, "\n".join(f"{name}: {text}" for name, text in PROMISES.items()))


def _table(heads, rows, words):
    table = pd.DataFrame(rows, columns=heads)
    lines = "".join(f"<p>{escape(line)}</p>" for line in words.splitlines())
    return drawing.Picture(lines + drawing.table_html(table), text=f"{words}\n{table.to_string(index=False)}")


TASK = Values(
    answer="choice",
    fields=dict.fromkeys(BUDGETS, Choice()),
    rule=rule,
    drawn=drawn,
    blank=blank,
    what="choice",
    asks="a strategy and a number of partitions for each budget",
)

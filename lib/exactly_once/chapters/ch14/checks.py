"""The exercises and gaps of chapter 14: what a guarantee costs, from a handler's counted operations."""

import functools
import itertools
from dataclasses import dataclass
from html import escape
from typing import Any

import pandas as pd

from ... import show as drawing
from ...costs.counted import counted, duration, in_words, number, predicted, rated
from ...errors import BadInput, CourseError
from ...exercises.kinds.challenge import challenge
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.kind import called
from ...exercises.kinds.proved import Proved
from ...exercises.kinds.reply import right, wrong
from ...exercises.kinds.values import OneOf, Values, Whole
from ...faults import POINTS, FaultPlan
from ...handlers import STRATEGIES
from ...node.world import DATABASE
from ...pipeline import Job, programs_of
from ...simulate import simulate
from ...verdict import judge
from ..ch13.checks import both_right, objection

ITEMS: dict = {}  # {name: item}

# 14a: how many partitions a rate needs, from the operations of each node and the stores' latency.

FAR = {"checkpoint": 1, "engine": 1, "database": 20}
NEAR = dict.fromkeys(FAR, 5)
ONE_NODE = [{"engine": 4, "database": 1}]
TWO_NODES = [{"engine": 17}, {"database": 3}]

ITEMS["14a"] = Compared(
    cases=(
        ([{"engine": 1}], {"engine": 5}, 200),
        (ONE_NODE, NEAR, 40),
        (ONE_NODE, NEAR, 41),
        (ONE_NODE, FAR, 100),
        ([{"engine": 2}, {"engine": 1, "database": 2}], NEAR, 500),
        (TWO_NODES, {"engine": 5, "database": 5}, 100),
        (TWO_NODES, {"engine": 1, "database": 20}, 100),
        ([{"checkpoint": 3, "engine": 2, "database": 1}], FAR, 990),
        ([{"engine": 1}], {"engine": 1}, 2000),
    ),
    praise="A record takes as long as the slowest node takes for its operations, one after the other; what the other "
    "nodes do meanwhile is free ({count} cases).",
)

# 14b: the cheapest strategy that keeps a promise within a budget, checked by running and by counting.

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

    def cost(self, strategy: str) -> Any:
        """Return the `Prediction` for a strategy."""
        return predicted(of(strategy), lambda store, verb: self.database if store == DATABASE else self.near)

    def partitions(self, strategy: str) -> int:
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

    def read(self, name: str, value: Any) -> tuple[str, int]:
        """Return (strategy, partitions). Raises `BadInput` for a value of another form."""
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            raise BadInput(f"For {name!r} you give {repr(value)[:60]}; give a strategy and a number of partitions.")
        strategy = OneOf(tuple(STRATEGIES)).read(f"the strategy for {name!r}", value[0])
        return strategy, Whole(1, MOST).read(f"the number of partitions for {name!r}", value[1])


@functools.cache
def broken(strategy: str, promise: str) -> tuple[str, Any, list[Any]] | None:
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


def too_dear(name: str, strategy: str, partitions: int) -> Any:
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


def cheapest(said: Any) -> Any:
    """Judge each choice, in the order of the budgets."""
    replies = (too_dear(name, *choice) for name, choice in said.items())
    return next(
        filter(None, replies),
        right(
            "Each promise is kept after a crash at every point, and no other strategy that keeps it needs fewer "
            "partitions. A stronger promise need not be dearer: what costs is how often a handler asks, and whom.",
            picture=drawn(said),
        ),
    )


def drawn(said: Any) -> Any:
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


def _table(heads: list[str], rows: list[tuple[Any, ...]], words: str) -> Any:
    table = pd.DataFrame(rows, columns=heads)
    lines = "".join(f"<p>{escape(line)}</p>" for line in words.splitlines())
    return drawing.Picture(lines + drawing.table_html(table), text=f"{words}\n{table.to_string(index=False)}")


ITEMS["14b"] = Values(
    fields=dict.fromkeys(BUDGETS, Choice()),
    rule=cheapest,
    drawn=drawn,
    blank=blank,
    what="choice",
    asks="a strategy and a number of partitions for each budget",
)

# 14c: the promise of 13d, with at most three operations a record.

MOST_OPERATIONS, SECONDS = 3, 20.0


def asked(handler):
    """Return (the operations a record, the same in words). For `called`."""
    found = counted(handler)
    return found.operations, in_words(found.nodes[0])


@dataclass(frozen=True, kw_only=True)
class Within(Proved):
    """A challenge that is proved, and whose operations are counted then."""

    def check(self, answer):
        """Prove the handler; then count what it asks of its stores."""
        reply = super().check(answer)
        if not reply.right:
            return reply
        operations, words = called(asked, answer, seconds=SECONDS)
        told = f"{number(operations)} operations a record ({words})"
        if operations > MOST_OPERATIONS:
            return wrong(
                f"Output and total are right in the end, and it takes {told}; at most {MOST_OPERATIONS} were allowed."
            )
        return right(f"{reply.sentence} It takes {told}.")


ITEMS["14c"] = challenge(
    kind=Within,
    rule=both_right,
    objection=objection,
    jobs=(Job(items=3, duration=2, threshold=1),),
    praise="Output and total are right in the end, in two systems.",
)

# 14-sure: whether the rounds of a comparison tell which of two is faster.


def ask_rounds(answer, base, case):
    """Give the rounds of a comparison to the learner's function."""
    return answer([{"base": one, "case": other} for one, other in zip(base, case, strict=True)], "case", "base")


ITEMS["14-sure"] = Compared(
    cases=(
        ((5, 5, 5, 5, 5, 5, 5), (2, 2, 2, 2, 2, 2, 2)),
        ((5, 5, 5, 5, 5, 5, 5), (9, 8, 9, 8, 9, 8, 9)),
        ((5, 6, 5, 6, 5, 6, 5), (3, 3, 3, 3, 3, 3, 8)),
        ((1, 2, 3, 4, 5, 6, 7), (2, 3, 4, 5, 6, 7, 8)),  # the computer gets slower, and both with it
        ((8, 7, 6, 5, 4, 3), (7, 6, 5, 4, 3, 2)),
        ((5, 5, 5, 5, 5), (9, 9, 9, 9, 9)),  # too few: five coins show the same side once in 16 throws
        ((5, 5, 5), (1, 1, 1)),
        ((5, 5, 5, 5, 5, 5), (5, 6, 6, 6, 6, 6)),  # one tie
        ((1, 1, 1, 1, 1, 90, 1), (2, 2, 2, 2, 2, 2, 2)),
        ((4, 4, 4, 4, 4, 4, 4, 4), (5, 5, 5, 5, 5, 5, 5, 5)),
    ),
    ask=ask_rounds,
    told=lambda base, case: f"The base took {list(base)}, the case {list(case)}. Your function",
    praise="Right for {count} comparisons. A computer that gets slower slows both sides of a round.",
)

# 14-interval: the shortest time between two commits at which a pipeline keeps up, and is not busy all the time.

ITEMS["14-interval"] = Compared(
    cases=(  # records/s, seconds a record, seconds a commit, the part of its time in use
        (1000, 0.0005, 0.005, 1),
        (1000, 0.0005, 0.05, 0.7),
        (1000, 0.0005, 0.05, 0.6),
        (100, 0.005, 0.1, 0.7),
        (1000, 0.002, 0.005, 0.9),
        (1000, 0.0005, 0.005, 0.5),
        (10, 0.01, 0.09, 0.7),
        (1500, 0.0006, 0.02, 0.95),
        (1500, 0.0006, 0.02, 0.7),
    ),
    nothing=(...,),
    praise="A commit may take what the records leave of the time in use; where nothing is left, no interval helps.",
)

# 14-waits: how long each record waits until a read_committed reader sees it.

ITEMS["14-waits"] = Compared(
    cases=(  # the records in the log, (when, whose), when each transaction ends
        ([(0, "a")], {"a": 1}),
        ([(0, "a"), (1, "a"), (2, "a")], {"a": 3}),
        ([(0, "a"), (1, "b")], {"a": 5, "b": 2}),
        ([(0, "b"), (1, "a")], {"a": 5, "b": 2}),
        ([(0, "a"), (1, "b"), (2, "c"), (7, "c")], {"a": 6, "b": 2, "c": 8}),
        ([(0, "c"), (1, "a"), (2, "b"), (3, "c")], {"a": 2, "b": 4, "c": 3}),
        ([], {}),
        ([(3, "a"), (4, "b"), (9, "b")], {"a": 63, "b": 10}),
    ),
    praise="No record is seen before all that stand before it in the log are decided.",
)

# 14-most: how many records a second several partitions take, if each has a host of its own.

ITEMS["14-most"] = Compared(
    cases=(  # the share of each key in the input, its partition, records/s of one host
        ({"a": 1.0}, {"a": 0}, 100),
        ({"a": 0.5, "b": 0.5}, {"a": 0, "b": 1}, 100),
        ({"a": 0.5, "b": 0.5}, {"a": 0, "b": 0}, 100),
        ({"a": 0.25, "b": 0.25, "c": 0.25, "d": 0.25}, {"a": 0, "b": 1, "c": 2, "d": 3}, 100),
        ({"a": 0.5, "b": 0.25, "c": 0.25}, {"a": 0, "b": 1, "c": 2}, 100),
        ({"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}, {"a": 0, "b": 1, "c": 1, "d": 0}, 50),
        ({"a": 0.8, "b": 0.1, "c": 0.1}, {"a": 2, "b": 5, "c": 7}, 100),
    ),
    praise="The partition with the largest share sets the pace for all of them.",
)

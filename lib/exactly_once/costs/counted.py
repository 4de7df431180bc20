"""What a handler asks of its stores for one record, counted in two simulated runs without faults.

The runs differ in their number of records only, so what a handler asks for at its start and at its end is in both,
and cancels out. An operation that has to wait counts once, when it takes place: how often the simulated world asks
for it meanwhile is no price. The model of the price: a record takes its operations one after the other, times the
latency of the stores.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, NamedTuple, TypeAlias

from ..errors import BadInput, CourseError, is_number
from ..faults import FaultPlan
from ..handlers import handler_for
from ..lockfree.queue import Given
from ..node import Numbers, Program
from ..pipeline import Handlers, Job, programs_of
from ..simulate.simulated_world import SimulatedWorld, Simulation
from ..stores import Origin, Reply, Store, Value
from ..stores.operations import OPERATIONS
from ..verdict import judge

MORE = 60  # records that the longer run has more: many a handler does something for every 2, 3, 4, 5, 6, 10 or 12
MOST_BEFORE = 48  # records of the shorter run at most: the window of two days is full then
Key: TypeAlias = str | tuple[str, str]
Latency: TypeAlias = float | Mapping[Key, float] | Callable[[str, str], float]
UNITS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


class Asked(NamedTuple):
    """One operation that took place: its node, from 1 on, and the number of an operation that it had to wait for."""

    node: int
    store: str
    verb: str
    after: int | None


@dataclass(frozen=True)
class Counted:
    """The operations of two runs without faults, of which the `longer` has `records` records more.

    `nodes` has for each node the operations a record, {(store, verb): number}. `operations` is how many node 1 asks
    for, one after the other, and `all` how many all nodes do; the others work beside node 1. `waits` is how many
    operations of others node 1 waits for, besides its own, if all take equally long: so a transaction of Kafka waits
    for the markers of the one before it. All are averages over the further records.
    """

    name: str
    records: int
    shorter: tuple[Asked, ...]
    longer: tuple[Asked, ...]

    @property
    def nodes(self) -> list[dict[tuple[str, str], float]]:
        """The operations a record of each node, by store and verb, without those that only start or end a run."""
        more = Counter(one[:3] for one in self.longer)
        more.subtract(one[:3] for one in self.shorter)
        found: list[dict[tuple[str, str], float]] = [{} for _ in range(max(one.node for one in self.longer))]
        for (node, store, verb), count in more.items():
            if count:
                found[node - 1][store, verb] = count / self.records
        return found

    @property
    def operations(self) -> float:
        """The operations of node 1 a record, which it asks for one after the other."""
        return sum(self.nodes[0].values())

    @property
    def all(self) -> float:
        """The operations of all nodes a record."""
        return sum(sum(node.values()) for node in self.nodes)

    @property
    def waits(self) -> float:
        """How many further operations node 1 waits for a record, which others carry out, if all take equally long."""
        return max(0.0, self.took(lambda store, verb: 1.0)[0] - self.operations)

    def took(self, latency: Callable[[str, str], float]) -> list[float]:
        """Return how long each node takes for a record, if an operation takes `latency(store, verb)`.

        A node's operations come one after the other. One that has to wait is asked for until it can take place: it
        begins when the operation that it waits for has ended. So the time is that of the longest path.
        """
        ends = [_ends(run, latency) for run in (self.shorter, self.longer)]
        return [(ends[1][node] - ends[0].get(node, 0.0)) / self.records for node in sorted(ends[1])]

    def sentences(self) -> list[str]:
        """Return what was counted, in sentences."""
        told = [
            f"{self.name} asks its stores for {number(self.operations)} operations a record, one after the other: "
            f"{in_words(self.nodes[0])}."
        ]
        if self.waits:
            more = number(self.waits)
            told.append(f"Besides, it waits as long as {more} more take, until another node has done its part.")
        for other, asked in enumerate(self.nodes[1:], 2):
            told.append(f"Node {other} asks for {number(sum(asked.values()))} beside it: {in_words(asked)}.")
        return told

    def __repr__(self) -> str:
        return "\n".join(self.sentences())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{node}</td><td>{escape(store)}</td><td>{escape(verb)}</td><td>{number(count)}</td></tr>"
            for node, asked in enumerate(self.nodes, 1)
            for (store, verb), count in asked.items()
        )
        heads = "".join(f"<th>{head}</th>" for head in ("node", "store", "operation", "a record"))
        told = "".join(f"<p>{escape(line)}</p>" for line in self.sentences())
        return f"{told}<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def counted(handler: Handlers | str, job: Job | None = None, nodes: int | None = None) -> Counted:
    """Count what a handler, or the strategy of this name, asks of its stores for a record. Returns a `Counted`.

    `job` has the window and the threshold; how many hours the runs have is chosen here, so that the window is full
    and the counter moves with every record. A record is an hour of the job, one of the `Numbers` that the handler has
    for a source, or a value of each of its `Given` queues, of which the shorter run has the first half. `nodes` is
    how many nodes run the handler, None for as many as it needs. Raises `BadInput` for an unknown strategy, for a
    value that is no handler, and for inputs of one length, and `CourseError` for a handler that fails, does not end,
    or asks for nothing.
    """
    name = handler if isinstance(handler, str) else getattr(handler, "__name__", "The handler")
    found = handler_for(handler) if isinstance(handler, str) else handler
    job = Job() if job is None else job
    if not isinstance(job, Job):
        raise BadInput(f"The job is {job!r}; give a Job, such as Job(duration=12), or None.")
    programs, before = programs_of(found, job, nodes), min(job.duration, MOST_BEFORE)
    given = max((len(one.source.hours()) for one in programs if isinstance(one.source, Given)), default=0)
    until = given or before + MORE
    before = given // 2 if given else before
    if not before or not any(isinstance(one.source, (Job, Numbers, Given)) for one in programs):
        source = type(programs[0].source).__name__
        raise BadInput(
            f"The inputs of {name} are a {source}, which has one length; to count takes a Job, Numbers, or Given "
            "queues of two values or more."
        )
    runs = [operations([_on(one, items) for one in programs]) for items in (before, until)]
    if len(runs[0]) == len(runs[1]):
        raise CourseError(
            f"{name} asks its stores for {len(runs[0])} operations, whether there are {before} inputs or {until}: "
            "does it end before its inputs do? Let it read on while node.running()."
        )
    return Counted(name, until - before, *runs)


def _on(program: Program, items: int) -> Program:
    """Return a program with so many inputs, if it does not get them from another one."""
    source = program.source
    if isinstance(source, Job):
        source = replace(source, items=items)
    elif isinstance(source, Numbers):
        source = replace(source, count=items)
    elif isinstance(source, Given):
        source = replace(source, values=tuple(values[:items] for values in source.values))
    return replace(program, source=source)


def operations(programs: Sequence[Program]) -> tuple[Asked, ...]:
    """Return all operations of a run without faults, in order. Raises `CourseError` for a handler that fails."""
    simulation = _Counting(programs, FaultPlan(), 0)
    try:
        run = simulation.run()
        if run.error:
            raise CourseError(judge(run, programs[0].handler).sentence)
        return tuple(simulation.asked)
    finally:
        simulation.close()


class _CountingWorld(SimulatedWorld):
    def carry_out(self, store: Store, part: str, verb: str, arguments: tuple[Value, ...], origin: Origin) -> Reply:
        reply = super().carry_out(store, part, verb, arguments, origin)
        self.run.note(self.number, store.name, verb)
        return reply


class _Counting(Simulation):
    """A simulated run that notes each operation when it has taken place."""

    world = _CountingWorld

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.asked = []
        self._last = {}  # {store: {node: its last operation there}}

    def note(self, node: int, store: str, verb: str) -> None:
        """Note an operation; of one that can wait also the last of another node on the same store."""
        last = self._last.setdefault(store, {})
        others = [at for other, at in last.items() if other != node] if OPERATIONS[verb].blocks else []
        last[node] = len(self.asked)
        self.asked.append(Asked(node, store, verb, max(others, default=None)))


def _ends(run: Sequence[Asked], latency: Callable[[str, str], float]) -> dict[int, float]:
    """Return {node: when its last operation ends}."""
    ends, at = [], {}
    for one in run:
        begins = at.get(one.node, 0.0)
        if one.after is not None:
            begins = max(begins, ends[one.after])
        at[one.node] = begins + latency(one.store, one.verb)
        ends.append(at[one.node])
    return at


def number(value: float) -> str:
    """Return a number of operations: "5", or "16.7"."""
    return f"{value:.1f}".removesuffix(".0")


def in_words(asked: dict[tuple[str, str], float]) -> str:
    """Return operations by store: "engine: 2 write, 1 fetch; database: 1 add"."""
    stores: dict[str, list[str]] = {}
    for (store, verb), count in sorted(asked.items(), key=lambda one: -one[1]):
        stores.setdefault(store, []).append(f"{number(count)} {verb}")
    return "; ".join(f"{store}: {', '.join(verbs)}" for store, verbs in stores.items())


@dataclass(frozen=True)
class Prediction:
    """What a record takes by the model. `by_node` has the seconds a record of each node.

    `seconds` are those of node 1, which handles the records. `rate` is how many records a second all nodes keep up
    with: that of the slowest, since the others wait for it in the end. Only the stores' latency takes time here.
    """

    counted: Counted
    by_node: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """The seconds that a record takes at node 1, with its waits for other nodes."""
        return self.by_node[0]

    @property
    def rate(self) -> float:
        """How many records a second one handler makes, with all its nodes."""
        return 1 / max(self.by_node) if max(self.by_node) else math.inf

    def partitions(self, rate: float) -> int:
        """Return how many partitions, each with a handler of its own, make `rate` records a second.

        A handler whose step takes as many records with the same operations makes the rate alone. Raises `BadInput`
        for a rate that is none.
        """
        if not is_number(rate) or not 0 < rate < math.inf:
            raise BadInput(f"The rate is {rate!r}; give records a second, a number above 0, such as 2000.")
        return max(1, math.ceil(rate / self.rate - 1e-9))

    def needs(self, rate: float) -> str:
        """Return a sentence on what `rate` records a second need."""
        count = self.partitions(rate)
        if count == 1:
            return f"One handler makes the {rate:,g} records a second."
        return (
            f"For {rate:,g} records a second it needs {count:,} partitions, each with a handler of its own, on "
            f"stores that keep up; or steps that take {count:,} records each with no more operations than now."
        )

    def json(self) -> dict:
        """Return what was counted and predicted as plain data; the times are in seconds."""
        nodes = [{f"{store}.{verb}": count for (store, verb), count in node.items()} for node in self.counted.nodes]
        return {
            "handler": self.counted.name,
            "operations": self.counted.operations,
            "waits": self.counted.waits,
            "nodes": nodes,
            "seconds": self.seconds,
            "seconds_by_node": list(self.by_node),
            "rate": self.rate,
        }

    def __repr__(self) -> str:
        slowest = self.by_node.index(max(self.by_node))
        slow = f" Node {slowest + 1} is slower, with {duration(max(self.by_node))} a record." * bool(slowest)
        return f"A record takes {duration(self.seconds)}.{slow} So one handler makes {rated(self.rate)} a second."


def predicted(counted: Counted, latency: Latency) -> Prediction:
    """Return the `Prediction` for operations that were counted, on stores of this latency.

    `latency` is in seconds: a number for every operation, or {verb: seconds} or {(store, verb): seconds}, or a
    function of the store and the verb. Raises `BadInput` for one that is none, and for an operation without one.
    """
    if not isinstance(counted, Counted):
        raise BadInput(f"What was counted is {counted!r}; give the result of counted(handler).")

    def of(store: str, verb: str) -> float:
        given: object = latency
        if callable(latency):
            given = latency(store, verb)
        elif isinstance(latency, Mapping):
            given = latency.get((store, verb), latency.get(verb, None))
        if not is_number(given) or not 0 <= given < math.inf:
            raise BadInput(
                f"The latency of the operation {verb} on the store {store} is {given!r}; give seconds, such as 0.005."
            )
        return given

    known = {key for node in counted.nodes for key in node}  # what only starts or ends a run may have no latency
    return Prediction(counted, tuple(counted.took(lambda *key: of(*key) if key in known else 0.0)))


def seconds_in(text: str) -> float:
    """Return the seconds of a text such as "5ms", "0.2ms", "1s" or "500us". Raises `BadInput` for another."""
    found = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,9})?)\s*(us|µs|ms|s)\s*", str(text))
    if found is None:
        raise BadInput(f"The latency is {text!r}; give a number with its unit, such as 5ms, 0.2ms, 500us or 1s.")
    return float(found[1]) * UNITS[found[2]]


def duration(seconds: float) -> str:
    """Return seconds in words: "25 ms", "0.3 s"."""
    if seconds >= 1:
        return f"{number(seconds)} s"
    return f"{seconds * 1e3:.3g} ms"


def rated(rate: float) -> str:
    """Return a rate: "1,250", or "0.5" where there are few."""
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"

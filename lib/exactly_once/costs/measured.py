"""Handlers on real stores, timed: a thread for each node, and a connection of its own to each store for each thread.

Every run is judged as any other run of the course: a run whose outcome is not right gives no figures.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import NoReturn, TypeAlias

from ..errors import BadInput, CourseError, is_number, one_of, whole
from ..faults import Fault, FaultPlan
from ..handlers import STRATEGIES
from ..node.access import awaited
from ..node.node import Handler
from ..node.program import Deployment, Program, live, load_inputs
from ..node.world import DATABASE, Chosen, Life, Stores, TooManySteps, World
from ..owned import RUNS, new_folder
from ..pipeline import Job, programs_of
from ..servers import by_url
from ..simulate.hub import NodesRecorder
from ..stores import Blocked, Origin, Reply, SQLiteStore, Store, Value
from ..trace import Event
from ..verdict import Run, judge
from ..verdict.verdict import endless, step_limit
from .spread import Times

Spent: TypeAlias = Mapping[tuple[str, str], Sequence[float]]  # {(store, verb): the seconds of each operation}
Opened: TypeAlias = Callable[[int], Stores]  # by the number of the node; 0 is none
POLL_SECONDS = 0.0005  # between two looks whether a store has what an operation waits for
WAIT_SECONDS = 60.0  # for which no node has taken a step, and one waits
READ = "input", "fetch"  # the part and the verb by which the next record is read
CLOSING = ("close", "close_queue", "close_cells", "leave")  # after the last record


@dataclass(frozen=True)
class Measured(Times):
    """What a handler took on real stores, with `latency` seconds added to each operation.

    `latencies` are seconds for each record: from its read by node 1 to the next read, when its writes are answered.
    `operations` are those of node 1 within these, which a record waits for one after the other; `every` has those of
    all nodes, with start and end. `own` is an operation's median without the time that it waited for another node:
    `predicted` takes it as the stores' latency. `waited` are seconds a record for which node 1 waited for another.
    """

    strategy: str
    stores: str
    items: int
    latency: float
    latencies: tuple[float, ...] = field(repr=False)
    operations: Spent = field(repr=False)
    every: Spent = field(repr=False)
    own: Mapping[tuple[str, str], float] = field(repr=False)
    waited: float

    @property
    def seconds(self) -> float:  # type: ignore[override]
        """Seconds a record, on the average."""
        return sum(self.latencies) / self.items

    @property
    def asked(self) -> float:
        """How many operations node 1 asked for, a record."""
        return sum(map(len, self.operations.values())) / self.items

    def __repr__(self) -> str:
        return (
            f"{self.strategy} on {self.stores.rstrip(':')}: {1000 * self.seconds:.3g} ms a record, "
            f"{self.rate:,.0f} records/s; {self.waits}; {self.asked:.1f} operations a record"
        )


class Over(BaseException):
    """Another node of the run has failed."""


class SharedRecorder(NodesRecorder):
    """The recorder of nodes that are threads: it knows, too, if one has failed, and when any took its last step."""

    def __init__(self) -> None:
        super().__init__()
        self.failed, self.moved, self._lock = threading.Event(), time.monotonic(), threading.Lock()

    def begin(self, *of_it: object) -> int:
        """Count a new incarnation, as `Recorder.begin` does; of two at once one waits."""
        with self._lock:
            return super().begin(*of_it)  # type: ignore[arg-type]


class TimedWorld(World):
    """A node's view of real stores, each of whose operations takes `latency` seconds more, and is timed."""

    recorder: SharedRecorder

    def __init__(
        self, stores: Stores, recorder: SharedRecorder, programs: Sequence[Program], number: int, latency: float
    ) -> None:
        super().__init__(stores, recorder, FaultPlan(), programs, number)
        self.latency = latency
        self.limit = step_limit(programs)
        self.spent: list[tuple[tuple[str, str], float, float, float]] = []  # (what, begin, end, waited)
        self.reads: dict[str, float] = {}  # {positions: when the record there was first asked for}

    @property
    def signals(self) -> tuple[type[BaseException], ...]:
        """A failure of another node ends this one."""
        return (Over,)

    def turn(self, event: Event) -> None:
        """End a handler that never ends, and a node of a run of which another one has failed."""
        if event.step > self.limit:
            raise TooManySteps
        if self.recorder.failed.is_set():
            raise Over

    def carry_out(self, store: Store, part: str, verb: str, arguments: tuple[Value, ...], origin: Origin) -> Reply:
        """Have a store do one operation, and time it; one that has to wait is tried until it need not.

        Raises `CourseError` when no node has taken a step for `WAIT_SECONDS`.
        """
        began = time.perf_counter()
        if (part, verb) == READ:
            self.reads.setdefault(str(arguments[0]), began)
        if self.latency:
            time.sleep(self.latency)
        asked, waited = time.perf_counter(), 0.0
        while True:
            try:
                reply = super().carry_out(store, part, verb, arguments, origin)
            except Blocked as why:
                self._wait(verb, part, arguments, why)
                waited = time.perf_counter() - asked
                continue
            self.recorder.moved = time.monotonic()
            self.spent.append(((store.name, verb), began, time.perf_counter(), waited))
            return reply

    def _wait(self, verb: str, part: str, arguments: tuple[Value, ...], why: Blocked) -> None:
        if self.recorder.failed.is_set():
            raise Over
        if time.monotonic() > self.recorder.moved + WAIT_SECONDS:
            raise CourseError(
                f"The handler waited {WAIT_SECONDS:g} seconds for {awaited(verb, part, *arguments)}, and no node "
                f"took a step meanwhile. {why} Is there another node, and does it get there?"
            )
        time.sleep(POLL_SECONDS)

    def placement(self) -> dict[str, int]:
        """Note the node in the trace, where there are several."""
        return {"node": self.number - 1} if self.nodes > 1 else {}

    def choose(self, options: Sequence[Chosen]) -> Chosen:
        """Return the first option."""
        return options[0]

    def die(self, fault: Fault, life: Life) -> NoReturn:
        """Never called: the plan is empty."""
        raise AssertionError(f"{fault} struck in a run without faults")


@contextmanager
def opening(stores: str) -> Iterator[Opened]:
    """Give a function that opens the stores of a new run, by URLs as `by_url.chosen` takes them; all are removed
    afterwards.
    """
    urls, name, folder = by_url.chosen(stores), by_url.new_name(), new_folder(RUNS, "measured")
    seen: set[str] = set()

    def opened(store: str, node: int = 0) -> Store:
        url = urls[store == DATABASE]
        if url == by_url.SQLITE:
            return SQLiteStore(folder / f"{store}.db")
        seen.add(store)
        if not url.startswith("etcd:"):  # a process has one connection for each other URL
            url += f"{'&' if '?' in url else '?'}application_name=node-{node}"
        return by_url.opened(url, store, f"{name}_{store}")

    try:
        yield lambda node: Stores(lambda store: opened(store, node))
    finally:
        shutil.rmtree(folder)
        for one in sorted(seen):
            store = opened(one)
            store.remove()  # type: ignore[attr-defined]
            store.close()


def measured(
    strategy: str | Handler | Deployment, stores: str = by_url.SQLITE, items: int = 60, latency: float = 0.0
) -> Measured:
    """Run a handler on real stores, in this process, and time each operation and each record. Returns a `Measured`.

    `strategy` is the name of one in `STRATEGIES`, or a handler. `stores` are URLs, as `run_on_cluster` takes them:
    "sqlite:", "etcd:,postgresql:" and so on. `items` is the number of records, hours of the usual job; `latency` are
    seconds that are added to each operation, as if its store were so far away. Raises `BadInput` for other values,
    and `CourseError` when the handler fails, does not end, or leaves an outcome that is not right.
    """
    whole("the number of items", items, least=1)
    if not is_number(latency) or not 0 <= latency <= 10:
        raise BadInput(f"The latency is {latency!r}; give seconds from 0 to 10, such as 0.005.")
    handler = STRATEGIES[one_of("the strategy", strategy, STRATEGIES)] if isinstance(strategy, str) else strategy
    programs = programs_of(handler, Job(items=items))
    name = strategy if isinstance(strategy, str) else getattr(programs[0].handler, "__name__", "the handler")
    with opening(stores) as make:
        all_stores = make(0)
        try:
            load_inputs(programs, all_stores)
            worlds, seconds = _run(programs, make, list(all_stores), float(latency))
            for world in worlds:
                for store in world.stores:
                    all_stores[store]
            run = Run.of("measured", programs, FaultPlan(), all_stores, worlds[0].recorder, seconds=seconds)
        finally:
            all_stores.close()
    verdict = judge(run, handler)
    if not verdict.exactly_once:
        raise CourseError(
            f"{name} left an outcome on {stores} that is not right, so it gives no figures. {verdict.sentence}"
        )
    return _figures(worlds, name, stores, items, latency)


def _run(
    programs: Sequence[Program], make: Opened, names: Sequence[str], latency: float
) -> tuple[list[TimedWorld], float]:
    """Run each node in a thread; return their worlds and the seconds. The first error of any of them is raised."""
    recorder, began = SharedRecorder(), time.perf_counter()
    ready = threading.Barrier(len(programs))

    def node(number: int) -> TimedWorld:
        stores = make(number)
        try:
            for name in names:
                stores[name]
            ready.wait()
            world = TimedWorld(stores, recorder, programs, number, latency)
            ending, text = live(world, programs[number - 1].handler)
            if ending != "ended":
                raise CourseError(f"The handler of node {number} {ending}, though there was no fault:\n{text}")
            return world
        except TooManySteps:
            raise CourseError(endless(step_limit(programs))) from None
        finally:
            stores.close()

    with ThreadPoolExecutor(len(programs)) as pool:
        running = [pool.submit(node, number) for number in range(1, len(programs) + 1)]
        for one in as_completed(running):
            if one.exception() is not None:
                recorder.failed.set()
                ready.abort()
                one.result()
    return [one.result() for one in running], time.perf_counter() - began


def _figures(worlds: Sequence[TimedWorld], name: str, stores: str, items: int, latency: float) -> Measured:
    first = worlds[0]
    marks = sorted(first.reads.values())
    if len(marks) == items:  # it did not read past the end: its last record ends with its last write
        marks.append(max(end for (_, verb), _, end, _ in first.spent if verb not in CLOSING))
    if len(marks) != items + 1:
        raise BadInput(f"{name} reads {len(first.reads)} of its job's {items} records; measure one that reads all.")
    operations, every, own = (defaultdict[tuple[str, str], list[float]](list) for _ in range(3))
    waited = 0.0
    for world in worlds:
        for what, began, end, blocked in world.spent:
            every[what].append(end - began)
            own[what].append(end - began - blocked)
            if world is first and marks[0] <= began < marks[-1]:
                operations[what].append(end - began)
                waited += blocked
    latencies = tuple(after - before for before, after in pairwise(marks))
    medians = {what: median(found) for what, found in own.items()}
    return Measured(name, stores, items, latency, latencies, dict(operations), dict(every), medians, waited / items)

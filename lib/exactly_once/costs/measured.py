"""Handlers on real stores, timed: a thread for each node, and a connection of its own to each store for each thread.

Every run is judged as any other run of the course: a run whose outcome is not right gives no figures.

`batched` times a pipeline: it consumes, transforms and produces on the course's log, with a commit every so many
milliseconds. Records of 1 KB go from each partition of one topic to the partition of the same number of another. The
ways differ in when positions are committed, and whether together with the records (see `Pipeline`).
"""

from __future__ import annotations

import os
import shutil
import struct
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NoReturn, TypeAlias

from ..errors import BadInput, CourseError, between, one_of, whole
from ..faults import Fault, FaultPlan
from ..handlers import STRATEGIES
from ..log import open_log
from ..node.access import awaited
from ..node.node import Handler
from ..node.program import Deployment, Program, live, load_inputs
from ..node.world import DATABASE, Chosen, Life, Stores, TooManySteps, World
from ..owned import RUNS, new_folder
from ..pipeline import Job, programs_of
from ..servers import by_url
from ..simulate.simulated_world import NodesRecorder
from ..stores import Blocked, Origin, Reply, SQLiteStore, Store, Value
from ..trace import Event
from ..verdict import Run, judge
from ..verdict.verdict import endless, step_limit
from .spread import Times

Opened: TypeAlias = Callable[[int], Stores]  # by the number of the node; 0 is none
POLL_SECONDS = 0.0005  # between two looks whether a store has what an operation waits for
WAIT_SECONDS = 60.0  # for which no node has taken a step, and one waits
READ = "input", "fetch"  # the part and the verb by which the next record is read
CLOSING = ("close", "close_queue", "close_cells", "leave")  # after the last record

WAYS = ("at_least_once", "transactional")
BATCH, SIZE, STORED = 100, 1000, 20  # records, bytes, batches in an input partition, which is read again and again
HEAD = struct.Struct(">q")  # a record's number, before its other bytes
REST = os.urandom(SIZE - HEAD.size)
GROUP = "pipeline"
LOOK_SECONDS = 0.001  # between two looks of a reader, and of a pipeline that has read all there is
LEAST_INTERVALS = 3
FIRST = 2**62  # the number of the records that pass before the others
SEEN_SECONDS = 30.0  # without any record after which those that are not seen count as lost
Seen: TypeAlias = list[tuple[int, bytes]]


@dataclass(frozen=True)
class Measured(Times):
    """What a handler took on real stores, with `latency` seconds added to each operation.

    `latencies` are seconds for each record: from its read by node 1 to the next read, when its writes are answered.
    `asked` is how many operations node 1 asked for within these, a record, which waits for them one after the other.
    `own` is an operation's median without the time that it waited for another node: `predicted` takes it as the
    stores' latency.
    """

    strategy: str
    stores: str
    items: int
    latency: float
    latencies: tuple[float, ...] = field(repr=False)
    asked: float
    own: Mapping[tuple[str, str], float] = field(repr=False)

    @property
    def seconds(self) -> float:  # type: ignore[override]
        """Seconds a record, on the average."""
        return sum(self.latencies) / self.items

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
    between("the latency in seconds", latency, 0, 10)
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
    own = defaultdict[tuple[str, str], list[float]](list)
    for world in worlds:
        for what, began, end, blocked in world.spent:
            own[what].append(end - began - blocked)
    asked = sum(marks[0] <= began < marks[-1] for _, began, _, _ in first.spent)
    latencies = tuple(after - before for before, after in pairwise(marks))
    medians = {what: median(found) for what, found in own.items()}
    return Measured(name, stores, items, latency, latencies, asked / items, medians)


# A pipeline on the course's log.


def record(number: int) -> bytes:
    """Return a record of 1 KB with this number."""
    return HEAD.pack(number) + REST


class Pipeline:
    """A new log in SQLite files, its input partitions full or empty; it consumes, transforms and produces there.

    `way` at_least_once: records are sent as they are read, and the positions are committed after them. transactional:
    both in one transaction.
    """

    def __init__(self, folder: Path, way: str, partitions: int, full: bool = True) -> None:
        self.folder, self.way, self.partitions = folder, way, partitions
        self.positions, self.stored = dict.fromkeys(range(partitions), 0), BATCH * STORED * full
        self.log = open_log(f"sqlite:{folder}")
        self.log.create_topic("in", partitions)
        self.log.create_topic("out", partitions)
        for partition in range(partitions):
            for first in range(0, self.stored, BATCH):
                self.log.append("in", partition, [record(first + one) for one in range(BATCH)])
        self.producer = self.log.transactional_producer("pipeline") if way == "transactional" else None
        if self.producer is not None:
            self.producer.init_transactions()

    def turn(self, every: float, live: bool = False) -> int:
        """Work for one interval of `every` seconds, and commit. Returns how many records it was.

        With `live` it may be none; otherwise it is at least one read of each partition.
        """
        began, until, records = time.monotonic(), time.perf_counter() + every, 0
        if self.producer is not None:
            self.producer.begin_transaction()
        while time.perf_counter() < until or not (records or live):
            found = 0
            for partition, values in self.read():
                self.send(partition, values)
                found += len(values)
            records += found
            if live and not found:
                time.sleep(LOOK_SECONDS)
            elif not records and time.monotonic() > began + SEEN_SECONDS:
                raise CourseError(f"The input is full, and for {SEEN_SECONDS:g} s nothing came from it.")
        self.commit()
        return records

    def read(self) -> Iterator[tuple[int, list[bytes]]]:
        """Yield the next records of the input, by partition; after the last one of a full input the first ones."""
        for partition, position in self.positions.items():
            found = self.log.fetch("in", partition, position, max_records=BATCH)
            if found:
                self.positions[partition] = found.next % self.stored if self.stored else found.next
                yield partition, [one.value for one in found]

    def send(self, partition: int, values: list[bytes]) -> None:
        """Append records to a partition of the output, and wait for the answer."""
        if self.producer is not None:
            self.producer.send(f"out-{partition}", values)
        else:
            self.log.append("out", partition, values)

    def commit(self) -> None:
        """Commit the positions, with the records or, at least once, by themselves: after what was sent."""
        if self.producer is None:
            self.log.commit(GROUP, {("in", partition): at for partition, at in self.positions.items()})
        else:
            positions = {f"in-{partition}": at for partition, at in self.positions.items()}
            self.producer.send_offsets_to_transaction(positions, GROUP)
            self.producer.commit_transaction()

    def seen(self) -> Generator[Seen, None, None]:
        """Yield without end what a new read_committed reader sees, each record once: pairs of partition and value."""
        at = dict.fromkeys(range(self.partitions), 0)
        with open_log(f"sqlite:{self.folder}") as log:
            while True:
                seen = []
                for partition, offset in at.items():
                    found = log.fetch("out", partition, offset, max_records=10 * BATCH, isolation="read_committed")
                    at[partition] = found.next
                    seen += [(partition, one.value) for one in found]
                yield seen


@dataclass(frozen=True)
class Batched(Times):
    """What a way took: `seconds` a record where the input is full, and `latencies` where records come at a rate.

    A latency is in seconds, from a record's creation until a read_committed reader sees it.
    """

    way: str
    stores: str
    interval_ms: float
    partitions: int
    seconds: float  # type: ignore[misc]
    latencies: tuple[float, ...] = field(repr=False)  # type: ignore[misc]

    def __repr__(self) -> str:
        said = f"; {self.waits}" if self.latencies else ""
        several = "s" * (self.partitions != 1)
        return (
            f"{self.way} on {self.stores.rstrip(':')}, a commit every {self.interval_ms:g} ms, "
            f"{self.partitions} partition{several}: {self.rate:,.0f} records/s{said}"
        )


def batched(
    way: str, stores: str = by_url.SQLITE, interval_ms: float = 100, partitions: int = 1, lasting: float = 1.0,
    rate: float | None = 500,
) -> Batched:  # fmt: skip
    """Run the pipeline in one of the ways, and time it. Returns a `Batched`.

    `way` is one of `WAYS`; `stores` is "sqlite:", the files of the course's log. `interval_ms` are the milliseconds
    between two commits. For about `lasting` seconds, and at least one interval, it reads a full input as
    fast as it can: that gives the seconds a record. For as long again, and at least 3 intervals, `rate` records a
    second arrive in an empty input: that gives the latencies, which None leaves out. Each part has a new log, which
    is removed. The output is read and compared with the input: a run that lost, doubled or misplaced a record raises
    `CourseError`. Raises `BadInput` for other values.
    """
    between("the duration in seconds", lasting, 1e-6, 100_000)
    between("the rate in records a second", 1 if rate is None else rate, 1e-6, 100_000)
    between("the commit interval in milliseconds", interval_ms, 1, 60_000)
    whole("the number of partitions", partitions, least=1, most=100)
    one_of("the pipeline's stores", stores, (by_url.SQLITE,))
    one_of("the way", way, WAYS)
    every = interval_ms / 1000
    arriving = max(lasting, LEAST_INTERVALS * every)  # seconds
    with _pipeline(way, partitions, True) as full:
        first = full.turn(0.0)  # makes the log's own topics, and connections
        began = time.perf_counter()
        records, until = 0, began + lasting
        while not records or time.perf_counter() < until - every / 2:
            records += full.turn(every)
        seconds = (time.perf_counter() - began) / records
        _check(full, first + records)
    latencies: tuple[float, ...] = ()
    if rate is not None:
        with _pipeline(way, partitions, False) as empty:
            latencies = _watched(empty, every, rate, round(rate * arriving) or 1)
    return Batched(way, stores, interval_ms, partitions, seconds, latencies)


@contextmanager
def _pipeline(way: str, partitions: int, full: bool) -> Iterator[Pipeline]:
    """Give a pipeline on a new log, which is removed afterwards."""
    folder = new_folder(RUNS, "pipeline")
    try:
        pipe = Pipeline(folder, way, partitions, full)
        with closing(pipe.log):
            yield pipe
    finally:
        shutil.rmtree(folder)


def _check(pipe: Pipeline, records: int) -> None:
    """Read the output of a full input, which is read again and again, in order. Raises `CourseError` for another."""
    last: dict[int, int] = {}
    with closing(pipe.seen()) as seen:
        for partition, value in _until(seen, records):
            (number,) = HEAD.unpack_from(value)
            if partition in last and number not in (last[partition] + 1, 0):
                raise CourseError(
                    f"In output partition {partition} record {number} follows record {last[partition]}: the pipeline "
                    f"({pipe.way}) lost, doubled or misplaced a record, so it gives no figures."
                )
            last[partition] = number


def _until(seen: Iterator[Seen], records: int, failed: threading.Event | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield what a reader sees until it is so many records. Raises `CourseError` when no more come, or too many."""
    count, heard = 0, time.monotonic()
    while count < records:
        found = next(seen)
        if found:
            heard = time.monotonic()
        elif time.monotonic() > heard + SEEN_SECONDS or (failed and failed.is_set()):
            raise CourseError(f"Of {records:,} records a reader saw {count:,}, and then none for {SEEN_SECONDS:g} s.")
        else:
            time.sleep(LOOK_SECONDS)
        count += len(found)
        yield from found
    if more := count - records + len(next(seen)):
        raise CourseError(f"A reader saw {more:,} records more than the {records:,} that there are.")


def _watched(pipe: Pipeline, every: float, rate: float, records: int) -> tuple[float, ...]:
    """Have `records` arrive at a rate, and return how long each took until a reader saw it.

    A record is created when it is due by the rate; if its source is late, the record waits from then on. Before that
    a record passes through each partition, so that all connections are there.
    """
    due, seen = {}, {}
    failed, ready = threading.Event(), threading.Barrier(3)

    def fill() -> None:
        with open_log(f"sqlite:{pipe.folder}") as log:
            for partition in range(pipe.partitions):
                log.append("in", partition, [record(FIRST)])
            ready.wait()
            began, sent = time.perf_counter(), 0
            due.update({number: began + number / rate for number in range(records)})
            while sent < records and not failed.is_set():
                ripe = min(records, int((time.perf_counter() - began) * rate) + 1)
                for partition in range(pipe.partitions):
                    if numbers := [one for one in range(sent, ripe) if one % pipe.partitions == partition]:
                        log.append("in", partition, [record(one) for one in numbers])
                sent = ripe
                time.sleep(LOOK_SECONDS)

    def look() -> None:
        with closing(pipe.seen()) as reader:
            list(_until(reader, pipe.partitions, failed))
            ready.wait()
            for _, value in _until(reader, records, failed):
                seen[HEAD.unpack_from(value)[0]] = time.perf_counter()

    def work(wanted: int, interval: float) -> None:
        while wanted > 0 and not failed.is_set():
            wanted -= pipe.turn(interval, live=True)

    def both() -> None:
        work(pipe.partitions, LOOK_SECONDS)
        ready.wait()
        work(records, every)

    def guarded(part: Callable[[], None]) -> None:
        try:
            part()
        except BaseException:
            failed.set()
            ready.abort()
            raise

    with ThreadPoolExecutor(2) as pool:
        beside = [pool.submit(guarded, part) for part in (fill, look)]
        with suppress(threading.BrokenBarrierError):  # another one has failed, and says why
            guarded(both)
        for one in as_completed(beside):
            with suppress(threading.BrokenBarrierError):
                one.result()
    if seen.keys() != due.keys():
        raise CourseError(f"Of {records:,} records a reader saw {len(seen):,}, and some of them twice.")
    return tuple(seen[number] - due[number] for number in sorted(due))

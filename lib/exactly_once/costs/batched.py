"""Consume, transform, produce on the course's log, with a commit every so many milliseconds.

Records of 1 KB go from each partition of one topic to the partition of the same number of another. The ways differ in
when positions are committed, and whether together with the records (see `Pipeline`).
"""

from __future__ import annotations

import os
import shutil
import struct
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ..errors import BadInput, CourseError, is_number, one_of, whole
from ..log import open_log
from ..owned import RUNS, new_folder
from ..servers import by_url
from .spread import Times

WAYS = ("at_most_once", "at_least_once", "idempotent", "transactional")
BATCH, SIZE, STORED = 100, 1000, 20  # records, bytes, batches in an input partition, which is read again and again
HEAD = struct.Struct(">q")  # a record's number, before its other bytes
REST = os.urandom(SIZE - HEAD.size)
GROUP = "pipeline"
LOOK_SECONDS = 0.001  # between two looks of a reader, and of a pipeline that has read all there is
LEAST_INTERVALS = 3
FIRST = 2**62  # the number of the records that pass before the others
SEEN_SECONDS = 30.0  # without any record after which those that are not seen count as lost
Clock: TypeAlias = Callable[[], float]
Seen: TypeAlias = list[tuple[int, bytes]]


def record(number: int) -> bytes:
    """Return a record of 1 KB with this number."""
    return HEAD.pack(number) + REST


class Pipeline:
    """A new log in SQLite files, its input partitions full or empty; it consumes, transforms and produces there.

    `way` at_least_once: records are sent as they are read, and the positions are committed after them. idempotent:
    the same, with numbers, by which the log drops what is sent twice. transactional: both in one transaction.
    at_most_once: the positions are committed before the records are sent, so what is read waits for the commit.
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
        self.number = self.log.new_producer_id() if way == "idempotent" else None
        self.sequences = dict.fromkeys(range(partitions), 0)

    def turn(self, every: float, clock: Clock = time.perf_counter, live: bool = False) -> int:
        """Work for one interval of `every` seconds by `clock`, and commit. Returns how many records it was.

        With `live` it may be none; otherwise it is at least one read of each partition.
        """
        held: list[tuple[int, list[bytes]]] = []
        began, until, records = time.monotonic(), clock() + every, 0
        if self.producer is not None:
            self.producer.begin_transaction()
        while clock() < until or not (records or live):
            found = 0
            for partition, values in self.read():
                if self.way == "at_most_once":
                    held.append((partition, values))
                else:
                    self.send(partition, values)
                found += len(values)
            records += found
            if live and not found:
                time.sleep(LOOK_SECONDS)
            elif not records and time.monotonic() > began + SEEN_SECONDS:
                raise CourseError(f"The input is full, and for {SEEN_SECONDS:g} s nothing came from it.")
        self.commit()
        for partition, values in held:
            self.send(partition, values)
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
        elif self.number is not None:
            self.log.append("out", partition, values, "all", self.number, 0, self.sequences[partition])
            self.sequences[partition] += len(values)
        else:
            self.log.append("out", partition, values)

    def commit(self) -> None:
        """Commit the positions, with the records or, in other ways, by themselves: after what was sent."""
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

    def close(self) -> None:
        """Close the log and remove its files."""
        self.log.close()
        shutil.rmtree(self.folder)


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
    for what, value in (("duration", lasting), ("rate", 1 if rate is None else rate)):
        if not is_number(value) or not 0 < value <= 100_000:
            raise BadInput(f"The {what} is {value!r}; give a number above 0: seconds, or records a second.")
    if not is_number(interval_ms) or not 1 <= interval_ms <= 60_000:
        raise BadInput(f"The commit interval is {interval_ms!r}; give milliseconds from 1 to 60,000, such as 100.")
    whole("the number of partitions", partitions, least=1, most=100)
    one_of("the pipeline's stores", stores, (by_url.SQLITE,))
    one_of("the way", way, WAYS)
    every = interval_ms / 1000
    arriving = max(lasting, LEAST_INTERVALS * every)  # seconds
    with closing(_pipeline(way, partitions, True)) as full:
        first = full.turn(0.0)  # makes the log's own topics, and connections
        began = time.perf_counter()
        records, until = 0, began + lasting
        while not records or time.perf_counter() < until - every / 2:
            records += full.turn(every)
        seconds = (time.perf_counter() - began) / records
        _check(full, first + records)
    latencies: tuple[float, ...] = ()
    if rate is not None:
        with closing(_pipeline(way, partitions, False)) as empty:
            latencies = _watched(empty, every, rate, round(rate * arriving) or 1)
    return Batched(way, stores, interval_ms, partitions, seconds, latencies)


def _pipeline(way: str, partitions: int, full: bool) -> Pipeline:
    folder = new_folder(RUNS, "pipeline")
    try:
        return Pipeline(folder, way, partitions, full)
    except BaseException:
        shutil.rmtree(folder)
        raise


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

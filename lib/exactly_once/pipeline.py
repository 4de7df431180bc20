"""The example: two streams of temperatures, a window over them, and the job of the stream handler.

A `Window` holds the readings of the last hours, with their exact average. The hours are those of event time, or,
where the readings tell when they were read, of processing time (T. Akidau and others, "The Dataflow Model", VLDB
8(12), 2015, tell the two apart). A `series` is one of the two input streams: hourly temperatures of Seattle and San
Francisco, read from `data/`. A `Job` is a node's source: the hours of input, the window, the threshold; with it come
the programs of the nodes that do it.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from .errors import BadInput, CourseError, one_of, whole
from .faults import FaultPlan
from .node.node import Handler
from .node.program import Deployment, Program, checked_handler, deployment_of, program_of
from .node.source import Offsets, Reader, Source
from .node.world import InputsEnded, Life, Stores
from .paths import DATA
from .stores.codec import Value, describe_as, register, streams_are
from .stores.interface import Inputs


class Reading(NamedTuple):
    """One number of one stream: `hour` is its event time, counted from 1 at the start of the series."""

    hour: int
    stream: str
    value: Fraction


class TimedReading(NamedTuple):
    """A reading of a stream, with the hour in which it was `read`: its processing time."""

    hour: int
    stream: str
    value: Fraction
    read: int


class Window:
    """Readings in the order in which they were pushed. A reading that is pushed twice is in it twice."""

    def __init__(self, readings: Iterable[Sequence[Any]] = ()) -> None:
        self.readings: list[Reading | TimedReading] = []
        self.push(readings)

    def push(self, items: Iterable[Sequence[Any]]) -> None:
        """Add readings at the end. Raises `BadInput` for anything that is no reading."""
        if not isinstance(items, Iterable):
            raise BadInput(f"A window takes a list of readings (hour, stream, value), not {items!r}.")
        self.readings.extend([_reading(item) for item in items])

    def trim(self, hours: int) -> None:
        """Drop the readings that are `hours` hours or more older than the newest one.

        The age of a reading counts from its own hour (event time), or from the hour of its read, if it has one.
        """
        whole("the length of a window in hours", hours, least=1)
        if self.readings:
            oldest = max(map(_moment, self.readings)) - hours
            self.readings = [reading for reading in self.readings if _moment(reading) > oldest]

    def average(self) -> Fraction:
        """Return the exact average as a fraction. Raises `BadInput` when the window is empty."""
        if not self.readings:
            raise BadInput("An empty window has no average; push some readings first.")
        return Fraction(sum(reading.value for reading in self.readings), len(self.readings))

    def __len__(self) -> int:
        return len(self.readings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Window) and self.readings == other.readings

    def __repr__(self) -> str:
        hours = [reading.hour for reading in self.readings]
        return f"Window({len(hours)} readings, hours {min(hours)}–{max(hours)})" if hours else "Window(empty)"


def _moment(reading: Reading | TimedReading) -> int:
    return reading.read if isinstance(reading, TimedReading) else reading.hour


def _reading(found: Sequence[Any]) -> Reading | TimedReading:
    try:
        timed = len(found) == len(TimedReading._fields)
        hour, stream, value = found[:3] if timed else found
    except (TypeError, ValueError):
        raise BadInput(f"A window holds readings (hour, stream, value), not {found!r}.") from None
    whole("the hour of a reading", hour, least=1)
    if not isinstance(stream, str) or isinstance(value, bool) or not isinstance(value, Real):
        raise BadInput(f"A reading is an hour, the name of a stream and a number; {found!r} is not.")
    if not timed:
        return Reading._make((hour, stream, value))
    return TimedReading._make((hour, stream, value, whole("the hour in which a reading was read", found[3], least=1)))


register("window", Window, lambda window: [list(reading) for reading in window.readings], Window)
describe_as(
    Window,
    lambda window: (
        f"window of {spans(one.hour for one in window.readings)}" if window.readings else "an empty window"
    ),
)


def spans(hours: Iterable[int]) -> str:
    """Return hours as text: "hour 3", "hours 1–4", "hours 1–2, 5"."""
    hours = sorted(set(hours))
    runs: list[list[int]] = []  # of hours without a gap: the first and the last
    for hour in hours:
        if runs and hour == runs[-1][1] + 1:
            runs[-1][1] = hour
        else:
            runs.append([hour, hour])
    text = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
    return f"hour{'s' if len(hours) != 1 else ''} {text}"


FILES = {"seattle": "seattle-temps.csv", "san_francisco": "sf-temps.csv"}
STREAMS = tuple(FILES)
streams_are(STREAMS)
_START = datetime(2010, 1, 1)


@functools.cache
def series(stream: str) -> tuple[Reading, ...]:
    """Return all readings of a stream in order of event time, in degrees Fahrenheit, exact.

    Hour 1 is midnight of 1 January. One hour of March is missing in both files, so hours skip from it on and offsets
    do not. Raises `CourseError` when the file is missing or holds something else.
    """
    path = DATA / FILES[stream]
    try:
        with path.open(newline="") as file:
            readings = [_from_row(stream, row) for row in csv.DictReader(file)]
    except FileNotFoundError:
        raise CourseError(f"The series {path} is missing. Restore it: git checkout -- data") from None
    except (KeyError, ValueError) as why:
        raise CourseError(
            f"The series {path} holds a row that is no temperature ({why}). Restore it: git checkout -- data"
        ) from why
    return tuple(sorted(readings))


def _from_row(stream: str, row: dict[str, str]) -> Reading:
    moment = datetime.fromisoformat(row["date"].replace("/", "-"))  # the two files write dates differently
    hours = (moment - _START).total_seconds() / 3600
    degrees = row["temp"]
    tenths = 10 ** len(degrees.partition(".")[2])
    return Reading(int(hours) + 1, stream, Fraction(int(degrees.replace(".", "")), tenths))


HOURS_OF_A_YEAR = 8760
Arrival: TypeAlias = Literal["together", "as it comes"]
ARRIVALS: tuple[Arrival, ...] = get_args(Arrival)
Time: TypeAlias = Literal["event", "processing"]
TIMES: tuple[Time, ...] = get_args(Time)
# The handler or program of all nodes, or a list with one for each node.
Handlers: TypeAlias = Handler | Program | Deployment | Sequence[Handler | Program | Deployment]
Listed: TypeAlias = list[Handler | Program | Deployment]


@dataclass(frozen=True)
class Job(Source):
    """One job for the stream handler: a source of hours, with what its window needs to know.

    `items` is the number of hours of input (None: all that there are), `duration` the length of the window in hours,
    `threshold` the count of numbers in the window above which the counter is incremented. `arrival` is "together"
    (one read gives the next hour from both streams) or "as it comes" (one read gives one reading of one stream,
    chosen by the world). `time` is the time of the window's hours: "event" (the hours of the readings themselves) or
    "processing" (the hours of the reads: each read takes place in the newest hour that was read, or, late, in the
    hour after it; the world chooses). Raises `BadInput` for any other value.
    """

    items: int | None = 6
    duration: int = 24
    threshold: int = 4
    arrival: Arrival = "together"
    time: Time = "event"

    def __post_init__(self) -> None:
        if self.items is not None:
            whole("the number of items", self.items, least=1, most=len(series(STREAMS[0])))
        whole("the window's duration in hours", self.duration, least=1, most=HOURS_OF_A_YEAR)
        whole("the threshold", self.threshold)
        one_of("the arrival of inputs", self.arrival, ARRIVALS)
        one_of("the time that the window counts", self.time, TIMES)

    @property
    def deterministic(self) -> bool:
        """True when a run without faults reads its inputs in one way only: the world has nothing to choose."""
        return self.arrival == "together" and self.time == "event"

    def inputs(self) -> dict[str, tuple[Reading, ...]]:
        """Return the readings of each stream, in order."""
        return {stream: series(stream)[: self.items] for stream in STREAMS}

    def start(self) -> Offsets:
        """Return the positions before the first item: an offset of 0 in each stream."""
        return dict.fromkeys(STREAMS, 0)

    def end(self) -> Offsets:
        """Return the positions after the last item."""
        return {stream: len(readings) for stream, readings in self.inputs().items()}

    def hours(self) -> set[int]:
        """Return the set of all hours of the inputs."""
        return {reading.hour for reading in self.inputs()[STREAMS[0]]}

    def hour_at(self, offset: int) -> int:
        """Return the hour of the last reading before `offset`: how far positions have come. 0 at the start."""
        readings = series(STREAMS[0])
        return readings[min(offset, len(readings)) - 1].hour if offset else 0

    def hour_of(self, offset: int) -> int:
        """Return the hour of the reading at `offset`; past the last reading, the hour after it."""
        readings = series(STREAMS[0])
        return readings[offset].hour if offset < len(readings) else readings[-1].hour + 1

    def said(self, text: str) -> str:
        """Return a sentence about hours as it is."""
        return text

    def settings(self) -> dict[str, Value]:
        """Return the attributes of the handler's node: `duration` and `threshold`."""
        return {"duration": self.duration, "threshold": self.threshold}

    def size(self) -> int:
        """Return how many reads there can be."""
        return sum(len(readings) + 1 for readings in self.inputs().values())

    def load_inputs(self, stores: Stores) -> None:
        """Put the inputs into the engine's store, before a run begins."""
        for stream, readings in self.inputs().items():
            stores["engine"].fill(f"input.{stream}", [[reading.hour, reading.value] for reading in readings])

    def first_state(self) -> Window:
        """Return an empty window."""
        return Window()

    def inputs_of(self, state: Value, fresh: Inputs) -> Inputs:
        """Return the readings of the window, if it is one and those that were read last are its last, or unknown.

        Otherwise the state is unknown here, and the result is the inputs read last.
        """
        readings = state.readings if isinstance(state, Window) else ()
        held = tuple((reading.hour, reading.stream) for reading in readings)
        return held if not fresh or held[-len(fresh) :] == fresh else fresh

    def reader(self, life: Life) -> HoursReader:
        """Return a new reader."""
        return HoursReader(life, self)


class HoursReader(Reader):
    """Reads the next hour of all streams, or, as it comes, the next reading of one."""

    def running(self, positions: Offsets | None) -> bool:
        """Tell whether there is an hour left."""
        return (self.at if positions is None else positions) != self.source.end()

    def read(self, positions: Offsets) -> tuple[list[Reading | TimedReading], Offsets]:
        """Return the readings at the positions, and the positions after them."""
        life, job = self.life, self.source
        wanted = dict(positions)
        if job.arrival == "as it comes":
            left = [stream for stream in positions if positions[stream] < job.end()[stream]]
            if left:
                stream = left[0] if len(left) == 1 else life.world.choose(left)
                wanted = {stream: positions[stream]}
        return self._fetch(positions, wanted)

    def read_again(self, positions: Offsets, until: Offsets) -> tuple[list[Reading | TimedReading], Offsets]:
        """Return the readings between positions that were read at once before: one of each stream that went on."""
        return self._fetch(positions, {stream: at for stream, at in positions.items() if at < until[stream]})

    def _fetch(self, positions: Offsets, wanted: Offsets) -> tuple[list[Reading | TimedReading], Offsets]:
        life, job = self.life, self.source
        text, moment = "read past the end", 0
        if any(offset < job.end()[stream] for stream, offset in wanted.items()):
            life.item = job.hour_of(min(wanted.values()))
            text = f"read hour {life.item}" + (f" of {next(iter(wanted))}" if len(wanted) == 1 else "")
            if job.time == "processing":
                newest = max(life.item, *map(job.hour_at, positions.values()))
                moment = life.world.choose([newest, newest + 1])
                text += f" in hour {moment}"
        found = life.step(life.world.engine, "input", "fetch", wanted, 1, name="input.read", text=text)
        # in the streams' own order, whatever order an engine gives them in
        items: list[Reading | TimedReading] = [
            Reading(hour, stream, value) for stream in wanted for hour, value in found.get(stream, ())
        ]
        if not items:
            raise InputsEnded
        if job.time == "processing":
            items = [TimedReading(*item[:3], moment) for item in items]
        life.item = max(item.hour for item in items)
        life.inputs = tuple((item.hour, item.stream) for item in items)
        self.at = {stream: offset + len(found.get(stream, ())) for stream, offset in positions.items()}
        return items, dict(self.at)

    def now(self, earliest: int) -> tuple[int, int]:
        """Return the first and the last possible hour: from the positions and `earliest` to the inputs' end."""
        passed = [self.source.hour_at(offset) for offset in (self.at or self.source.start()).values()]
        first = max(earliest, *passed)
        return first, max(first, *self.source.hours())


def checked_case(
    handler: Handler, plan: FaultPlan | None = None, job: Source | None = None
) -> tuple[Handler, FaultPlan, Source]:
    """Return (handler, plan, job), with a plan without faults and the usual job for None.

    Raises `BadInput` for a handler that is no function of one argument, and for a wrong fault plan or job.
    """
    return checked_handler(handler), *_checked(plan, job)


def checked_run(
    handler: Handlers, plan: FaultPlan | None = None, job: Source | None = None
) -> tuple[list[Program], FaultPlan]:
    """Return (the programs of all nodes, the plan); `handler` is one, a `Program`, or a list of these.

    Raises `BadInput` for what is none, for a fault at a node that is not there, and as `checked_case` does.
    """
    plan, job = _checked(plan, job)
    programs = programs_of(handler, job)
    for fault in plan.faults:
        if (fault.node or 1) > len(programs):
            raise BadInput(f"A fault strikes node {fault.node}, and the nodes are 1 to {len(programs)}.")
    return programs, plan


def programs_of(handler: Handlers, job: Source | None = None, nodes: int | None = None) -> list[Program]:
    """Return the list of the nodes' programs. A single one is that of so many `nodes`; a handler's source is `job`.

    Raises `BadInput` for a value that is no handler, and for another number of handlers than nodes.
    """
    if isinstance(handler, (list, tuple)) and len(handler) == 1:
        (handler,) = handler
    if deployment := deployment_of(handler):
        handler = deployment.of_nodes(nodes).programs(Job() if job is None else job)
    given: list[Any] = list(handler) if isinstance(handler, (list, tuple)) else [handler]
    if not given:
        raise BadInput("No handler was given; give a function of one argument, the node, or a list of them.")
    if deployment:
        nodes = None
    if len(given) > 1 and nodes is not None and len(given) != nodes:
        raise BadInput(f"{len(given)} handlers were given for {nodes} nodes; give one handler for each node.")
    job = Job() if job is None else job
    for one in given:
        checked_handler(one.handler if isinstance(one, Program) else one)
    found = [one if isinstance(one, Program) else program_of(one, job) for one in given]
    _check_machines(found)
    return found * whole("the number of nodes", nodes, least=1) if len(found) == 1 and nodes is not None else found


def listed(handler: Handlers, nodes: int | None = None) -> Listed:
    """Return the list of handlers as they are, or of the `Deployment`, of so many twins, that a handler has."""
    if deployment := deployment_of(handler):
        if nodes is not None and deployment.machine:
            deployment = replace(deployment, twins=whole("the number of nodes", nodes, least=1))
        return [deployment]
    return list(handler) if isinstance(handler, (list, tuple)) else [handler]  # type: ignore[list-item]


def checked_handlers(handler: Handlers) -> Listed:
    """Return the list of handlers, as `listed` does. Raises `BadInput` for any other value."""
    handlers = listed(handler)
    programs_of(handlers)
    return handlers


def _check_machines(programs: Sequence[Program]) -> None:
    """Raise `BadInput` if handlers of which one reads or fills other queues than the other share a machine."""
    seen: dict[tuple[str, str], Program] = {}
    for one in programs:
        if one.machine is not None:
            other = seen.setdefault(one.machine, one)
            if (one.source, one.feeds) != (other.source, other.feeds):
                raise BadInput(
                    f"Two handlers that read or fill different queues are both called {one.machine[1]!r}; give each "
                    "a name of its own, such as general(function, name='averages')."
                )


def _checked(plan: FaultPlan | None, job: Source | None) -> tuple[FaultPlan, Source]:
    plan, job = FaultPlan() if plan is None else plan, Job() if job is None else job
    if not isinstance(plan, FaultPlan):
        raise BadInput(f"The fault plan is {plan!r}; give a FaultPlan, such as FaultPlan.crash('B', 3), or None.")
    if not isinstance(job, Source):
        raise BadInput(f"The job is {job!r}; give a Job, such as Job(items=6), or None.")
    return plan, job

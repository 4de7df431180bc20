"""Runs the strategy `structured_streaming` for real: a fault plan becomes kills of `run_query`, its result a `Run`.

Where each incarnation dies is taken from the model, which is simulated with the same plan; so the same schedule is
performed on the real query, and judged in the same words. What is judged was read from the sink and the checkpoint.
The state is not judged: Spark's store keeps it as sums of windows, and not as readings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count
from typing import Any

from ...errors import BadInput
from ...faults import Fault, FaultPlan
from ...handlers.stream.structured_streaming import BATCH, structured_streaming, structured_streaming_appending
from ...node.program import OUTPUT, Program, deployment_of
from ...node.source import Source
from ...node.world import CHECKPOINT, DATABASE
from ...pipeline import Job, Window
from ...pipeline.job import Handlers, checked_run
from ...simulate import simulate
from ...stores.codec import encode
from ...stores.interface import Entry
from ...trace import Event, MemoryRecorder
from ...trace.events import Detail, life_name, takeover
from ...verdict import Run
from ...verdict.outcome import Outcome
from ...verdict.run import checkpoint_writes, pushes_of
from .driver.places import PLACES, Mark
from .driver.query import QueryRun, run_query

SINK_OF = {structured_streaming: "batch id", structured_streaming_appending: "append"}
STATE = "the state, which Spark's store keeps as sums of windows"


def is_query(handler: Handlers) -> bool:
    """Tell whether a handler, or the program of its node, is one of the strategies that run as a real query."""
    one = handler[0] if isinstance(handler, (list, tuple)) and handler else handler
    found = one if isinstance(one, Program) else deployment_of(one)
    return found is not None and found.checkpoint is not None


def run_as_query(
    handler: Handlers,
    plan: FaultPlan | None = None,
    job: Source | None = None,
    progress: Callable[[Mark], object] | None = None,
) -> Run:
    """Run one of the two strategies as the real query under a fault plan; return the `Run`, as of any world.

    `progress` is called with each `Mark`. Raises `BadInput` for another handler, for a job that is not the query's,
    and for a fault that the query's driver cannot be given; `CourseError` as `run_query` does.
    """
    programs, plan = checked_run(handler, plan, job)
    (program,) = programs
    sink, source = SINK_OF.get(program.handler), program.source
    if sink is None:
        raise BadInput("Only structured_streaming and structured_streaming_appending run as a real query.")
    if not isinstance(source, Job) or source.items is None or source != Job(items=source.items):
        raise BadInput(
            f"The real query has windows of {Job.duration} hours, counts those of over {Job.threshold} readings, "
            f"and gets both readings of an hour together. The job is {source}; leave all but its items as it is, or "
            "simulate it."
        )
    for fault in plan.faults:
        _check(fault)
    model = simulate(programs, plan)
    deaths = [(death.detail["at"], death.item or 1, death.detail) for death in model.trace.deaths()]
    began = time.perf_counter()
    query = run_query(sink, [(at, item - 1) for at, item, _ in deaths], source.items, progress)
    calm = simulate(programs, FaultPlan(), source)  # whose windows are the right ones
    windows = [entry.value for entry in calm.writes if entry.part == "state"]
    recorded = _Recorded(query, source, windows, [detail for *_, detail in deaths], sink == "batch id")
    recorded.recorder.fired = model.fired
    run = Run.put_together(
        "spark", source, plan, recorded.outcome(), None, recorded.entries, recorded.recorder,
        seconds=time.perf_counter() - began, state_seen=False,
    )  # fmt: skip
    run.writes = checkpoint_writes(run.writes, program)
    run.pushes = pushes_of(run.writes)
    return run


def _check(fault: Fault) -> None:
    """Raise `BadInput` unless the driver of the real query can be given this fault."""
    if fault.kind != "crash":
        raise BadInput(
            f"The driver of the real query can be killed at A to E of a batch; a fault of kind {fault.kind!r} at "
            f"{fault.at!r} can be simulated."
        )
    if fault.kill == "executor":
        raise BadInput(
            "The real query runs in local[2]: its tasks are in the driver's own process, so there is no executor to "
            "kill. Leave `kill` as it is: then the driver is killed, with all its processes."
        )


class _Recorded:
    """The trace and the journal of a query's lives, put together from their marks, the sink and the checkpoint.

    Every step has a stamp of its own, in the order of the marks. A mark tells of the steps before it: at B the
    batch's offsets are written, at D the sink has committed, at E `commits/N` is written.
    """

    def __init__(
        self, query: QueryRun, job: Job, windows: Sequence[Window], deaths: Sequence[Detail], keeps_id: bool
    ) -> None:
        self.query, self.job, self.windows, self.deaths, self.keeps_id = query, job, windows, deaths, keeps_id
        self.recorder, self.entries = MemoryRecorder(), list[Entry]()
        self.counted = 0
        self.left = {batch: len(found) for batch, found in query.rows.groupby("batch")}  # rows not told yet
        self.clock, self.steps, self.read = count(1), count(1), set[tuple[int, int]]()
        for mark in query.marks:
            self._tell(mark)

    def outcome(self) -> Outcome:
        """Return what is left of the query, as an observer sees it."""
        checkpoint, averages = self.query.checkpoint, self.query.rows["average"]
        committed = [checkpoint.offsets[batch] for batch in checkpoint.commits]
        positions = dict.fromkeys(self.job.start(), max(end["hours"] for (end,) in committed)) if committed else None
        outputs = tuple(encode(self._value(*row)) for row in zip(self.query.rows["hour"], averages, strict=True))
        own = (f"{BATCH} in the {DATABASE}, which the handler keeps for itself",) if self.keeps_id else ()
        return Outcome(outputs, self.query.counter, "null", encode(positions), overlooked=(*own, STATE))

    def _value(self, hour: int, average: float) -> Fraction:
        """Return the average in a row; the exact one, if the row has what the query's division makes of that."""
        right = self.query.expected.set_index("hour")["average"].get(hour)
        return self.windows[hour - 1].average() if average == right else Fraction(average)

    def _tell(self, mark: Mark) -> None:
        """Add the events of one mark."""
        life, batch = mark.life, mark.batch
        if mark.letter == "start":
            self.recorder.lives[life] = []
            before = None if life == 1 else takeover(life - 1)
            kind, pid = "local" if before is None else "receive", self.query.lives[life - 1].pid
            self._event(mark, kind, "start", "start", message=before, detail={"pid": pid})
        elif mark.letter == "killed":
            detail = self.deaths[life - 1]
            text = f"SIGKILL at {detail['at']}"
            self._event(mark, "send", "dies", text, message=takeover(life), detail={**detail, "kill": "driver"})
        elif mark.letter == "end":
            self._event(mark, "local", "ends", "inputs ended")
        elif batch is not None and mark.letter in PLACES:
            self._steps_before(mark, life, batch)
            self._event(mark, "local", "crash point", f"crash point {mark.letter}", detail={"point": mark.letter})

    def _steps_before(self, mark: Mark, life: int, batch: int) -> None:
        start, end = (dict.fromkeys(self.job.start(), offset) for offset in (batch, batch + 1))
        if (life, batch) not in self.read:
            self.read.add((life, batch))
            self._step(mark, f"read hour {batch + 1}", [("input", "fetch", None)])
            if mark.letter == "B":
                return  # a replay: the offsets were there
        if mark.letter == "B":
            self._step(mark, f"write offsets/{batch}", [(f"{CHECKPOINT}.offsets", "cas", [start, end])])
        elif mark.letter == "D" and self.left.get(batch):
            self.left[batch] -= 1
            rows = self.query.rows[self.query.rows["batch"] == batch]
            saved: list[tuple[str, str, Any]] = [(BATCH, "cas", batch)] if self.keeps_id else []
            saved += [(OUTPUT, "append", self._value(rows["hour"].iloc[0], rows["average"].iloc[0]))]
            if len(self.windows[batch]) > self.job.threshold:
                self.counted += 1
                saved.append(("counter", "add", self.counted))
            self._step(mark, f"save batch {batch}", saved)
        elif mark.letter == "D":
            self._step(mark, f"save batch {batch}", [(BATCH, "transact", None)])  # the sink had it
        elif mark.letter == "E":
            self._step(mark, f"write commits/{batch}", [(f"{CHECKPOINT}.commits", "cas", batch)])

    def _step(self, mark: Mark, text: str, notes: Sequence[tuple[str, str, Any]]) -> None:
        """Add a step: its request, what the parts of a store did, and the reply."""
        step, batch, verb = next(self.steps), mark.batch or 0, text.partition(" ")[0]
        self._event(mark, "send", verb, text, step, message=f"{mark.life}.{step}>")
        inputs = tuple((reading.hour, reading.stream) for reading in self.windows[batch].readings)
        stamps = [next(self.clock) for _ in [*notes, None]]
        for place, ((part, verb_there, value), stamp) in enumerate(zip(notes, stamps, strict=False)):
            self.entries.append(
                Entry(
                    part, verb_there, value, mark.life, step, batch + 1, stamp, stamps[-1], inputs, place, mark.wall
                )
            )
        self._event(mark, "receive", "reply", "done", step, message=f"{mark.life}.{step}<")

    def _event(self, mark: Mark, kind: Any, verb: str, text: str, step: int = 0, **more: Any) -> None:
        item = None if mark.batch is None else mark.batch + 1
        stamp = next(self.clock)
        self.recorder.record(
            Event(life_name(mark.life), kind, stamp, verb, text, mark.life, step, item, wall=mark.wall, **more)
        )

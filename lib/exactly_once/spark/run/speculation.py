"""Speculative execution: Spark itself starts a second attempt of a task that is slow, and that is the twin.

Spark puts the copy on another host only, so this needs a cluster with two (`cluster(hosts=2)`, on Linux). The first
attempt that ends wins, and Spark ends the other, which lives on for a few seconds and goes on writing: a
zombie that nobody had to make up. Where there are no two hosts, two jobs do the same by hand, and the result says so.
Source: Spark 4.3, "Configuration", spark.speculation and spark.python.task.killTimeout.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ...errors import BadInput, HandlerStuck, is_number, whole
from ...faults import FaultPlan
from ...lockfree.queue import HINT
from ...lockfree.stateless import MACHINE
from ...node import Source
from ...node.access.handles import part_of
from ...node.node import Handler
from ...node.program import deployment_of
from ...node.world import shown
from ...verdict import Run
from ...verdict.run import named, wrote
from ..cluster.cluster import cluster, two_hosts
from ..cluster.settings import HOSTS, owns
from ..task.attempt import live_attempt
from ..task.world import OVER
from .tasks import LOOK_SECONDS, Prepared, SparkTask

if TYPE_CHECKING:
    from pyspark.sql import SparkSession  # at run time it is imported when a cluster is needed

By = Literal["Spark", "two jobs"]
THRESHOLD = 0.3  # s that a task runs before it has a copy: as in `settings.SPECULATION`
LOSER_SECONDS = 8.0  # that an attempt which lost may live on; Spark gives it two, and looks every so often


@dataclass(frozen=True)
class Attempt:
    """One attempt of a task. `number` 0 began first; `began` is the delay of this attempt after it, in s.

    `end` says how its handler ended: "ended", "raised", "gave up", or "killed" when Spark ended its process before.
    `transitions` is the number of the machine's transitions that it won. `writes` counts all its writes, except a
    queue's hint and the closing of a queue; `late` counts its writes after another attempt had ended.
    """

    number: int
    life: int
    host: str
    executor: str
    pid: int
    began: float
    end: str
    transitions: int
    writes: int
    late: int


@dataclass(frozen=True)
class Speculated:
    """A run of one task with its copy. `by` says who started that: "Spark", or "two jobs" where Spark would not."""

    run: Run
    attempts: tuple[Attempt, ...]
    by: By

    @property
    def sentence(self) -> str:
        """The events in a sentence for people."""
        first, *others = self.attempts
        if not others:
            return f"Attempt {first.number} on {first.host} ended before it had a copy: nothing made it slow."
        who = "Spark's speculative execution" if self.by == "Spark" else "a second job (this is no speculation)"
        copies = " and ".join(f"attempt {one.number} on {one.host}, {one.began:.1f} s later" for one in others)
        late = ", ".join(
            f"attempt {one.number} ({one.end}) wrote {one.late} time{'s' * (one.late > 1)} after another had ended"
            for one in self.attempts
            if one.late
        )
        return (
            f"Attempt {first.number} ran on {first.host}; {who} started {copies}. "
            f"{late[:1].upper()}{late[1:] or 'None wrote after another had ended'}."
        )


def run_speculatively(
    cases: Iterable[tuple[Handler, FaultPlan | None, Source | None]],
    slow: float = 0.0,
    progress: Callable[[str], object] | None = None,
    patience: float = 30.0,
) -> list[Speculated]:
    """Run each (handler, plan, job) as one task that is so slow that Spark starts a copy. Returns `Speculated`s.

    A plan's pause stops the first attempt that gets there (SIGSTOP), and it wakes up when the copy has ended, or at
    the step that the pause names; `slow` makes the first attempt wait so many seconds before each step. This needs a
    cluster with two hosts: the one that runs is stopped meanwhile, and started again in the background afterwards.
    Where that cannot be had (macOS, or a master named by EXACTLY_ONCE_SPARK), the copy is a second job.

    progress: a function that is called with a sentence as the start of the cluster goes on.
    patience: s without a step after which a run is given up.

    Raises `BadInput` for a plan with other faults than pauses and for seconds that are none, `HandlerStuck` when no
    step is taken for `patience` seconds, `CourseError` when the cluster fails.
    """
    if not is_number(slow) or not 0 <= slow <= 10:
        raise BadInput(f"slow is {slow!r}; give the seconds before a step, from 0 to 10.")
    cases = list(cases) if isinstance(cases, Iterable) else [cases]
    if odd := [one for one in cases if not isinstance(one, tuple) or len(one) != 3]:
        raise BadInput(f"A run is given as {odd[0]!r}; give a list of tuples (handler, plan, job).")
    whole("the number of runs", len(cases), least=1)
    for handler, plan, _ in cases:
        if getattr(deployment_of(handler), "beside", None):
            raise BadInput(
                f"{handler.__name__!r} needs another node beside it, and this is for one task and its copy; give a "
                "handler alone, such as general(function)."
            )
        if faults := [fault for fault in getattr(plan, "faults", ()) if fault.kind != "pause"]:
            raise BadInput(
                f"The plan has the fault {faults[0].kind!r}. Spark copies a task that is slow, and repeats one that "
                "dies: give pauses, or use run_on_cluster."
            )
    prepared = [Prepared([handler] * 2, plan, job) for handler, plan, job in cases]
    try:
        with _hosts(progress) as (spark, by):
            return [_run(spark, by, one, slow, patience) for one in prepared]
    finally:
        for one in prepared:
            one.remove()


@contextlib.contextmanager
def _hosts(progress: Callable[[str], object] | None) -> Iterator[tuple[SparkSession, By]]:
    """Have a cluster; say who will start the copies on it."""
    if os.environ.get("EXACTLY_ONCE_SPARK") or not all(map(owns, HOSTS)):
        yield cluster(progress=progress), "two jobs"
    else:
        with two_hosts(progress) as spark:
            yield spark, "Spark"


def _run(spark, by, prepared, slow, patience):
    """Carry out one run, and look at its attempts."""
    prepared.inputs = [replace(prepared.inputs[0], node=None)]
    prepared.folder.ask({"slow": slow})

    def activity():
        prepared.check()
        return prepared.folder.activity()

    def stuck():
        return HandlerStuck(f"No attempt took a step for {patience:g} seconds, and the job was stopped.")

    if by == "Spark":
        task = SparkTask(spark, prepared.inputs, live_attempt, runs=[prepared], speculative=True)
        prepared.endings = task.wait(patience, stuck, activity)
    else:
        prepared.endings = _two_jobs(spark, prepared, patience, stuck, activity)
    _see_the_losers_end(prepared)
    run, machine = prepared.run(), prepared.programs[0].machine
    journals = [entry for name, store in prepared.stores.items() for entry in named(name, store.journal())]
    writes = [entry for entry in journals if wrote(entry) and not _is_aside(entry)]
    return Speculated(run, _attempts(run.trace, writes, shown(*machine) if machine else part_of(MACHINE)), by)


def _two_jobs(spark, prepared, patience, stuck, activity):
    """Run one job, and a second one like it when the first takes longer than `THRESHOLD`; who ends first wins."""
    jobs = [SparkTask(spark, prepared.inputs, live_attempt, runs=[prepared])]
    try:
        last, seen = time.monotonic(), None
        while not any(job.join(LOOK_SECONDS) for job in jobs):
            began = [event.wall for event in prepared.recorder.events() if event.verb == "start"]
            if len(jobs) == 1 and began and time.time() - min(began) > THRESHOLD:
                jobs.append(SparkTask(spark, prepared.inputs, live_attempt, runs=[prepared]))
            now = activity()
            if now != seen:
                last, seen = time.monotonic(), now
            elif time.monotonic() - last > patience:
                raise stuck()
        return next(job for job in jobs if job.join(0)).result()
    finally:
        for job in jobs:
            if not job.join(0):
                job.cancel()


def _see_the_losers_end(prepared):
    """Wait until each attempt has finished, or Spark has ended its process; kill one that does neither."""
    recorder, send = prepared.recorder, prepared.folder.signal
    deadline = time.monotonic() + LOSER_SECONDS
    for start in [event for event in recorder.events() if event.verb == "start"]:
        while recorder.events_of(start.life)[-1].verb not in OVER and send(start.life, start.detail["pid"], 0):
            if time.monotonic() > deadline:
                send(start.life, start.detail["pid"], signal.SIGKILL)
            time.sleep(LOOK_SECONDS)


def _is_aside(entry):
    """Tell whether a write says nothing to a reader: that a queue's writer has ended, or where its end may be."""
    return entry.verb.startswith("close") or entry.part.endswith(HINT)


def _attempts(trace, journal, machine):
    """Return the `Attempt`s of a run, given its trace, all writes, and the part in which the handler's machine is."""
    starts = trace.lives()
    lasts = {start.life: max(trace.of_life(start.life), key=lambda event: event.stamp) for start in starts}
    found = []
    for number, start in enumerate(starts):
        ends = [last.wall for life, last in lasts.items() if life != start.life and last.verb == "ends"]
        writes = [entry for entry in journal if entry.life == start.life]
        last = lasts[start.life]
        end = {"ends": "ended", "raised": "raised", "dies": "gave up"}.get(last.verb, "killed")
        found.append(
            Attempt(
                number, start.life, start.detail["host"], start.detail["executor"],
                start.detail["pid"], start.wall - starts[0].wall, end,
                sum(entry.part == machine for entry in writes),
                len(writes), sum(bool(ends) and entry.wall > min(ends) for entry in writes),
            )
        )  # fmt: skip
    return tuple(found)

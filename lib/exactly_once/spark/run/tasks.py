"""Handlers as tasks of the cluster: a crash is a SIGKILL, and Spark's retry is the next incarnation."""

from __future__ import annotations

import os
import pickle
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from ...errors import BadInput, CourseError, HandlerStuck, OutcomeUnknown, whole
from ...faults import FaultPlan
from ...node import Source
from ...node.program import load_inputs, pickle_handler
from ...node.world import DATABASE, ENGINE, Request, deliver
from ...pipeline import Handlers, checked_run
from ...servers.by_url import SQLITE
from ...trace import Event, FileRecorder
from ...verdict import Run
from ...verdict.verdict import endless, step_limit
from ..cluster.cluster import (
    check_executors,
    cluster,
    lost,
    running,
    warm_again,
)
from ..cluster.processes import signal_worker
from ..cluster.session import explain
from ..task.folder import RunFolder
from ..task.task_world import TaskInput, deliver_all, live_one

Case: TypeAlias = tuple[Handlers, FaultPlan | None, Source | None]
UNPLANNED_LIVES = 6
STACK_SECONDS = 5.0  # that a process may take to write where it is in its code
LOOK_SECONDS = 0.05  # between two looks at what a job is doing; its end is noticed at once
READINGS = 3  # of what a run left, while its servers die and come back


def run_on_cluster(
    handler: Handlers,
    plan: FaultPlan | None = None,
    job: Source | None = None,
    patience: float = 30.0,
    stores: str = SQLITE,
) -> Run:
    """Run `handler` as a task of the cluster under a fault plan until its inputs have ended. Returns a `Run`.

    `handler` may be a `Program`, or a list, one for each node: then each node is a task, and all run at once. A crash
    is a SIGKILL, and Spark's retry the next incarnation. A pause is a SIGSTOP, until a SIGCONT wakes the process up;
    a task that stands by goes on for the node. A late request waits in a file of the run until it is due.
    `stores` are URLs: "postgresql:", "etcd:" or "kafka:" for a server that is started for it, "kafka:,postgresql:"
    with the database on another one than the rest, or the URL of a server that runs. On Kafka a handler's log is a
    real one: its partitions are topics, and Kafka's own coordinator ends transactions.

    Raises `BadInput` for a handler that cannot be called, and for more tasks than a cluster can have at once;
    `HandlerStuck` when no step is taken for `patience` seconds, `CourseError` when the cluster fails.
    """
    return run_many([(handler, plan, job)], patience=patience, stores=stores)[0]


def run_many(
    cases: Iterable[Case],
    progress: Callable[[int], object] | None = None,
    patience: float = 30.0,
    stores: str = SQLITE,
) -> list[Run]:
    """Run many (handler, plan, job), spread over the executors, and return their `Run`s, in order.

    Those that need one task each share a Spark job; each of the others has a job of its own. `progress`, if given, is
    called with the number of runs that have ended, now and then; what it raises stops the job. Raises as
    `run_on_cluster` does.
    """
    prepared = [Prepared(*case, stores=stores) for case in cases]
    return in_turn(prepared, progress, patience)


def in_turn(
    prepared: Sequence[Prepared], progress: Callable[[int], object] | None = None, patience: float = 30.0,
    work: Callable[..., Any] = live_one,
) -> list[Run]:  # fmt: skip
    """Carry out `Prepared` runs: all runs with one task in one job, then each other run alone. Returns the `Run`s.

    Tasks of one run wait for each other, and Spark may give the slot of a killed task to any waiting task.
    """
    whole("the number of runs", len(prepared), least=1)
    alone = [one for one in prepared if len(one.inputs) == 1]
    jobs = ([alone] if alone else []) + [[one] for one in prepared if len(one.inputs) > 1]
    runs: dict[int, Run] = {}
    before = 0
    try:
        for job in jobs:
            tell = None if progress is None else lambda ended, before=before: progress(before + ended)  # type: ignore[misc]
            runs |= zip(map(id, job), carry_out(job, tell, patience, work), strict=True)
            before = len(runs)
        return [runs[id(one)] for one in prepared]
    finally:
        for one in prepared:
            one.remove()


def carry_out(
    prepared: Sequence[Prepared], progress: Callable[[int], object] | None = None, patience: float = 30.0,
    work: Callable[..., Any] = live_one,
) -> list[Run]:  # fmt: skip
    """Run the `Prepared` runs in one Spark job, a task for each of their inputs, and return the `Run`s.

    `work` is the function that a task applies to its inputs. The folders are removed at the end in any case.
    """
    try:
        spark = with_slots(max((len(one.inputs) for one in prepared), default=1))
        if any(fault.kill == "executor" for one in prepared for fault in one.plan.faults):
            check_executors()
        for one in prepared:
            one.started = time.perf_counter()  # others may have gone before
        task = SparkTask(spark, [task_input for one in prepared for task_input in one.inputs], work, runs=prepared)

        def activity() -> list[int]:
            for one in prepared:
                one.check()
            if progress:
                progress(sum(one.ended() for one in prepared))
            return [one.folder.activity() for one in prepared]

        def stuck() -> CourseError:
            return HandlerStuck(
                f"The code took no step for {patience:g} seconds and was stopped. Look for a loop that never leaves.",
                next((text for one in prepared if (text := one.stack_of_current_life())), ""),
            )

        endings = iter(task.wait(patience, stuck, activity))
        for one in prepared:
            one.endings = [next(endings) for _ in one.inputs]
        runs = [one.run() for one in prepared]
        if any(death.detail.get("kill") == "executor" for run in runs for death in run.trace.deaths()):
            warm_again()
        return runs
    finally:
        for one in prepared:
            one.remove()


class Prepared:
    """One run's folder, with its stores in place, and the inputs that its tasks receive.

    When the stores are `served`, a process of its own has them: a task that is stopped anywhere blocks no other.
    """

    def __init__(
        self, handler: Handlers, plan: FaultPlan | None = None, job: Source | None = None, served: bool = False,
        stores: str = SQLITE,
    ) -> None:  # fmt: skip
        self.programs, self.plan = checked_run(handler, plan, job)
        if any(fault.kind == "crash-stop" for fault in self.plan.faults):
            raise BadInput(
                "A crash-stop takes a node away for good, and Spark starts a killed task again; simulate this plan."
            )
        self.job = self.programs[0].source
        handlers = tuple(pickle_handler(program.handler) for program in self.programs)
        self.started = time.perf_counter()
        self.folder = RunFolder.make(served=served, stores=stores)
        self.stores, self.recorder = self.folder.stores(), FileRecorder(self.folder)
        try:
            load_inputs(self.programs, self.stores)
        except BaseException:
            self.stores.close()
            self.folder.remove()
            raise
        self.engine, self.database = self.stores[ENGINE], self.stores[DATABASE]
        programs = tuple(program.handled_by(None) for program in self.programs)
        common = self.folder, handlers, programs, self.plan, sys.path
        pauses = sum(len(fault.lives or (1,)) for fault in self.plan.faults if fault.kind == "pause")
        nodes = [*range(1, len(programs) + 1), *[None] * pauses]
        self.inputs: list[Any] = [TaskInput(*common, task, node) for task, node in enumerate(nodes)]
        self.endings: list[Any] = []

    def check(self) -> None:
        """Raise `HandlerStuck` for a handler that takes steps for ever, and for one whose process ends by itself."""
        if self.folder.files.exists("endless"):
            raise HandlerStuck(endless(step_limit(self.programs)))
        lives, struck = self.folder.lives(), self.folder.struck()
        if lives - struck > UNPLANNED_LIVES:
            raise HandlerStuck(
                f"{lives} incarnations began, and the fault plan struck {struck} times: the handler gives up or ends "
                "its own process again and again, so the run was stopped. Does it call os._exit or raise "
                "OutcomeUnknown itself?"
            )

    def ended(self) -> bool:
        """Tell whether the last incarnation ended in good order or by its own error."""
        return self.folder.ended(len(self.inputs))

    def current_life(self, node: int = 1) -> Event | None:
        """Return the start event of a node's newest incarnation, or None before its first."""
        starts = [event for event in self.recorder.events() if event.verb == "start"]
        starts = [start for start in starts if start.detail.get("node", 0) == node - 1]
        return starts[-1] if starts else None

    def stack_of_current_life(self) -> str:
        """Return where the process of the newest incarnation is in its code, or "" when it is gone."""
        life = self.current_life()
        if life is None or self.ended() or not signal_worker(life.detail["pid"], signal.SIGUSR1):
            return ""
        deadline, lines, before = time.monotonic() + STACK_SECONDS, [], None
        while not (lines and lines == before) and time.monotonic() < deadline:  # it may be in the middle of it
            time.sleep(0.1)
            before, lines = lines, self.folder.stack()
        return "\n".join(
            line
            for line in lines
            if f"{os.sep}exactly_once{os.sep}" not in line and f"{os.sep}pyspark{os.sep}" not in line
        )

    def run(self) -> Run:
        """Read the run out of its folder."""
        text = next((text for kind, text in self.endings if kind == "raised"), None)
        self.stores = self.folder.stores()  # tasks may have made more
        deliver_all(self.folder, self)
        seconds, again = time.perf_counter() - self.started, READINGS
        while True:
            try:
                return Run.of(
                    "spark", self.programs, self.plan, self.stores, self.recorder, error=text, seconds=seconds
                )
            except OutcomeUnknown:  # a server died meanwhile; a question changes nothing, and can be asked again
                again -= 1
                if not again:
                    raise

    def arrive(self, request: Request) -> None:
        """Deliver a request that is late even for the end of all incarnations: what is for one of them is dropped."""
        deliver(request, self.stores, alive=False)

    def remove(self) -> None:
        """Close the stores and remove the folder."""
        self.stores.close()
        self.recorder.close()
        self.folder.remove()


class SparkTask:
    """One Spark job with a task for each input, running in a thread so that it can be watched and cancelled.

    `runs` are the `Prepared` runs that the tasks carry out, if there are any: their incarnations end with the job.
    """

    def __init__(
        self, spark: Any, inputs: Sequence[Any], work: Callable[..., Any] = live_one, runs: Sequence[Prepared] = ()
    ) -> None:
        self._context = spark.sparkContext
        whole("the number of runs", len(inputs), least=1)
        self._group = f"exactly-once-{time.monotonic_ns()}"
        self._inputs, self._work_of_task, self._runs = inputs, work, runs
        self._result: Any = None
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="exactly-once job", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            self._context.setJobGroup(self._group, "exactly_once", interruptOnCancel=True)
            parts = self._context.parallelize(self._inputs, len(self._inputs))
            # By the gateway: `RDD.collect` opens a port for one reader, which any stray connection can take.
            batches = parts.mapPartitions(self._work_of_task)._jrdd.collect()
            self._result = [one for batch in batches for one in pickle.loads(batch)]
        except BaseException as why:  # noqa: BLE001 - `result` raises it in the thread that waits
            self._failure = why

    def join(self, seconds: float) -> bool:
        """Wait up to `seconds`; tell whether the job has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def wait(self, patience: float, stuck: Callable[[], CourseError], activity: Callable[[], object]) -> Any:
        """Wait for the job and return the result of each task. Even after an error, no task of it runs on.

        `activity`, called again and again, returns a value that changes while the tasks make progress. When that does
        not change for `patience` seconds, the error of `stuck()` is raised. Raises also the errors of `activity`, and
        `CourseError` when the job failed.
        """
        last, seen = time.monotonic(), None
        try:
            while not self.join(LOOK_SECONDS):
                now = activity()
                if now != seen:
                    last, seen = time.monotonic(), now
                elif time.monotonic() - last > patience:
                    raise stuck()
            return self.result()
        except BaseException:
            self.cancel()
            raise

    def result(self) -> Any:
        """Return the result of each task. Raises `CourseError` when the job failed."""
        if self._failure is not None:
            if loss := lost():
                raise loss
            raise CourseError(
                f"The Spark job failed: {explain(self._failure)} Stop the cluster with stop_cluster() and run "
                "the cell again; if it fails again, `python -m exactly_once doctor` looks for the cause."
            ) from None
        return self._result

    def raised(self) -> str | None:
        """Return the traceback of a handler that failed by itself; None if there was none, and while tasks run.

        Raises `CourseError` when the job failed.
        """
        endings = self.result() if self.join(0) else ()
        return next((text for kind, text in endings if kind == "raised"), None)

    def cancel(self) -> None:
        """Cancel the job, and kill the workers of its runs that have not ended."""
        if not self._cancel_group():
            return
        for one in self._runs:
            for event in one.recorder.events() if one.folder.exists() and not one.ended() else ():
                if event.verb == "start":
                    signal_worker(event.detail["pid"], signal.SIGKILL)
        deadline = time.monotonic() + 10
        while not self.join(0.2) and time.monotonic() < deadline:
            self._cancel_group()  # once more: the job may not have been submitted yet when it was asked for first

    def _cancel_group(self) -> bool:
        """Ask Spark to cancel the job; tell whether there was a cluster to ask."""
        try:
            self._context.cancelJobGroup(self._group)
            return True
        except Exception:  # noqa: BLE001 - whatever py4j raises then
            return False  # the cluster is gone, and its workers with it


def with_slots(tasks: int) -> Any:
    """Return the cluster's session, started anew where it runs fewer tasks at once, 16 at most."""
    if tasks == 1:
        return cluster()
    if lost() is None and slots_of(running()) >= tasks:
        return running()
    return cluster(slots=tasks + tasks % 2)


def slots_of(spark: Any) -> int:
    """Return how many tasks a session runs at once, when all its executors are there."""
    context = spark.sparkContext
    if own := re.fullmatch(r"local-cluster\[(\d+),(\d+),\d+\]", context.master):
        return int(own[1]) * int(own[2])  # also while an executor that was killed comes back
    return int(context.getConf().get("spark.cores.max") or context.defaultParallelism)

"""A run on the cluster that goes on until it is stopped: points are armed and processes killed while it runs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ...errors import BadInput, CourseError, between, one_of, whole
from ...faults import KILLS, POINTS, Fault, Kill, Point
from ...node.node import Handler
from ...pipeline import Job, checked_case, programs_of
from ...sandbox.pool import ideals
from ...stores.interface import Entry
from ...verdict import Beginning, Run, Verdict
from ...verdict.outcome import Outcome, last, readings_in
from ...verdict.run import named, wrote
from ..cluster.cluster import check_executors, cluster
from ..cluster.processes import kill_from_outside
from .tasks import Prepared, SparkTask

STOP_SECONDS = 8.0
PACE = "the pause before each step in seconds"
WAIT_SECONDS = 60.0
LOOK_SECONDS = 0.05  # between two looks at a run that somebody waits for


@dataclass(frozen=True)
class Snapshot:
    """A live run as it stands: its verdict so far, its armed faults, its newest incarnation, whether it runs."""

    verdict: Verdict
    armed: str | None
    last_line: int | None
    current_life: int
    running: bool
    seconds: float
    error: str | None = None


class LiveRun:
    """A handler at work on the cluster until `stop`. All methods belong to one thread, since SQLite connections do.

    `pace` is the pause before each step in seconds. `job.items` bounds it; by default it has the whole year of hours.
    `node` is the one that is watched, armed and killed, from 1 on, where the handler is deployed with another node
    beside it. Raises `BadInput` for a node that is not there.
    """

    def __init__(
        self,
        handler: Handler,
        job: Job | None = None,
        pace: float = 0.25,
        node: int = 1,
    ) -> None:
        handler, _, given = checked_case(handler, None, Job(items=None) if job is None else job)
        self._nodes = len(programs_of(handler, given))
        self.node = whole("the node of a live run", node, least=1, most=self._nodes)
        if not isinstance(given, Job):
            raise BadInput(f"The job of a live run is {given!r}; give a Job, such as Job(items=100), or None.")
        self.job = given
        self._beginning = Beginning(handler, self.job, ideals)
        self._run = Prepared(handler, None, self.job)
        self._task: SparkTask | None = None
        self._control: dict[str, Any] = {"pace": between(PACE, pace, 0, 10)}
        self._seen: dict[str, int] = {}  # of each store's journal: how many entries were read
        self._entries: list[Entry] = []
        self._final: Verdict | None = None
        self._arms = 0

    def start(self) -> None:
        """Start the job; the cluster is started first if there is none. Returns at once after that."""
        if self._task is not None:
            raise CourseError("This live run was started before; make a new one.")
        try:
            self._beginning.until(1)  # a handler that fails without any fault is told so before anything starts
            self._tell()
            self._task = SparkTask(cluster(), self._run.inputs, runs=[self._run])
        except BaseException:
            self._run.remove()
            raise

    def arm(self, point: Point, kill: Kill = "worker") -> None:
        """Arm a crash point: the node dies when it next gets there, once. Raises `BadInput` for an unknown point."""
        node = self.node if self._nodes > 1 else None
        fault = Fault(one_of("the crash point", point, POINTS), kill=kill, node=node)
        if kill == "executor":
            check_executors()
        self._arms += 1
        self._tell(strikes={f"armed{self._arms}": fault.code()})

    def disarm(self) -> None:
        """Disarm the armed fault."""
        self._tell(strikes={})

    def set_pace(self, seconds: float) -> None:
        """Set the pause before each step, 0 to 10 seconds."""
        self._tell(pace=between(PACE, seconds, 0, 10))

    def kill_now(self, kill: Kill = "worker") -> bool:
        """SIGKILL the process of the newest incarnation wherever it is. Returns whether there was one to kill."""
        one_of("what a crash kills", kill, KILLS)
        if kill == "executor":
            check_executors()
        life = self._run.current_life(self.node)
        if life is None or not self.running:
            return False
        return kill_from_outside(life.detail, kill == "executor")

    @property
    def running(self) -> bool:
        """True while the job runs."""
        return self._task is not None and self._final is None and not self._task.join(0)

    def snapshot(self) -> Snapshot:
        """Return the run as it stands, judged as the beginning of a right run.

        Raises `CourseError` when the job failed, such as when the cluster was taken over.
        """
        if self._final is not None:
            return self._shot(self._final, running=False)
        running, error = self.running, self._started().raised()
        return self._shot(self._beginning.judge(self._read(error)), running)

    def wait(self, condition: Callable[[Snapshot], Any], seconds: float = WAIT_SECONDS) -> Snapshot:
        """Return the first `Snapshot` that meets a condition.

        Raises `CourseError` when none does within `seconds` seconds, or before the run ends.
        """
        deadline = time.monotonic() + seconds
        while not condition(shot := self.snapshot()):
            if not shot.running:
                raise CourseError(f"The live run ended before what was waited for. {shot.verdict.sentence}")
            if time.monotonic() > deadline:
                raise CourseError(
                    f"What was waited for did not happen within {seconds:g} seconds. {shot.verdict.sentence}"
                )
            time.sleep(LOOK_SECONDS)
        return shot

    def stop(self) -> Verdict:
        """Stop the run, by force when it does not stop by itself within some seconds, and return its `Verdict`."""
        if self._final is not None:
            return self._final
        if not self._run.folder.exists():
            raise CourseError("This live run has ended without a verdict; make a new one.")
        task = self._started()
        self._tell(stop=True, pace=0, strikes={})
        if not task.join(STOP_SECONDS):
            task.cancel()
        error = None
        with contextlib.suppress(CourseError):  # a job stopped by force, or lost with its cluster, has no ending
            error = task.raised()
        try:
            self._final = verdict = self._beginning.judge(self._read(error))
        finally:
            self._run.remove()
        return verdict

    def _shot(self, verdict: Verdict, running: bool) -> Snapshot:
        events = verdict.run.trace.events
        lives = [life for life in verdict.run.trace.lives() if life.detail.get("node", 0) == self.node - 1]
        life = lives[-1].life if lives else 0
        line = next((event.line for event in reversed(events) if event.life == life and event.line), None)
        strikes = self._control.get("strikes", {}).items()
        armed = next((Fault.parse(code).at for key, code in strikes if key not in verdict.run.fired), None)
        return Snapshot(
            verdict,
            armed,
            line,
            life,
            running,
            verdict.run.seconds,
            verdict.run.error,
        )

    def _started(self) -> SparkTask:
        if self._task is None:
            raise CourseError("This live run was not started; call start() first.")
        return self._task

    def _read(self, error: str | None) -> Run:
        """Read the new entries of the journals; the rest was read before."""
        first, stores = self._run.programs[0], self._run.stores
        for name, store in list(stores.items()):
            new = store.journal(self._seen.get(name, 0))
            self._seen[name] = self._seen.get(name, 0) + len(new)
            self._entries += named(name, new)
        entries = sorted(self._entries, key=lambda entry: (entry.received, entry.part))
        writes = [entry for entry in entries if wrote(entry)]
        run = Run.put_together(
            "spark",
            self.job,
            self._run.plan,
            Outcome.after(writes),
            last(writes, "state"),
            entries,
            self._run.recorder,
            first.output,
            seconds=time.perf_counter() - self._run.started,
            error=error,
        )
        if not first.protocol:
            return run
        run = run.as_committed(stores, first)
        state = dict(readings_in(last(run.writes, "state")))
        return replace(run, outcome=Outcome.after(run.writes), state_count=state)

    def _tell(self, **changes: Any) -> None:
        """Change the settings that the run's process reads before each step; the file is replaced as a whole."""
        self._control |= changes
        try:
            self._run.folder.ask(self._control)
        except CourseError as why:
            raise CourseError(f"The live run cannot be told what to do. {why}") from why

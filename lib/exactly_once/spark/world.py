"""The Spark world as a task sees it: SQLite stores and a flight recorder in the run's folder, and real SIGKILLs."""

import faulthandler
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from ..errors import CourseError, OutcomeUnknown
from ..faults import Fault
from ..node import World
from ..node.life import InputsEnded
from ..node.live import live
from ..node.parcel import unpack
from ..node.parts import awaited
from ..stores import Blocked, SQLiteStore
from ..trace import FileRecorder
from ..verdict.ideal import step_limit
from .processes import executor_of_worker, kill_executor, kill_worker

WAIT_SECONDS = 20.0  # for a lock or a message
POLL_SECONDS = 0.005
STACK = "stack.txt"
CONTROL = "control.json"
ENDED = "ended"
ENDLESS = "endless"


class TaskWorld(World):
    """The world of one life on the cluster.

    `folder` holds the run's stores, its flight recorder and, for a live run, the file by which the notebook arms
    crash points, sets the pace and stops the run.
    """

    def __init__(self, folder, plan, job):
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise CourseError(
                f"The folder {folder} of this run is not on the executor's machine. SQLite stores are for one machine; "
                "use a local master, such as cluster() gives."
            )
        super().__init__(
            SQLiteStore(self.folder / "engine.db"),
            SQLiteStore(self.folder / "database.db"),
            FileRecorder(self.folder),
            plan,
            job,
        )
        self.step_limit = step_limit(job)
        self._control, self._control_time = {}, None
        self._stack = open(self.folder / STACK, "a")  # noqa: SIM115 - it stays open for the length of the life
        faulthandler.register(signal.SIGUSR1, self._stack, all_threads=False)

    def control(self):
        """Return what the notebook asks of a live run: pace in seconds a step, an armed fault, whether to stop."""
        try:
            changed = os.stat(self.folder / CONTROL).st_mtime_ns
            if changed != self._control_time:
                self._control, self._control_time = json.loads((self.folder / CONTROL).read_text()), changed
        except FileNotFoundError:
            pass
        return self._control

    def turn(self, event):
        """Keep the pace of a live run, so that a person can follow, and hold a handler that never ends."""
        if event.step > self.step_limit:
            (self.folder / ENDLESS).touch()
            while True:  # the notebook sees the file and ends this process; until then no step is taken
                time.sleep(1)
        pace = self.control().get("pace", 0)
        if pace and not self.stopped():
            time.sleep(pace)

    def begins(self, life):
        """Release the locks of earlier lives: a kill from outside leaves them held."""
        for earlier in range(1, life):
            self.engine.free(earlier)

    def carry_out(self, store, part, verb, arguments, origin):
        """Have a store do an operation; try one that has to wait again and again, until it is done or the run stops.

        Raises `CourseError` after `WAIT_SECONDS`.
        """
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                return super().carry_out(store, part, verb, arguments, origin)
            except Blocked as why:
                if self.stopped():
                    raise InputsEnded from None
                if time.monotonic() > deadline:
                    raise CourseError(
                        f"The handler waited {WAIT_SECONDS:g} seconds for {awaited(part, *arguments)}. "
                        f"{why} Is there another node, and does it get there?"
                    ) from None
                time.sleep(POLL_SECONDS)

    def stopped(self):
        """Tell whether the notebook asked the run to stop."""
        return bool(self.control().get("stop"))

    def striking(self, at, kind, item, life):
        """Yield the faults of the plan that apply here, then the one that is armed."""
        yield from super().striking(at, kind, item, life)
        armed = self.control().get("armed")
        if armed:
            fault = Fault.parse(armed["fault"])
            if fault.strikes(at, kind, item, life):
                yield armed["key"], fault

    def whereabouts(self):
        """Return the executor and the processes in which this life runs."""
        executor = executor_of_worker()
        return {"executor": executor.executor_id, "pid": executor.worker_pid, "jvm": executor.jvm_pid}

    def choose(self, options):
        """Pick at random: here the world is not deterministic for real."""
        return random.SystemRandom().choice(options)

    def die(self, fault, life):
        """SIGKILL this Python worker, or the whole executor with it."""
        if fault.kill == "executor":
            kill_executor()
        kill_worker()

    def close(self):
        """Close the files of a life that ended in good order."""
        self.engine.close()
        self.database.close()
        self.recorder.close()
        faulthandler.unregister(signal.SIGUSR1)
        self._stack.close()


def live_one(parcels):
    """Live one life for each parcel, in a worker. A handler that gives up fails its task, and Spark tries again."""
    for folder, handler, plan, job, path in parcels:
        world = TaskWorld(folder, plan, job)
        sys.path += [place for place in path if place not in sys.path]
        try:
            ending = live(world, unpack(handler))
        except (ImportError, AttributeError) as why:
            ending = ("raised", f"The handler cannot be loaded in a worker: {type(why).__name__}: {why}")
        finally:
            world.close()
        if ending[0] == "gave up":
            raise OutcomeUnknown(ending[1])
        (world.folder / ENDED).touch()
        yield ending

"""The Spark world as a task sees it: SQLite stores and a flight recorder in the run's folder, and real SIGKILLs."""

import faulthandler
import random
import signal
import sys
import time

from ..errors import CourseError, OutcomeUnknown
from ..faults import Fault
from ..node import World
from ..node.life import InputsEnded
from ..node.live import live
from ..node.parcel import unpack
from ..node.parts import awaited
from ..stores import Blocked
from ..trace import FileRecorder
from ..verdict.ideal import step_limit
from .folder import found_here
from .processes import executor_of_worker, kill_executor, kill_worker

WAIT_SECONDS = 20.0  # for a lock or a message
POLL_SECONDS = 0.005


class TaskWorld(World):
    """The world of one life on the cluster.

    `folder` holds the run's stores, its flight recorder and, for a live run, the file by which the notebook arms
    crash points, sets the pace and stops the run.
    """

    def __init__(self, folder, plan, job):
        self.folder = found_here(folder)
        stores = self.folder.store("engine"), self.folder.store("database")
        super().__init__(*stores, FileRecorder(self.folder), plan, job)
        self.step_limit = step_limit(job)
        self._stack = self.folder.open_stack()
        faulthandler.register(signal.SIGUSR1, self._stack, all_threads=False)

    def turn(self, event):
        """Keep the pace of a live run, so that a person can follow, and hold a handler that never ends."""
        if event.step > self.step_limit:
            self.folder.note_endless()
            while True:  # the notebook sees the file and ends this process; until then no step is taken
                time.sleep(1)
        pace = self.folder.asked().get("pace", 0)
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
        return bool(self.folder.asked().get("stop"))

    def striking(self, at, kind, item, life):
        """Yield the faults of the plan that apply here, then the one that is armed."""
        yield from super().striking(at, kind, item, life)
        armed = self.folder.asked().get("armed")
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
        world.folder.end()
        yield ending

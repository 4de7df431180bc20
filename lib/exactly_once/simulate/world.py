"""The simulated world: one node's lives in greenlets, on stores in memory.

Each step first yields to the hub, which decides what happens next; plain blocking Python needs no rewriting. Here the
hub lets the one node go on, and starts the next life after a death. Whoever explores all schedules decides otherwise.
"""

import random
import time

from greenlet import GreenletExit, getcurrent

from ..errors import CourseError
from ..node import World
from ..node.live import checked_case, live
from ..node.parcel import pack, unpack
from ..node.parts import awaited
from ..stores import Blocked, MemoryStore
from ..trace import MemoryRecorder
from ..verdict import Run
from ..verdict.ideal import endless, step_limit
from .outside import Secluded

LIFE_LIMIT = 50
PATIENCE_STEPS = 100
_unburied = []


class SimulatedWorld(World):
    """A world in one process. Choices come from `choose_among`, at random from a seed unless it is given."""

    signals = (GreenletExit, KeyboardInterrupt)

    def __init__(self, plan, job, seed=0, choose_among=None):
        super().__init__(MemoryStore("engine"), MemoryStore("database"), MemoryRecorder(), plan, job)
        job.furnish(self.engine)
        self.hub = getcurrent()
        self.steps, self.step_limit = 0, step_limit(job)
        self.patience = None
        self._choose = choose_among or random.Random(seed).choice

    def turn(self, event):
        """Yield to the hub before a step."""
        self.steps += 1
        if self.steps > self.step_limit:
            self.haunt("endless")
        self.hub.switch("step")

    def carry_out(self, store, part, verb, arguments, origin):
        """Have a store do an operation. One that has to wait does so for ever: there is no other node."""
        try:
            return super().carry_out(store, part, verb, arguments, origin)
        except Blocked:
            self.haunt(("waits", awaited(part, *arguments)))

    def choose(self, options):
        """Pick one of the options."""
        return self._choose(options)

    def die(self, fault, life):
        """Leave this greenlet for good."""
        self.haunt()

    def haunt(self, word="died"):
        """Leave, and never come back, but to be buried."""
        if self.patience:
            self.patience -= 1
            raise GreenletExit
        while True:
            self.hub.switch(word)

    def bury(self, life):
        """Unwind a dead life, once nobody looks at its stores any more.

        A greenlet that is dropped does so by itself, but complains on the screen when the handler's `finally` asks for
        a step. Each such step dies again; a handler that catches even that, again and again, is kept for good.
        """
        self.patience = PATIENCE_STEPS
        if life:
            life.throw()
        if life:
            _unburied.append(life)


def simulate(handler, plan=None, job=None, seed=0):
    """Run `handler` in the simulated world under a fault plan until its inputs have ended. Returns a `Run`.

    Each life starts from a fresh copy of the handler, made by value, as Spark ships it. `seed` decides the world's
    choices. What the handler itself raises is in the run's `error`. Raises `BadInput` for a handler that cannot be
    called, `CourseError` when it never ends.
    """
    handler, plan, job = checked_case(handler, plan, job)
    most = LIFE_LIMIT + max((life for fault in plan.faults for life in fault.lives or ()), default=0)
    started = time.perf_counter()
    world = SimulatedWorld(plan, job, seed)
    parcel, remains, ending, text = pack(handler), [], "died", None
    try:
        while ending in ("died", "gave up"):
            if len(remains) == most:
                raise CourseError(
                    f"{most} lives died or gave up, and the inputs had not ended: the fault plan kills each of "
                    "them, or the handler raises OutcomeUnknown by itself."
                )
            life, world.steps = Secluded(live), 0
            remains.append(life)
            found = life.switch(world, unpack(parcel))
            while found == "step":
                found = life.switch()
            if found == "endless":
                raise CourseError(endless(world.step_limit))
            if found[0] == "waits":
                raise CourseError(f"Deadlock: the handler waits for {found[1]}, and here is no other node to wait for.")
            ending, text = ("died", None) if found == "died" else found
        return Run.of(
            "simulated",
            job,
            plan,
            world.engine,
            world.database,
            world.recorder,
            error=text if ending == "raised" else None,
            seconds=time.perf_counter() - started,
        )
    finally:
        for life in remains:
            world.bury(life)

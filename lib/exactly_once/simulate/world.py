"""The simulated world: nodes' incarnations in greenlets, on stores in memory, under a fault plan.

Each step first yields to the hub, which decides on the next step; plain blocking Python needs no rewriting. Here the
nodes take turns, a step each, or continue in an order drawn from a seed. The explorer of all schedules decides
otherwise.
"""

import random
import time
from collections.abc import Sequence
from typing import Any

from ..errors import CourseError, whole
from ..faults import FaultPlan
from ..node import Source
from ..node.access import awaited
from ..node.program import Program, size_of
from ..node.world import Chosen
from ..pipeline import Handlers, checked_run
from ..stores.operations import OPERATIONS, ROWS
from ..trace import Event
from ..verdict import Run
from ..verdict.verdict import endless, step_limit
from .hub import WAITS, Actor, ActorWorld, Hub

LIFE_LIMIT = 50
HOLDABLE = (*ROWS, "prepared", "lock")  # what is waited for because somebody holds it


class SimulatedWorld(ActorWorld):
    """The world of one incarnation in a run under a fault plan."""

    def turn(self, event: Event) -> None:
        """Yield to the hub before a step; one of a handler that never ends is its last."""
        if not self.dead and self.steps >= self.run.step_limit:
            self.leave("endless")
        super().turn(event)

    def choose(self, options: Sequence[Chosen]) -> Chosen:
        """Pick one at random."""
        return self.run.rng.choice(options)


class Simulation(Hub):
    """One run under a fault plan. Nodes take turns, a step each, unless there is a seed other than 0."""

    world = SimulatedWorld

    def __init__(self, programs: Sequence[Program], plan: FaultPlan, seed: int) -> None:
        super().__init__(programs, plan)
        self.step_limit, self.seed, self.rng = step_limit(programs), seed, random.Random(seed)
        self.tells_nodes, self.waits = len(self.programs) > 1, None
        self._most = LIFE_LIMIT + max((life for fault in plan.faults for life in fault.lives or ()), default=0)
        self._wakes, self._turn, self._waiting = {}, -1, set()

    def run(self) -> Run:
        """Let the nodes go on until all have ended, or one has failed by itself. Late requests come after that.

        Returns the `Run`. Raises `CourseError` when the handler never ends, or all nodes wait.
        """
        began = time.perf_counter()
        self._go_on_to_the_end()
        return self.outcome(began, waits=self.waits)

    def _go_on_to_the_end(self) -> None:
        self.begin_all()
        while self.error is None:
            self._comes_due()
            going = [actor for actor in self.actors if actor.going and not actor.asleep]
            if not going:
                if not self._comes_last():
                    return
                continue
            if all(id(actor) in self._waiting for actor in going):
                if self._comes_last():
                    continue
                if any(actor.world.stops for actor in self.actors):
                    held = [actor for actor in going if OPERATIONS[actor.world.waiting[0]].kind in HOLDABLE]
                    self.waits = self._waited_for(held) or None
                    return
                raise CourseError(self._deadlock(going))
            actor = self._next(going)
            self._advance(actor)
            if actor.found == WAITS:
                self._waiting.add(id(actor))
            else:
                self._waiting.clear()

    def _next(self, going: Sequence[Actor]) -> Any:
        if self.seed:
            return self.rng.choice(going)
        places = [self.actors.index(one) for one in going]
        self._turn = next((place for place in places if place > self._turn), places[0])
        return self.actors[self._turn]

    def _advance(self, actor: Actor) -> None:
        if actor.found != WAITS:
            self.steps += 1
        self.go_on(actor)
        if actor.found == "endless":
            raise CourseError(endless(self.step_limit, reads=size_of(self.programs) > 0))

    def begin(self, actor: Actor) -> None:
        """Begin the next incarnation of a node, unless there were too many."""
        if sum(node == actor.node for node in self.recorder.node_of.values()) == self._most:
            raise CourseError(
                f"{self._most} incarnations died or gave up, and the inputs had not ended: the fault plan kills each "
                "of them, or the handler raises OutcomeUnknown by itself."
            )
        super().begin(actor)

    def falls_asleep(self, sleeper: Actor) -> None:
        """Note when the sleeper is to wake up."""
        until = sleeper.world.fault.until
        self._wakes[id(sleeper)] = None if until is None else self.steps + until

    def _comes_due(self) -> None:
        """Deliver the late requests, and wake the sleepers, whose time has come."""
        for posted in self.posted:
            if not posted.arrived and posted.due is not None and self.steps >= posted.due:
                self.arrive(posted)
                self._waiting.clear()
        for actor in self.actors:
            due = self._wakes.get(id(actor))
            if actor.asleep and due is not None and self.steps >= due:
                self._wake(actor)

    def _comes_last(self) -> bool:
        """Deliver the next late request, or wake the next sleeper, as nothing else goes on; tell if there was one."""
        posted = next((one for one in self.posted if not one.arrived), None)
        sleeper = next((actor for actor in self.actors if actor.asleep), None)
        if posted is not None:
            self.arrive(posted)
        elif sleeper is not None:
            self._wake(sleeper)
        self._waiting.clear()
        return posted is not None or sleeper is not None

    def _wake(self, actor: Actor) -> None:
        self._waiting.clear()
        self._advance(actor)

    def _deadlock(self, going: Sequence[Actor]) -> str:
        """Return the sentence on a deadlock, with the waiting nodes and the objects of their waits."""
        if len(self.programs) == 1:
            awaits = awaited(*going[0].world.waiting)
            return f"Deadlock: the handler waits for {awaits}, and here is no other node to wait for."
        return f"Deadlock: nobody can go on: {self._waited_for(going)}."

    def _waited_for(self, going: Sequence[Actor]) -> Any:
        """Return the waiting nodes and the objects of their waits, in words."""
        waits = [(actor.node + 1, awaited(*actor.world.waiting)) for actor in going]
        return "; ".join(f"node {node} waits for {what}" for node, what in waits)


def simulate(handler: Handlers, plan: FaultPlan | None = None, job: Source | None = None, seed: int = 0) -> Run:
    """Run `handler` in the simulated world under a fault plan until its inputs have ended. Returns a `Run`.

    `handler` is a function of one argument, the node; or a `Program`, which says besides where inputs come from and
    where output goes; or a list of these, one for each node. Each incarnation starts from a fresh copy of the
    handler, made by value, as Spark ships it. The nodes take turns, a step each; another `seed` than 0 draws another
    order. The seed also makes the world's choices, such as the stream of each read when inputs arrive as they come.
    An exception of the handler is in the run's `error`.

    A node that a crash-stop took away may leave the others waiting for ever: then the run ends, and its `blocked`
    says so.

    Raises `BadInput` for a handler that cannot be called; `CourseError` when the handler never ends, or all nodes
    wait.
    """
    programs, plan = checked_run(handler, plan, job)
    simulation = Simulation(programs, plan, whole("the seed", seed))
    try:
        return simulation.run()
    finally:
        simulation.close()

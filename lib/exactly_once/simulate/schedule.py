"""Performing a schedule: the decisions of a search, carried out in a world with real stores and a flight recorder."""

import time
from dataclasses import dataclass, field

from greenlet import GreenletExit, getcurrent

from ..errors import CourseError
from ..faults import Fault, FaultPlan
from ..node import World
from ..node.live import live
from ..node.parcel import pack, unpack
from ..stores import Blocked, MemoryStore
from ..trace.recorder import MemoryRecorder
from ..verdict import Run
from .bounds import CRASH, DUPLICATE, LOST_REPLY, LOST_REQUEST, OPTION, PAUSE, STEP, STEP_AND_CRASH
from .outside import Secluded

STRIKES = {
    CRASH: "crash before",
    STEP_AND_CRASH: "crash after",
    LOST_REQUEST: "lost request",
    LOST_REPLY: "lost reply",
    DUPLICATE: "duplicated request",
}
PATIENCE_STEPS = 100
_unburied = []


class Diverged(CourseError):
    """A schedule that this handler does not follow."""


@dataclass
class Actor:
    """A node, or a life of it that was put to sleep. `order` is the decision that its step is to follow."""

    node: int
    program: int
    world: object = None
    life: object = None
    found: object = None
    order: object = None
    option: int = 0
    number: int = 0


@dataclass
class Performance:
    """A schedule carried out: the run, with the plan of what struck, (life, step) of each decision, its text.

    `waiting` are the nodes that wait at its end, as (node, the event that waits, the node that holds the lock or None).
    """

    run: Run
    schedule: list
    steps: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    waiting: list = field(default_factory=list)


class NodesRecorder(MemoryRecorder):
    """A recorder for several nodes: lives are numbered as they begin; each inherits from the last on its node."""

    def __init__(self):
        super().__init__()
        self.node_of, self.asleep = {}, set()

    def _predecessor(self, life, detail):
        """Note the node of a new life; return the last event of the life before it there, unless that one sleeps."""
        node = detail["node"]
        before = [earlier for earlier, other in self.node_of.items() if other == node]
        self.node_of[life] = node
        return self.events_of(before[-1])[-1] if before and before[-1] not in self.asleep else None


class Stage(World):
    """The world as one actor sees it; stores and recorder are those of all."""

    signals = (KeyboardInterrupt,)

    def __init__(self, theatre, actor):
        super().__init__(theatre.engine, theatre.database, theatre.recorder, FaultPlan(), theatre.job)
        self.theatre, self.actor = theatre, actor
        self.hub, self.dead, self.patience = getcurrent(), False, None
        self.number, self.nodes = actor.node + 1, theatre.nodes

    def whereabouts(self):
        """Note the node in the trace."""
        return {"node": self.actor.node}

    def turn(self, event):
        """Wait for the decision about this step."""
        self.event = event
        self._ask()

    def carry_out(self, store, part, verb, arguments, origin):
        """Have a store do an operation that need not wait; where any sender will do, the decision names the one."""
        if verb == "take" and arguments == (None,):
            arguments = (self.actor.option or None,)
        try:
            return super().carry_out(store, part, verb, arguments, origin)
        except Blocked:
            self.haunt("astray")

    def choose(self, options):
        """Wait for the decision, unless the step was it."""
        order = self.actor.order
        if order is None or order.kind != OPTION:
            self._ask()
            order = self.actor.order
        self.actor.order = None
        if order.kind != OPTION or not 0 <= order.option < len(options):
            self.haunt("astray")
        return options[order.option]

    def _ask(self):
        if self.dead:
            self.haunt()
        self.actor.order = None
        self.hub.switch("step")

    def striking(self, at, kind, item, life):
        """Yield the misfortune that the decision names."""
        order, wanted = self.actor.order, None
        if order is not None:
            wanted = "crash" if order.kind == CRASH and kind == "crash" else STRIKES.get(order.kind)
        if kind == wanted:
            fault = Fault(at, item, kind, lives=(life,))
            self.theatre.faults.append(fault)
            yield f"{len(self.theatre.faults) - 1}.{life}", fault

    def die(self, fault, life):
        """Leave for good."""
        self.dead = True
        self.haunt()

    def haunt(self, word="died"):
        """Leave, and never come back but to be buried."""
        if self.patience:
            self.patience -= 1
            raise GreenletExit
        while True:
            self.hub.switch(word)


class Theatre:
    """Performs schedules of a handler, or of one handler for each node."""

    def __init__(self, handlers, job, nodes):
        self.job, self.nodes = job, nodes
        self.parcels = [pack(handler) for handler in handlers]
        self.engine, self.database, self.recorder = MemoryStore("engine"), MemoryStore("database"), NodesRecorder()
        job.furnish(self.engine)
        self.faults, self.actors, self.lives, self.error = [], [], [], None

    def perform(self, schedule):
        """Carry out the decisions and return a `Performance`. Raises `Diverged` when they cannot be followed."""
        started, steps = time.perf_counter(), []
        try:
            for node in range(self.nodes):
                self.actors.append(Actor(node, node % len(self.parcels)))
                self._begin(self.actors[-1])
            for number, decision in enumerate(schedule):
                steps.append(self._decide(number, decision))
            waiting = [found for actor in self.actors[: self.nodes] if (found := self._waits(actor))]
            run = Run.of(
                "simulated",
                self.job,
                FaultPlan(tuple(self.faults)),
                self.engine,
                self.database,
                self.recorder,
                error=self.error,
                seconds=time.perf_counter() - started,
            )
        finally:
            self._bury()
        steps, texts = [step for step, _ in steps], [text for _, text in steps]
        return Performance(run, list(schedule), steps, texts, waiting)

    def _begin(self, actor):
        actor.life, actor.world, actor.order = Secluded(live), Stage(self, actor), None
        self.lives.append((actor.life, actor.world))
        self._go_on(actor, actor.world, unpack(self.parcels[actor.program]))

    def _go_on(self, actor, *arguments):
        actor.number = len(self.recorder.lives)
        actor.found = actor.life.switch(*arguments)
        self._note_failure(actor)

    def _note_failure(self, actor):
        if isinstance(actor.found, tuple) and actor.found[0] == "raised":
            self.error = self.error or actor.found[1]

    def _decide(self, number, decision):
        """Carry out one decision; return (life, step) of what took place, and its text."""
        if decision.actor >= len(self.actors) or self.actors[decision.actor].found != "step":
            raise Diverged(f"Decision {number + 1} of the schedule is for an actor that has nothing to do there.")
        actor = self.actors[decision.actor]
        event = actor.world.event
        if decision.kind == PAUSE:
            self._pause(actor, event)
            return (event.life, event.step), event.text
        zombie, actor.order, actor.option = decision.actor >= self.nodes, decision, decision.option
        if decision.kind == STEP:
            actor.order = None
        struck = len(self.faults)
        actor.found = actor.life.switch()
        if actor.found == "astray" or (decision.kind in STRIKES and len(self.faults) == struck):
            raise Diverged(f"Decision {number + 1} of the schedule cannot be taken there.")
        over = actor.found == "died" or (isinstance(actor.found, tuple) and actor.found[0] == "gave up")
        if over and not zombie:
            self._begin(actor)
        self._note_failure(actor)
        return (event.life, event.step), event.text

    def _waits(self, actor):
        """Return (node, event, the node that holds the lock or None) of a node that has to wait, or None."""
        if actor.found != "step":
            return None
        event = actor.world.event
        part = event.detail.get("part")
        if event.verb == "acquire":
            holder = self.engine.look(part, "lock")
            return (actor.node, event, self.recorder.node_of[holder]) if holder not in (None, event.life) else None
        if event.verb == "receive":
            sender = event.detail.get("sender")
            there = any(sender in (None, whose) for whose, _ in self.engine.look(part, "inbox"))
            return None if there else (actor.node, event, None)
        return None

    def _pause(self, actor, event):
        """Put the life of a node to sleep, and begin the node's next one."""
        sleeper = Actor(actor.node, actor.program, actor.world, actor.life, actor.found, None)
        sleeper.world.actor = sleeper
        self.actors.append(sleeper)
        self.recorder.asleep.add(event.life)
        self._begin(actor)

    def _bury(self):
        for life, world in self.lives:
            world.dead, world.patience = True, PATIENCE_STEPS
            if life:
                life.throw()
            if life:
                _unburied.append(life)

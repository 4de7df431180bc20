"""The hub of a simulated run: nodes' incarnations on stores in memory, sleepers, and the network of late requests.

Two drive it: `simulate`, by a fault plan and turns, and `replay`, by the decisions of a schedule.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..faults import Fault, FaultPlan
from ..node import World
from ..node.pickling import pickle_handler, unpickle_handler
from ..node.program import Program, load_inputs
from ..node.world import Request, Stores, deliver
from ..stores import Blocked, MemoryStore, Origin, Reply, Store, Value
from ..trace import Event, Recorder
from ..verdict import Run
from .suspended import Suspending, dispose, started

STEP, WAITS, ASLEEP = "step", "waits", "asleep"  # the message of a suspended incarnation that may continue


@dataclass
class Actor:
    """A node, or its sleeping incarnation. `found` is the incarnation's last message, `number` its number.

    An incarnation that is `asleep` is at a step, too, and takes it when it is woken up.
    """

    node: int
    world: Any = None
    life: Any = None
    found: Any = None
    number: int = 0
    asleep: bool = False

    @property
    def going(self) -> bool:
        """True while the incarnation is at a step or waits: it has not ended, and is not dead."""
        return self.found in (STEP, WAITS)


@dataclass
class Posted:
    """A late request: when it is due, by the count of steps (None: once all nodes have ended), and if it came."""

    request: Request
    due: int | None
    life: int
    arrived: bool = False


class NodesRecorder(Recorder):
    """A recorder for several nodes: it numbers incarnations; each inherits from the last on its node."""

    def __init__(self) -> None:
        super().__init__()
        self.node_of, self.asleep = {}, set()

    def _predecessor(self, life: int, detail: Any) -> Event | None:
        """Note a new incarnation's node; return its predecessor's last event there, unless that one sleeps."""
        node = (detail or {}).get("node", 0)
        before = [earlier for earlier, other in self.node_of.items() if other == node]
        self.node_of[life] = node
        return self.events_of(before[-1])[-1] if before and before[-1] not in self.asleep else None


class ActorWorld(Suspending, World):  # type: ignore[misc]
    """The world as one incarnation sees it; stores, recorder and network are those of all."""

    def __init__(self, hub: "Hub", actor: Actor, plan: FaultPlan) -> None:
        super().__init__(hub.stores, hub.recorder, plan, hub.programs, actor.node + 1)
        self.run: Any = hub
        self.actor, self.dead, self.steps = actor, False, 0
        self.stops = False  # whether its node is gone with it
        self.attach()

    def placement(self) -> dict[str, Any]:
        """Note the node in the trace, where there are several, and the name of its program, if there is one."""
        named = {"program": self.program.name} if self.program.name else {}
        return {"node": self.actor.node, **named} if self.run.tells_nodes else {}

    def turn(self, event: Event) -> None:
        """Let the hub decide before a step."""
        if self.dead:
            self.leave()
        self.event, self.steps = event, self.steps + 1
        self.hub.switch(STEP)

    def carry_out(self, store: Store, part: str, verb: str, arguments: tuple[Value, ...], origin: Origin) -> Reply:
        """Have a store do an operation; one that has to wait is asked again when this incarnation goes on."""
        while True:
            try:
                return super().carry_out(store, part, verb, arguments, origin)
            except Blocked:
                self.waiting = verb, part, *arguments
                self.hub.switch(WAITS)

    def post(self, request: Request) -> None:
        """Leave a request to the network."""
        self.run.post(request, self)

    def pause(self, fault: Fault, life: Any) -> None:
        """Sleep until the hub wakes this incarnation up."""
        self.fault = fault
        self.hub.switch(ASLEEP)

    def die(self, fault: Fault, life: Any) -> None:
        """Leave for good."""
        self.dead, self.stops = True, fault.kind == "crash-stop"
        self.leave()


class Hub:
    """All that a simulated run consists of. `programs` are the programs of the nodes."""

    tells_nodes = True
    world: Any = ActorWorld

    def __init__(self, programs: Sequence[Program], plan: FaultPlan) -> None:
        self.programs, self.plan = list(programs), plan
        self.pickled_handlers = {id(program.handler): pickle_handler(program.handler) for program in self.programs}
        self.stores, self.recorder = Stores(MemoryStore), NodesRecorder()
        load_inputs(self.programs, self.stores)
        self.actors, self.posted, self.steps, self.error, self._lives = [], [], 0, None, []

    @property
    def nodes(self) -> list[Actor]:
        """The actors that are nodes."""
        return self.actors[: len(self.programs)]

    def begin_all(self) -> None:
        """Begin the first incarnation of each node."""
        for node in range(len(self.programs)):
            self.actors.append(Actor(node))
            self.begin(self.actors[-1])

    def begin(self, actor: Actor) -> None:
        """Begin the next incarnation of a node."""
        actor.world = self.world(self, actor, self.plan)
        handler = unpickle_handler(self.pickled_handlers[id(self.programs[actor.node].handler)])
        actor.number = len(self.recorder.lives) + 1
        actor.life, actor.found = started(actor.world, handler)
        self._lives.append((actor.life, actor.world))
        self._look(actor)

    def go_on(self, actor: Actor) -> None:
        """Run an incarnation to its next step. Begin the node's next one if it is over or falls asleep."""
        actor.asleep, actor.found = False, actor.life.switch()
        self._look(actor)

    def _look(self, actor: Actor) -> None:
        """Carry out the last request of an incarnation."""
        node = any(actor is one for one in self.nodes)
        if isinstance(actor.found, tuple) and actor.found[0] == "raised":
            self.error = self.error or actor.found[1]
        elif actor.found == ASLEEP and node:
            sleeper = Actor(actor.node, actor.world, actor.life, STEP, actor.number, asleep=True)
            sleeper.world.actor = sleeper
            self.actors.append(sleeper)
            self.recorder.asleep.add(sleeper.number)
            self.falls_asleep(sleeper)
            self.begin(actor)
        elif actor.found == ASLEEP:  # an incarnation that slept before
            actor.found, actor.asleep = STEP, True
            self.falls_asleep(actor)
        elif node and not actor.world.stops and (actor.found == "died" or actor.found[0] == "gave up"):
            self.begin(actor)

    def falls_asleep(self, sleeper: Actor) -> None:
        """Called when an incarnation was put to sleep."""

    def post(self, request: Request, world: ActorWorld) -> None:
        """Keep a late request until it is due."""
        due = None if request.until is None else self.steps + request.until
        self.posted.append(Posted(request, due, world.actor.number))

    def arrive(self, posted: Posted) -> None:
        """Deliver a late request. A request that would have to wait, or whose incarnation is over, is dropped."""
        posted.arrived = True
        alive = any(actor.number == posted.life and actor.going for actor in self.actors)
        deliver(posted.request, self.stores, alive)

    def outcome(self, began: float, **more: Any) -> Run:
        """Return the `Run` up to here. `began` is when it began (`time.perf_counter`); `more` is what else it has."""
        return Run.of(
            "simulated", self.programs, self.plan, self.stores, self.recorder, error=self.error,
            seconds=time.perf_counter() - began, **more,
        )  # fmt: skip

    def close(self) -> None:
        """Dispose of all incarnations."""
        for life, world in self._lives:
            world.dead = True
            dispose(life, world)

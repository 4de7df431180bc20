"""The simulated world: incarnations of nodes, each suspended at a step, on stores in memory, under a fault plan.

Incarnations run in greenlets. Each step yields to the hub, which decides when, and whether, the incarnation goes on;
plain blocking Python needs no rewriting. Two drive the hub: `simulate`, by a fault plan and turns, a step each, or an
order drawn from a seed; and `Replayer`, by the decisions of a schedule. The hub has sleepers, too, and the network of
late requests. Greenlets are imported with the first run: the names of the library need none.

Many incarnations share one process. The changes of one to that process, in a module or in the environment, are its
own and end with it: when it continues, its changes are put in place, and when it stops at its next step, they are
removed. The places are those that its handler's code names. The contents of a learner's own module come with the
handler (see `pickle_handler`), or with an import that each incarnation repeats.
"""

import contextlib
import dis
import functools
import importlib
import importlib.util
import logging
import os
import random
import sys
import time
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from ..errors import CourseError, whole
from ..faults import Fault, FaultPlan
from ..node import Source, World
from ..node.access import awaited
from ..node.program import (
    Program,
    is_learners,
    live,
    load_inputs,
    modules_of_learners,
    pickle_handler,
    size_of,
    unpickle_handler,
)
from ..node.world import Chosen, Request, Stores, deliver
from ..pipeline import Handlers, checked_run
from ..stores import Blocked, MemoryStore, Origin, Reply, Store, Value
from ..stores.operations import OPERATIONS, ROWS
from ..trace import Event, Recorder
from ..verdict import Run
from ..verdict.verdict import endless, step_limit

STEP, WAITS, ASLEEP = "step", "waits", "asleep"  # the message of a suspended incarnation that may continue
LIFE_LIMIT = 50
HOLDABLE = (*ROWS, "prepared", "lock")  # what is waited for because somebody holds it
PATIENCE_STEPS = 100
interrupts: list[type[BaseException]] = [KeyboardInterrupt]  # what ends an incarnation beside its own world
_undisposed = []
WRITES = {"STORE_ATTR", "DELETE_ATTR"}
WRITERS = {"setattr", "delattr", "vars", "__dict__"}
ENVIRONMENT = {"environ", "putenv"}
OF_LOGGERS = {"setLevel", "level", "disabled", "propagate", "disable"}
GONE = object()


class Suspending:
    """The part of a simulated world for its one incarnation: switch to the hub, and suspend it for good."""

    @property
    def signals(self) -> tuple[type[BaseException], ...]:
        """The exceptions that are not the handler's own."""
        from greenlet import GreenletExit

        return GreenletExit, *interrupts

    def attach(self) -> None:
        """Belong to the greenlet that calls this: the hub."""
        from greenlet import getcurrent

        self.hub, self.patience = getcurrent(), None

    def leave(self, word: str = "died") -> NoReturn:
        """Suspend this incarnation for good, with a last word to the hub; it comes back only to be disposed of."""
        if self.patience:
            from greenlet import GreenletExit

            self.patience -= 1
            raise GreenletExit
        while True:
            self.hub.switch(word)


def started(world: Any, handler: Any) -> tuple[Any, Any]:
    """Return (a new incarnation of `handler` in `world`, its first message to the hub)."""
    life = _isolated()(live)
    return life, life.switch(world, handler)


def dispose(life: Any, world: Any) -> None:
    """Unwind a suspended incarnation, once nobody looks at its stores any more.

    A greenlet that is dropped does so by itself, but complains on the screen when the handler's `finally` asks for a
    step. Each such step dies again; a handler that catches even that, again and again, is kept for good.
    """
    if life:
        world.patience = PATIENCE_STEPS
        life.throw()
    if life:
        _undisposed.append(life)


@functools.cache
def _isolated() -> Any:
    """Return the class of greenlets for `live(world, handler)`."""
    from greenlet import greenlet

    return type("IsolatedGreenlet", (Isolated, greenlet), {})


class Isolated:
    """What a greenlet has so that it alone sees its changes to modules and to the environment."""

    places: Any = ()
    kept: Any = ()

    def switch(self, *arguments: Any) -> Any:
        """Go on, as a greenlet does."""
        if len(arguments) == 2 and not self:  # the incarnation begins
            self.places = [(place, dict(place)) for place in places_of(arguments[1])]
            anew = dict.fromkeys([module.__name__ for module in modules_of_learners()], GONE) if self.places else {}
            self.kept = [anew if place is sys.modules else {} for place, _ in self.places]
        return self._within(super().switch, arguments)  # type: ignore[misc]

    def throw(self, *arguments: Any) -> Any:
        """Raise in the greenlet."""
        return self._within(super().throw, arguments)  # type: ignore[misc]

    def _within(self, go: Callable[..., Any], arguments: Any) -> Any:
        if not self.places:
            return go(*arguments)
        for (place, _), changes in zip(self.places, self.kept, strict=False):
            _change(place, changes)
        try:
            return go(*arguments)
        finally:
            self.kept = [_differences(before, place) for place, before in self.places]
            for place, before in self.places:
                _change(place, _differences(place, before))


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return {name: value} of the names with another object in `after`; the value is GONE for a missing name."""
    changed = {name: value for name, value in dict(after).items() if not _same(value, before.get(name, GONE))}
    return changed | {name: GONE for name in dict(before) if name not in after}


def _same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) is str and one == other)  # the environment makes its texts anew


def _change(place: Any, changes: Mapping[str, Any]) -> None:
    for name, value in changes.items():
        if value is GONE:
            place.pop(name, None)
        else:
            place[name] = value


def places_of(handler: Any) -> Any:
    """Return the mappings outside its stores that a handler may write to: of modules, loggers, and the environment.

    A module of the learner's that it imports as it runs is imported by each incarnation anew, so that `sys.modules`
    is one.
    """
    function = getattr(handler, "func", handler)  # of a functools.partial
    if not isinstance(function, (types.FunctionType, types.MethodType)):
        function = getattr(type(function), "__call__", None)  # noqa: B004 - the method, not whether there is one
    names, imports, writes, waiting, seen = set(), set(), False, [function, *_methods(handler.__class__)], set()
    while waiting:
        found = waiting.pop()
        code, scope = getattr(found, "__code__", None), getattr(found, "__globals__", {})
        if code is None or code in seen:
            continue
        seen.add(code)
        named, imported, written = _named(code)
        names, imports, writes = names | named, imports | imported, writes | written
        values = {name: scope[name] for name in named if name in scope}
        names |= {value.__name__ for value in values.values() if isinstance(value, types.ModuleType)}
        waiting += [value for value in values.values() if isinstance(value, types.FunctionType)]
        kinds = [value if isinstance(value, type) else type(value) for value in values.values()]
        waiting += [method for kind in kinds for method in _methods(kind)]
    for name in imports if writes else ():  # before it does so itself, so that its changes are seen
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    modules = [sys.modules[name] for name in sorted(names) if name in sys.modules] if writes else []
    found = [vars(module) for module in modules] + [os.environ] * bool(names & ENVIRONMENT)
    if names & OF_LOGGERS:
        loggers = [logging.root, logging.root.manager, *logging.root.manager.loggerDict.values()]
        found += [vars(one) for one in loggers]
    return found + [sys.modules] * any(map(_is_learners, imports))


@functools.lru_cache(1024)
def _methods(kind: Any) -> list[types.FunctionType]:
    """Return the methods of a class that a learner wrote."""
    methods = [
        one
        for base in getattr(kind, "__mro__", ())
        for one in vars(base).values()
        if isinstance(one, types.FunctionType)
    ]
    return [one for one in methods if is_learners(one.__code__.co_filename)]


def _is_learners(name: str) -> bool:
    """Tell whether the module of this name is a learner's own. It need not have been imported yet."""
    file = getattr(sys.modules.get(name), "__file__", None)
    if name not in sys.modules:
        with contextlib.suppress(Exception):
            spec: Any = importlib.util.find_spec(name)
            file = spec.origin
    return isinstance(file, str) and is_learners(file)


@functools.lru_cache(1024)
def _named(code: types.CodeType) -> Any:
    """Return (all names in a code object and those within it, its imports, whether it may write an attribute)."""
    names, instructions = set(code.co_names), list(dis.get_instructions(code))
    imports = {found.argval for found in instructions if found.opname == "IMPORT_NAME"}
    writes = bool(names & WRITERS) or any(found.opname in WRITES for found in instructions)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            named, imported, written = _named(inner)
            names, imports, writes = names | named, imports | imported, writes | written
    return names, imports, writes


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

"""Replaying a schedule: the decisions of a search, carried out in a world with real stores and a flight recorder."""

import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from ..errors import BadInput, CourseError, whole
from ..faults import MOST, Fault, FaultPlan
from ..node.program import Program, live
from ..node.source import Record, Source
from ..node.world import Chosen, Life, Request, shown
from ..pipeline import Handlers, Window, programs_of
from ..stores import Blocked, Origin, Reply, Store, Value, describe
from ..trace import Event, life_name
from ..verdict import Run
from .schedule import (
    ARRIVAL,
    CRASH,
    DUPLICATE,
    LATE_DUPLICATE,
    LATE_REQUEST,
    LOST_REPLY,
    LOST_REQUEST,
    OPTION,
    PAUSE,
    STEP,
    STEP_AND_CRASH,
    WITH_CRASH,
    Decision,
    spent,
)
from .simulated_world import STEP as AT_A_STEP
from .simulated_world import Actor, ActorWorld, Hub

STRIKES = {
    CRASH: "crash before",
    STEP_AND_CRASH: "crash after",
    PAUSE: "pause",
    LOST_REQUEST: "lost request",
    LOST_REPLY: "lost reply",
    DUPLICATE: "duplicated request",
    LATE_REQUEST: "late request",
    LATE_DUPLICATE: "duplicated request",
}
STRIKES_FIRST = STRIKES | {kind: STRIKES[fault] for kind, fault in WITH_CRASH.items()}


SHOWN = (bool, int, float, str, Fraction, dict, Record, Window)  # what a handler's variable may be to be told


class ReplayDiverged(CourseError):
    """A schedule that this handler does not follow."""


def divergence(number: int) -> str:
    """Return the error text for a schedule whose decision of this number cannot be taken."""
    return (
        f"The handler does not follow this schedule: before its step {number + 1} it does something else than when "
        "the schedule was found. It is another handler, or not deterministic: random numbers, the clock, and the "
        "order of a set differ from incarnation to incarnation."
    )


class Pending(NamedTuple):
    """An incarnation before a step: its actor number, its node, and the event of the step.

    `options` are its options in words, if the step is a choice; `variables` are its handler's variables in words.
    `frames` are the functions in which it stands, the handler first, as (name, line counted from the function's own).
    """

    actor: int
    node: int
    event: Event
    asleep: bool
    options: tuple
    variables: tuple
    frames: tuple = ()


@dataclass
class Replay:
    """A schedule carried out: the run, with the plan of its faults, (life, step) of each decision, its text.

    An arrival is the step that sent the request. `waiting` are the nodes that wait at its end, as (node, the event
    that waits, the node that holds the lock or None); `pending` are all incarnations that stand at a step there.
    """

    run: Run
    schedule: list
    steps: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    waiting: list = field(default_factory=list)
    pending: list = field(default_factory=list)


def _pending(number: int, actor: Actor) -> Pending:
    """Return the step at which an actor's incarnation is suspended."""
    frame, inner, frames = actor.life.gr_frame, None, []
    options: tuple[str, ...] = ()
    while frame is not None and frame.f_code is not live.__code__:
        if frame.f_code is Life.choose.__code__:
            options = tuple(map(describe, frame.f_locals["options"]))
        frames.insert(0, (frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno + 1))
        frame, inner = frame.f_back, frame
    known = inner.f_locals if frame is not None and inner is not None else {}
    variables = []
    for name, value in known.items():
        with contextlib.suppress(Exception):  # a value within a value may be the learner's own, and fail in any way
            variables += [(name, describe(value))] if type(value) in SHOWN else []
    return Pending(number, actor.node, actor.world.event, actor.asleep, options, tuple(variables), tuple(frames))


class ReplayWorld(ActorWorld):
    """The world as one actor sees it, who follows the decisions."""

    order: Any = None
    event: Any = None
    option = 0

    def turn(self, event: Event) -> None:
        """Wait for the decision about this step."""
        self.order = None
        super().turn(event)

    def carry_out(self, store: Store, part: str, verb: str, arguments: tuple[Value, ...], origin: Origin) -> Reply:
        """Have a store do an operation that need not wait; where any sender will do, the decision names the one."""
        if verb == "take" and arguments == (None,):
            arguments = (self.option or None,)
        try:
            return store.do(part, verb, *arguments, origin=origin)
        except Blocked:
            self.leave("diverged")

    def choose(self, options: Sequence[Chosen]) -> Chosen:
        """Wait for the decision, unless the step was it."""
        if self.order is None or self.order.kind != OPTION:
            self.order = None
            if self.event is None:  # which stream comes first, in a read that is the first step
                self.event = Event(life_name(self.actor.number), "local", 0, "choose", "begin", self.actor.number, 0)
            self.hub.switch(AT_A_STEP)
        order, self.order = self.order, None
        if order is None or order.kind != OPTION or not 0 <= order.option < len(options):
            self.leave("diverged")
        return options[order.option]

    def striking(self, at: str, kind: Any, items: Any, life: Any) -> Iterator[tuple[str, Fault]]:
        """Yield the fault that the decision names."""
        order, wanted = self.order, None
        if order is not None:
            wanted = "crash" if order.kind == CRASH and kind == "crash" else STRIKES_FIRST.get(order.kind)
        if kind == wanted:
            self.order = order._replace(kind=STEP_AND_CRASH) if order.kind in WITH_CRASH else None
            until = MOST if WITH_CRASH.get(order.kind, order.kind) == LATE_DUPLICATE else None
            item = items[0] if items else None
            fault = Fault(
                at, item, kind, lives=(life,), node=self.number if len(self.programs) > 1 else None, until=until
            )
            self.run.faults.append(fault)
            yield f"{len(self.run.faults) - 1}.{life}", fault


class Replayer(Hub):
    """Replays schedules of the programs of all nodes."""

    world = ReplayWorld

    def __init__(self, programs: Sequence[Program]) -> None:
        super().__init__(programs, FaultPlan())
        self.faults, self._since = [], {}  # when what lasts began: {number of the fault: the count of steps}

    def replay(self, schedule: Iterable[Decision]) -> Replay:
        """Carry out the decisions and return a `Replay`. Raises `ReplayDiverged` when they cannot be followed."""
        began, taken = time.perf_counter(), []
        try:
            self.begin_all()
            for number, decision in enumerate(schedule):
                taken.append(self._decide(number, decision))
                self.steps += 1
            waiting = [found for actor in self.nodes if (found := self.waits(actor))]
            pending = [_pending(*pair) for pair in enumerate(self.actors) if pair[1].found == AT_A_STEP]
            self.plan = FaultPlan(tuple(self.faults))
            run = self.outcome(began)
        finally:
            self.close()
        steps, texts = [step for step, _ in taken], [text for _, text in taken]
        return Replay(run, list(schedule), steps, texts, waiting, pending)

    def post(self, request: Request, world: ActorWorld) -> None:
        """Keep a late request until the schedule lets it arrive."""
        super().post(request, world)
        self._since[len(self.faults) - 1] = self.steps
        self.posted[-1].due = len(self.faults) - 1

    def _lasted(self, fault: int) -> None:
        """Note of a fault that lasted how many steps were taken until it was over."""
        self.faults[fault] = replace(self.faults[fault], until=max(1, self.steps - self._since[fault]))

    def _decide(self, number: int, decision: Decision) -> tuple[tuple[int, int], str]:
        """Carry out one decision; return (life, step) of what took place, and its text."""
        if decision.kind == ARRIVAL:
            return self._arrival(number, decision)
        if decision.actor >= len(self.actors) or self.actors[decision.actor].found != AT_A_STEP:
            raise ReplayDiverged(divergence(number))
        actor = self.actors[decision.actor]
        world, event = actor.world, actor.world.event
        if actor.asleep:
            self._lasted(world.asleep_by)
        world.order = None if decision.kind == STEP else decision
        world.option = decision.option
        struck = len(self.faults)
        self.go_on(actor)
        if actor.found == "diverged" or len(self.faults) < struck + len(spent(decision.kind)):
            raise ReplayDiverged(divergence(number))
        return (event.life, event.step), event.text

    def falls_asleep(self, sleeper: Actor) -> None:
        """Note by which fault, and when."""
        sleeper.world.asleep_by = len(self.faults) - 1
        self._since[sleeper.world.asleep_by] = self.steps

    def _arrival(self, number: int, decision: Decision) -> tuple[tuple[int, int], str]:
        if decision.option >= len(self.posted) or self.posted[decision.option].arrived:
            raise ReplayDiverged(divergence(number))
        posted = self.posted[decision.option]
        request = posted.request
        if request.verb == "take" and request.arguments == (None,):
            posted.request = replace(request, arguments=(decision.actor or None,))
        self._lasted(posted.due)
        self.arrive(posted)
        life, step = request.origin.life, request.origin.step
        return (life, step), next(one.text for one in self.recorder.events_of(life) if one.step == step)

    def waits(self, actor: Actor) -> Any:
        """Return (node, event, its holder: a node or prepared transaction, or None) of a waiting node, or None."""
        if actor.found != AT_A_STEP or actor.world.asked is None:
            return None
        event, (store, part, verb, arguments) = actor.world.event, actor.world.asked
        if event.detail.get("part") != shown(store.name, part):  # it is at a step that asks nothing of a store
            return None
        why = store.waits_for(part, verb, *arguments)
        if why is None:
            return None
        holder = why.holder
        if event.verb == "acquire":
            holder = self.recorder.node_of[store.look(part, "lock")]
        elif isinstance(holder, int):
            holder = self.recorder.node_of[holder]
        return actor.node, event, holder


def in_turns(handlers: Handlers, turns: Iterable[int], job: Source | None = None) -> Run:
    """Carry out a schedule without faults, given as the numbers of the nodes, from 1, that take a step each.

    `handlers` has one for each node; no node needs to finish. Returns the `Run`. Raises `BadInput` for a node that is
    not there, and for one whose next step is a choice, or has to wait.
    """
    replayer = Replayer(programs_of(handlers, job))
    numbers = [whole("the number of a node", turn, least=1, most=len(replayer.programs)) for turn in turns]
    try:
        return replayer.replay([Decision(number - 1, STEP) for number in numbers]).run
    except ReplayDiverged:
        raise BadInput(
            f"The nodes cannot take steps in the order {numbers}: one has ended, waits, or has a choice."
        ) from None

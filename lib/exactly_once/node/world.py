"""A world, the interface between a run and its incarnations, and the life of one incarnation in it.

Worlds differ only in what a `World` says: a handler cannot tell them apart. In a `Life` each step is an intention, an
operation on a store and a reply; each can go wrong.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import FrameType
from typing import TYPE_CHECKING, NoReturn, TypeAlias, TypeVar

from ..clocks import LamportClock
from ..errors import BadInput, CourseError, OutcomeUnknown
from ..faults import Fault, FaultKind, FaultPlan, Point
from ..log.transactions.coordinator_machine import COORDINATOR_PART
from ..stores import Blocked, Origin, Reply, Store, Value, decode, describe, encode
from ..stores.interface import Inputs
from ..stores.operations import OPERATIONS, Operation
from ..trace import Detail, Event, Recorder, life_name, takeover

if TYPE_CHECKING:
    from .program import Program
    from .source import Reader

Chosen = TypeVar("Chosen")

ENGINE, DATABASE = "engine", "database"
MACHINE = "machines", "handler"  # (store, part) of a lock-free handler's register, where nothing else is said
CHECKPOINT = "checkpoint"  # the store of the logs of a micro-batch engine
QUEUES = "queues"  # the store of the cells of lock-free queues
COORDINATOR, OFFSETS = "coordinator", "offsets"  # the part of transactions beside the log


@dataclass(frozen=True)
class Request:
    """A request on its way in the network: its sender has gone on, and it arrives later, or never."""

    store: str
    part: str
    verb: str
    arguments: tuple[Value, ...]
    origin: Origin
    until: int | None = None


def deliver(request: Request, stores: Stores, alive: bool) -> None:
    """Carry out a late `Request` on one of the stores; `alive` tells whether the incarnation that sent it is.

    A request that would have to wait is dropped, and so is a request for an incarnation that is over.
    """
    store = stores[request.store]
    if alive or not store.owned(request.verb):
        with contextlib.suppress(Blocked, BadInput):
            store.do(request.part, request.verb, *request.arguments, origin=request.origin)


class Stores(dict[str, Store]):
    """The stores of a run by name; one that is asked for and not there yet is made by `make(name)`."""

    def __init__(self, make: Callable[[str], Store]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, name: str) -> Store:
        self[name] = self._make(name)
        return self[name]

    def close(self) -> None:
        """Close all stores."""
        for store in self.values():
            store.close()


class World(ABC):
    """A place where incarnations of handlers run: its stores, its recorder, its fault plan, and its form of a crash.

    `stores` are `Stores` that share nothing; `recorder` is the flight recorder; `plan` holds the faults; `programs`
    say what each node runs, and `number` which of the nodes, from 1 on, the incarnation is one of.
    """

    asked: tuple[Store, str, str, tuple[Value, ...]] | None = None  # the next step's store and request

    def __init__(
        self, stores: Stores, recorder: Recorder, plan: FaultPlan, programs: Iterable[Program], number: int = 1
    ) -> None:
        self.stores = stores
        self.recorder = recorder
        self.plan = plan
        self.programs = list(programs)
        self.number = number

    @property
    def signals(self) -> tuple[type[BaseException], ...]:
        """The exceptions with which this world itself ends an incarnation; they are not the handler's own."""
        return ()

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.programs)

    @property
    def program(self) -> Program:
        """The program of this incarnation's node."""
        return self.programs[self.number - 1]

    @property
    def engine(self) -> Store:
        """The engine's store: inputs, output, state, positions."""
        return self.stores[ENGINE]

    @property
    def database(self) -> Store:
        """The database, which is another system."""
        return self.stores[DATABASE]

    def store(self, name: str) -> Store:
        """Return the store of a name."""
        return self.stores[name]

    def writers_of(self, partition: str) -> tuple[int, ...]:
        """Return the numbers of the nodes that write to a partition."""
        outputs = enumerate((program.output for program in self.programs), 1)
        return tuple(number for number, output in outputs if getattr(output, "name", None) == partition)

    def senders_to(self, queue: str) -> tuple[int, ...]:
        """Return the numbers of the nodes whose transactions send to a queue of the engine's store."""
        return tuple(number for number, program in enumerate(self.programs, 1) if program.queue == queue)

    def fillers_of(self, queue: str) -> tuple[int, ...]:
        """Return the numbers of those who fill a queue of cells; of twins the first, since they end together."""
        return tuple(
            number for number, program in enumerate(self.programs, 1)
            if queue in program.feeds and self.programs.index(program) == number - 1
        )  # fmt: skip

    def turn(self, event: Event) -> None:  # noqa: B027 - most worlds have nothing to do here
        """Called before each step with the event that it will record: a scheduler may let others go first."""

    def begins(self, life: int) -> None:  # noqa: B027 - most worlds know when an incarnation is over
        """Called when an incarnation has begun: its predecessors are over, if nobody noticed that before."""

    def carry_out(self, store: Store, part: str, verb: str, arguments: tuple[Value, ...], origin: Origin) -> Reply:
        """Have a store do one operation. One that has to wait raises `Blocked`, or, in a real world, is tried
        again.
        """
        return store.do(part, verb, *arguments, origin=origin)

    def post(self, request: Request) -> None:
        """Leave a `Request` to the network, which delivers it later. Raises `CourseError` where there is none."""
        raise CourseError("This world has no network in which a request could be late.")

    def pause(self, fault: Fault, life: int) -> None:
        """Put an incarnation to sleep; return when it wakes up. Raises `CourseError` where nobody could wake it."""
        raise CourseError("This world cannot put an incarnation to sleep.")

    def free(self, life: int) -> None:
        """Let go of the locks of an incarnation that is over, in all stores."""
        for store in self.stores.values():
            store.free(life)

    def stopped(self) -> bool:
        """Tell whether the run was asked to stop."""
        return False

    def placement(self) -> Detail:
        """Return the facts about its process that the start of an incarnation records."""
        return {}

    def striking(self, at: str, kind: FaultKind, items: Collection[int], life: int) -> Iterator[tuple[str, Fault]]:
        """Yield (key, fault) for the faults that apply here."""
        return self.plan.striking(at, kind, items, life, self.number)

    @abstractmethod
    def choose(self, options: Sequence[Chosen]) -> Chosen:
        """Decide between options where the world is not deterministic."""

    @abstractmethod
    def die(self, fault: Fault, life: Life) -> None:
        """End this incarnation at once, without a trace of unwinding. Never returns."""

    def leave(self) -> NoReturn:
        """Called when a dead incarnation asks for a step, while it unwinds: nothing that it does may count."""
        raise SystemExit


def shown(store: str, part: str) -> str:
    """Return a part's name in a trace: with its store's name, unless it is the engine's or the database's."""
    return part if store in (ENGINE, DATABASE) else f"{store}.{part}"


class InputsEnded(BaseException):
    """Bounded inputs have ended: a read would wait for ever, so the incarnation ends in good order."""


class TooManySteps(BaseException):
    """A handler took more steps than any sensible one needs for its inputs."""


Sent: TypeAlias = tuple[Event | None, str, Reply | None, str]  # its sending, verb, reply (None: none comes), name


class Life:
    """Carries out the steps of one incarnation in a `World`: stamps and records them, and applies the fault plan.

    The intention is recorded before a step, so that a kill in between leaves no false trace; the store writes effect,
    stamp and origin in one transaction; the reply is recorded last.
    """

    pending: tuple[int, ...]  # where the source is a partition: see `LogReader`
    batch: tuple[int, ...]
    tried: bool

    def __init__(self, world: World, handler: Callable[..., object] | None = None) -> None:
        self.world = world
        self.code = getattr(getattr(handler, "listed", handler), "__code__", None)
        self.clock = LamportClock()
        self.number = world.recorder.begin(self.clock, world.placement())
        self.steps = 0
        self.item: int | None = None  # the item that was read last
        self.items: tuple[int, ...] = ()  # those that the present step is about
        self.inputs: Inputs = ()
        self.dead = self.locked = False
        self.entered: list[str] = []  # the names of the locks whose `with` blocks it is in
        self.acquired: dict[str, int] = {}  # {lock: the step that acquired it}
        self.in_flight: list[Sent] = []  # the results of requests that the handler has not heard of yet
        self.reader: Reader | None = None
        self.thread = threading.get_ident()
        # of a step from another thread: remembered, since nobody may look at what is raised there
        self.refusal: CourseError | None = None
        world.begins(self.number)

    def step(self, store: Store, part: str, verb: str, *arguments: Value, name: str, text: str) -> Value:
        """Carry out one operation on a store and return its value.

        `name` is the step's name in fault plans, `text` its text for people. Raises `OutcomeUnknown` when the plan
        loses the request or the reply.
        """
        event, reply = self._ask(store, part, verb, arguments, name, text)
        if reply is None:
            raise unknown(name)
        return self._hear(event, verb, reply)

    def send(self, store: Store, part: str, verb: str, *arguments: Value, name: str, text: str) -> None:
        """Ask a store without waiting for its reply, which `acknowledgement` gives: in the order of the requests."""
        event: Event | None
        reply: Reply | None
        try:
            event, reply = self._ask(store, part, verb, arguments, name, text)
        except OutcomeUnknown:  # raised by worlds that report a fault instead of performing it
            event = reply = None
        self.in_flight.append((event, verb, reply, name))

    def acknowledgement(self) -> Value:
        """Return the reply to the oldest request in flight; a step. Raises `OutcomeUnknown` when none comes."""
        if not self.in_flight:
            raise BadInput("No request is in flight, so no acknowledgement will come; send one first.")
        mine = self._begin("acknowledgement", "wait for the oldest acknowledgement")
        self._strike("log.acknowledgement", "crash before", mine)
        self._strike("log.acknowledgement", "pause", mine)
        event, verb, reply, name = self.in_flight.pop(0)
        if event is None or reply is None:
            self._record(replace(mine, stamp=self.clock.local(), text="no acknowledgement comes"))
            raise unknown(name)
        value = self._hear(replace(event, item=mine.item, line=mine.line), verb, reply)
        self._strike("log.acknowledgement", "crash after", mine)
        return value

    def _ask(
        self, store: Store, part: str, verb: str, arguments: tuple[Value, ...], name: str, text: str
    ) -> tuple[Event, Reply | None]:
        """Have a store carry out a request; return (the event of its sending, its `Reply`, or None if none comes)."""
        operation = OPERATIONS[verb]
        self.world.asked = store, part, verb, arguments
        detail: Detail = {"part": shown(store.name, part)}
        if verb == "take":
            detail["sender"] = arguments[0]
        if operation.connected:
            detail["asked"] = [verb, *arguments]
        if name == "log.send":  # several are on their way: which one this is
            detail |= {"values": [describe(value) for _, value in arguments[0]], **arguments[1]}
        event = self._begin(name.partition(".")[2], text, detail, self._concerns(name))
        self._strike(name, "crash before", event)
        self._strike(name, "pause", event)
        event = self._send(event)
        if self._strike(name, "lost request", event):
            return event, None
        origin = _origin(event, self.inputs)
        if late := self._strike(name, "late request", event):
            self._post(operation, store, part, arguments, origin, late.until)
            self._strike(name, "crash after", event)
            return event, None
        reply = self.world.carry_out(store, part, verb, arguments, origin)
        if self.reader is not None:
            self.reader.took_place(name)
        if (again := self._strike(name, "duplicated request", event)) and not operation.once:
            arguments = tuple(reply.value[:1]) if verb == "take" else arguments
            if again.until is not None:
                self._post(operation, store, part, arguments, origin, again.until)
            else:
                with contextlib.suppress(Blocked):  # nothing is left to take
                    store.do(part, verb, *arguments, origin=origin)
        self._strike(name, "crash after", event)
        if self._strike(name, "lost reply", event):
            return event, None
        return event, reply

    def _post(
        self,
        operation: Operation,
        store: Store,
        part: str,
        arguments: tuple[Value, ...],
        origin: Origin,
        until: int | None,
    ) -> None:
        """Leave a request to the network, as it is now; one that only reads is as good as lost."""
        if not operation.reads:
            arguments = tuple(decode(encode(list(arguments))))  # the sender goes on, and may change what it sent
            self.world.post(Request(store.name, part, operation.verb, arguments, origin, until))

    def _hear(self, event: Event, verb: str, reply: Reply) -> Value:
        """Receive a reply, and return its value."""
        stamp = self.clock.receive(reply.sent)
        if not self.world.recorder.silent:
            said = OPERATIONS[verb].answered(reply.value)
            message = f"{event.life}.{event.step}<"
            self._record(replace(event, kind="receive", stamp=stamp, verb="reply", text=said, message=message))
        return reply.value

    def _concerns(self, name: str) -> tuple[int, ...]:
        """Return the numbers of the items that a step is about."""
        if self.reader is not None:
            return self.reader.concerns(name)
        return () if self.item is None else (self.item,)

    def crash_point(self, letter: Point) -> None:
        """Pass a crash point: a step that does nothing, where a fault can strike."""
        event = self._begin("crash point", f"crash point {letter}")
        self._strike(letter, "pause", event)
        event = replace(event, stamp=self.clock.local(), detail={"point": letter})
        self._record(event)
        self._strike(letter, "crash", event)

    def choose(self, options: Sequence[Chosen], saying: str = "choose") -> Chosen:
        """Let the world decide between options; a step. The trace says which it was after the words `saying`."""
        event = self._begin("choose", "choose")
        self._strike("choose", "crash before", event)
        self._strike("choose", "pause", event)
        chosen = self.world.choose(options)
        self._record(replace(event, stamp=self.clock.local(), text=f"{saying} {describe(chosen)}"))
        self._strike("choose", "crash after", event)
        return chosen

    def close_output(self) -> None:
        """Note in this node's output, a partition or a queue, that its writer has ended."""
        program = self.world.program
        if program.queue is not None:
            queue, text = program.queue, f"close {program.queue}: its writer has ended"
            engine, number = self.world.engine, self.world.number
            self.step(engine, queue, "close_queue", number, name="queue.close", text=text)
        for queue in program.feeds:
            text, number = f"close {queue}: its writer has ended", self.world.programs.index(program) + 1
            self.step(self.world.store(QUEUES), queue, "close_cells", number, name="queue.close", text=text)
        name = getattr(program.output, "name", None)
        if name is not None and program.protocol != "abstract":
            log = self.world.store("log")
            self.step(
                log, name, "close", self.world.number, name="log.close", text=f"close {name}: its writer has ended"
            )
        if program.protocol in (1, 2):
            store, part = self.world.store(COORDINATOR), COORDINATOR_PART
            self.step(store, part, "leave", self.world.number, name="transaction.leave", text="leave the coordinator")

    def finish(self, verb: str, text: str) -> None:
        """Record how the incarnation ended in good order, or by the handler's own error."""
        self._let_go()
        self._record(Event(life_name(self.number), "local", self.clock.local(), verb, text, self.number, self.steps))

    def give_up(self, text: str) -> None:
        """Record that this life ended because it could not know an outcome: the next life takes over."""
        self._let_go()
        self._record(self._death(text, {}))

    def _begin(
        self, verb: str, text: str, detail: Detail | None = None, items: tuple[int, ...] | None = None
    ) -> Event:
        if threading.get_ident() != self.thread:
            self.refusal = CourseError(
                f"The step {text!r} was asked for by another thread; a handler takes its steps in its own."
            )
            raise self.refusal
        if self.dead:
            self.world.leave()
        self.steps += 1
        self.items = self._concerns(verb) if items is None else items
        event = Event(
            life_name(self.number),
            "local",
            self.clock.time,
            verb,
            text,
            self.number,
            self.steps,
            self.items[0] if self.items else self.item,
            line=self._line(),
            detail=detail or {},
        )
        self.world.turn(event)
        return event

    def _send(self, event: Event) -> Event:
        event = replace(event, kind="send", stamp=self.clock.send(), message=f"{self.number}.{self.steps}>")
        self._record(event)
        return event

    def _record(self, event: Event) -> None:
        self.world.recorder.record(event)

    def _strike(self, at: str, kind: FaultKind, event: Event) -> Fault | None:
        """Apply the first fault of the plan that strikes here; return it, or None. A crash does not return."""
        kinds: tuple[FaultKind, ...] = ("crash-stop", kind) if kind in ("crash", "crash before") else (kind,)
        for key, fault in (one for each in kinds for one in self.world.striking(at, each, self.items, self.number)):
            if self.world.recorder.fire(key):
                if fault.deadly:
                    self._die(fault, key)
                detail = {**event.detail, "fault": fault.kind, "key": key}
                self._note(event, "fault", fault.kind, detail)
                if kind == "pause":
                    self.world.pause(fault, self.number)
                    self._note(event, "wakes", "wakes up")
                return fault
        return None

    def _note(self, event: Event, verb: str, text: str, detail: Detail | None = None) -> None:
        """Record a fault that strikes this incarnation at a step."""
        stamp = self.clock.local()
        self._record(
            replace(event, kind="local", stamp=stamp, verb=verb, text=text, detail=detail or {}, message=None)
        )

    def _die(self, fault: Fault, key: str) -> None:
        self._record(self._death(f"SIGKILL {_place(fault)}", {"at": fault.place, "kill": fault.kill, "key": key}))
        self.dead = True
        self._let_go()
        self.world.die(fault, self)

    def _let_go(self) -> None:
        """Release the locks of this incarnation, as a database does when a session ends."""
        if self.locked:
            self.world.free(self.number)

    def _death(self, text: str, detail: Detail) -> Event:
        return Event(
            life_name(self.number),
            "send",
            self.clock.send(),
            "dies",
            text,
            self.number,
            self.steps,
            self.items[0] if self.items else self.item,
            message=takeover(self.number),
            line=self._line(),
            detail=detail,
        )

    def _line(self) -> int | None:
        """Return the line of the handler that is running, counted from its first line."""
        if self.code is None:
            return None
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            if (
                code.co_name == self.code.co_name
                and code.co_firstlineno == self.code.co_firstlineno
                and code.co_filename == self.code.co_filename
            ):
                return frame.f_lineno - code.co_firstlineno + 1
            frame = frame.f_back
        return None


def unknown(name: str) -> OutcomeUnknown:
    """Return the error for a handler when no reply came: the same, whether the request or the reply was lost."""
    return OutcomeUnknown(f"No reply to {name}: it was done or it was not, and a handler cannot know which.")


def _place(fault: Fault) -> str:
    return f"at {fault.at}" if fault.kind == "crash" else fault.place


def _origin(event: Event, inputs: Inputs) -> Origin:
    return Origin(event.life, event.step, event.item, event.stamp, inputs)

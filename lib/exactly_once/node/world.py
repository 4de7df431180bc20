"""The interface between a world and its incarnations. Worlds differ only here: a handler cannot tell them apart."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeVar

from ..errors import BadInput, CourseError
from ..faults import Fault, FaultKind, FaultPlan
from ..stores import Blocked, Origin, Reply, Store, Value
from ..trace.events import Detail, Event, Recorder

if TYPE_CHECKING:
    from .life import Life
    from .program import Program

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

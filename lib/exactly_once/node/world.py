"""What a world supplies to the lives in it. Worlds differ here and nowhere else: a handler cannot tell them apart."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeVar

from ..errors import BadInput, CourseError
from ..faults import Fault, FaultKind, FaultPlan
from ..stores import Blocked, Origin, Reply, Store
from ..stores.codec import Value
from ..trace.events import Detail, Event
from ..trace.recorder import Recorder

if TYPE_CHECKING:
    from .life import Life
    from .program import Program

Chosen = TypeVar("Chosen")

ENGINE, DATABASE = "engine", "database"
MACHINE = "machines", "handler"  # (store, part) of a lock-free handler's register, where nothing else is said
QUEUES = "queues"  # the store of the cells of lock-free queues
COORDINATOR, OFFSETS = "coordinator", "offsets"  # what transactions need besides the log


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
    """Carry out a late `Request` on one of the stores; `alive` tells whether the life that sent it is.

    What would have to wait is dropped, and so is what is for a life that is over.
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
    """A place where lives of handlers are lived: its stores, its recorder, its fault plan, and its way to die.

    `stores` are `Stores` that share nothing; `recorder` is the flight recorder; `plan` holds the faults; `programs`
    say what each node runs, and `number` which of the nodes, from 1 on, the life is one of.
    """

    asked: tuple[Store, str, str, tuple[Value, ...]] | None = None  # of which store, what its next step asks for

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
        """The exceptions by which this world itself ends a life, and which are not the handler's own."""
        return ()

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.programs)

    @property
    def program(self) -> Program:
        """What the node of this life runs."""
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

    def begins(self, life: int) -> None:  # noqa: B027 - most worlds know when a life is over
        """Called when a life has begun: those that it inherits from are over, if nobody noticed that before."""

    def carry_out(self, store: Store, part: str, verb: str, arguments: tuple[Value, ...], origin: Origin) -> Reply:
        """Have a store do one operation. One that has to wait raises `Blocked`, or, in a real world, is tried
        again.
        """
        return store.do(part, verb, *arguments, origin=origin)

    def post(self, request: Request) -> None:
        """Leave a `Request` to the network, which delivers it later. Raises `CourseError` where there is none."""
        raise CourseError("This world has no network in which a request could be late.")

    def pause(self, fault: Fault, life: int) -> None:
        """Put a life to sleep; return when it wakes up. Raises `CourseError` where nobody could wake it."""
        raise CourseError("This world cannot put a life to sleep.")

    def free(self, life: int) -> None:
        """Let go of the locks of a life that is over, in all stores."""
        for store in self.stores.values():
            store.free(life)

    def stopped(self) -> bool:
        """Tell whether the run was asked to stop."""
        return False

    def placement(self) -> Detail:
        """Return what the start of a life records about its process."""
        return {}

    def striking(self, at: str, kind: FaultKind, items: Collection[int], life: int) -> Iterator[tuple[str, Fault]]:
        """Yield (key, fault) for the faults that apply here."""
        return self.plan.striking(at, kind, items, life, self.number)

    @abstractmethod
    def choose(self, options: Sequence[Chosen]) -> Chosen:
        """Decide between options where the world is not deterministic."""

    @abstractmethod
    def die(self, fault: Fault, life: Life) -> None:
        """End this life at once, without a trace of unwinding. Never returns."""

    def leave(self) -> NoReturn:
        """Called when a dead life asks for a step, while it unwinds: nothing that it does may count."""
        raise SystemExit


def shown(store: str, part: str) -> str:
    """Return what a part is called in a trace: with its store's name, unless it is the engine's or the database's."""
    return part if store in (ENGINE, DATABASE) else f"{store}.{part}"

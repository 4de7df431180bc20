"""What a world supplies to the lives in it. Worlds differ here and nowhere else: a handler cannot tell them apart."""

import contextlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput, CourseError
from ..stores import Blocked, Origin

ENGINE, DATABASE = "engine", "database"


@dataclass(frozen=True)
class Request:
    """A request on its way in the network: its sender has gone on, and it arrives later, or never."""

    store: str
    part: str
    verb: str
    arguments: tuple
    origin: Origin
    until: int | None = None


def deliver(request, stores, alive):
    """Carry out a late `Request` on one of the stores; `alive` tells whether the life that sent it is.

    What would have to wait is dropped, and so is what is for a life that is over.
    """
    store = stores[request.store]
    if alive or not store.owned(request.verb):
        with contextlib.suppress(Blocked, BadInput):
            store.do(request.part, request.verb, *request.arguments, origin=request.origin)


class Stores(dict):
    """The stores of a run by name; one that is asked for and not there yet is made by `make(name)`."""

    def __init__(self, make):
        super().__init__()
        self._make = make

    def __missing__(self, name):
        self[name] = self._make(name)
        return self[name]

    def close(self):
        """Close all stores."""
        for store in self.values():
            store.close()


class World(ABC):
    """A place where lives of handlers are lived: its stores, its recorder, its fault plan, and its way to die.

    `stores` are `Stores` that share nothing; `recorder` is the flight recorder; `plan` holds the faults; `programs`
    say what each node runs, and `number` which of the nodes, from 1 on, the life is one of.
    """

    signals: tuple[
        Any, ...
    ] = ()  # exceptions by which this world itself ends a life, and which are not the handler's own

    def __init__(self, stores, recorder, plan, programs, number=1):
        self.stores = stores
        self.recorder = recorder
        self.plan = plan
        self.programs = list(programs)
        self.number = number

    @property
    def nodes(self):
        """How many nodes there are."""
        return len(self.programs)

    @property
    def program(self):
        """What the node of this life runs."""
        return self.programs[self.number - 1]

    @property
    def engine(self):
        """The engine's store: inputs, output, state, positions."""
        return self.stores[ENGINE]

    @property
    def database(self):
        """The database, which is another system."""
        return self.stores[DATABASE]

    def store(self, name):
        """Return the store of a name."""
        return self.stores[name]

    def writers_of(self, partition):
        """Return the numbers of the nodes that write to a partition."""
        outputs = enumerate((program.output for program in self.programs), 1)
        return tuple(number for number, output in outputs if getattr(output, "name", None) == partition)

    def turn(self, event):  # noqa: B027 - most worlds have nothing to do here
        """Called before each step with the event that it will record: a scheduler may let others go first."""

    def begins(self, life):  # noqa: B027 - most worlds know when a life is over
        """Called when a life has begun: those that it inherits from are over, if nobody noticed that before."""

    def carry_out(self, store, part, verb, arguments, origin):
        """Have a store do one operation. One that has to wait raises `Blocked`, or, in a real world, is tried
        again.
        """
        return store.do(part, verb, *arguments, origin=origin)

    def post(self, request):
        """Leave a `Request` to the network, which delivers it later. Raises `CourseError` where there is none."""
        raise CourseError("This world has no network in which a request could be late.")

    def pause(self, fault, life):
        """Put a life to sleep; return when it wakes up. Raises `CourseError` where nobody could wake it."""
        raise CourseError("This world cannot put a life to sleep.")

    def free(self, life):
        """Let go of the locks of a life that is over."""
        self.engine.free(life)

    def stopped(self):
        """Tell whether the run was asked to stop."""
        return False

    def placement(self):
        """Return what the start of a life records about its process."""
        return {}

    def striking(self, at, kind, items, life):
        """Yield (key, fault) for the faults that apply here."""
        return self.plan.striking(at, kind, items, life, self.number)

    @abstractmethod
    def choose(self, options):
        """Decide between options where the world is not deterministic."""

    @abstractmethod
    def die(self, fault, life):
        """End this life at once, without a trace of unwinding. Never returns."""

    def leave(self):
        """Called when a dead life asks for a step, while it unwinds: nothing that it does may count."""
        raise SystemExit


def shown(store, part):
    """Return what a part is called in a trace: with its store's name, unless it is the engine's or the database's."""
    return part if store in (ENGINE, DATABASE) else f"{store}.{part}"

"""What a world supplies to the lives in it. Worlds differ here and nowhere else: a handler cannot tell them apart."""

from abc import ABC, abstractmethod


class World(ABC):
    """A place where handlers live: its stores, its recorder, its fault plan, and its way to die.

    `engine` and `database` are two `Store`s that share nothing; `recorder` is the flight recorder; `plan` holds the
    faults; `job` is what the handler is to do; `number` is the node that the life is one of, of so many `nodes`.
    """

    number, nodes = 1, 1

    signals = ()  # exceptions by which this world itself ends a life, and which are not the handler's own

    def __init__(self, engine, database, recorder, plan, job):
        self.engine = engine
        self.database = database
        self.recorder = recorder
        self.plan = plan
        self.job = job

    def turn(self, event):  # noqa: B027 - most worlds have nothing to do here
        """Called before each step with the event that it will record: a scheduler may let others go first."""

    def begins(self, life):  # noqa: B027 - most worlds know when a life is over
        """Called when a life has begun: those that it inherits from are over, if nobody noticed that before."""

    def carry_out(self, store, part, verb, arguments, origin):
        """Have a store do one operation. One that has to wait raises `Blocked`, or, in a real world, is tried again."""
        return store.do(part, verb, *arguments, origin=origin)

    def free(self, life):
        """Let go of the locks of a life that is over."""
        self.engine.free(life)

    def stopped(self):
        """Tell whether the run was asked to stop."""
        return False

    def whereabouts(self):
        """Return what the start of a life records about its process."""
        return {}

    def striking(self, at, kind, item, life):
        """Yield (key, fault) for the faults that apply here."""
        return self.plan.striking(at, kind, item, life)

    @abstractmethod
    def choose(self, options):
        """Decide between options where the world is not deterministic."""

    @abstractmethod
    def die(self, fault, life):
        """End this life at once, without a trace of unwinding. Never returns."""

    def haunt(self):
        """Called when a dead life asks for a step, while it unwinds: nothing that it does may count."""
        raise SystemExit

"""The world of one life that is fed with the results of its steps: each of its steps asks what came of it."""

from greenlet import GreenletExit, getcurrent

from ..errors import BadInput
from ..faults import FaultPlan
from ..node import World
from ..node.life import unknown
from ..stores import Reply, Store
from ..stores.codec import decode
from .contents import KIND_OF, REFUSED, UNKNOWN


class SilentRecorder:
    """Records nothing: what a life does on its way to a state has been told, or will be told by a replay."""

    def begin(self, clock, detail=None):
        """Every life is the first."""
        clock.local()
        return 1

    def record(self, event):
        """Forget the event."""

    def fire(self, key):
        """Nothing strikes here."""
        return False


class Puppet(World):
    """The world of one life that is fed with results. Each of its steps asks the hub what came of it."""

    signals = (KeyboardInterrupt,)

    def __init__(self, job, contents, number, nodes):
        super().__init__(Fed("engine", self), Fed("database", self), SilentRecorder(), FaultPlan(), job)
        self.contents, self._number, self._nodes = contents, number, nodes
        self.hub = getcurrent()
        self.patience = None
        self.name = ""

    @property
    def number(self):
        """The node's number, unless equal nodes are taken for each other."""
        return self._number or self.ask("number")

    @property
    def nodes(self):
        """How many nodes there are."""
        return self.number and self._nodes

    def free(self, life):
        """Do nothing: the explorer knows who holds which lock."""

    def turn(self, event):
        """Pass a crash point, or note the name of the step that a store is about to be asked for."""
        if event.verb == "crash point":
            self.ask("point", name=event.text.rpartition(" ")[2])

    def choose(self, options):
        """Ask which option it is."""
        name, self.name = self.name, ""
        return options[self.ask("choose", options=len(options), name=name)]

    def ask(self, kind, **what):
        """Yield to the hub with the next step, and return its result."""
        if self.patience is not None:
            self.haunt()
        self.name = ""
        return self.hub.switch((kind, what))

    def haunt(self):
        """Leave for good."""
        if self.patience:
            self.patience -= 1
            raise GreenletExit
        while True:
            self.hub.switch(None)

    def striking(self, at, kind, item, life):
        """Note the name of the step; misfortunes come as results."""
        self.name = at
        return ()

    def die(self, fault, life):
        """Never called: no fault strikes."""
        raise AssertionError(f"{fault} struck a life that is fed with results")


class Fed(Store):
    """A store that asks the hub for each reply."""

    def __init__(self, name, world):
        self.name, self.world = name, world

    def do(self, part, verb, *arguments, origin=None):
        """Return the reply that the hub gives, or raise what it says."""
        refusal, contents = None, self.world.contents
        if KIND_OF.get(verb) == "lock":
            arguments = (
                self.world.number,
            )  # the explorer has its own; but a lock has a holder, so nodes are told apart
        try:
            checking.do(part, verb, *arguments)
            operation = contents.operation(self.name, part, verb, arguments)
        except BadInput as why:
            refusal, operation = why, contents.operation(self.name, part, "refused", [])
        name = self.world.name
        result = self.world.ask("store", operation=operation, name=name)
        if result == UNKNOWN:
            raise unknown(name)
        if result == REFUSED:
            raise refusal
        kind, text = contents.results[result]
        if kind == "error":
            raise BadInput(text)
        return Reply(decode(text), 0, 0)

    def _do(self, part, verb, arguments, origin):
        raise AssertionError("`do` answers")

    def fill(self, part, values):
        """Never called: the inputs are in the contents."""
        raise AssertionError("a fed store holds nothing")

    _look = journal = free = fill


class Checking(Store):
    """Checks arguments as every store does, and does nothing."""

    name = "engine"

    def _do(self, part, verb, arguments, origin):
        return None

    fill = _look = journal = free = _do


checking = Checking()

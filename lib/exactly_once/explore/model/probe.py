"""The world of one incarnation that is fed with the results of its steps: each step asks the hub for its result."""

import sys

from ...errors import BadInput
from ...faults import FaultPlan
from ...node import World
from ...node.life import unknown
from ...node.world import Stores
from ...simulate.suspended import Suspending
from ...stores import Reply, Store
from ...stores.codec import decode
from ...stores.operations import operation_named
from .store_contents import REFUSED, UNKNOWN


class SilentRecorder:
    """Records nothing: a replay tells the steps of an incarnation on its way to a state."""

    def begin(self, clock, detail=None):
        """Every incarnation is the first."""
        clock.local()
        return 1

    def record(self, event):
        """Forget the event."""

    def fire(self, key):
        """Nothing strikes here."""
        return False


class ProbeWorld(Suspending, World):
    """The world of one incarnation that is fed with results. Each of its steps asks the hub for its result.

    Its `number` is asked for unless it is given, so that equal nodes can be taken for each other.
    """

    def __init__(self, programs, contents, program, number):
        self._number = number
        super().__init__(
            Stores(lambda name: ScriptedStore(name, self)), SilentRecorder(), FaultPlan(), programs, number
        )
        self.contents, self._program = contents, program
        self.attach()
        self.name, self._asked = "", False
        self.handled = None  # the exception that the incarnation handles while it waits: no frame shows it

    @property
    def number(self):
        """The node's number, unless equal nodes are taken for each other."""
        return self._number or self.ask("number")

    @number.setter
    def number(self, number):
        self._number = number

    @property
    def nodes(self):
        """How many nodes there are."""
        return self.number and len(self.programs)

    @property
    def program(self):
        """The node's program."""
        return self._program

    def free(self, life):
        """Do nothing: the explorer knows who holds which lock."""

    def turn(self, event):
        """Pass a crash point or an acknowledgement, or note the name of the step that a store will be asked for."""
        self._asked = False
        if event.verb == "crash point":
            self.ask("point", name=event.text.rpartition(" ")[2])
        if event.verb == "acknowledgement":  # the result of the request was decided when it was sent
            self.ask("point", name="log.acknowledgement")

    def choose(self, options):
        """Ask which option it is."""
        name, self.name = self.name, ""
        return options[self.ask("choose", options=len(options), name=name, offered=repr(options))]

    def ask(self, kind, **what):
        """Yield to the hub with the next step, and return its result."""
        if self.patience is not None:
            self.leave()
        self.name, self._asked = "", True
        self.handled = sys.exception()
        result = self.hub.switch((kind, what))
        self.handled = None
        return result

    def striking(self, at, kind, items, life):
        """Note the name of the step that is about to be asked for; faults come as results."""
        if not self._asked:
            self.name = at
        return ()

    def die(self, fault, life):
        """Never called: no fault strikes."""
        raise AssertionError(f"{fault} struck an incarnation that is fed with results")


class ScriptedStore(Store):
    """A store that asks the hub for each reply."""

    def __init__(self, name, world):
        self.name, self.world = name, world

    def do(self, part, verb, *arguments, origin=None):
        """Return the reply that the hub gives, or raise what it says."""
        refusal, contents = None, self.world.contents
        try:
            operation = operation_named(self.name, verb)
            if operation.by_life:  # the explorer has its own numbers; but nodes are told apart
                arguments = (self.world.number, *(() if operation.kind == "lock" else arguments[1:]))
            operation.refuse(arguments)
            number = contents.operation(self.name, part, verb, arguments)
        except BadInput as why:
            refusal, number = why, contents.operation(self.name, part, "refused", [])
        name = self.world.name
        result = self.world.ask("store", operation=number, name=name)
        if result == UNKNOWN:
            raise unknown(name)
        if result == REFUSED:
            raise refusal
        kind, text = contents.results[result]
        if kind == "error":
            raise BadInput(text)
        return Reply(decode(text), 0, 0)

    def fill(self, part, values):
        """Never called: the inputs are in the contents."""
        raise AssertionError("a fed store holds nothing")

    _changing = _get = _put = _clock = _note = _looking = held = journal = free = fill

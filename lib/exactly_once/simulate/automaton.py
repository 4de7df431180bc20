"""A handler as an automaton: (local state, result of its step) → local state with its next step.

Python runs only for transitions that were not seen yet; a life is brought to its state by feeding it the results that
led there. A local state is told from others by its key (`values`), or, where something is hidden, by the state before
it and the result: that decides everything, too.
"""

import contextlib
from dataclasses import dataclass

from greenlet import GreenletExit, getcurrent, greenlet

from ..errors import BadInput, CourseError
from ..faults import FaultPlan
from ..node import World
from ..node.life import unknown
from ..node.live import live
from ..node.parcel import pack, unpack
from ..stores import Reply, Store
from ..stores.codec import decode
from ..verdict.ideal import step_limit
from .contents import REFUSED, UNKNOWN
from .values import Hidden, local_key

PATIENCE_STEPS = 100
MOST_VERIFIED = 20
_unburied = []


@dataclass(frozen=True)
class State:
    """One local state: the step that is next, or how the life ended.

    `kind` is "store", "point", "choose", or "ended", "gave up", "raised", "endless" (it took more
    steps than any sensible one needs). `operation` is a number of `Contents`,
    `name` the step's name in fault plans or the crash point's letter, `options` how many choices there are.
    """

    kind: str
    program: int
    operation: int = -1
    name: str = ""
    options: int = 0
    text: str = ""


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

    def __init__(self, job, contents):
        super().__init__(Fed("engine", self), Fed("database", self), SilentRecorder(), FaultPlan(), job)
        self.contents = contents
        self.hub = getcurrent()
        self.patience = None
        self.name = ""

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

    _look = journal = fill


class Checking(Store):
    """Checks arguments as every store does, and does nothing."""

    name = "engine"

    def _do(self, part, verb, arguments, origin):
        return None

    fill = _look = journal = _do


checking = Checking()


class Automaton:
    """The handlers of a world, learned step by step. `states` are all local states so far; `starts` those at birth.

    With `merge` False local states are told apart by their history alone. `beat()` is called before Python runs.
    """

    def __init__(self, handlers, job, contents, merge=True, beat=None):
        self.job, self.contents, self.merge, self.beat = job, contents, merge, beat
        self.parcels = [pack(handler) for handler in handlers]
        self.states, self.origin, self.arrows = [], [], {}
        self._number, self._parked, self._depth, self.limit = {}, {}, [], step_limit(job)
        self.ended = self._arrive(0, None, None, ("ended", None), None)
        self.starts = [self._begin(program) for program in range(len(handlers))]

    def next(self, state, result):
        """Return the local state after a result of the step that is next in `state`."""
        found = self.arrows.get((state, result))
        if found is None:
            if self.beat:
                self.beat()
            found = self.arrows[state, result] = self._learn(state, result)
        return found

    def history(self, state):
        """Return the results that lead to a state from the birth of its life."""
        results = []
        while self.origin[state] is not None:
            state, result = self.origin[state]
            results.append(result)
        return results[::-1]

    def close(self):
        """Bury the lives that wait at their steps."""
        for life, world in self._parked.values():
            bury(life, world)
        self._parked.clear()

    def _begin(self, program):
        life, world, found = self._born(program)
        return self._arrive(program, life, world, found, None)

    def _born(self, program):
        world, life = Puppet(self.job, self.contents), greenlet(live)
        return life, world, life.switch(world, unpack(self.parcels[program]))

    def _learn(self, state, result):
        program = self.states[state].program
        life, world = self._parked.pop(state, (None, None))
        if life is None:
            life, world = self._led_to(state)
        return self._arrive(program, life, world, life.switch(result), (state, result))

    def _led_to(self, state):
        """Return a life, and its world, that has been fed with the results that lead to a state."""
        way = [state]
        while self.origin[way[-1]] is not None:
            way.append(self.origin[way[-1]][0])
        way.reverse()
        life, world, found = self._born(self.states[state].program)
        for before, result in zip(way, [*self.history(state), None], strict=True):
            if not life or self._state(self.states[state].program, found) != self.states[before]:
                bury(life, world)
                raise Wavering(
                    "The handler is not deterministic: given the same replies again, it took another step. Random "
                    "numbers, the clock, and the order of a set differ from life to life; ask node.choose instead."
                )
            if before != state:
                found = life.switch(result)
        return life, world

    def verify(self):
        """Live some lives once more, up to their last steps. Raises `Wavering` when one takes another step."""
        last = [number for number, state in enumerate(self.states) if state.kind == "ended" and self.origin[number]]
        for number in last[:MOST_VERIFIED]:
            bury(*self._led_to(self.origin[number][0]))

    def _state(self, program, found):
        kind, what = found
        if isinstance(what, dict):
            return State(kind, program, **what)
        return State(kind, program, text=what or "")

    def _arrive(self, program, life, world, found, origin):
        """Return the number of the state in which a life now is, and keep the life there when it is a new one."""
        state = self._state(program, found)
        depth = self._depth[origin[0]] + 1 if origin else 0
        if life and depth > self.limit:
            bury(life, world)
            state, life = State("endless", program), None
        key = (state, origin)
        if not life:
            key = state
        elif self.merge:
            with contextlib.suppress(Hidden):
                key = (state, local_key(life.gr_frame, live.__code__))
        number = self._number.get(key)
        if number is not None:
            bury(life, world)
            return number
        number = self._number[key] = len(self.states)
        self.states.append(state)
        self.origin.append(origin)
        self._depth.append(depth)
        if life:
            self._parked[number] = life, world
        return number


class Wavering(CourseError):
    """A handler that does not do the same when all that it is told is the same."""


def bury(life, world):
    """Unwind a life that nobody needs any more. One that cannot be ended is kept, out of sight, for good."""
    if life:
        world.patience = PATIENCE_STEPS
        life.throw()
    if life:
        _unburied.append(life)

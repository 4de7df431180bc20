"""A handler as an automaton: (local state, result of its step) → local state with its next step; and all transitions.

Python runs only for transitions that were not seen yet; an incarnation is brought to its state by feeding it the
results that led there: in a `ProbeWorld` each of its steps asks for its result. A local state is told from others by
its key (`state_key`), or, where something is hidden, by the state before it and the result: that decides everything,
too. `Transitions` says how an actor can go on from a store state and a local state, faults included; it finds that
out once for each pair.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ...errors import BadInput, CourseError
from ...faults import FaultPlan
from ...node import Stores, World, live
from ...node.program import unpickle_handler
from ...node.world import unknown
from ...simulate.schedule import (
    AND_CRASH,
    ARRIVAL,
    CRASH,
    DUPLICATE,
    LATE,
    LATE_DUPLICATE,
    LATE_REQUEST,
    LOST_REPLY,
    LOST_REQUEST,
    OPTION,
    PAUSE,
    STEP,
)
from ...simulate.simulated_world import Suspending, dispose, started
from ...stores import Reply, Store
from ...stores.codec import decode
from ...stores.operations import OPERATIONS, operation_named
from ...trace import Recorder
from ...verdict.verdict import step_limit
from ..case import cost_of, holds
from .bytecode import stack_layout
from .frames import pickled_with_named_loops
from .shortcuts import GOES_FIRST
from .state_key import Hidden, local_key
from .states import GOING, NO_STATE, Budget, LocalState, StoreState
from .store_contents import REFUSED, UNKNOWN, asked_once, is_inputs
from .versions import watch_step

if TYPE_CHECKING:
    from greenlet import greenlet

    from ...faults import Fault
    from ...node import Program
    from ...node.world import Life
    from ...stores.interface import Origin
    from ...trace import Event
    from .store_contents import Contents, LateRequest
    from .versions import Version, VersionAbstraction, Watch


Asked: TypeAlias = tuple[str, Any]  # the kind of the step that an incarnation asks for, or of its end, and what of it

VERIFIED_LIVES, VERIFIED_TIMES = 20, 20  # incarnations at most, and runs in all
FEWEST = sys.getrefcount(object())  # references to what nothing else knows
ANYBODY = "[null]"  # the arguments of a receive that names no sender
NOT_DETERMINISTIC = (
    "The handler is not deterministic: {}. Random numbers, the clock, and the order of a set differ from one "
    "incarnation to the next; ask node.choose instead, and node.now for the hour."
)
DIFFERS = NOT_DETERMINISTIC.format("the same schedule had another outcome when it was replayed")


@dataclass(frozen=True)
class State:
    """One local state: the step that is next, or how the incarnation ended.

    `kind` is "store", "point", "choose", or "ended", "gave up", "raised", "endless" (it took more steps than any
    sensible one needs). `operation` is a number of `Contents`, `name` the step's name in fault plans or the crash
    point's letter, `options` how many choices there are, `offered` which. `program` is the node that it is a state
    of, or 0 while equal nodes are not told apart.
    """

    kind: str
    program: int
    operation: int = -1
    name: str = ""
    options: int = 0
    offered: str = ""  # the choices; the variables they came from may be gone
    text: str = ""


class NumberAsked(Exception):
    """The search treats equal nodes as interchangeable, and a node asks for its own number."""


class Automaton:
    """The programs of all nodes, learned step by step. `states` are all local states so far, `starts` those of the
    nodes.

    With `merge` False local states are told apart by their history alone. `beat()` is called before Python runs.
    With `symmetric` all nodes have the states of one (symmetry reduction), and `NumberAsked` is raised when a handler
    asks for its number, or for a lock, which has a holder.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        contents: Contents,
        symmetric: bool = False,
        merge: bool = True,
        beat: Callable[[], object] | None = None,
    ) -> None:
        self.programs, self.contents, self.merge, self.beat = programs, contents, merge, beat
        self.nodes, self.symmetric = len(programs), symmetric
        made = [pickled_with_named_loops(program.handler) for program in self.programs]
        self.pickled_handlers, self.code = [pickled for pickled, _ in made], {one for _, code in made for one in code}
        layouts = [stack_layout(code) for code in self.code]
        self.stores = set().union(*(one.stores for one in layouts)) if all(one.clean for one in layouts) else None
        # Whether something beside the caller has a reference to a handler, and so may call it once more.
        self.recurs = any(sys.getrefcount(unpickle_handler(one)) > FEWEST for one in self.pickled_handlers)
        self.states: list[State] = []
        self.keys: list[Any] = []
        self.origin: list[tuple[LocalState, int | None] | None] = []
        self.arrows: dict[tuple[LocalState, int | None], LocalState] = {}
        self.deepest = 0  # the most steps that led to a local state when it was first seen
        # Why the place of a local state cannot be seen, for those of which it cannot.
        self.unseen: dict[int, str] = {}
        # What `versions` finds out about local states, and about steps.
        self.abstracted: dict[LocalState, Any] = {}
        self.watched: set[tuple[LocalState, int | None]] = set()
        self.over: Callable[[], str] | None = None  # says why to stop now, or nothing
        self._number: dict[Any, LocalState] = {}
        self._parked: dict[LocalState, tuple[greenlet, ProbeWorld]] = {}
        self.depth: list[int] = []
        self.limit = step_limit(self.programs)
        self.ended = self._arrive(0, None, None, ("ended", None), None)
        starts = [self._arrive(one, *self.start_life(one), None) for one in range(1 if symmetric else self.nodes)]
        self.starts = starts * self.nodes if symmetric else starts

    def lost_sight(self) -> str:
        """Return in words the reason why incarnations have ever new states."""
        for why in self.unseen.values():
            return f"the place of an incarnation cannot be seen ({why}), so that each step leaves it in a new state"
        return "an incarnation goes on for ever, and each step changes its variables, as a count of attempts does"

    def next(self, state: LocalState, result: int | None) -> LocalState:
        """Return the local state after a result of the step that is next in `state`, or raise `Stopped`."""
        found = self.arrows.get((state, result))
        if found is None:
            if self.over and (why := self.over()):  # a step may have very many results
                raise Stopped(why)
            if self.beat:
                self.beat()
            found = self.arrows[state, result] = self._learn(state, result)
        return found

    def history(self, state: LocalState) -> list[tuple[LocalState, int | None]]:
        """Return the (state, result) pairs that lead to a state from the start of its incarnation."""
        pairs = []
        while self.origin[state] is not None:
            pairs.append(self.origin[state])
            state = pairs[-1][0]
        return pairs[::-1]

    def close(self) -> None:
        """Dispose of the incarnations that wait at their steps."""
        for life, world in self._parked.values():
            dispose(life, world)
        self._parked.clear()

    def start_life(self, program: int, watch: Watch | None = None) -> tuple[greenlet, ProbeWorld, Asked]:
        """Start an incarnation of a node, watched by a `Watch`, if given. Returns (life, world, first step)."""
        number = None if self.symmetric else program + 1
        world = ProbeWorld(self.programs, self.contents, self.programs[program], number, watch)
        life, found = started(world, unpickle_handler(self.pickled_handlers[program]))
        return life, world, found

    def _learn(self, state: LocalState, result: int | None) -> LocalState:
        program = self.states[state].program
        life, world = self._parked.pop(state, (None, None))
        if life is None:
            life, world = self._led_to(state)
        return self._arrive(program, life, world, life.switch(result), (state, result))

    def _led_to(self, state: LocalState) -> tuple[greenlet, ProbeWorld]:
        """Return an incarnation, and its world, that has been fed with the results that lead to a state."""
        life, world, found = self.start_life(self.states[state].program)
        for before, result in [*self.history(state), (state, None)]:
            if not life or self.state_of(self.states[state].program, found) != self.states[before]:
                dispose(life, world)
                raise Nondeterministic(NOT_DETERMINISTIC.format("given the same replies again, it took another step"))
            if before != state:
                found = life.switch(result)
        return life, world

    def verify(self) -> None:
        """Run some incarnations again, to their ends. Raises `Nondeterministic` when a step differs."""
        ends = [pair for pair, after in self.arrows.items() if self.states[after].kind == "ended"][:VERIFIED_LIVES]
        for state, result in ends * (VERIFIED_TIMES // max(1, len(ends))):
            life, world = self._led_to(state)
            program = self.states[state].program
            found = self.state_of(program, life.switch(result))
            dispose(life, world)
            if found.kind != "ended":
                raise Nondeterministic(DIFFERS)

    def key_of(self, life: greenlet, world: ProbeWorld) -> tuple[tuple[Any, ...], list[tuple[int, Version]]]:
        """Return what `local_key` does of a suspended incarnation."""
        return local_key(life, world.handled, live.__code__, self.stores, self.recurs)

    def state_of(self, program: int, found: Any) -> State:
        """Return the state of a node whose incarnation left with this message: its next step, or its end."""
        if not isinstance(found, tuple) or len(found) != 2:
            raise CourseError(
                f"The handler left its incarnation by itself, with {found!r}; it must take steps of the node only."
            )
        kind, what = found
        if isinstance(what, dict):
            return State(kind, program, **what)
        return State(kind, program, text=what or "")

    def _arrive(
        self,
        program: int,
        life: greenlet | None,
        world: ProbeWorld | None,
        found: Asked,
        origin: tuple[LocalState, int | None] | None,
    ) -> LocalState:
        """Return the number of an incarnation's state. Keep the incarnation there when the state is new."""
        if found[0] == "number":
            dispose(life, world)
            raise NumberAsked
        if self.contents.reliances.are_broken:
            dispose(life, world)
            self.contents.reliances.check()
        state = self.state_of(program, found)
        depth, hidden = self.depth[origin[0]] + 1 if origin else 0, None
        self.deepest = max(self.deepest, depth)
        if life and depth > self.limit:
            dispose(life, world)
            state, life, hidden = State("endless", program), None, self.unseen.get(origin[0])
        key = (state, origin)
        if not life:
            key = state
        elif self.merge:
            try:
                key = (state, self.key_of(life, world)[0])
            except Hidden as why:
                hidden = str(why)
        number = self._number.get(key)
        if number is not None:
            dispose(life, world)
            if origin and depth < self.depth[number]:  # a shorter way, along which to lead incarnations from now on
                self.origin[number], self.depth[number] = origin, depth
            return number
        number = self._number[key] = LocalState(len(self.states))
        self.states.append(state)
        self.keys.append(key)
        self.origin.append(origin)
        self.depth.append(depth)
        if life:
            self._parked[number] = life, world
        if hidden:
            self.unseen[number] = hidden
        return number


class Stopped(Exception):
    """A search is over in the middle of a step; the text says why."""


class Nondeterministic(CourseError):
    """A handler acted differently on equal inputs and equal results of its steps."""


class SilentRecorder(Recorder):
    """Records nothing: a replay tells the steps of an incarnation on its way to a state."""

    silent = True

    def record(self, event: Event) -> None:
        """Forget the event."""


class ProbeWorld(Suspending, World):
    """The world of one incarnation that is fed with results. Each of its steps asks the hub for its result.

    Its `number` is asked for unless it is given, so that equal nodes can be taken for each other.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        contents: Contents,
        program: Program,
        number: int | None,
        watch: Watch | None = None,
    ) -> None:
        self._number, self.watch = number, watch
        super().__init__(
            Stores(lambda name: ScriptedStore(name, self)), SilentRecorder(), FaultPlan(), programs, number
        )
        self.contents, self._program = contents, program
        self.attach()
        self.name, self._asked = "", False
        self.handled = None  # the exception that the incarnation handles while it waits: no frame shows it

    @property
    def number(self) -> int:
        """The node's number, unless equal nodes are taken for each other."""
        return self._number or self.ask("number")

    @number.setter
    def number(self, number: int) -> None:
        self._number = number

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return self.number and len(self.programs)

    @property
    def program(self) -> Program:
        """The node's program."""
        return self._program

    def free(self, life: Life) -> None:
        """Do nothing: the explorer knows who holds which lock."""

    def turn(self, event: Event) -> None:
        """Pass a crash point or an acknowledgement, or note the name of the step that a store will be asked for."""
        self._asked = False
        if event.verb == "crash point":
            self.ask("point", name=event.text.rpartition(" ")[2])
        if event.verb == "acknowledgement":  # the result of the request was decided when it was sent
            self.ask("point", name="log.acknowledgement")

    def choose(self, options: Sequence[Any]) -> Any:
        """Ask which option it is."""
        name, self.name = self.name, ""
        offered = re.sub(" at 0x[0-9a-f]+", "", repr(options))  # an object's place differs from run to run
        return options[self.ask("choose", options=len(options), name=name, offered=offered)]

    def ask(self, kind: str, **what: Any) -> Any:
        """Yield to the hub with the next step, and return its result."""
        if self.patience is not None:
            self.leave()
        self.name, self._asked = "", True
        self.handled = sys.exception()
        result = self.hub.switch((kind, what))
        self.handled = None
        return result

    def striking(self, at: str, kind: str, items: Any, life: Life) -> tuple[Fault, ...]:
        """Note the name of the step that is about to be asked for; faults come as results."""
        if not self._asked:
            self.name = at
        return ()

    def die(self, fault: Fault, life: Life) -> None:
        """Never called: no fault strikes."""
        raise AssertionError(f"{fault} struck an incarnation that is fed with results")


class ScriptedStore(Store):
    """A store that asks the hub for each reply."""

    def __init__(self, name: str, world: ProbeWorld) -> None:
        self.name, self.world = name, world

    def do(self, part: str, verb: str, *arguments: Any, origin: Origin | None = None) -> Reply:
        """Return the reply that the hub gives, or raise what it says."""
        refusal, contents = None, self.world.contents
        try:
            operation = operation_named(self.name, verb)
            if operation.by_life:  # the explorer has its own numbers; but nodes are told apart
                arguments = (self.world.number, *(() if operation.kind == "lock" else arguments[1:]))
            if self.world.watch is not None:
                arguments = self.world.watch.asked(self.name, part, verb, arguments)
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
        answer = decode(text)
        if self.world.watch is not None:
            answer = self.world.watch.answered(self.name, part, verb, answer)
        return Reply(answer, 0, 0)

    def fill(self, part: str, values: Any) -> None:
        """Never called: the inputs are in the contents."""
        raise AssertionError("a fed store holds nothing")

    _changing = _get = _put = _clock = _note = _looking = held = journal = free = fill


class Transition(NamedTuple):
    """One way to go on from a global state.

    `kind` and `option` are those of a `Decision`. `cost` is what it takes from the budget.
    `sleeper` is the local state of an incarnation that was put to sleep, else -1; `rests` is True when the actor's
    incarnation has ended or died, or has to wait, so that it is no preemption when another goes on. `arrived` is the
    late request that arrives, if one does.
    """

    kind: str
    option: int
    cost: Budget
    store_state: StoreState
    local: LocalState
    sleeper: LocalState
    rests: bool
    arrived: LateRequest | None = None

    def fits(self, budget: Budget) -> bool:
        """Tell whether a budget has the faults that this takes, if it takes any."""
        return not self.cost or holds(budget, self.cost)


class Transitions:
    """All transitions of all actors, for one kind of bounds, without those that the budget never allows.

    With an `abstraction`, versions of registers do not tell states apart, and what handlers do with them is watched.
    """

    def __init__(self, automaton: Automaton, budget: Budget, abstraction: VersionAbstraction | None = None) -> None:
        self.automaton, self.contents, self.budget = automaton, automaton.contents, budget
        self.abstraction = abstraction

    @asked_once
    def of(self, store_state: StoreState, local: LocalState, actor: int) -> tuple[Transition, ...]:
        """Return the transitions of an actor, a tuple. Of symmetric nodes it only counts whether it is a node."""
        alike = 0 if actor < self.automaton.nodes else self.automaton.nodes
        if self.automaton.symmetric and actor != alike:
            return self.of(store_state, local, alike)
        return tuple(self._find(store_state, local, actor))

    def fault_free(self, store_state: StoreState, local: LocalState, actor: int) -> list[Transition]:
        """Return the transitions of an actor that are no fault: none for one that has ended, or has to wait."""
        return [transition for transition in self.of(store_state, local, actor) if not transition.cost]

    @asked_once
    def is_independent(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        """Tell whether an actor's next step commutes with all steps and deaths of the others, and so can go first.

        This is partial-order reduction: they are a persistent set, which the search may follow alone (P. Godefroid,
        "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, 1996).

        Its step touches nothing that others change, or adds a record that the others can only wait for; no observer
        sees it; and if it is the last of its incarnation, that holds nothing which its end would free.
        """
        state = self.automaton.states[local]
        if state.kind not in GOING or (state.kind == "store" and not self._goes_first(store_state, local, actor)):
            return False
        afters = [
            (self.automaton.next(local, result), after) for _, after, result in self._ways(store_state, local, actor)
        ]
        return all(
            self.automaton.states[new].kind in GOING or self._frees_nothing(after, actor) for new, after in afters
        )

    def _frees_nothing(self, store_state: StoreState, actor: int) -> bool:
        """Tell whether an actor's incarnation holds no lock, row or session, and has no late request."""
        return self.contents.free(store_state, actor) == store_state

    def _goes_first(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        """Tell whether an actor's operation commutes with all that others do, and with their deaths.

        A message sent or received has its place among those of the same node, so that must not have two incarnations;
        and a second copy of a receive would take the message that comes next. Others may meet what an incarnation
        holds: then it makes a difference whether it dies before its message or after it.
        """
        store, part, verb, _ = self.contents.operations[self.automaton.states[local].operation]
        relied_on = GOES_FIRST.get(verb)
        if relied_on == "nobody's":
            return is_inputs(store, part)
        if relied_on == "refused for good":
            return self._has_lost(store_state, self.automaton.states[local].operation)
        if relied_on is None or self._has(LATE_REQUEST):
            return False
        if relied_on == "lets go":
            return True
        if self._has(PAUSE) or (relied_on == "its own" and self._has(DUPLICATE)):
            return False
        if self._has(CRASH) and not self._frees_nothing(store_state, actor):
            return False
        return relied_on == "only awaited" or self._is_named_and_there(store_state, local, actor)

    def _has_lost(self, store_state: StoreState, operation: int) -> bool:
        """Tell whether a compare-and-swap will be refused, now or later: its register is past that version.

        One that compares values may always be done later, when the value comes back; so may one of a cell that is
        moved away or held by a prepared transaction.
        """
        store, part, _, text = self.contents.operations[operation]
        version, _ = self.contents.content(store_state, store, part, "cell")
        expected = decode(text)[0]
        is_past = isinstance(expected, int) and expected < version
        return is_past and self.contents.reliances.holds("refused for good", store, part)

    def _is_named_and_there(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        """Tell whether a message of the sender that is waited for is there; any sender's is another matter."""
        operation = self.automaton.states[local].operation
        return self.contents.operations[operation][3] != ANYBODY and bool(self.fault_free(store_state, local, actor))

    def posts(self, local: LocalState, kind: str) -> bool:
        """Tell whether a decision of this kind about a local state's step leaves a request to the network.

        One that only reads is as good as lost: nobody would see it arrive.
        """
        if kind not in LATE:
            return False
        operation = OPERATIONS.get(self.contents.verb(self.automaton.states[local].operation))
        return operation is not None and not operation.reads

    def blocking(self, local: LocalState) -> bool:
        """Tell whether the next step of a local state may have to wait: for a message, or for a row that is held."""
        state = self.automaton.states[local]
        operation = OPERATIONS.get(self.contents.verb(state.operation)) if state.kind == "store" else None
        if operation is None:
            return False
        return operation.blocks or (not operation.reads and self.contents.holds_rows(state.operation))

    def _ways(
        self, store_state: StoreState, local: LocalState, actor: int
    ) -> Sequence[tuple[int, StoreState, int | None]]:
        """Return (option, store state after, result) of each way in which the next step can go without a fault."""
        state = self.automaton.states[local]
        if state.kind == "store":
            return self.contents.outcomes(store_state, state.operation, actor)
        if state.kind == "point":
            return [(0, store_state, None)]
        return [(option, store_state, option) for option in range(state.options)]

    def _find(self, store_state: StoreState, local: LocalState, actor: int) -> Iterator[Transition]:
        state, contents = self.automaton.states[local], self.contents
        if state.kind == "store":
            operation = OPERATIONS.get(contents.verb(state.operation))
            sure = operation is not None and operation.sure
            once = operation is not None and (operation.sure or operation.connected)
            copied = not once and (operation is None or not operation.once)
            for option, after, result in self._ways(store_state, local, actor):
                yield from self._step(STEP, option, after, local, result, actor)
                if result == REFUSED or contents.results[result][0] == "error":
                    continue  # it is raised before a reply can be lost, or a second copy be sent
                if self._has(LOST_REPLY) and not sure:
                    yield from self._step(LOST_REPLY, option, after, local, UNKNOWN, actor)
                if self._has(DUPLICATE) and copied:
                    twice = contents.again(after, state.operation, result, actor)
                    yield from self._step(DUPLICATE, option, twice, local, result, actor)
                    if self._has(LATE_REQUEST) and operation is not None and not operation.reads:
                        later = contents.post(after, state.operation, actor, result)
                        yield from self._step(LATE_DUPLICATE, option, later, local, result, actor)
            if self._has(LOST_REQUEST) and not sure:
                yield from self._step(LOST_REQUEST, 0, store_state, local, UNKNOWN, actor)
            # A request that only reads is as good as lost.
            if self._has(LATE_REQUEST) and not once and operation is not None:
                later = contents.post(store_state, state.operation, actor)
                yield from self._step(LATE_REQUEST, 0, later, local, UNKNOWN, actor)
        elif state.kind in GOING:
            for option, after, result in self._ways(store_state, local, actor):
                kind = OPTION if state.kind == "choose" else STEP
                yield from self._step(kind, option, after, local, result, actor)
        else:
            return
        if actor < self.automaton.nodes and (state.kind != "choose" or state.name):  # no death within a read
            start = self.automaton.starts[state.program]
            if self._has(CRASH):
                yield self._transition(CRASH, 0, contents.free(store_state, actor), start, rests=True)
            if self._has(PAUSE):
                yield self._transition(PAUSE, 0, store_state, start, sleeper=local, rests=True)

    def _step(
        self, kind: str, option: int, store_state: StoreState, local: LocalState, result: int | None, actor: int
    ) -> Iterator[Transition]:
        new = self.automaton.next(local, result)
        if self.abstraction is not None:
            watch_step(self.automaton, local, result)
        state = self.automaton.states[new]
        start, zombie = self.automaton.starts[state.program], actor >= self.automaton.nodes
        over = state.kind not in GOING
        if over:
            store_state = self.contents.free(store_state, actor)
        if state.kind == "gave up":
            new = self.automaton.ended if zombie else start
        rests = state.kind in ("ended", "gave up") or self.waits(store_state, new, actor)
        yield self._transition(kind, option, store_state, new, rests=rests)
        # after a crash point there is nothing to die of that the crash at the point is not
        dies = AND_CRASH.get(kind)
        ends = dies and state.kind == "ended" and self.automaton.states[local].kind == "store"
        if dies and ends and not zombie and self._has(CRASH):
            yield self._transition(dies, option, store_state, start, rests=True)

    def waits(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        """Tell whether an actor has to wait."""
        state = self.automaton.states[local]
        return self.blocking(local) and not self.contents.outcomes(store_state, state.operation, actor)

    def waits_for_input(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        """Tell whether an actor has to wait, and only since there is nothing to read yet."""
        place = store_state, self.automaton.states[local].operation, actor
        return self.waits(store_state, local, actor) and place in self.contents.without_input

    def arrivals(self, store_state: StoreState) -> Iterator[Transition]:
        """Yield the `Transition` of each late request that may arrive; nobody's local state changes."""
        for entry, option, after in self.contents.arrivals(store_state):
            yield Transition(ARRIVAL, option, Budget(0), after, NO_STATE, NO_STATE, False, entry)

    def _has(self, kind: str) -> int:
        return self.budget & 15 * cost_of(kind)

    def _transition(
        self,
        kind: str,
        option: int,
        store_state: StoreState,
        local: LocalState,
        sleeper: LocalState = NO_STATE,
        rests: bool = False,
    ) -> Transition:
        return Transition(kind, option, cost_of(kind), store_state, local, sleeper, rests)

"""How one actor can go on from a store state and a local state, faults included; found out once for each pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...simulate.decision import (
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
)
from ...stores.codec import decode
from ...stores.operations import OPERATIONS
from ..bounds import cost_of
from .shortcuts import GOES_FIRST
from .states import NO_STATE, Budget, LocalState, StoreState
from .store_contents import UNKNOWN, is_inputs

if TYPE_CHECKING:
    from .automaton import Automaton
    from .store_contents import LateRequest

GOING = ("store", "point", "choose")  # the kinds of local states that have a next step
ANYBODY = "[null]"  # the arguments of a receive that names no sender


class Transition(NamedTuple):
    """One way to go on from a global state.

    `kind` and `option` are those of a `Decision`. `cost` is what it takes from the budget and `required` the bits of
    the budget that must not be empty (all of them when it costs nothing). `sleeper` is the local state of an
    incarnation that was put to sleep, else -1; `rests` is True when the actor's incarnation has ended or died, or has
    to wait, so that it is no preemption when another goes on.
    `arrived` is the late request that arrives, if one does.
    """

    kind: str
    option: int
    cost: Budget
    required: int
    store_state: StoreState
    local: LocalState
    sleeper: LocalState
    rests: bool
    arrived: LateRequest | None = None


class Transitions:
    """All transitions of all actors, for one kind of bounds, without those that the budget never allows."""

    def __init__(self, automaton: Automaton, budget: Budget) -> None:
        self.automaton, self.contents, self.budget = automaton, automaton.contents, budget
        self._known: dict[tuple[StoreState, LocalState, int], tuple[Transition, ...]] = {}
        self._blocking: dict[LocalState, tuple[bool, bool]] = {}
        self._lost: dict[tuple[StoreState, int], bool] = {}

    def of(self, store_state: StoreState, local: LocalState, actor: int) -> tuple[Transition, ...]:
        """Return the transitions of an actor, a tuple. Of symmetric nodes it only counts whether it is a node."""
        if self.automaton.symmetric:
            actor = 0 if actor < self.automaton.nodes else self.automaton.nodes
        found = self._known.get((store_state, local, actor))
        if found is None:
            found = self._known[store_state, local, actor] = tuple(self._find(store_state, local, actor))
        return found

    def fault_free(self, store_state: StoreState, local: LocalState, actor: int) -> list[Transition]:
        """Return the transitions of an actor that are no fault: none for one that has ended, or has to wait."""
        return [transition for transition in self.of(store_state, local, actor) if not transition.cost]

    def is_independent(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        """Tell whether an actor's transitions can go first: after any steps of the others, the same would follow.

        This is partial-order reduction: they are a persistent set, which the search may follow alone (P. Godefroid,
        "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, 1996).

        Its step touches nothing that others change, or adds a record that the others can only wait for; and no
        observer sees it. A message sent or received has its place among those of the same node, so that must not have
        two incarnations.
        """
        state = self.automaton.states[local]
        if state.kind != "store":
            return state.kind in ("point", "choose")
        store, part, verb, _ = self.contents.operations[state.operation]
        relied_on = GOES_FIRST.get(verb)
        if relied_on == "nobody's":
            return is_inputs(store, part)
        if relied_on == "refused for good":
            return self._has_lost(store_state, state.operation)
        if relied_on is None or self._has(LATE_REQUEST):
            return False
        if relied_on == "lets go":
            return True
        if self._has(PAUSE):
            return False
        return relied_on == "only awaited" or self._is_named_and_there(store_state, local, actor)

    def _has_lost(self, store_state: StoreState, operation: int) -> bool:
        """Tell whether a compare-and-swap will be refused, now or later: its register is past that version.

        One that compares values may always be done later, when the value comes back; so may one of a cell that is
        moved away or held by a prepared transaction.
        """
        found = self._lost.get((store_state, operation))
        if found is None:
            store, part, _, text = self.contents.operations[operation]
            version, _ = self.contents.content(store_state, store, part, "cell")
            expected = decode(text)[0]
            found = isinstance(expected, int) and expected < version
            found = found and self.contents.reliances.holds("refused for good", store, part)
            self._lost[store_state, operation] = found
        return found

    def _is_named_and_there(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        """Tell whether a message of the sender that is waited for is there; any sender's is another matter."""
        operation = self.automaton.states[local].operation
        return self.contents.operations[operation][3] != ANYBODY and bool(self.fault_free(store_state, local, actor))

    def posts(self, local: LocalState, kind: str) -> bool:
        """Tell whether a decision of this kind about a local state's step leaves a request to the network.

        One that only reads is as good as lost: nobody would see it arrive.
        """
        if kind not in (LATE_REQUEST, LATE_DUPLICATE):
            return False
        operation = OPERATIONS.get(self.contents.verb(self.automaton.states[local].operation))
        return operation is not None and not operation.reads

    def blocking(self, local: LocalState) -> bool:
        """Tell whether the next step of a local state may have to wait: for a message, or for a row that is held."""
        found = self._blocking.get(local)
        if found is None:
            state = self.automaton.states[local]
            operation = OPERATIONS.get(self.contents.verb(state.operation)) if state.kind == "store" else None
            found = operation is not None and operation.blocks, operation is not None and not operation.reads
            self._blocking[local] = found
        blocks, writes = found
        return blocks or (writes and self.contents.holds_rows(self.automaton.states[local].operation))

    def _find(self, store_state: StoreState, local: LocalState, actor: int) -> Iterator[Transition]:
        state, contents = self.automaton.states[local], self.contents
        if state.kind == "store":
            operation = OPERATIONS.get(contents.verb(state.operation))
            sure = operation is not None and operation.sure
            once = operation is not None and (operation.sure or operation.connected)
            copied = not once and (operation is None or not operation.once)
            for option, after, result in contents.outcomes(store_state, state.operation, actor):
                yield from self._step(STEP, option, after, local, result, actor)
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
        elif state.kind == "point":
            yield from self._step(STEP, 0, store_state, local, None, actor)
        elif state.kind == "choose":
            for option in range(state.options):
                yield from self._step(OPTION, option, store_state, local, option, actor)
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
        ends = kind == STEP and state.kind == "ended" and self.automaton.states[local].kind == "store"
        if ends and not zombie and self._has(CRASH):
            yield self._transition(STEP_AND_CRASH, option, store_state, start, rests=True)

    def waits(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        """Tell whether an actor has to wait."""
        state = self.automaton.states[local]
        return self.blocking(local) and not self.contents.outcomes(store_state, state.operation, actor)

    def waits_for_input(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        """Tell whether an actor has to wait, and only since there is nothing to read yet."""
        return self.waits(store_state, local, actor) and self.contents.waits_for_input(
            store_state, self.automaton.states[local].operation, actor
        )

    def arrivals(self, store_state: StoreState) -> Iterator[Transition]:
        """Yield the `Transition` of each late request that may arrive; nobody's local state changes."""
        for entry, option, after in self.contents.arrivals(store_state):
            yield Transition(ARRIVAL, option, Budget(0), -1, after, NO_STATE, NO_STATE, False, entry)

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
        cost = cost_of(kind)
        return Transition(kind, option, cost, 15 * cost if cost else -1, store_state, local, sleeper, rests)

"""The possible ends of a run: whether some continuation ends right, and whether one without a further fault does.

This is reachability, computed by a search forward from the state (E. Clarke, E. Emerson, A. Sistla, TOPLAS 8(2),
1986: "there is a path on which in the end …"). A run ends right when every state of it satisfies the specification,
no handler fails, and the outcome is right when all nodes have ended.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..explore.search.search import NOBODY, Search

if TYPE_CHECKING:
    from ..explore.case import Bounds
    from ..explore.model.automaton import Automaton
    from ..explore.model.states import GlobalState, LocalState, StoreState
    from ..explore.search.search import Limits
    from ..explore.search.specification import Specification

OPEN, FAULT, BROKEN = "open", "fault", "broken"
RIGHT, WRONG = "right", "wrong"


class Outlook(Search):
    """The possible ends of states, for one specification within bounds.

    - "open": some way to go on, without any further fault, ends right;
    - "fault": no such way does, but one does in which another of the faults that are left strikes;
    - "broken": no way to go on ends right, with or without further faults. Once broken, always broken.

    That the nodes go on for ever is no end, so it is not right; nor is a deadlock.
    """

    def __init__(self, automaton: Automaton, specification: Specification, bounds: Bounds) -> None:
        super().__init__(automaton, specification, bounds, first=False)
        # Without a fault, and with those that are left.
        self._good: tuple[set[GlobalState], set[GlobalState]] = set(), set()
        self._bad: tuple[set[GlobalState], set[GlobalState]] = set(), set()

    def of(self, state: GlobalState, limits: Limits) -> str:
        """Return what a state, as `Search` has it, can come to; or "" when a limit was reached before that was known.

        Equal states, and those on the way to one that is known, are not searched again.
        """
        state = self.canonical(state)
        for faults, word in ((False, OPEN), (True, FAULT)):
            found = self._ends_right(state, faults, limits)
            if found is None:
                return ""
            if found:
                return word
        return BROKEN

    def canonical(self, state: GlobalState) -> GlobalState:
        """Return a state without who went last, and with equal nodes in their canonical order."""
        store_state, budget, _, locals_ = state
        if self.symmetric:
            locals_ = tuple(self._canonical(NOBODY, list(locals_))[1])
        return store_state, budget, NOBODY, locals_

    def end(self, state: GlobalState) -> str:
        """Return "right" or "wrong" of a state that settles the matter, or an empty text."""
        store_state, _, _, locals_ = state
        kinds = [self.automaton.states[local].kind for local in locals_]
        if "raised" in kinds or not self.specification.explains(store_state):
            return WRONG
        if any(kind != "ended" for kind in kinds[: self.nodes]):
            return ""
        return RIGHT if self.specification.right(store_state) else WRONG

    def _ends_right(self, root: GlobalState, faults: bool, limits: Limits) -> bool | None:
        """Tell whether a right end can be reached; None when a limit came first.

        States with few faults and switches between nodes come first: where there is a right end, one is near.
        """
        good, bad = self._good[faults], self._bad[faults]
        came_from: dict[GlobalState, GlobalState | None] = {root: None}
        waiting, self._budgets, seen = [(0, 0, root, NOBODY)], {}, 0
        while waiting:
            cost, _, state, last = heapq.heappop(waiting)
            if state in bad:
                continue
            seen += 1
            if limits.reached(seen):
                return None
            end = self.end(state)
            if end == RIGHT or state in good:
                on_the_way: GlobalState | None = state
                while on_the_way is not None:  # and so can all those on the way
                    good.add(on_the_way)
                    on_the_way = came_from[on_the_way]
                return True
            if end == WRONG:
                continue
            for extra, after, went in self._next(state, last, faults):
                if after not in came_from and not self._is_covered(after):
                    came_from[after] = state
                    heapq.heappush(waiting, (cost + extra, -len(came_from), after, went))
        bad.update(came_from)
        return False

    def _next(self, state: GlobalState, last: int, faults: bool) -> Iterator[tuple[int, GlobalState, int]]:
        """Yield (cost, state, last actor) for all successors of a state; only one of several independent actors goes.

        A pause counts wherever it strikes: a run that is already here cannot take an earlier pause instead.
        """
        store_state, _, _, locals_ = state
        alone = [actor for actor, local in enumerate(locals_) if self._is_unseen(store_state, local, actor)][:1]
        for actor, transition, (after, budget, went, others) in self.enabled(state, alone or None, ordered=True):
            if faults or not transition.cost:
                extra = (last not in (NOBODY, actor)) + 2 * (transition.cost > 0)
                yield extra, (after, budget, NOBODY, others), last if alone else went

    def _is_unseen(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        """Tell whether an actor's ways can go first; not those to a node's end, where what is left must be right."""
        transitions = self.transitions
        return transitions.is_independent(store_state, local, actor) and (
            actor >= self.nodes
            or all(
                self.automaton.states[one.local].kind != "ended" for one in transitions.of(store_state, local, actor)
            )
        )

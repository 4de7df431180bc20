"""Find obstacles to progress where no run ends wrong: an incarnation that waits, and steps that loop for ever.

A handler is lock-free if in every schedule some node makes progress, even if others stop (Herlihy, "Wait-Free
Synchronization", 1991). A handler whose incarnations are only sure to end when they run alone is obstruction-free.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ...simulate.schedule import Decision
from ..model.automaton import Transitions
from ..model.states import GOING, Budget, LocalState
from .search import NOBODY, Search, Violation

if TYPE_CHECKING:
    from ..model.automaton import Transition
    from ..model.states import Core, GlobalState, StoreState
    from .search import Limits

BLOCKED, ENDLESS = "blocked", "endless"
Trail: TypeAlias = "tuple[Trail, Decision] | None"  # decisions, the last one outermost
Alone: TypeAlias = "tuple[StoreState, LocalState, int]"  # where an actor is that runs alone
ENDS_WAITS = {"release", "put"}  # the operations that another may wait for, and that go first in the search


@dataclass
class Liveness:
    """The result on progress of a search that found no other violation.

    `breaking` keeps nodes from progress though none is stopped, so that it breaks the handler; `hindering` needs a
    node that is stopped. Each is the simplest `Violation` of its sort, or None. Its kind is "blocked" (an
    incarnation, left alone, does not end) or "endless" (several loop together, and each of them alone would end).
    Whenever some incarnation among others is blocked, one of the two is. `awaits_input` tells whether an incarnation
    waits for input, which is no violation. `stopped` is why this is not known.
    """

    breaking: Violation | None = None
    hindering: Violation | None = None
    awaits_input: bool = False
    stopped: str = ""


def judge_liveness(search: Search, limits: Limits) -> Liveness:
    """Return the `Liveness` of a search that found nothing else wrong."""
    automaton, bounds, cyclic = search.automaton, search.bounds, search.found.cyclic
    solo = SoloTermination(search.transitions)
    blocking = any(solo.transitions.blocking(LocalState(local)) for local in range(len(automaton.states)))
    if not cyclic and not blocking:
        return Liveness()
    graph = Graph(search, limits) if cyclic else None
    if graph is not None and graph.stopped:
        return Liveness(stopped=graph.stopped)
    fair = graph.fair() if graph else set()
    alone = bounds.nodes == 1 and not bounds.pauses
    is_blocked = (lambda core: False) if alone else solo.is_blocked
    ways = (BLOCKED, set(filter(is_blocked, fair))), (ENDLESS, fair)
    breaking = next(((kind, among) for kind, among in ways if among), None)
    hindering: tuple[str, set[Core]] | None = None
    if breaking is None or breaking[0] == ENDLESS:
        ended = {verb for _, _, verb, _ in automaton.contents.operations.values} & ENDS_WAITS
        # A step that ends another's wait goes first: states in which the other one waits may not have been seen.
        if not cyclic and ended and not any(map(is_blocked, map(core_of, search.states))):
            graph = Graph(search, limits, merge=True)
            if graph.stopped:
                return Liveness(stopped=graph.stopped)
        if any(map(is_blocked, graph.edges if graph else map(core_of, search.states))):
            hindering = BLOCKED, set()
        elif graph and cyclic and breaking is None and (circles := graph.circles()):
            hindering = ENDLESS, circles

    found = Liveness(awaits_input=solo.awaits_input)
    for name, wanted in (("breaking", breaking), ("hindering", hindering)):
        if wanted is not None:
            violation, found.stopped = _simplest(search, limits, solo, graph, *wanted, bool(fair))
            setattr(found, name, violation)
        if found.stopped:
            return Liveness(stopped=found.stopped)
    return found


def _simplest(
    search: Search,
    limits: Limits,
    solo: SoloTermination,
    graph: Graph | None,
    kind: str,
    among: Collection[Core],
    fair: bool,
) -> tuple[Violation | None, str]:
    """Return (the simplest `Violation` of a kind, to one of the states `among` if there are any, why it stopped)."""

    def reached(state: GlobalState) -> str | None:
        inside = not among or core_of(state) in among
        return kind if inside and (kind == ENDLESS or solo.is_blocked(core_of(state))) else None

    found = search.another(merge=False, goal=reached).in_order(limits)
    if found.violation is None:
        return None, found.stopped or "a state was not met again"
    violation, core = found.violation, core_of(found.state)
    if kind == BLOCKED:
        violation.actor = solo.blocked_node(core)
        more, violation.loop = solo.trail(core)
    elif graph is not None:
        more = graph.round_trip(core, fair)
        violation.loop = len(more)
    violation.schedule += more
    return violation, ""


def core_of(state: GlobalState) -> Core:
    """Return a state of a search without who went last: (store state, budget, local states)."""
    return state[0], state[1], state[3]


class SoloTermination:
    """Find whether an incarnation finishes if it runs alone for good. All its choices count.

    A wait for input counts as an end; `awaits_input` tells whether there was one. A handler is obstruction-free if
    all its incarnations finish alone (M. Herlihy, V. Luchangco, M. Moir, ICDCS 2003).
    """

    def __init__(self, transitions: Transitions) -> None:
        self.transitions, self.awaits_input = transitions, False
        self._known: dict[Alone, bool] = {}

    def is_blocked(self, core: Core) -> bool:
        """Tell whether some actor of a state does not finish when it runs alone."""
        return self.blocked_node(core) is not None

    def blocked_node(self, core: Core) -> int | None:
        """Return the first actor of a state that does not finish alone, or None."""
        for actor, local in enumerate(core[2]):
            if self._never_ends(core[0], local, actor):
                return actor
        return None

    def trail(self, core: Core) -> tuple[list[Decision], int]:
        """Return (the decisions of that actor up to where it waits, or has gone round; the length of the loop)."""
        actor = self.blocked_node(core)
        assert actor is not None, "it is asked of a blocked state alone"
        decisions: list[Decision] = []
        place, seen = (core[0], core[2][actor]), {}
        while place not in seen and not self._has_to_wait(*place, actor):
            seen[place] = len(decisions)
            transition = next(
                transition
                for transition in self.transitions.fault_free(*place, actor)
                if self._never_ends(transition.store_state, transition.local, actor)
            )
            decisions.append(Decision(actor, transition.kind, transition.option))
            place = self._abstracted(transition.store_state, transition.local)
        return decisions, len(decisions) - seen.get(place, len(decisions))

    def _never_ends(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        automaton = self.transitions.automaton
        who = automaton.nodes * (actor >= automaton.nodes) if automaton.symmetric else actor
        start = store_state, local, who
        if start not in self._known:
            self._explore(start)
        return self._known[start]

    def _explore(self, start: Alone) -> None:
        path, inside = [(start, self._further(start))], {start}
        while path:
            place, further = path[-1]
            after = next(further, None)
            if after is None:
                path.pop()
                inside.discard(place)
                self._known[place] = False
            elif after in inside or self._known.get(after):
                self._known |= dict.fromkeys(inside, True)
                return
            elif after not in self._known:
                path.append((after, self._further(after)))
                inside.add(after)

    def _further(self, place: Alone) -> Iterator[Alone]:
        if self._has_to_wait(*place):
            return iter([place])
        return (
            (*self._abstracted(transition.store_state, transition.local), place[2])
            for transition in self.transitions.fault_free(*place)
        )

    def _abstracted(self, store_state: StoreState, local: LocalState) -> tuple[StoreState, LocalState]:
        abstraction = self.transitions.abstraction
        if abstraction is not None:
            store_state, _, _, (local,) = abstraction.of((store_state, Budget(0), NOBODY, (local,)))
        return store_state, local

    def _has_to_wait(self, store_state: StoreState, local: LocalState, actor: int) -> bool:
        if not self.transitions.waits(store_state, local, actor):
            return False
        awaits_input = self.transitions.waits_for_input(store_state, local, actor)
        self.awaits_input |= awaits_input
        return not awaits_input


class Graph:
    """All states of a search, as `core_of` has them, with the steps between them, without any reduction.

    With `merge`, states that differ in nothing but the names of equal nodes are one.
    """

    def __init__(self, search: Search, limits: Limits, merge: bool = False) -> None:
        self.states, self.nodes, self.stopped = search.automaton.states, search.nodes, ""
        self.edges: dict[Core, list[tuple[int, Transition, Core]]] = {}
        search = search.another(merge)
        waiting = [search.start]
        while waiting and not self.stopped:
            state = waiting.pop()
            core = core_of(state)
            if core in self.edges:
                continue
            self.stopped = limits.reached(len(self.edges))
            steps = self.edges[core] = []
            for actor, transition, after in search.enabled(state):
                waiting.append(after)
                if not transition.cost:
                    steps.append((actor, transition, core_of(after)))

    def circles(self) -> set[Core]:
        """Return the states from which steps can lead back to them."""
        return {core for component in self._circles for core in component}

    def fair(self) -> set[Core]:
        """Return the states of circles in which each unfinished node takes steps, or has to wait at some time."""
        found = set()
        for component in self._circles:
            if self._is_fair(component):
                found |= component
        return found

    def _is_fair(self, component: set[Core]) -> bool:
        able = set(range(self.nodes))  # in every state, and so for ever
        for core in component:
            able &= {actor for actor, _, _ in self.edges[core]}
        locals_ = next(iter(component))[2]
        unfinished = any(self.states[local].kind in GOING for local in locals_[: self.nodes])
        return unfinished and able <= self._moving(component)

    def _moving(self, component: set[Core]) -> frozenset[int]:
        """Return the nodes that take steps within a component."""
        moving = {actor for core in component for actor, _, after in self.edges[core] if after in component}
        return frozenset(actor for actor in moving if actor < self.nodes)

    @functools.cached_property
    def _circles(self) -> list[set[Core]]:
        """The strongly connected components that hold a step (Tarjan, 1972), as sets of states."""
        return [
            component
            for component in components(self.edges)
            if any(after in component for core in component for _, _, after in self.edges[core])
        ]

    def round_trip(self, core: Core, fair: bool) -> list[Decision]:
        """Return the fewest decisions that lead from a state back to it; with `fair`, with steps of all that move."""
        component = next(one for one in self._circles if core in one)
        needed = self._moving(component) if fair else frozenset()
        seen: set[tuple[Core, frozenset[int]]] = set()
        waiting: deque[tuple[Core, frozenset[int], Trail]] = deque([(core, frozenset(), None)])
        while waiting:
            before, moved, trail = waiting.popleft()
            for actor, transition, after in self.edges[before]:
                now = moved | ({actor} & needed)
                longer: Trail = trail, Decision(actor, transition.kind, transition.option)
                if after == core and now == needed:
                    return _unwound(longer)
                if after in component and (after, now) not in seen:
                    seen.add((after, now))
                    waiting.append((after, now, longer))
        raise AssertionError("a component leads from each of its states to each")


def _unwound(trail: Trail) -> list[Decision]:
    decisions = []
    while trail is not None:
        trail, decision = trail
        decisions.append(decision)
    return decisions[::-1]


def components(edges: dict[Core, list[tuple[int, Transition, Core]]]) -> list[set[Core]]:
    """Return the strongly connected components of {state: [(actor, transition, state after)]}, as sets.

    R. Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM Journal on Computing 1(2), 1972.
    """
    number, low, stack, inside, found = {}, {}, [], set(), []
    for root in edges:
        if root in number:
            continue
        path = [(root, iter(edges[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        inside.add(root)
        while path:
            state, further = path[-1]
            after = next(further, (None, None, None))[2]
            if after is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[state])
                if low[state] == number[state]:
                    cut = stack.index(state) if stack[-1] != state else len(stack) - 1
                    found.append(set(stack[cut:]))
                    inside.difference_update(found[-1])
                    del stack[cut:]
            elif after not in number:
                number[after] = low[after] = len(number)
                stack.append(after)
                inside.add(after)
                path.append((after, iter(edges[after])))
            elif after in inside:
                low[state] = min(low[state], number[after])
    return found

"""What keeps nodes from getting on where no run ends wrong: a life that waits, and steps that go round for ever.

Lock-free is what some node gets on in whatever becomes of the others (Herlihy, "Wait-Free Synchronization", 1991); a
life that ends when it is left alone is obstruction-free only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...simulate.decision import Decision
from ..model.transitions import GOING, Transitions
from .search import Search, Violation

if TYPE_CHECKING:
    from ..bounds import Bounds
    from ..model.automaton import Automaton
    from ..model.states import Core, GlobalState
    from ..model.transitions import Transition
    from .search import Limits

BLOCKED, ENDLESS = "blocked", "endless"


@dataclass
class LivenessViolation:
    """What keeps a node from getting on: the simplest schedule that shows it, or why none was found.

    Its kind is "blocked" (a life, left alone, does not end) or "endless" (several go round together, though each
    alone would end). `fair` is True when no node is stopped in it, so that it breaks the handler.
    """

    violation: Violation | None
    fair: bool = False
    stopped: str = ""


def find_liveness_violation(
    automaton: Automaton, bounds: Bounds, states: Iterable[GlobalState], cyclic: bool, limits: Limits
) -> LivenessViolation | None:
    """Return a `LivenessViolation` of a search that found nothing else wrong, or None.

    `states` are its states; `cyclic` tells whether steps can lead back to where they began.
    """
    solo = SoloTermination(Transitions(automaton, bounds.budget))
    blocking = any(map(solo.transitions.blocking, range(len(automaton.states))))
    if not cyclic and not blocking:
        return None
    graph = Graph(automaton, bounds, limits) if cyclic else None
    if graph is not None and graph.stopped:
        return LivenessViolation(None, stopped=graph.stopped)
    among = fair = graph.fair() if graph else set()
    alone = bounds.nodes == 1 and not bounds.pauses
    blocked = not alone and any(solo.blocked_node(core) is not None for core in fair or map(core_of, states))
    kind = BLOCKED if blocked else ENDLESS
    if kind == ENDLESS and not fair:
        if not cyclic:
            return None
        among = graph.circles()

    def reached(state):
        inside = not among or core_of(state) in among
        return kind if inside and (kind == ENDLESS or solo.blocked_node(core_of(state)) is not None) else None

    found = Search(automaton, None, bounds, merge=False, goal=reached).in_order(limits)
    if found.violation is None:
        return LivenessViolation(None, stopped=found.stopped)
    violation, core = found.violation, core_of(found.state)
    if kind == BLOCKED:
        violation.actor = solo.blocked_node(core)
        more, violation.loop = solo.trail(core)
    else:
        more = graph.round_trip(core, bool(fair))
        violation.loop = len(more)
    violation.schedule += more
    return LivenessViolation(violation, bool(fair))


def core_of(state: GlobalState) -> Core:
    """Return a state of a search without who went last: (store state, budget, local states)."""
    return state[0], state[1], state[3]


class SoloTermination:
    """Does a life, left alone by all others for good, come to its end? All its choices count.

    One whose lives all do is obstruction-free (M. Herlihy, V. Luchangco, M. Moir, ICDCS 2003).
    """

    def __init__(self, transitions: Transitions) -> None:
        self.transitions, self._known = transitions, {}

    def blocked_node(self, core: Core) -> int | None:
        """Return the first actor of a state that alone does not come to its end, or None."""
        store_state, _, locals_ = core
        return next(
            (actor for actor, local in enumerate(locals_) if self._never_ends(store_state, local, actor)), None
        )

    def trail(self, core: Core) -> tuple[list[Decision], int]:
        """Return (the decisions of that actor up to where it waits, or has gone round; how many of them go round)."""
        actor = self.blocked_node(core)
        place, decisions, seen = (core[0], core[2][actor]), [], {}
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

    def _never_ends(self, store_state, local, actor):
        automaton = self.transitions.automaton
        who = automaton.nodes * (actor >= automaton.nodes) if automaton.symmetric else actor
        start = store_state, local, who
        if start not in self._known:
            self._explore(start)
        return self._known[start]

    def _explore(self, start):
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

    def _further(self, place):
        if self._has_to_wait(*place):
            return iter([place])
        return (
            (*self._abstracted(transition.store_state, transition.local), place[2])
            for transition in self.transitions.fault_free(*place)
        )

    def _abstracted(self, store_state, local):
        abstraction = self.transitions.automaton.abstraction
        if abstraction is not None:
            store_state, _, _, (local,) = abstraction.of((store_state, 0, None, (local,)))
        return store_state, local

    def _has_to_wait(self, store_state, local, actor):
        going = self.transitions.automaton.states[local].kind in GOING
        return going and not self.transitions.fault_free(store_state, local, actor)


@dataclass
class Graph:
    """All states of a search, as `core_of` has them, with the steps between them, without any reduction."""

    automaton: Automaton
    bounds: Bounds
    limits: Limits
    edges: dict[Core, list[tuple[int, Transition, Core]]] = field(default_factory=dict)
    stopped: str = ""

    def __post_init__(self) -> None:
        search = Search(self.automaton, None, self.bounds, merge=False)
        waiting = [search.start]
        while waiting and not self.stopped:
            state = waiting.pop()
            core = core_of(state)
            if core in self.edges:
                continue
            self.stopped = self.limits.reached(len(self.edges))
            steps = self.edges[core] = []
            for actor, transition, after in search.enabled(state):
                waiting.append(after)
                if not transition.cost:
                    steps.append((actor, transition, core_of(after)))
        self._components = None

    def circles(self) -> set[Core]:
        """Return the states from which steps can lead back to them."""
        return {core for component in self._circles() for core in component}

    def fair(self) -> set[Core]:
        """Return the states of circles in which each unfinished node takes steps, or has to wait at some time."""
        found = set()
        for component in self._circles():
            if self._is_fair(component):
                found |= component
        return found

    def _is_fair(self, component):
        able = set(range(self.bounds.nodes))  # in every state, and so for ever
        for core in component:
            able &= {actor for actor, _, _ in self.edges[core]}
        states, locals_ = self.automaton.states, next(iter(component))[2]
        unfinished = any(states[local].kind in GOING for local in locals_[: self.bounds.nodes])
        return unfinished and able <= self._moving(component)

    def _moving(self, component):
        """Return the nodes that take steps within a component."""
        moving = {actor for core in component for actor, _, after in self.edges[core] if after in component}
        return frozenset(actor for actor in moving if actor < self.bounds.nodes)

    def _circles(self):
        """Return the strongly connected components that hold a step (Tarjan, 1972), as sets of states."""
        if self._components is None:
            self._components = [
                component
                for component in components(self.edges)
                if any(after in component for core in component for _, _, after in self.edges[core])
            ]
        return self._components

    def round_trip(self, core: Core, fair: bool) -> list[Decision]:
        """Return the fewest decisions that lead from a state back to it; with `fair`, with steps of all that move."""
        component = next(one for one in self._circles() if core in one)
        needed = self._moving(component) if fair else frozenset()
        waiting, seen = deque([(core, frozenset(), None)]), set()
        while waiting:
            before, moved, trail = waiting.popleft()
            for actor, transition, after in self.edges[before]:
                now, longer = moved | ({actor} & needed), (trail, Decision(actor, transition.kind, transition.option))
                if after == core and now == needed:
                    return _unwound(longer)
                if after in component and (after, now) not in seen:
                    seen.add((after, now))
                    waiting.append((after, now, longer))
        raise AssertionError("a component leads from each of its states to each")


def _unwound(trail):
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

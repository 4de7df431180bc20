"""The search through all schedules: fewest misfortunes first, then fewest preemptions, then fewest steps.

A global state is what the stores hold, the misfortunes that are left, who went last, and the local state of each
actor; all of them whole numbers. In order, the first violation that is found is the one that is easiest to read. In
any order, which asks less of who went last, the search is faster, and says whether there is a violation at all.
"""

import copy
import heapq
import time
from dataclasses import dataclass, field

from ..verdict.ideal import step_limit
from .bounds import Decision
from .ways import Ways

FAULT, PREEMPTION = 1 << 40, 1 << 20
NOBODY = -1
HOPELESS = ("raised", "endless")
REPORT_EVERY = 1_000


@dataclass
class Found:
    """What a search found. `violation` is (kind, schedule, world), or None; `cost` is that schedule's.

    `exhausted` is True when nothing within the bounds was left out; `runs` counts the states in which all nodes have
    ended, `outcomes` are their worlds, `pairs` all (world, local state) of single actors.
    """

    states: int = 0
    runs: int = 0
    exhausted: bool = False
    violation: tuple | None = None
    cost: tuple = ()
    outcomes: set = field(default_factory=set)
    pairs: set = field(default_factory=set)
    stopped: str = ""


class Limits:
    """When to give up: too many states, too late, or asked to."""

    def __init__(self, states, seconds, progress=None, stopped=None, beat=None):
        self.states, self.progress, self.asked, self.beat = states, progress, stopped, beat
        self.seconds, self.deadline = seconds, time.perf_counter() + seconds
        self._most = [0]

    def but(self, states):
        """Return the same limits with fewer states."""
        fewer = copy.copy(self)
        fewer.states = min(states, self.states)
        return fewer

    def reached(self, settled):
        """Return why to stop after so many states, or an empty text."""
        if settled >= self.states:
            return f"the limit of {self.states:,} states was reached"
        if settled % REPORT_EVERY:
            return ""
        if self.beat:
            self.beat()
        if self.progress and settled > self._most[0]:  # a second search counts anew
            self._most[0] = settled
            self.progress(settled)
        if time.perf_counter() > self.deadline:
            return f"the {self.seconds:g} seconds were over"
        return "it was stopped" if self.asked and self.asked() else ""


class Search:
    """One search. `merge` False leaves equal nodes apart and every step to everybody, which is the plain search.

    `first` False goes on after a violation, to collect all outcomes.
    """

    def __init__(self, automaton, specification, bounds, merge=True, first=True):
        self.automaton, self.contents = automaton, automaton.contents
        self.specification, self.bounds, self.first = specification, bounds, first
        self.nodes, self.merge = bounds.nodes, merge
        self.symmetric = merge and bounds.nodes > 1 and len(set(automaton.starts)) == 1
        self.ways = Ways(automaton, bounds.purse)
        self.longest = step_limit(automaton.job) * (bounds.nodes + bounds.misfortunes)
        self.found = Found()
        starts = [automaton.starts[node % len(automaton.starts)] for node in range(self.nodes)]
        self.start = (0, bounds.purse, NOBODY, tuple(starts))
        self._parents = {self.start: None}
        self._best, self._heap, self._pushed = {self.start: 0}, [(0, 0, self.start)], 0

    def in_order(self, limits):
        """Search until a violation, the end, or a limit; then it can go on. Returns `Found`."""
        found, best, heap, parents = self.found, self._best, self._heap, self._parents
        while heap:
            found.stopped = limits.reached(found.states)
            if found.stopped:
                return found
            cost, _, state = heapq.heappop(heap)
            if cost > best[state]:
                continue
            if not self._settle(state, cost):
                if self.first:
                    return found
                if found.violation[0] in HOPELESS:
                    continue
            last = state[2]
            for actor, way, after in self._moves(state, range(len(state[3])), True):
                new = cost + 1 + (FAULT if way.price else 0)
                if last not in (NOBODY, actor):
                    new += PREEMPTION
                known = best.get(after)
                if known is None or new < known:
                    best[after] = new
                    parents[after] = state, actor, way
                    self._pushed += 1
                    heapq.heappush(heap, (new, self._pushed, after))
        found.exhausted = True
        return found

    def in_any_order(self, limits):
        """Search until a violation, the end, or a limit. Returns `Found`.

        A step that touches nothing of others goes before all others' steps: whenever it came, the same would follow.
        Only a life that goes round and round in such steps could hold others up, and that is found afterwards.
        """
        found, parents, waiting = self.found, self._parents, [(self.start, 0)]
        while waiting:
            found.stopped = limits.reached(found.states)
            if found.stopped:
                return found
            state, steps = waiting.pop()
            if not self._settle(state, steps):
                if self.first:
                    return found
                if found.violation[0] in HOPELESS:
                    continue
            locals_ = state[3]
            private = [actor for actor, local in enumerate(locals_) if self.merge and self.ways.is_private(local)]
            for actor, way, after in self._moves(state, private[:1] or range(len(locals_)), False):
                if after not in parents:
                    parents[after] = state, actor, way
                    waiting.append((after, steps + 1))
        found.exhausted = True
        return found

    def _settle(self, state, cost):
        """Count a state and look at it; return whether all is well. The low bits of its cost are steps."""
        world, _, _, locals_ = state
        found, states = self.found, self.automaton.states
        found.states += 1
        for local in locals_:
            found.pairs.add((world, local))
        kinds = [states[local].kind for local in locals_]
        ended = all(kind == "ended" for kind in kinds[: self.nodes])
        if ended:
            found.runs += 1
            found.outcomes.add(world)
        wrong = None
        if "raised" in kinds:
            wrong = "raised"
        elif "endless" in kinds or cost % PREEMPTION > self.longest:
            wrong = "endless"
        elif not self.specification.explains(world):
            wrong = "visible"
        elif ended and not self.specification.right(world):
            wrong = "outcome"
        if wrong and (found.violation is None or wrong == "raised"):
            found.violation = wrong, self.schedule(state), world
            found.cost = cost // FAULT, cost % FAULT // PREEMPTION, cost % PREEMPTION
        return not wrong

    def _moves(self, state, actors, ordered):
        """Yield (actor, way, next state) for all that can happen."""
        world, purse, _, locals_ = state
        nodes, ways_of, symmetric = self.nodes, self.ways.of, self.symmetric
        for actor in actors:
            for way in ways_of(world, locals_[actor], actor >= nodes):
                if purse & way.pocket or not way.price:
                    held = list(locals_)
                    held[actor] = way.local
                    if way.sleeper >= 0:
                        held.append(way.sleeper)
                    last = actor if ordered and not way.rests else NOBODY
                    if symmetric:
                        last, held = self._canonical(last, held)
                    yield actor, way, (way.world, purse - way.price, last, tuple(held))

    def _canonical(self, last, held):
        """Return one form for all states that differ in nothing but the names of equal actors."""
        if last == NOBODY:
            if len(held) == self.nodes:
                held.sort()
            else:
                held = sorted(held[: self.nodes]) + sorted(held[self.nodes :])
            return last, held
        order = self._order(held, last)
        return order.index(last), [held[actor] for actor in order]

    def _order(self, held, last):
        """Return the actors in canonical order: nodes, then sleepers; each by local state, who went last first."""
        return sorted(range(len(held)), key=lambda actor: (actor >= self.nodes, held[actor], actor != last, actor))

    def schedule_to(self, world, local):
        """Return the decisions that lead to a state, seen before, in which an actor has this local state."""
        for state in self._parents:
            if state[0] == world and local in state[3]:
                return self.schedule(state)
        raise KeyError((world, local))

    def schedule(self, state):
        """Return the decisions that lead to a state, with the actors by their own names."""
        way = []
        while self._parents[state] is not None:
            before, actor, taken = self._parents[state]
            way.append((before, actor, taken, state[2]))
            state = before
        names, schedule = list(range(self.nodes)), []
        for before, actor, taken, last in reversed(way):
            schedule.append(Decision(names[actor], taken.kind, taken.option))
            held = list(before[3])
            held[actor] = taken.local
            if taken.sleeper >= 0:
                held.append(taken.sleeper)
                names.append(len(names))
            if self.symmetric:
                names = [names[one] for one in self._order(held, NOBODY if last == NOBODY else actor)]
        return schedule

"""The search through all schedules: fewest faults first, then fewest preemptions, then fewest steps.

A global state is what the stores hold, the faults that are left, who went last, and the local state of each
actor; all of them whole numbers. In order, the first violation that is found is the one that is easiest to read. In
any order, which asks less of who went last, the search is faster, and says whether there is a violation at all.
"""

import copy
import functools
import heapq
import time
from dataclasses import dataclass, field

from ...simulate.decision import ARRIVAL, NETWORK, PAUSE, Decision
from ...verdict.ideal import step_limit
from ..bounds import KINDS
from ..model.transitions import GOING, Transitions
from .lasso import Late, lasso

FAULT, PREEMPTION = 1 << 40, 1 << 20
NOBODY = -1
HOPELESS = ("raised", "endless")
LOST = "lost"  # what may only be waiting, step after step, is not followed any further
DIVE = 10  # the part of the most steps of a life after which a search that goes deep first has lost its way
LOOK_EVERY, REPORT_EVERY = 50, 1_000  # states: at the clock, and to whoever wants to know
SUSPICIOUS = (128, 256, 512)  # steps of one schedule, after which a state is compared with those before it


@dataclass
class Violation:
    """What is wrong: its kind, as in a `Counterexample`, the schedule that leads there, and the world there.

    `loop` is how many of the last decisions can be repeated for ever, `actor` who waits, where that is what is wrong.
    """

    kind: str
    schedule: list
    world: int
    loop: int = 0
    actor: int | None = None


@dataclass
class Found:
    """What a search found. `violation` is the first `Violation`, or None; `cost` is that schedule's.

    `exhausted` is True when nothing within the bounds was left out; `runs` counts the states in which all nodes have
    ended, `outcomes` are their worlds. `lost` is True when steps went on without end that may wait for another node.
    `state` is the one where the violation was seen. `cyclic` is True when some steps can lead back to where they
    began.
    """

    states: int = 0
    runs: int = 0
    exhausted: bool = False
    violation: Violation | None = None
    cost: tuple = ()
    outcomes: set = field(default_factory=set)
    cyclic: bool = False
    lost: bool = False
    state: tuple = ()
    stopped: str = ""


@functools.cache
def remaining(budget):
    """Return how many faults are left in a budget."""
    return sum(budget >> 4 * place & 15 for place in range(len(KINDS)))


@functools.cache
def holds(more, budget):
    """Tell whether a budget holds as many faults of each kind as another."""
    return all(more >> 4 * place & 15 >= budget >> 4 * place & 15 for place in range(len(KINDS)))


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

    def over(self):
        """Return why to stop now, however much was done, or an empty text."""
        late = time.perf_counter() > self.deadline
        return (
            f"the {self.seconds:g} seconds were over"
            if late
            else "it was stopped" * bool(self.asked and self.asked())
        )

    def reached(self, settled):
        """Return why to stop after so many states, or an empty text."""
        if settled >= self.states:
            return f"the limit of {self.states:,} states was reached"
        if settled % LOOK_EVERY:
            return ""
        if time.perf_counter() > self.deadline:
            return self.over()
        if self.beat:
            self.beat()
        if settled % REPORT_EVERY:
            return ""
        if self.progress and settled > self._most[0]:  # a second search counts anew
            self._most[0] = settled
            self.progress(settled)
        return "it was stopped" if self.asked and self.asked() else ""


class Search:
    """One search. `merge` False leaves equal nodes apart and every step to everybody, which is the plain search.

    `first` False goes on after a violation, to collect all outcomes. With `goal` the search is for a state of which
    `goal(state)` is the kind of what is wrong, and for nothing else.
    """

    def __init__(self, automaton, specification, bounds, merge=True, first=True, goal=None):
        self.automaton, self.contents = automaton, automaton.contents
        self.specification, self.bounds, self.first, self.goal = specification, bounds, first, goal
        self.nodes, self.merge = bounds.nodes, merge
        self.accompanied = bounds.nodes > 1 or bounds.pauses > 0  # a life is not alone
        self.symmetric = merge and bounds.nodes > 1 and not automaton.numbered
        self.ways = Transitions(automaton, bounds.budget)
        self.longest = step_limit(automaton.programs) * (bounds.nodes + bounds.faults)
        self.found = Found()
        self.late = bounds.late_requests > 0
        self.start = (0, bounds.budget, NOBODY, tuple(automaton.starts))
        self._parents = {self.start: None}
        self._purses = {}  # with which budgets each state was seen
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
            wrong = self._settle(state, cost)
            if wrong and wrong != LOST and self.first:
                return found
            if wrong == LOST or (wrong and found.violation.kind in HOPELESS):
                continue
            last, moves = state[2], list(self._moves(state, range(len(state[3])), True))
            if self._is_deadlock(state, moves, cost) and self.first:
                return found
            for actor, way, after in moves:
                new = cost + 1 + (FAULT if way.price else 0)
                if last not in (NOBODY, actor) and actor != NETWORK:
                    new += PREEMPTION
                known = best.get(after)
                if known is None or new < known:
                    best[after] = new
                    parents[after] = state, actor, way
                    self._pushed += 1
                    heapq.heappush(heap, (new, self._pushed, after))
        return self._ended()

    def in_any_order(self, limits):
        """Search until a violation, the end, or a limit. Returns `Found`.

        A step that no other can tell from a later one goes before all others' steps: whenever it came, the same would
        follow. The search goes deep first, so whatever leads back to where it began is seen on the way. What costs a
        fault comes after everything that does not: where more faults are left, all can follow that can with
        fewer, so a state that was seen with more is not looked at again.
        """
        found, parents, path, inside = self.found, self._parents, [], set()
        later = [[] for _ in range(self.bounds.faults)]
        state = self.start
        while True:
            if state is not None:
                found.stopped = limits.reached(found.states)
                found.lost = found.lost or self._dives(state)
                if found.stopped or (found.lost and self.first):
                    return found
                moves = self._entered(state, len(path))
                if found.violation is not None and self.first:
                    return found
                path.append((state, iter(moves)))
                inside.add(state)
            before, moves = path[-1]
            state = None
            for actor, way, after in moves:
                if after in inside:
                    found.cyclic = True
                elif after in parents:
                    continue
                elif self.merge and way.price:
                    later[remaining(after[1])].append((before, actor, way, after))
                elif not self._is_covered(after):
                    parents[after] = before, actor, way
                    state = after
                    break
            else:
                path.pop()
                inside.discard(before)
                if not path:
                    state = self._next_of(later)
                    if state is None:
                        return self._ended()

    def _next_of(self, later):
        """Return the next of the states that were put off, those with the most faults left first, or None."""
        while later:
            while later[-1]:
                before, actor, way, after = later[-1].pop()
                if after not in self._parents and not self._is_covered(after):
                    self._parents[after] = before, actor, way
                    return after
            later.pop()
        return None

    def _is_covered(self, state):
        """Tell whether a state was seen with as many faults of each kind left, and note it if it was not."""
        world, budget, _, held = state
        budgets = self._purses.setdefault((world, held), [])
        if self.merge and any(holds(more, budget) for more in budgets):
            return True
        budgets.append(budget)
        return False

    def _entered(self, state, steps):
        """Settle a state after so many steps; return its moves, or none when there is nothing to be seen beyond
        it.
        """
        wrong = self._settle(state, steps)
        if wrong and (self.first or wrong == LOST or self.found.violation.kind in HOPELESS):
            return ()
        if steps in SUSPICIOUS and self._repeats(state, steps):
            return ()
        world, _, _, locals_ = state
        private = range(0)
        if self.merge:
            private = (actor for actor, local in enumerate(locals_) if self.ways.is_independent(world, local, actor))
        first = next(iter(private), None)
        moves = list(self._moves(state, range(len(locals_)) if first is None else (first,), False, first is None))
        self._is_deadlock(state, moves, steps)
        return moves

    def _ended(self):
        self.found.exhausted = not self.found.lost
        return self.found

    def _dives(self, state):
        """Tell whether a life goes on and on, in ever new states, while it may wait for another."""
        deepest = self.automaton.limit // DIVE
        if not (self.merge and self.accompanied and self.automaton.deepest > deepest):
            return False
        return any(self.automaton.depth[local] > deepest for local in state[3])

    def _repeats(self, state, steps):
        """Tell whether the steps to a state go round and round, though version numbers grow."""
        schedule = self.schedule(state)
        loop = lasso(self.ways, schedule)
        if loop:
            self._note("endless", schedule, state, steps)
            self.found.violation.loop = loop
        return bool(loop)

    @property
    def states(self):
        """All states that were seen."""
        return self._parents

    def _settle(self, state, cost):
        """Count a state and look at it; return what is wrong with it, if anything. The low bits of its cost are
        steps.

        A life that is not alone may wait for another, and one whose place cannot be seen may do anything: neither is
        called endless for its many steps.
        """
        world, _, _, locals_ = state
        found, states = self.found, self.automaton.states
        found.states += 1
        kinds = [states[local].kind for local in locals_]
        ended = all(kind == "ended" for kind in kinds[: self.nodes])
        if ended:
            found.runs += 1
            found.outcomes.add(world)
        wrong = None
        if self.goal is not None:
            wrong = self.goal(state)
        elif "raised" in kinds:
            wrong = "raised"
        elif "endless" in kinds or "gave up" in kinds or cost % PREEMPTION > self.longest:
            wrong = (
                LOST if self.accompanied or any(local in self.automaton.unseen for local in locals_) else "endless"
            )
            self.found.lost |= wrong == LOST
        elif not self.specification.explains(world):
            wrong = "visible"
        elif ended and not self.specification.right(world):
            wrong = "outcome"
        if wrong and wrong != LOST and (found.violation is None or wrong == "raised"):
            self._note(wrong, self.schedule(state), state, cost)
        return wrong

    def _is_deadlock(self, state, moves, cost):
        """Tell whether nodes wait and no actor can take a step."""
        if any(not way.price and actor != NETWORK for actor, way, _ in moves) or self.goal is not None:
            return False
        states = self.automaton.states
        stuck = any(states[local].kind in GOING for local in state[3][: self.nodes])
        if stuck and self.found.violation is None:
            self._note("deadlock", self.schedule(state), state, cost)
        return stuck

    def _note(self, kind, schedule, state, cost):
        self.found.violation, self.found.state = Violation(kind, schedule, state[0]), state
        self.found.cost = cost // FAULT, cost % FAULT // PREEMPTION, cost % PREEMPTION

    def moves(self, state):
        """Yield (actor, way, next state) for all that can happen in a state."""
        return self._moves(state, range(len(state[3])), False)

    def _moves(self, state, actors, ordered, network=True):
        """Yield (actor, way, next state) for all that can happen; without the `network`, no late request arrives."""
        world, budget, went, locals_ = state
        ways_of, free, symmetric = self.ways.of, self.contents.free, self.symmetric
        abstraction = self.automaton.abstraction
        for actor in actors:
            for way in ways_of(world, locals_[actor], actor):
                if (budget & way.required or not way.price) and (
                    ordered or not self._comes_early(way, actor, locals_)
                ):
                    held, after = list(locals_), way.world
                    held[actor] = way.local
                    if way.sleeper >= 0:
                        after = free(after, actor, len(held))  # what it holds it keeps
                        held.append(way.sleeper)
                    last = actor if ordered and not way.rests else NOBODY
                    if symmetric:
                        last, held = self._canonical(last, held)
                    state = after, budget - way.price, last, tuple(held)
                    yield actor, way, state if abstraction is None else abstraction.of(state)
        if network and self.late:
            for entry, way in self.ways.arrivals(world):
                after = way.world, budget, went if ordered else NOBODY, locals_
                yield NETWORK, way._replace(sleeper=entry), after if abstraction is None else abstraction.of(after)

    def _comes_early(self, way, actor, locals_):
        """Tell whether a pause need not be looked at, since it could as well come when that life began.

        The sleeper can take all steps of the life before it falls asleep here, and the next life can wait for that.
        """
        if way.kind != PAUSE or not self.merge or locals_[actor] == way.local:
            return False
        birth = self.automaton.states[way.local]
        return birth.kind != "choose" or birth.name != ""  # within a read, no life falls asleep

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

    def schedule(self, state):
        """Return the decisions that lead to a state, with the actors by their own names."""
        way = []
        while self._parents[state] is not None:
            before, actor, taken = self._parents[state]
            way.append((before, actor, taken, state[2]))
            state = before
        names, schedule, late = list(range(self.nodes)), [], Late(self.contents)
        for before, actor, taken, last in reversed(way):
            if actor == NETWORK:
                schedule.append(Decision(taken.option, ARRIVAL, late.arrived(taken.sleeper)))
                continue
            after = taken.world if taken.sleeper < 0 else self.contents.free(taken.world, actor, len(before[3]))
            late.noted(before[0], after, taken.kind)
            schedule.append(Decision(names[actor], taken.kind, taken.option))
            held = list(before[3])
            held[actor] = taken.local
            if taken.sleeper >= 0:
                held.append(taken.sleeper)
                names.append(len(names))
            if self.symmetric:
                names = [names[one] for one in self._order(held, NOBODY if last == NOBODY else actor)]
        return schedule

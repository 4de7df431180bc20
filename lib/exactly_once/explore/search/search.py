"""The search through all schedules: fewest faults first, then fewest preemptions, then fewest steps; and the loops.

A global state is the store state, the remaining faults, the last actor, and the local state of each actor; all of
them whole numbers. In order, by uniform cost (E. Dijkstra, "A Note on Two Problems in Connexion with Graphs",
Numerische Mathematik 1, 1959), the first violation that is found is the one that is easiest to read: most errors show
with few preemptions (M. Musuvathi and S. Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded
Programs", PLDI 2007). In any order, which forgets who went last, the search is faster, and says whether there is a
violation at all.

Where the versions of registers grow for ever, and nothing else does, a search that goes deep notices that, and begins
anew with a `VersionAbstraction`.
"""

from __future__ import annotations

import copy
import functools
import heapq
import itertools
import operator
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...errors import CourseError
from ...simulate.schedule import ARRIVAL, NETWORK, PAUSE, Decision
from ...verdict.verdict import step_limit
from ..case import holds, remaining
from ..model.automaton import Transitions
from ..model.states import BEGINNING, GOING, Budget
from ..model.versions import VersionAbstraction
from .specification import Specification

if TYPE_CHECKING:
    from ..case import Bounds
    from ..model.automaton import Automaton, Transition
    from ..model.states import GlobalState, LocalState, StoreState
    from ..model.store_contents import LateRequest


FAULT, PREEMPTION = 1 << 40, 1 << 20
NOBODY = -1
LOST = "lost"  # of an incarnation that may only be waiting
HOPELESS = ("raised", "endless", LOST)  # nothing after such a state is looked at
DIVE = 10  # after this part of the steps that an incarnation may take, a search that goes deep first is lost
LOOK_EVERY, REPORT_EVERY = 50, 1_000  # states: look at the clock, and report progress
LONGEST = 5_000  # decisions to the end of a run
SUSPICIOUS = (128, 256, 512)  # steps of one schedule, after which a state is compared with those before it


@dataclass
class Violation:
    """A violation: its kind, as in a `Counterexample`, the schedule that leads to it, and the store state there.

    `loop` is the number of last decisions that can be repeated for ever; `actor` is the waiting actor, if a wait is
    the violation.
    """

    kind: str
    schedule: list[Decision]
    store_state: StoreState
    loop: int = 0
    actor: int | None = None


@dataclass
class Found:
    """The result of a search. `violation` is the first `Violation`, or None.

    `exhausted` is True when nothing within the bounds was left out; `runs` counts the states in which all nodes have
    ended, `outcomes` are their store states. `lost` is True when steps went on without end that may wait for
    another node.
    `state` is the one where the violation was seen. `cyclic` is True when some steps can lead back to where they
    began.
    """

    states: int = 0
    runs: int = 0
    exhausted: bool = False
    violation: Violation | None = None
    outcomes: set[StoreState] = field(default_factory=set)
    cyclic: bool = False
    lost: bool = False
    state: GlobalState = BEGINNING, Budget(0), NOBODY, ()
    stopped: str = ""


joined = functools.cache(operator.add)  # one object for equal tuples, of which there are millions


class Limits:
    """When to give up: too many states, too late, or asked to."""

    def __init__(
        self,
        states: int,
        seconds: float,
        progress: Callable[[int], object] | None = None,
        stopped: Callable[[], object] | None = None,
        beat: Callable[[], object] | None = None,
    ) -> None:
        self.states, self.progress, self.asked, self.beat = states, progress, stopped, beat
        self.seconds, self.deadline = seconds, time.perf_counter() + seconds
        self._most = [0]

    def but(self, states: int) -> Limits:
        """Return the same limits with fewer states."""
        fewer = copy.copy(self)
        fewer.states = min(states, self.states)
        return fewer

    def over(self) -> str:
        """Return why to stop now, however much was done, or an empty text."""
        if time.perf_counter() > self.deadline:
            return f"the {self.seconds:g} seconds were over"
        return "it was stopped" if self.asked and self.asked() else ""

    def reached(self, settled: int) -> str:
        """Return why to stop after so many states, or an empty text."""
        if settled >= self.states:
            return f"the limit of {self.states:,} states was reached"
        if settled % LOOK_EVERY:
            return ""
        if self.beat:
            self.beat()
        if self.progress and settled % REPORT_EVERY == 0 and settled > self._most[0]:  # a second search counts anew
            self._most[0] = settled
            self.progress(settled)
        return self.over()


class Search:
    """One search. `merge` False is the plain one: each node is itself, each may take each step, pauses come anywhere.

    With `first` False the search continues after a violation, to collect all outcomes. With `goal` it looks only for
    a state where `goal(state)` returns the kind of a violation. `transitions` are those of a search within the same
    bounds, which this one shares. `costs` has the least cost of each state that was seen in order.
    """

    def __init__(
        self,
        automaton: Automaton,
        specification: Specification | None,
        bounds: Bounds,
        merge: bool = True,
        first: bool = True,
        goal: Callable[[GlobalState], str | None] | None = None,
        transitions: Transitions | None = None,
    ) -> None:
        self.automaton, self.contents = automaton, automaton.contents
        self.specification = specification or Specification()
        self.bounds, self.first, self.goal = bounds, first, goal
        self.nodes, self.merge = bounds.nodes, merge
        self.accompanied = bounds.nodes > 1 or bounds.pauses > 0  # an incarnation is not alone
        self.symmetric = merge and bounds.nodes > 1 and automaton.symmetric
        self.transitions = transitions or Transitions(automaton, bounds.budget)
        self.longest = step_limit(automaton.programs) * (bounds.nodes + bounds.faults)
        self.start: GlobalState = BEGINNING, bounds.budget, NOBODY, tuple(automaton.starts[: bounds.nodes])
        self._begin()

    def _begin(self) -> None:
        self.found = Found()
        self._parents: dict[GlobalState, GlobalState | None] = {self.start: None}
        self._inside: set[GlobalState] = set()  # the states on the way from the start to the one that is looked at
        self._whole: set[GlobalState] = set()  # those where no actor goes alone, though one could
        # With which budgets each state was seen.
        self._budgets: dict[tuple[StoreState, tuple[LocalState, ...]], tuple[Budget, ...]] = {}
        self.costs, self._heap, self._pushed = {self.start: 0}, [(0, 0, self.start)], itertools.count(1)

    def another(self, merge: bool, goal: Callable[[GlobalState], str | None] | None = None) -> Search:
        """Return a new search of the same transitions, which accepts everything but a `goal`."""
        return Search(self.automaton, None, self.bounds, merge, goal=goal, transitions=self.transitions)

    def in_order(self, limits: Limits) -> Found:
        """Search by uniform cost until a violation, the end, or a limit; then it can go on. Returns `Found`."""
        found, costs, heap, parents = self.found, self.costs, self._heap, self._parents
        while heap:
            found.stopped = limits.reached(found.states)
            if found.stopped:
                return found
            cost, _, state = heapq.heappop(heap)
            if cost > costs[state]:
                continue
            wrong = self._settle(state, cost)
            if wrong and wrong != LOST and self.first:
                return found
            if wrong in HOPELESS:
                continue
            last, enabled = state[2], self.enabled(state, ordered=True)
            if self._is_deadlock(state, enabled) and self.first:
                return found
            for actor, transition, after in enabled:
                new = cost + 1 + FAULT * remaining(transition.cost)
                if last not in (NOBODY, actor) and actor != NETWORK:
                    new += PREEMPTION
                known = costs.get(after)
                if known is None or new < known:
                    costs[after] = new
                    parents[after] = state
                    heapq.heappush(heap, (new, next(self._pushed), after))
        return self._ended()

    def in_any_order(self, limits: Limits) -> Found:
        """Search depth first until a violation, the end, or a limit. Returns `Found`.

        A step that no other can tell from a later one goes before all others' steps: whenever it came, the same would
        follow (partial-order reduction; `Transitions.is_independent`). The search goes deep first, so it meets each
        loop on its way. Transitions that cost a fault come last: with more faults left, everything can follow that
        can follow with fewer, so a state that was seen with more faults left is not searched again.
        """
        found, parents, path, inside = self.found, self._parents, [], self._inside
        later: list[list[GlobalState]] = [[] for _ in range(self.bounds.faults)]  # by the faults left after one more
        struck = self._struck(later)
        state: GlobalState | None = self.start
        while True:
            if state is not None:
                found.stopped = limits.reached(found.states)
                found.lost = found.lost or self._dives(state)
                if found.stopped or (found.lost and self.first):
                    return found
                inside.add(state)
                enabled = self._entered(state, len(path))
                if found.violation is not None and self.first:
                    return found
                if len(path) in SUSPICIOUS and self._repeats(state, [one for one, _ in path]):
                    abstraction = VersionAbstraction(self.automaton)
                    self.transitions = Transitions(self.automaton, self.bounds.budget, abstraction)
                    self._begin()
                    return self.in_any_order(limits)
                if self.merge and state[1] and enabled is not None:
                    later[remaining(state[1]) - 1].append(state)
                path.append((state, iter(enabled or ())))
            before, further = path[-1]
            state = None
            for _, _, after in further:
                if after in parents:
                    found.cyclic = found.cyclic or after in inside
                elif not self._is_covered(after):
                    parents[after] = before
                    state = after
                    break
            else:
                path.pop()
                inside.discard(before)
                if not path:
                    state = next(struck, None)
                    if state is None:
                        return self._ended()

    def _struck(self, later: list[list[GlobalState]]) -> Iterator[GlobalState]:
        """Yield each new state to which a fault leads from those in `later`, first where most faults are left."""
        while later:
            while later[-1]:
                before = later[-1].pop()
                for _, _, after in self.enabled(before, self._alone(before), faults=True):
                    if after not in self._parents and not self._is_covered(after):
                        self._parents[after] = before
                        yield after
            later.pop()

    def _is_covered(self, state: GlobalState) -> bool:
        """Tell whether a state was seen with as many faults of each kind left, and note it if it was not."""
        core, budget = (state[0], state[3]), state[1]
        budgets = self._budgets.get(core, ())
        if self.merge and budgets and any(holds(more, budget) for more in budgets):
            return True
        self._budgets[core] = joined(budgets, (budget,))
        return False

    def _entered(self, state: GlobalState, steps: int) -> Iterable[tuple[int, Transition, GlobalState]] | None:
        """Settle a state after so many steps; return what to look at next, or None if nothing after it need be."""
        wrong = self._settle(state, steps)
        if wrong and (self.first or wrong in HOPELESS):
            return None
        alone, faults = self._alone(state), False if self.merge else None
        enabled = self.enabled(state, alone, faults=faults)
        if alone and any(after in self._inside for _, _, after in enabled):  # round a loop nobody else would ever go
            self._whole.add(state)
            enabled = self.enabled(state, faults=faults)
        self._is_deadlock(state, enabled)
        return enabled

    def _alone(self, state: GlobalState) -> tuple[int] | None:
        """Return the actor that may go alone, before all others."""
        if self.merge and state not in self._whole:
            store_state, is_independent = state[0], self.transitions.is_independent
            for actor, local in enumerate(state[3]):
                if is_independent(store_state, local, actor):
                    return (actor,)
        return None

    def _ended(self) -> Found:
        self.found.exhausted = not self.found.lost
        return self.found

    def _dives(self, state: GlobalState) -> bool:
        """Tell whether an incarnation goes on and on, in ever new states, while it may wait for another."""
        most = self.automaton.limit // DIVE
        if not (self.merge and self.accompanied) or self.automaton.deepest <= most:
            return False
        return any(self.automaton.depth[local] > most for local in state[3])

    def _repeats(self, state: GlobalState, before: list[GlobalState]) -> bool:
        """Tell whether a state is like one of those before it, but for the versions of registers."""
        if self.transitions.abstraction is not None:  # they were one state, then
            return False
        abstraction = VersionAbstraction(self.automaton)
        seen, _ = abstraction.store_state(state[0])
        alike = (one for one in reversed(before) if abstraction.store_state(one[0])[0] == seen)
        return any(abstraction.of(one) == abstraction.of(state) for one in alike)

    @property
    def states(self) -> Iterable[GlobalState]:
        """All states that were seen."""
        return self._parents

    def _settle(self, state: GlobalState, cost: int) -> str | None:
        """Count a state and look at it; return what is wrong with it, if anything. The low bits of its cost are
        steps.

        An incarnation that is not alone may wait for another, and one whose place cannot be seen may do anything:
        neither is called endless for its many steps.
        """
        store_state, _, _, locals_ = state
        found, states = self.found, self.automaton.states
        found.states += 1
        kinds = [states[local].kind for local in locals_]
        ended = kinds[: self.nodes].count("ended") == self.nodes
        if ended:
            found.runs += 1
            found.outcomes.add(store_state)
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
        elif not self.specification.explains(store_state):
            wrong = "visible"
        elif ended and not self.specification.right(store_state):
            wrong = "outcome"
        if wrong and wrong != LOST and (found.violation is None or wrong == "raised"):
            self._note(wrong, state)
        return wrong

    def _is_deadlock(self, state: GlobalState, enabled: Iterable[tuple[int, Transition, GlobalState]]) -> bool:
        """Tell whether nodes wait and no actor can take a step."""
        for actor, transition, _ in enabled:
            if not transition.cost and actor != NETWORK:
                return False
        states = self.automaton.states
        stuck = self.goal is None and any(states[local].kind in GOING for local in state[3][: self.nodes])
        if stuck and self.found.violation is None:
            self._note("deadlock", state)
        return stuck

    def _note(self, kind: str, state: GlobalState) -> None:
        self.found.violation, self.found.state = Violation(kind, self.schedule(state), state[0]), state

    def enabled(
        self,
        state: GlobalState,
        only: Iterable[int] | None = None,
        ordered: bool = False,
        faults: bool | None = None,
    ) -> list[tuple[int, Transition, GlobalState]]:
        """Return (actor, transition, next state) of all that can happen in a state, or that `only` some actors do.

        With `faults` it returns the faults alone, with False all but the faults.
        """
        store_state, budget, went, locals_ = state
        found = []
        transitions_of, free, symmetric = self.transitions.of, self.contents.free, self.symmetric
        abstraction = self.transitions.abstraction
        for actor in range(len(locals_)) if only is None else only:
            for transition in transitions_of(store_state, locals_[actor], actor):
                cost = transition.cost
                if cost:
                    if faults is False or not transition.fits(budget):
                        continue
                elif faults:
                    continue
                if not ordered and transition.kind == PAUSE and self._comes_early(transition, actor, locals_):
                    continue
                next_locals, after = list(locals_), transition.store_state
                next_locals[actor] = transition.local
                if transition.sleeper >= 0:
                    after = free(after, actor, len(next_locals))  # what it holds it keeps
                    next_locals.append(transition.sleeper)
                last = actor if ordered and not transition.rests else NOBODY
                if symmetric:
                    last, next_locals = self._canonical(last, next_locals)
                # To make it a `Budget` would take a call for each of millions.
                new: GlobalState = after, budget - cost, last, tuple(next_locals)  # type: ignore[assignment]
                found.append((actor, transition, new if abstraction is None else abstraction.of(new)))
        if only is None and self.bounds.late_requests and not faults:
            for transition in self.transitions.arrivals(store_state):
                new = transition.store_state, budget, went if ordered else NOBODY, locals_
                found.append((NETWORK, transition, new if abstraction is None else abstraction.of(new)))
        return found

    def _comes_early(self, transition: Transition, actor: int, locals_: tuple[LocalState, ...]) -> bool:
        """Tell whether a pause need not be looked at, since it could as well come when that incarnation began.

        The sleeper can take all steps of the incarnation before it falls asleep here, and the next incarnation can
        wait for that.
        """
        if not self.merge or locals_[actor] == transition.local:
            return False
        start = self.automaton.states[transition.local]
        return start.kind != "choose" or start.name != ""  # within a read, no incarnation falls asleep

    def _canonical(self, last: int, locals_: list[LocalState]) -> tuple[int, list[LocalState]]:
        """Return one form for all states that differ in nothing but the names of equal actors.

        Symmetry reduction: C. Ip and D. Dill, "Better Verification Through Symmetry", Formal Methods in System
        Design 9, 1996.
        """
        if last == NOBODY:
            if len(locals_) == self.nodes:
                locals_.sort()
            else:
                locals_ = sorted(locals_[: self.nodes]) + sorted(locals_[self.nodes :])
            return last, locals_
        order = self._order(locals_, last)
        return order.index(last), [locals_[actor] for actor in order]

    def _order(self, locals_: Sequence[LocalState], last: int) -> list[int]:
        """Return the actors in canonical order: nodes, then sleepers; each by local state, who went last first."""
        return sorted(
            range(len(locals_)), key=lambda actor: (actor >= self.nodes, locals_[actor], actor != last, actor)
        )

    def schedule(self, state: GlobalState) -> list[Decision]:
        """Return the decisions that lead to a state, with the actors by their own names."""
        states = [state]
        while (before := self._parents[states[-1]]) is not None:
            states.append(before)
        names, path = list(range(self.nodes)), Path(self.transitions)
        for before, after in itertools.pairwise(reversed(states)):
            rest = after[:2], after[3:]
            ways = [way for way in self.enabled(before, ordered=True) if (way[2][:2], way[2][3:]) == rest]
            last = before[2]  # of several ways the one is meant that is no preemption
            actor, taken, _ = min(ways, key=lambda way: (way[2][2] != after[2], last not in (NOBODY, way[0])))
            path.follow(actor if actor == NETWORK else names[actor], taken)
            names += [len(names)] * (taken.sleeper >= 0)
            if self.symmetric and actor != NETWORK:
                locals_ = [*before[3], taken.sleeper][: len(names)]
                locals_[actor] = taken.local
                names = [names[one] for one in self._order(locals_, NOBODY if after[2] == NOBODY else actor)]
        return path.schedule


class Path:
    """A schedule carried out on the automaton: the store state and each actor's local state after each decision.

    `late` are the requests that are still late, by their numbers: the order in which they were left to the network.
    """

    def __init__(self, transitions: Transitions, schedule: Iterable[Decision] = ()) -> None:
        self.transitions, self.automaton, self.contents = transitions, transitions.automaton, transitions.contents
        self.schedule: list[Decision] = []
        self.moments = [(BEGINNING, list(self.automaton.starts))]
        self.late: dict[int, LateRequest] = {}
        self._posted = 0
        for decision in schedule:
            self.take(decision)

    def goes_on_to_the_end(self) -> bool:
        """Go on without faults until no node can; tell whether all nodes have ended then. Sleepers stay asleep.

        The last actor goes first, as long as it need not wait; then each node in turn.
        """
        nodes, actor = range(self.automaton.nodes), self.schedule[-1].actor if self.schedule else 0
        for _ in range(LONGEST):
            store_state, locals_ = self.moments[-1]
            enabled = {node: self.transitions.fault_free(store_state, locals_[node], node) for node in nodes}
            going = {node: found[0] for node, found in enabled.items() if found}
            if not going:
                return all(self.automaton.states[locals_[node]].kind not in GOING for node in nodes)
            actor = actor if actor in going else next(iter(going))
            self.follow(actor, going[actor])
        return False

    def take(self, decision: Decision) -> None:
        """Carry out one decision. Raises `CourseError` where it is not possible."""
        store_state, locals_ = self.moments[-1]
        if decision.kind == ARRIVAL:
            wanted = decision.actor, self.late.get(decision.option)
            found = (one for one in self.transitions.arrivals(store_state) if (one.option, one.arrived) == wanted)
        else:
            possible = self.transitions.of(store_state, locals_[decision.actor], decision.actor)
            found = (one for one in possible if (one.kind, one.option) == decision[1:])
        if (transition := next(found, None)) is None:
            raise CourseError(f"{decision} is no way to go on there.")
        self.follow(decision.actor, transition)

    def follow(self, actor: int, transition: Transition) -> None:
        """Carry out a transition of an actor, or the arrival of a late request, the first of equal ones."""
        before, locals_ = self.moments[-1]
        after, posts = transition.store_state, False
        if transition.arrived is not None:
            self.schedule.append(Decision(transition.option, ARRIVAL, self._number_of(transition.arrived)))
        else:
            self.schedule.append(Decision(actor, transition.kind, transition.option))
            posts, locals_ = self.transitions.posts(locals_[actor], transition.kind), list(locals_)
            locals_[actor] = transition.local
            if transition.sleeper >= 0:
                after = self.contents.free(after, actor, len(locals_))
                locals_.append(transition.sleeper)
        self.moments.append((after, locals_))
        self._note_late(before, after, posts)

    def _note_late(self, before: StoreState, after: StoreState, posts: bool) -> None:
        """Note what became of the late requests: one may be left (`posts`), be passed on, dropped, or arrive."""
        was, now = (Counter(self.contents.late(store_state)) for store_state in (before, after))
        added = list((now - was).elements())
        if posts:
            if added:  # else it was for an incarnation that is over by now
                self.late[self._posted] = added.pop()
            self._posted += 1
        for entry in (was - now).elements():
            number = self._number_of(entry)
            if added:
                self.late[number] = added.pop(0)  # the incarnation that it belongs to fell asleep
            else:
                del self.late[number]

    def _number_of(self, entry: LateRequest) -> int:
        return next(number for number, one in self.late.items() if one == entry)

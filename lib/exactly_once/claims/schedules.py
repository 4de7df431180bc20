"""All schedules of a handler within bounds, for the checks of the claims."""

from __future__ import annotations

import functools
import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..errors import CourseError
from ..explore import explanation, tokens
from ..explore.bounds import Bounds
from ..explore.model.automaton import Automaton, NumberAsked
from ..explore.model.shortcuts import Broken, Reliances, Retracted
from ..explore.model.states import GlobalState
from ..explore.model.store_contents import Contents
from ..explore.model.transitions import GOING, Transitions
from ..explore.model.versions import VersionAbstraction
from ..explore.proof import Counterexample
from ..explore.search.liveness import Graph, Liveness, core_of, judge_liveness
from ..explore.search.search import PREEMPTION, Found, Limits, Search
from ..lockfree.queue import cells_in
from ..node.sent import values_of
from ..node.world import DATABASE, QUEUES
from ..pipeline import Job
from ..pipeline.job import programs_of
from ..simulate.decision import CRASH, Decision
from ..simulate.replay import Replayer
from ..stores.codec import decode, encode
from ..stores.operations import OPERATIONS
from ..verdict.outcome import multiset, saved_positions, saved_state

NO_FAULT: tuple[str, ...] = ()
STATES, SECONDS = 3_000_000, 1_800.0


class Stopped(CourseError):
    """The search was stopped, or came to a limit."""


class Anything:
    """The specification of a search that visits all states: it accepts every state."""

    def right(self, store_state: object) -> bool:
        """Any end will do."""
        return True

    explains = right


class Moment(NamedTuple):
    """The observable contents of each store at one moment, as text.

    `queues` are the values of each queue, `machine` the machine's state and positions, `database` the contents of its
    cells and tables, as (part, content).
    """

    queues: tuple[tuple[str, ...], ...]
    machine: tuple[str, str]
    database: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Step:
    """One step of an incarnation: its operation, the result, the places that it reads and those that it changes."""

    operation: int
    result: int
    reads: bool
    places: frozenset
    changes: frozenset


@dataclass(eq=False)
class Schedules:
    """All schedules of one handler on `nodes` over `items` hours, for each kind of fault that is asked for.

    `handler` may be a list with one for each node: the twins, which share a machine, and others beside them. Each
    check reuses the findings of earlier checks. `faults` are the kinds of fault, each a tuple of names as in
    `Bounds`, which may strike together, once for each name. Raises `Stopped` when it is stopped, or there are more
    states than the limit.
    """

    handler: Any
    nodes: int = 2
    items: int = 2
    faults: Sequence[tuple[str, ...]] = ()
    stopped: Callable[[], object] | None = None
    progress: Callable[[int], object] | None = None
    symmetric: bool = True
    _searches: dict = field(default_factory=dict)
    _broken: Collection[Broken] = frozenset()

    def __post_init__(self) -> None:
        self.job = Job(items=self.items)
        self.handlers = list(self.handler) if isinstance(self.handler, (list, tuple)) else [self.handler]
        if len(self.handlers) > 1:
            self.nodes, self.symmetric = len(self.handlers), False
        self._start()

    def _start(self) -> None:
        self._searches.clear()
        for name in ("graph", "transitions"):
            self.__dict__.pop(name, None)
        self.programs = programs_of(self.handlers, self.job, self.nodes)
        self.machine = self.programs[0].machine
        self.twins = frozenset(node for node, one in enumerate(self.programs) if one.machine == self.machine)
        self.queues = tuple(dict.fromkeys(queue for one in self.programs for queue in one.feeds))
        self.contents = Contents(*self.programs, reliances=Reliances(self._broken))
        self.steps: dict = {}
        try:
            self.automaton = Automaton(self.programs, self.contents, self.symmetric)
        except NumberAsked:
            self._tell_apart()
        except Retracted as why:
            self._begin_again_without(why.broken)

    def _begin_again_without(self, broken: Collection[Broken]) -> None:
        """Begin again without the shortcuts that rely on a broken property."""
        self._broken = broken
        self._start()

    def _tell_apart(self) -> None:
        """Begin again with nodes that are told apart: one asks which of them it is."""
        self.symmetric = False
        self._start()

    def close(self) -> None:
        """Dispose of the incarnations that wait."""
        self.automaton.close()
        self._searches.clear()
        self.__dict__.pop("graph", None)

    @property
    def limits(self) -> Limits:
        """Return the limits of one search."""
        return Limits(STATES, SECONDS, self.progress, self.stopped)

    def bounds(self, faults: Iterable[str] = NO_FAULT) -> Bounds:
        """Return the bounds with these faults, each as often as it is named."""
        return Bounds.of(self.nodes, self.items, {"crashes": 0, **Counter(faults)})

    def within(self, faults: tuple[str, ...] = NO_FAULT) -> Search:
        """Return the search of all schedules with these faults, at its end."""
        if faults not in self._searches:
            try:
                search, found = self._searched(faults, first=True)
            except NumberAsked:
                self.automaton.close()
                self._tell_apart()
                return self.within(faults)
            except Retracted as why:
                self.automaton.close()
                self._begin_again_without(why.broken)
                return self.within(faults)
            endless = found.violation is not None and found.violation.kind == "endless"
            if endless and self.automaton.abstraction is None:  # versions grow for ever, and nothing else does
                self._searches.clear()
                self.automaton.abstraction = VersionAbstraction(self.automaton)
                return self.within(faults)
            if found.violation is not None:  # all that there is to see is wanted
                search, found = self._searched(faults, first=False)
            if found.stopped or found.lost:
                raise Stopped(f"Not everything was explored: {found.stopped or self.automaton.lost_sight()}.")
            self._searches[faults] = search
        return self._searches[faults]

    def _searched(self, faults, first):
        search = Search(self.automaton, Anything(), self.bounds(faults), first=first)
        return search, search.in_any_order(self.limits)

    def searches(self) -> Iterable[tuple[tuple[str, ...], Search]]:
        """Yield (faults, search) without faults, and for each kind of fault."""
        for faults in (NO_FAULT, *self.faults):
            yield faults, self.within(faults)

    @functools.cached_property
    def graph(self) -> Graph:
        """All states without faults, with the steps between them, without any reduction."""
        self.within()
        graph = Graph(self.automaton, self.bounds(), self.limits)
        if graph.stopped:
            raise Stopped(f"Not everything was explored: {graph.stopped}.")
        return graph

    @functools.cached_property
    def transitions(self) -> Transitions:
        """The steps of all incarnations when nothing goes wrong."""
        self.within()
        return Transitions(self.automaton, 0)

    @property
    def states(self) -> int:
        """How many states were seen, in all of the searches."""
        return sum(search.found.states for search in self._searches.values())

    # What is seen at one moment

    @functools.cache  # noqa: B019 - it lives as long as what it is about
    def moment(self, store_state: int) -> Moment:
        """Return the observable contents of a store state."""
        stores, program = self.contents.stores(store_state), self.programs[0]
        state, positions = saved_state(stores, program), saved_positions(stores, program)
        queues = tuple(self._values(stores, queue) for queue in self.queues)
        return Moment(queues, (multiset(state), encode(positions)), tuple(self._rows(stores[DATABASE])))

    @staticmethod
    def _rows(store):
        for kind in ("cell", "table"):
            for part in sorted(store.held(kind)):
                yield part, encode(store.look(part, kind))

    @staticmethod
    def _values(stores, queue) -> tuple[str, ...]:
        cells = cells_in(lambda register: stores[QUEUES].look(register, "cell"), queue)
        return tuple(encode(value) for held in cells for value in values_of(held))

    def outputs(self, store_state: int) -> int:
        """Return how many values were sent so far, and counted by the database."""
        moment = self.moment(store_state)
        return sum(map(len, moment.queues)) + int(dict(moment.database).get("counter", 0))

    @functools.cache  # noqa: B019
    def stage(self, store_state: int) -> tuple[str, Any]:
        """Return (the machine's stage, its positions), ("", the start) before its first step."""
        store, part = self.machine
        held = self.contents.stores(store_state)[store].look(part, "cell")
        return ("", self.job.start()) if held is None else (held[0], held[2])

    def done(self, store_state: int) -> bool:
        """Tell whether all inputs are handled, and all that they send is written."""
        kind, positions = self.stage(store_state)
        return kind in ("", "HANDLING") and positions == self.job.end()

    def kind(self, local: int) -> str:
        """Return the kind of a local state."""
        return self.automaton.states[local].kind

    def ended(self, locals_: Sequence[int]) -> bool:
        """Tell whether all nodes have ended."""
        return all(self.kind(local) == "ended" for local in locals_[: self.nodes])

    # Single steps

    def step(self, store_state: int, local: int, actor: int, after: int) -> Step | None:
        """Return the step of an incarnation from one store state to another; None for a step on no store."""
        key = store_state, local, actor, after
        if key not in self.steps:
            self.steps[key] = self._step(*key)
        return self.steps[key]

    def _step(self, store_state, local, actor, after):
        state = self.automaton.states[local]
        if state.kind != "store":
            return None
        store, part, verb, text = self.contents.operations[state.operation]
        operation = OPERATIONS.get(verb)
        if operation is None:  # an incarnation fails by asking for what no store can do
            return None
        places = frozenset((store, name) for _, name in operation.places(part, decode(text)))
        result = next(
            result for _, one, result in self.contents.outcomes(store_state, state.operation, actor) if one == after
        )
        before, now = self.contents.look(store_state), self.contents.look(after)
        changes = frozenset(
            (store, name)
            for kind, name in operation.places(part, decode(text))
            if before.get((store, name, kind)) != now.get((store, name, kind))
        )
        return Step(state.operation, result, operation.reads, places, changes)

    # Counterexamples

    def simplest(self, goal: Callable[[GlobalState], object], faults: tuple[str, ...] = NO_FAULT) -> Found:
        """Search for the simplest schedule to a state where `goal` holds. Returns its `Found`."""
        search = Search(
            self.automaton,
            None,
            self.bounds(faults),
            merge=False,
            goal=lambda state: "found" if goal(state) else None,
        )
        found = search.in_order(self.limits)
        if found.violation is None:
            raise Stopped(f"Not everything was explored: {found.stopped or 'the state was not met again'}.")
        return found

    def changes(self, faults: tuple[str, ...]) -> set[tuple[int, int]]:
        """Return (store state before, after) of each step that changes the contents of the stores.

        The search lets a step that no observer can see go first; what other steps change is the same after it.
        """
        search, found, seen = self.within(faults), set(), set()
        for store_state, budget, _, locals_ in search.states:
            for actor, local in enumerate(locals_):
                if (place := (store_state, budget, local, actor)) in seen:
                    continue
                seen.add(place)
                for one in search.transitions.of(store_state, local, actor):
                    if one.store_state != store_state and (budget & one.required or not one.cost):
                        found.add((store_state, one.store_state))
            found.update((store_state, after) for _, _, after in self.contents.arrivals(store_state))
        return found

    def simplest_change(
        self, goal: Callable[[int, int], object], faults: tuple[str, ...]
    ) -> tuple[list[Decision], tuple[int, int]]:
        """Return (the simplest schedule that ends with a step for which `goal` holds, its store states).

        `goal` is asked of the store states before and after a step.
        """
        search = Search(self.automaton, None, self.bounds(faults), merge=False)

        def last_step(state):
            for actor, transition, after in search._enabled(state, range(len(state[3])), True):
                if goal(state[0], after[0]):
                    return actor, transition, after
            return None

        search.goal = lambda state: "found" if last_step(state) else None
        found = search.in_order(self.limits)
        if found.violation is None:
            raise Stopped(f"Not everything was explored: {found.stopped or 'the step was not met again'}.")
        actor, transition, after = last_step(found.state)
        end = (*after, "after the step")  # which may lead back to a state that was seen
        search._parents[end] = found.state, actor, transition
        return search.schedule(end), (found.state[0], after[0])

    def counterexample(
        self, schedule: Sequence[Decision], sentence: str, kind: str = "invariant", loop: int = 0
    ) -> Counterexample:
        """Return a schedule as a `Counterexample`, replayed."""
        replay = Replayer(self.programs).replay(schedule)
        return Counterexample(
            token=tokens.write(self.handlers, self.job, self.nodes, schedule),
            sentence=sentence,
            kind=kind,  # type: ignore[arg-type]
            explanation=explanation.explain(replay, loop),
            run=replay.run,
            verdict=None,
            schedule=tuple(schedule),
            steps=tuple(replay.steps),
        )

    def liveness(self, faults: tuple[str, ...]) -> Liveness:
        """Return the obstacles to a node's progress with these faults."""
        search = self.within(faults)
        found = judge_liveness(self.automaton, self.bounds(faults), search.states, search.found.cyclic, self.limits)
        if found.stopped:
            raise Stopped(f"Not everything was explored: {found.stopped}.")
        return found

    # Paths: what is remembered of the way to a state

    def watched(self, watch: Any) -> bool:
        """Tell whether a watch finds something on some way through the states without faults."""
        start = core_of(self.within().start)
        waiting, seen = [(start, watch.start)], {(start, watch.start)}
        while waiting:
            core, memory = waiting.pop()
            for actor, transition, after in self.graph.edges[core]:
                new = watch.step(memory, actor, core, transition)
                if new is None:
                    return True
                if (after, new) not in seen:
                    seen.add((after, new))
                    waiting.append((after, new))
        return False

    def first_watched(self, watch: Any) -> list[Decision]:
        """Return the simplest schedule on which a watch finds something: fewest preemptions, then fewest steps."""
        search = Search(self.automaton, None, self.bounds(), merge=False)
        first = (search.start, watch.start)
        best, parents, heap, pushed = {first: 0}, {first: None}, [(0, 0, first)], 0
        while heap:
            cost, _, at = heapq.heappop(heap)
            if cost > best[at]:
                continue
            state, memory = at
            for actor, transition, after in search._enabled(state, range(len(state[3])), True):
                new = watch.step(memory, actor, core_of(state), transition)
                if new is None:
                    return self._path(parents, at, Decision(actor, transition.kind, transition.option))
                more = cost + 1 + (PREEMPTION if state[2] not in (-1, actor) else 0)
                if more < best.get((after, new), more + 1):
                    best[after, new] = more
                    parents[after, new] = at, Decision(actor, transition.kind, transition.option)
                    pushed += 1
                    heapq.heappush(heap, (more, pushed, (after, new)))
        raise Stopped("Not everything was explored: the way was not met again.")

    @staticmethod
    def _path(parents, at, last):
        decisions = [last]
        while parents[at] is not None:
            at, decision = parents[at]
            decisions.append(decision)
        return decisions[::-1]

    # All nodes at once

    def hard_stopped(self) -> dict:
        """Return {(store state, local states) after all nodes died at once: the state before}, over all moments."""
        found: dict = {}
        for store_state, budget, locals_ in self.graph.edges:
            going = [actor for actor, local in enumerate(locals_) if self.kind(local) in GOING]
            after, fresh = store_state, list(locals_)
            for actor in going:
                after = self.contents.free(after, actor)
                fresh[actor] = self.automaton.starts[self.automaton.states[locals_[actor]].program]
            if going:
                found.setdefault((after, budget, tuple(fresh)), (store_state, locals_, tuple(going)))
        return found

    def after_a_hard_stop(self) -> tuple[dict, dict]:
        """Return ({later state: [(actor, transition, state after)]}, the result of `hard_stopped`)."""
        roots = self.hard_stopped()
        search = Search(self.automaton, None, self.bounds(), merge=False)
        waiting = list(roots)
        edges: dict = {}
        while waiting:
            core = waiting.pop()
            if core not in edges:
                store_state, budget, locals_ = core
                enabled = search.enabled((store_state, budget, -1, locals_))
                edges[core] = [(actor, transition, core_of(after)) for actor, transition, after in enabled]
                waiting += [after for *_, after in edges[core]]
        return edges, roots

    def hard_stop(self, before: tuple) -> list[Decision]:
        """Return the simplest schedule to a state, in which all nodes that have not ended then die at once."""
        store_state, locals_, going = before
        found = self.simplest(lambda state: (state[0], state[3]) == (store_state, locals_))
        return [*found.violation.schedule, *(Decision(actor, CRASH) for actor in going)]

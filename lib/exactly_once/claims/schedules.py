"""All schedules of a handler within bounds, and the simplest of them that a property is broken by."""

from __future__ import annotations

import contextlib
import functools
import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import CourseError
from ..explore import Bounds, Limits, exploring
from ..explore.model.automaton import GOING, Automaton
from ..explore.model.shortcuts import Reliances
from ..explore.model.store_contents import Contents, asked_once
from ..explore.proof import Counterexample
from ..explore.search.liveness import Graph, Liveness, core_of, judge_liveness
from ..explore.search.search import Search
from ..lockfree.queue import cells_in
from ..node.source import values_of
from ..node.world import DATABASE, QUEUES
from ..pipeline import Job, programs_of
from ..simulate import NETWORK, Decision, Replayer, explain, write_token
from ..stores.codec import decode, describe, encode
from ..stores.operations import OPERATIONS
from ..verdict.outcome import multiset, saved_positions, saved_state

if TYPE_CHECKING:
    from ..explore.model.states import Core

NO_FAULT: tuple[str, ...] = ()
STATES, SECONDS = 3_000_000, 1_800.0


class Moment(NamedTuple):
    """The observable contents of each store at one moment: the values of each queue, and words for the rest."""

    queues: tuple[tuple[str, ...], ...]
    machine: str
    database: str

    def words(self, store: int) -> str:
        """Return in words what one of the stores holds."""
        return self[store] if store else " and ".join(describe(list(map(decode, queue))) for queue in self.queues)


class Effect(NamedTuple):
    """What one step of an incarnation does: `look` is its operation with the result, `places` are (store, part)."""

    look: tuple[int, int]
    reads: bool
    places: frozenset
    changes: frozenset


class Watched(Search):
    """A search for the simplest schedule to a state that is wrong; see `Schedules.simplest`.

    Its states have one part more: what a watch remembers of the way there.
    """

    def __init__(self, search, wrong, watch, memory):
        automaton, bounds, transitions = search.automaton, search.bounds, search.transitions
        super().__init__(automaton, None, bounds, merge=False, goal=wrong, transitions=transitions)
        self.watch, self.start = watch, (*self.start, memory)
        self._parents, self.costs, self._heap = {self.start: None}, {self.start: 0}, [(0, 0, self.start)]

    def _settle(self, state, cost):
        self.found.states += 1
        if not self.goal(state):
            return ""
        self._note("found", state)
        return "found"

    def enabled(self, state, *only, **more):
        return [
            (actor, transition, (*after, self.watch(state[-1], core_of(state), actor, transition)))
            for actor, transition, after in super().enabled(state[:-1], *only, **more)
        ]


class Schedules:
    """All schedules of handlers on so many nodes over `items` hours, without faults and with each of `faults`.

    `handlers` is a list with one for all nodes, or with one for each. Each of `faults` is a tuple of names as in
    `Bounds`: those may strike together, each as often as it is named. If `symmetric`, equal nodes are not told apart;
    no shortcut relies on a `broken` property (see `Reliances`). What was explored for one claim serves the next.
    """

    def __init__(self, handlers, nodes, items, faults=(), symmetric=True, broken=()):
        self.handlers, self.nodes, self.items, self.job = handlers, nodes, items, Job(items=items)
        self.faults = (NO_FAULT, *faults)
        self.programs = programs_of(handlers, self.job, nodes)
        self.machine = self.programs[0].machine
        self.contents = Contents(*self.programs, reliances=Reliances(broken))
        self.automaton = Automaton(self.programs, self.contents, symmetric)
        self.limits = Limits(STATES, SECONDS)
        self.ideal: Ideal | None = None  # what some properties compare with
        self.searches: dict[tuple[str, ...], Search] = {}  # by their faults

    def bounds(self, faults: Iterable[str] = NO_FAULT) -> Bounds:
        """Return the bounds with these faults, each as often as it is named."""
        return Bounds.of(self.nodes, self.items, {"crashes": 0, **Counter(faults)})

    # What there is: states, steps, and the ways from state to state

    def within(self, faults: tuple[str, ...] = NO_FAULT) -> Search:
        """Return the search through all states with these faults, at its end. Raises `CourseError` at a limit."""
        if faults in self.searches:
            return self.searches[faults]
        for first in (True, False):  # after a violation once more: all that there is to see is wanted
            search = Search(self.automaton, None, self.bounds(faults), first=first)
            found = search.in_any_order(self.limits)
            if found.violation is None:
                break
        _whole(search.found, search.found.lost and self.automaton.lost_sight())
        self.searches[faults] = search
        return search

    @asked_once
    def steps(self, faults: tuple[str, ...]) -> list[tuple[int, Any, int, Any]]:
        """Return (store state, local state, actor, transition) of each step with these faults.

        The search lets a step that no observer can see go first; what other steps do is the same after it. The local
        state is None where a late request arrives.
        """
        search, budgets, found = self.within(faults), defaultdict(int), []
        for store_state, budget, _, locals_ in search.states:
            for actor, local in enumerate(locals_):
                budgets[store_state, local, actor] |= budget
        for place, budget in budgets.items():
            found += [(*place, one) for one in search.transitions.of(*place) if one.fits(budget)]
        for store_state in {store_state for store_state, *_ in search.states}:
            found += [(store_state, None, NETWORK, one) for one in search.transitions.arrivals(store_state)]
        return found

    @functools.cached_property
    def graph(self) -> dict[Core, list]:
        """All states without faults, with the steps from each, without any reduction."""
        return _whole(Graph(self.within(), self.limits)).edges

    def liveness(self, faults: tuple[str, ...]) -> Liveness:
        """Return the obstacles to a node's progress with these faults."""
        return _whole(judge_liveness(self.within(faults), self.limits))

    def watched(self, watch: Callable[..., Any], memory: Any) -> bool:
        """Tell whether a watch, as `simplest` has it, comes to None on some way without faults."""

        def further(place):
            core, seen = place
            for actor, transition, after in self.graph[core] if seen is not None else ():
                yield after, watch(seen, core, actor, transition)

        return any(seen is None for _, seen in reachable([(next(iter(self.graph)), memory)], further))

    # The simplest schedule

    def simplest(
        self,
        faults: tuple[str, ...] = NO_FAULT,
        wrong: Callable[[Any], object] = lambda state: state[-1] is None,
        watch: Callable[..., Any] = lambda memory, *step: memory,
        memory: Any = "",
    ) -> tuple[list[Decision], Any]:
        """Return the simplest schedule to a state that is `wrong`, and the state.

        It has the fewest faults, then the fewest preemptions, then the fewest steps. `watch(memory, state, actor,
        transition)` is asked of each step on the way; what it returns is remembered, as the last part of the state
        after it. Without `wrong`, None is looked for there.
        """
        found = Watched(self.within(faults), wrong, watch, memory).in_order(self.limits)
        _whole(found, found.violation is None and "what is looked for was seen in another search")
        return found.violation.schedule, found.state

    def counterexample(
        self, schedule: Sequence[Decision], sentence: str, kind: str = "invariant", loop: int = 0
    ) -> Counterexample:
        """Return a schedule as a `Counterexample`, replayed."""
        replay = Replayer(self.programs).replay(schedule)
        return Counterexample(
            token=write_token(self.handlers, self.job, self.nodes, schedule),
            sentence=sentence,
            kind=kind,  # type: ignore[arg-type]
            explanation=explain(replay, loop),
            run=replay.run,
            verdict=None,
            schedule=tuple(schedule),
            steps=tuple(replay.steps),
        )

    # What is seen at one moment, and in one step

    @asked_once
    def moment(self, store_state: int) -> Moment:
        """Return the observable contents of a store state."""
        stores, program = self.contents.stores(store_state), self.programs[0]

        def values(queue):
            cells = cells_in(lambda register: stores[QUEUES].look(register, "cell"), queue)
            return tuple(encode(value) for held in cells for value in values_of(held))

        state, positions = multiset(saved_state(stores, program)), encode(saved_positions(stores, program))
        store = stores[DATABASE]
        parts = [(part, kind) for kind in ("cell", "table") for part in sorted(store.held(kind))]
        return Moment(
            tuple(map(values, dict.fromkeys(queue for one in self.programs for queue in one.feeds))),
            f"the state {state} and the positions {positions}",
            ", ".join(f"{part} {encode(store.look(part, kind))}" for part, kind in parts) or "nothing",
        )

    @asked_once
    def outputs(self, store_state: int) -> int:
        """Return how many values were sent so far, and counted by the database."""
        counted = self.contents.stores(store_state)[DATABASE].look("counter", "table") or 0
        return sum(map(len, self.moment(store_state).queues)) + counted

    @asked_once
    def done(self, store_state: int) -> bool:
        """Tell whether all inputs are handled, and all that they send is written."""
        store, part = self.machine
        stage = self.contents.stores(store_state)[store].look(part, "cell") or ["HANDLING", None, self.job.start()]
        return stage[0] == "HANDLING" and stage[2] == self.job.end()

    def going(self, locals_: Sequence[int]) -> list[int]:
        """Return the actors that have not ended."""
        return [actor for actor, local in enumerate(locals_) if self.automaton.states[local].kind in GOING]

    def ended(self, locals_: Sequence[int]) -> bool:
        """Tell whether all nodes have ended."""
        return all(self.automaton.states[local].kind == "ended" for local in locals_[: self.nodes])

    @asked_once
    def effect(self, store_state: int, local: int, actor: int, after: int) -> Effect | None:
        """Return what a step from one store state to another does; None for a step on no store."""
        state = self.automaton.states[local]
        if state.kind != "store":
            return None
        store, part, verb, text = self.contents.operations[state.operation]
        operation = OPERATIONS.get(verb)
        if operation is None:  # an incarnation fails by asking for what no store can do
            return None
        result = next(
            result for _, one, result in self.contents.outcomes(store_state, state.operation, actor) if one == after
        )
        held = functools.partial(self.contents.content, store_state), functools.partial(self.contents.content, after)
        places = [(store, name, kind) for kind, name in operation.places(part, decode(text))]
        changes = frozenset(place[:2] for place in places if held[0](*place) != held[1](*place))
        return Effect((state.operation, result), operation.reads, frozenset(place[:2] for place in places), changes)


@dataclass(frozen=True)
class Ideal:
    """The contents in runs of one node without faults. `ends` are the contents at the end of a run.

    `later` has, for each store, {its content at some moment: its possible contents then or at any later moment}.
    """

    ends: frozenset[Moment]
    later: tuple[dict, ...]

    def complaint(self, moment: Moment) -> str:
        """Return a sentence on what is wrong at the end; an empty text for a right end."""
        if moment in self.ends:
            return ""
        right = next(iter(self.ends))
        where = next((at for at, one in enumerate(moment) if one != right[at]), 0)
        found, wanted = moment.words(where), right.words(where)
        ends = f"is {found} in the end" if where == 0 else f"ends with {found}"
        return f"{STORES[where]} {ends}, where a right run leaves {wanted}."

    def surprise(self, before: Moment, after: Moment) -> str:
        """Return a sentence on the change of one store in a step that no right run shows; or an empty text."""
        for store, later in enumerate(self.later):
            shows = f"{STORES[store]} shows {after.words(store)}"
            if after[store] not in later:
                return f"{shows}, which no right run shows."
            if after[store] not in later.get(before[store], later):
                seen = before.words(store)
                return f"{shows} where it has shown {seen}: what an observer has seen is taken back."
        return ""


STORES = ("The output", "The machine", "The database")


def explored(
    ask: Callable[[Schedules], Any], handlers: Sequence[Any], nodes: int, items: int, faults: Iterable[Any] = ()
) -> Any:
    """Return what `ask` answers about the schedules of handlers, with as many shortcuts as are sound."""

    def explore(symmetric, broken):
        schedules = Schedules(handlers, nodes, items, faults, symmetric, broken)
        with contextlib.closing(schedules.automaton):  # which disposes of the incarnations that wait
            return ask(schedules)

    usual = gc.get_threshold()
    gc.set_threshold(100_000, *usual[1:])  # there are millions of tuples, in no circle: to look for one takes long
    try:
        return exploring(explore, symmetric=len(handlers) == 1)
    finally:
        gc.set_threshold(*usual)


def ideal_of(handlers: Sequence[Any], items: int) -> Ideal:
    """Return the `Ideal` of handlers: of one that runs alone, or of one twin beside all others that are no twins."""

    def ask(alone):
        def later(at):
            after = defaultdict(set)  # {a content: it and those to which one step leads}
            for core, steps in alone.graph.items():
                after[alone.moment(core[0])[at]] |= {
                    alone.moment(one[0])[at] for one in (core, *(x for *_, x in steps))
                }
            return {one: reachable([one], after.__getitem__) for one in list(after)}

        return Ideal(
            frozenset(map(alone.moment, alone.within().found.outcomes)), tuple(map(later, range(len(STORES))))
        )

    different = [one for number, one in enumerate(handlers) if one not in handlers[:number]]
    return explored(ask, different, len(different), items)


def reachable(starts: Iterable[Any], further: Callable[[Any], Iterable[Any]]) -> set[Any]:
    """Return all that can be reached: `starts`, what `further` gives for each, and so on."""
    found, waiting = set[Any](), list(starts)
    while waiting:
        if (one := waiting.pop()) not in found:
            found.add(one)
            waiting += further(one)
    return found


def _whole(found: Any, why: str | bool = "") -> Any:
    """Return what was found. Raises `CourseError` where the search was stopped, or for another reason `why`."""
    if why := found.stopped or why:
        raise CourseError(f"Not everything was explored: {why}.")
    return found

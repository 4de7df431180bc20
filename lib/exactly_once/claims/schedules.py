"""All schedules of a handler within bounds, and the simplest of them that a property is broken by."""

from __future__ import annotations

import contextlib
import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import CourseError
from ..explore import Bounds, Limits, VersionAbstraction, explanation, exploring, tokens
from ..explore.model.automaton import Automaton
from ..explore.model.shortcuts import Reliances
from ..explore.model.store_contents import Contents
from ..explore.model.transitions import GOING, Transitions
from ..explore.proof import Counterexample
from ..explore.prover import Anything
from ..explore.search.liveness import Graph, Liveness, core_of, judge_liveness
from ..explore.search.search import Search
from ..lockfree.queue import cells_in
from ..node.sent import values_of
from ..node.world import DATABASE, QUEUES
from ..pipeline import Job, programs_of
from ..simulate import NETWORK, Decision, Replayer
from ..stores.codec import decode, describe, encode
from ..stores.operations import OPERATIONS
from ..verdict.outcome import multiset, saved_positions, saved_state

if TYPE_CHECKING:
    from ..explore.model.states import Core, GlobalState

NO_FAULT: tuple[str, ...] = ()
STATES, SECONDS = 3_000_000, 1_800.0


class Moment(NamedTuple):
    """The observable contents of each store at one moment, as text.

    `queues` are the values of each queue, `machine` the machine's state and positions, `database` the contents of its
    cells and tables, as (part, content).
    """

    queues: tuple[tuple[str, ...], ...]
    machine: tuple[str, str]
    database: tuple[tuple[str, str], ...]

    def words(self, store: int) -> str:
        """Return in words what one of the stores holds."""
        if store == 0:
            return " and ".join(describe([decode(text) for text in queue]) for queue in self.queues)
        if store == 1:
            return f"the state {self.machine[0]} and the positions {self.machine[1]}"
        return ", ".join(f"{part} {text}" for part, text in self.database) or "nothing"


class Effect(NamedTuple):
    """What one step of an incarnation does: `look` is its operation with the result, `places` are (store, part)."""

    look: tuple[int, int]
    reads: bool
    places: frozenset
    changes: frozenset


class Watched(Search):
    """A search for the simplest schedule to a state that is wrong, or that a watch ends; see `Schedules.simplest`.

    Its states have one part more: what the watch remembers of the way there.
    """

    def __init__(self, automaton, bounds, wrong, watch, memory):
        super().__init__(automaton, None, bounds, merge=False, goal=wrong)
        self.watch, self.start = watch, (*self.start, memory)
        self._parents, self._best, self._heap = {self.start: None}, {self.start: 0}, [(0, 0, self.start)]

    def _settle(self, state, cost):
        self.found.states += 1
        if state[-1] is not None and not self.goal(state[:-1]):
            return ""
        self._note("found", self.schedule(state), state[:-1], cost)
        return "found"

    def _enabled(self, state, actors, ordered, network=True):
        for actor, transition, after in super()._enabled(state[:-1], actors, ordered, network):
            yield actor, transition, (*after, self.watch(state[-1], core_of(state), actor, transition))


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
        self._searches: dict[tuple[str, ...], Search] = {}

    def close(self) -> None:
        """Dispose of the incarnations that wait."""
        self.automaton.close()

    def bounds(self, faults: Iterable[str] = NO_FAULT) -> Bounds:
        """Return the bounds with these faults, each as often as it is named."""
        return Bounds.of(self.nodes, self.items, {"crashes": 0, **Counter(faults)})

    # What there is: states, steps, and the ways from state to state

    def within(self, faults: tuple[str, ...] = NO_FAULT) -> Search:
        """Return the search through all states with these faults, at its end. Raises `CourseError` at a limit."""
        if faults not in self._searches:
            search = self._searched(faults, first=True)
            violation = search.found.violation
            if violation and violation.kind == "endless" and self.automaton.abstraction is None:
                self._searches.clear()  # versions grow for ever, and nothing else does
                self.automaton.abstraction = VersionAbstraction(self.automaton)
                return self.within(faults)
            if violation:  # all that there is to see is wanted
                search = self._searched(faults, first=False)
            if search.found.stopped or search.found.lost:
                self._give_up(search.found.stopped or self.automaton.lost_sight())
            self._searches[faults] = search
        return self._searches[faults]

    def _searched(self, faults, first):
        search = Search(self.automaton, Anything(), self.bounds(faults), first=first)
        search.in_any_order(self.limits)
        return search

    @staticmethod
    def _give_up(why):
        raise CourseError(f"Not everything was explored: {why}.")

    @property
    def states(self) -> int:
        """How many states were seen, in all of the searches."""
        return sum(search.found.states for search in self._searches.values())

    def steps(self, faults: tuple[str, ...]) -> Iterator[tuple[int, Any, int, Any]]:
        """Yield (store state, local state, actor, transition) of each step with these faults.

        The search lets a step that no observer can see go first; what other steps do is the same after it. The local
        state is None where a late request arrives.
        """
        search, seen = self.within(faults), set()
        for store_state, budget, _, locals_ in search.states:
            for actor, local in enumerate(locals_):
                if (place := (store_state, budget, local, actor)) in seen:
                    continue
                seen.add(place)
                for one in search.transitions.of(store_state, local, actor):
                    if budget & one.required or not one.cost:
                        yield store_state, local, actor, one
            for one in search.transitions.arrivals(store_state):
                yield store_state, None, NETWORK, one

    @functools.cached_property
    def graph(self) -> dict[Core, list]:
        """All states without faults, with the steps from each, without any reduction."""
        self.within()
        return self.graph_from()

    def graph_from(self, starts: Iterable[Core] = ()) -> dict[Core, list]:
        """Return {state: [(actor, transition, state after)]} of all that can follow without a fault.

        It begins with `starts`, or else with the beginning of a run.
        """
        graph = Graph(self.automaton, self.bounds(), self.limits, starts=starts)
        if graph.stopped:
            self._give_up(graph.stopped)
        return graph.edges

    @functools.cached_property
    def transitions(self) -> Transitions:
        """The steps of all incarnations when nothing goes wrong."""
        self.within()
        return Transitions(self.automaton, 0)

    def liveness(self, faults: tuple[str, ...]) -> Liveness:
        """Return the obstacles to a node's progress with these faults."""
        search = self.within(faults)
        found = judge_liveness(self.automaton, self.bounds(faults), search.states, search.found.cyclic, self.limits)
        if found.stopped:
            self._give_up(found.stopped)
        return found

    def watched(self, watch: Callable[..., Any], memory: Any) -> bool:
        """Tell whether a watch finds something on some way without faults, as `simplest` has it."""
        start = next(iter(self.graph)), memory
        return None in (seen for _, seen in reachable([start], functools.partial(self._watched_from, watch)))

    def _watched_from(self, watch, place):
        core, memory = place
        if memory is not None:
            for actor, transition, after in self.graph[core]:
                yield after, watch(memory, core, actor, transition)

    # The simplest schedule

    def simplest(
        self,
        faults: tuple[str, ...] = NO_FAULT,
        wrong: Callable[[GlobalState], object] = lambda state: False,
        watch: Callable[..., Any] = lambda memory, *step: memory,
        memory: Any = "",
    ) -> tuple[list[Decision], GlobalState]:
        """Return the simplest schedule to a state that is `wrong`, or that `watch` ends with, and the state.

        It has the fewest faults, then the fewest preemptions, then the fewest steps. `watch(memory, state, actor,
        transition)` is asked of each step on the way; what it returns is remembered, and None is what is looked for.
        """
        search = Watched(self.automaton, self.bounds(faults), wrong, watch, memory)
        found = search.in_order(self.limits)
        if found.violation is None:
            self._give_up(found.stopped or "what is looked for was seen in another search")
        return found.violation.schedule, found.state

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

    # What is seen at one moment, and in one step

    @functools.cache  # noqa: B019 - it lives as long as what it is about
    def moment(self, store_state: int) -> Moment:
        """Return the observable contents of a store state."""
        stores, program = self.contents.stores(store_state), self.programs[0]
        machine = multiset(saved_state(stores, program)), encode(saved_positions(stores, program))
        queues = dict.fromkeys(queue for one in self.programs for queue in one.feeds)
        store = stores[DATABASE]
        database = [
            (part, encode(store.look(part, kind))) for kind in ("cell", "table") for part in sorted(store.held(kind))
        ]
        return Moment(tuple(self._values(stores, queue) for queue in queues), machine, tuple(database))

    @staticmethod
    def _values(stores, queue):
        cells = cells_in(lambda register: stores[QUEUES].look(register, "cell"), queue)
        return tuple(encode(value) for held in cells for value in values_of(held))

    def outputs(self, store_state: int) -> int:
        """Return how many values were sent so far, and counted by the database."""
        moment = self.moment(store_state)
        return sum(map(len, moment.queues)) + int(dict(moment.database).get("counter", 0))

    @functools.cache  # noqa: B019
    def done(self, store_state: int) -> bool:
        """Tell whether all inputs are handled, and all that they send is written."""
        store, part = self.machine
        stage = self.contents.stores(store_state)[store].look(part, "cell") or ["HANDLING", None, self.job.start()]
        return stage[0] == "HANDLING" and stage[2] == self.job.end()

    def kind(self, local: int) -> str:
        """Return the kind of a local state."""
        return self.automaton.states[local].kind

    def going(self, locals_: Sequence[int]) -> list[int]:
        """Return the actors that have not ended."""
        return [actor for actor, local in enumerate(locals_) if self.kind(local) in GOING]

    def ended(self, locals_: Sequence[int]) -> bool:
        """Tell whether all nodes have ended."""
        return all(self.kind(local) == "ended" for local in locals_[: self.nodes])

    @functools.cache  # noqa: B019
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
        before, now = self.contents.look(store_state), self.contents.look(after)
        places = [((store, name), (store, name, kind)) for kind, name in operation.places(part, decode(text))]
        changes = frozenset(place for place, held in places if before.get(held) != now.get(held))
        return Effect((state.operation, result), operation.reads, frozenset(place for place, _ in places), changes)


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
        with contextlib.closing(Schedules(handlers, nodes, items, faults, symmetric, broken)) as schedules:
            return ask(schedules)

    return exploring(explore, symmetric=len(handlers) == 1)


def ideal_of(handlers: Sequence[Any], items: int) -> Ideal:
    """Return the `Ideal` of handlers: of one that runs alone, or of one twin beside all others that are no twins."""

    def ask(alone):
        ends = frozenset(map(alone.moment, alone.within().found.outcomes))
        steps = {
            (alone.moment(core[0]), alone.moment(after[0])) for core in alone.graph for after in _next(alone, core)
        }
        return Ideal(ends, tuple(_later({(one[at], other[at]) for one, other in steps}) for at in range(len(STORES))))

    different = [one for number, one in enumerate(handlers) if one not in handlers[:number]]
    return explored(ask, different, len(different), items)


def _next(schedules, core):
    return [core, *(after for *_, after in schedules.graph[core])]


def _later(steps):
    """Return {a content: it and all to which steps lead from it}, given (content, the next one) of all steps."""
    after = defaultdict(set)
    for one, other in steps:
        after[one].add(other)
    return {one: reachable([one], after.__getitem__) for one in list(after)}


def reachable(starts: Iterable[Any], further: Callable[[Any], Iterable[Any]]) -> set[Any]:
    """Return all that can be reached: `starts`, what `further` gives for each of them, and so on."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        for after in further(waiting.pop()):
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found

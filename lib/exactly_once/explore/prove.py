"""Prove a handler: every schedule within bounds; and `replay` one schedule, exactly as it was.

A `Prover` runs the search, the rules for a correct outcome, the check of progress, and the replay of a violation.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..errors import BadInput, is_number, one_of, what_failed, whole
from ..faults import FaultPlan
from ..node import Program, Source
from ..node.node import Handler
from ..pipeline import Handlers, checked_handlers, programs_of
from ..simulate import ReplayDiverged, explain, read_token, write_token
from ..simulate.replay import Replay, Replayer
from ..simulate.schedule import texts_of, wish
from ..stores.codec import describe
from ..trace import Trace
from ..verdict import judge
from ..verdict.verdict import IdealFailed, but_bookkeeping, endless, ideal_outcomes, step_limit
from ..verdict.verdict_sentences import sentence
from ..verdict.view import View
from .case import Bounds, bounded
from .model.automaton import DIFFERS, Automaton, Nondeterministic, NumberAsked, Stopped, Transitions
from .model.shortcuts import Broken, Reliances, Retracted
from .model.store_contents import Contents
from .proof import Counterexample, Proof
from .search.liveness import Liveness, judge_liveness
from .search.search import Found, Limits, Path, Search
from .search.specification import FaultFree, Ideal, Invariant, Specification, bookkeeping, left_in_words, view_of

if TYPE_CHECKING:
    from .case import Case
    from .proof import Failure
    from .search.search import Violation

Explored = TypeVar("Explored")
STATE_LIMIT = 1_000_000
SECONDS = 120.0
GARBAGE = 100_000, 50, 1_000  # a third of a long search was the look for it
FAIR = (
    "This breaks the handler: no node is stopped, each goes on whenever it can, and still they never come to an end."
)
ASKED = "This breaks the handler, since lock_free=True asks that no node ever has to wait for another."
NO_VIOLATION = "This is no violation: it lasts only while another node is stopped, and ends when that one goes on."
LOOP_LOOK = 20_000  # states that are searched for a simpler loop


class Prover:
    """Proves one `Case`. With `symmetric`, equal nodes are not told apart.

    No shortcut relies on a `broken` property; see `Reliances`.
    """

    first_look = 2_000  # states that are searched in order before any others

    def __init__(
        self, case: Case, limits: Limits, *, symmetric: bool, merge: bool, broken: Collection[Broken] = ()
    ) -> None:
        self.case, self.limits, self.merge = case, limits, merge
        self.programs, self.bounds = case.programs, case.bounds
        self.started = time.perf_counter()
        self.contents = Contents(*self.programs, reliances=Reliances(broken, plain=not merge))
        self.automata: list[Automaton] = []
        self._kept: set[frozenset[tuple[str, str]]] | None = None
        try:
            self.automaton = self._automaton(self.programs, symmetric, merge)
            self.specification = self._specification()
        except Stopped as why:
            self.specification = Specification(str(why))
        except BaseException:
            self.close()
            raise

    def _automaton(self, programs: Sequence[Program], symmetric: bool = False, merge: bool = True) -> Automaton:
        self.automata.append(Automaton(programs, self.contents, symmetric, merge, self.limits.beat))
        self.automata[-1].over = self.limits.over
        return self.automata[-1]

    def look(self, search: Search, way: str, limits: Limits) -> Found:
        """Return the findings of a search at its end, or when it stops in the middle of a step."""
        try:
            return getattr(search, way)(limits)
        except Stopped as why:
            search.found.stopped = str(why)
            return search.found

    def _specification(self) -> Specification:
        if self.case.invariant is not None:
            return Invariant(self.case.invariant, self.contents)
        kinds = {(one.handler, one.source, one.output, one.name) for one in self.programs}
        judges, different = self.automaton, len(kinds) > 1
        another = self.case.reference is not None
        if another:
            right = self.case.reference_programs
            judges = judges if right == list(self.programs) else self._automaton(right)
            if judges.nodes > 1:
                return self._fault_free(judges)
        elif different:
            return self._fault_free(judges)
        elif self.bounds.nodes > 1 and not judges.symmetric:
            judges = self._automaton(self.programs[:1])  # alone, and it knows that
        alone = Search(judges, None, Bounds(1, self.bounds.items, crashes=0))
        return Ideal(alone, self.limits, self.case.counter, another, self.bookkeeping)

    def bookkeeping(self) -> set[frozenset[tuple[str, str]]]:
        """Return the registers in which several nodes may differ from one. Raises `Stopped` as `bookkeeping` does."""
        if self._kept is None:
            alike = self.bounds.nodes == 1 or self.automaton.symmetric  # nobody asked for a number
            alone = {part for outcome in self.specification.outcomes for part, _ in outcome.registers}
            bounds = Bounds(self.bounds.nodes, self.bounds.items, crashes=0)
            self._kept = set() if alike else bookkeeping(Search(self.automaton, None, bounds), alone, self.limits)
        return self._kept

    def _fault_free(self, automaton: Automaton) -> FaultFree:
        """Return the correct outcomes of nodes with different handlers: the outcomes of their runs without faults."""
        found = Search(automaton, None, Bounds(automaton.nodes, self.bounds.items, crashes=0), first=False)
        return FaultFree(found, self.limits, self.case.reference is not None)

    def close(self) -> None:
        """Dispose of the incarnations that wait."""
        for automaton in self.automata:
            automaton.close()

    def prove(self, lock_free: bool) -> Proof:
        """Search, and return a `Proof`. With `lock_free`, an obstacle to a node's progress breaks the handler."""
        try:
            found, liveness = self._searched()
            for automaton in self.automata:  # the findings are reported, even if that takes long
                automaton.over = None
            counterexample = liveness_violation = None
            if found.violation is None:
                self.automaton.verify()
            else:  # it is replayed, which tells as well
                counterexample = self.counterexample(found.violation)
            if liveness.hindering is not None:
                asked = lock_free and counterexample is None
                liveness_violation = self.counterexample(liveness.hindering, ASKED if asked else NO_VIOLATION)
                counterexample = liveness_violation if asked else counterexample
        finally:
            self.close()
        return Proof(
            name=" and ".join(
                dict.fromkeys(getattr(one.handler, "__name__", type(one.handler).__name__) for one in self.programs)
            ),
            job=self.case.job,
            bounds=self.bounds,
            states=found.states,
            runs=found.runs,
            seconds=time.perf_counter() - self.started,
            exhausted=found.exhausted,
            stopped=found.stopped,
            counterexample=counterexample,
            liveness_violation=liveness_violation,
            awaits_input=liveness.awaits_input,
            warnings=tuple(self.specification.warnings),
            silent=self.specification.silent,
            ruled=isinstance(self.specification, Invariant),
            overlooked=tuple(sorted(self.specification.overlooked)),
            leaves=left_in_words(self.specification),
            ends=self.specification.ends,
        )

    def search(self, **more: Any) -> Search:
        """Return a new search."""
        return Search(self.automaton, self.specification, self.bounds, **{"merge": self.merge, **more})

    def _searched(self) -> tuple[Found, Liveness]:
        """Search in order as far as a violation is likely, then in any order; and in order again, if there is one.

        Returns (`Found`, the `Liveness` of a search that found nothing else).
        """
        if self.specification.stopped:
            return Found(stopped=f"{self.specification.stopped} before all right outcomes were known"), Liveness()
        ordered = self.search()
        search = self.search(transitions=ordered.transitions)
        grow = any(name == "grows" for name, _, _ in self.contents.reliances.broken)  # what goes deep finds no end
        found = self.look(ordered, "in_order", self.limits.but(LOOP_LOOK if grow else self.first_look))
        if found.violation is not None:
            return found, Liveness()
        found = self.look(search, "in_any_order", self.limits)
        if search.transitions is not ordered.transitions:  # versions tell no states apart any more
            ordered = self.search(transitions=search.transitions)
        if found.lost and found.violation is None:  # deep first loses its way where incarnations have ever new states
            found, search = self.look(ordered, "in_order", self.limits), ordered
            found.cyclic = True
            if found.lost or found.stopped:
                found.stopped = f"{found.stopped}{' and ' * bool(found.stopped)}{self.automaton.lost_sight()}"
        if found.violation is not None:
            simplest = self.look(ordered, "in_order", self.limits)
            return (simplest if simplest.violation is not None else found), Liveness()
        if not found.exhausted:
            return found, Liveness()
        try:
            liveness = judge_liveness(search, self.limits)
        except Stopped as why:
            liveness = Liveness(stopped=str(why))
        if liveness.stopped:
            found.exhausted, found.stopped = False, liveness.stopped
        found.violation = liveness.breaking
        return found, liveness

    def counterexample(self, violation: Violation, because: str = FAIR) -> Counterexample:
        """Return the counterexample of a violation, replayed with real stores and a recorder."""
        specification, ruled = self.specification, isinstance(self.specification, Invariant)
        kind, schedule, store_state = violation.kind, violation.schedule, violation.store_state
        if kind == "visible" and not ruled:
            path = Path(Transitions(self.automaton, self.bounds.budget), schedule)
            if path.goes_on_to_the_end() and not specification.right(path.moments[-1][0]):
                kind, schedule, store_state = "outcome", path.schedule, path.moments[-1][0]
        try:
            replay = Replayer(self.programs).replay(schedule)
        except ReplayDiverged:
            raise Nondeterministic(DIFFERS) from None
        run, verdict = replay.run, None
        if kind == "raised" and run.error is None:
            raise Nondeterministic(DIFFERS)
        if kind == "outcome" and run.outcome != self.contents.outcome(store_state):
            raise Nondeterministic(DIFFERS)
        if isinstance(specification, Ideal) and kind in ("outcome", "raised"):
            with contextlib.suppress(IdealFailed):
                reference = None if self.case.reference is None else self.case.reference_programs[0]
                right = reference or self.programs[0]
                judged, ideals = run, None if run.error else ideal_outcomes(right, over=self.limits.over)
                with contextlib.suppress(Stopped):
                    if ideals and run.outcome.registers and (kept := self.bookkeeping()):
                        judged, ideals = but_bookkeeping(run, ideals, kept)
                verdict = judge(judged, right, ideals, reference=reference)
        return Counterexample(
            token=write_token(self.case.handlers, self.case.job, self.bounds.nodes, schedule),
            sentence=what_is_wrong(kind, replay, verdict, specification, store_state, violation, because),
            kind=cast("Failure", "invariant" if ruled and kind in ("outcome", "visible") else kind),
            explanation=explain(replay, violation.loop),
            run=run,
            verdict=verdict,
            schedule=tuple(schedule),
            steps=tuple(replay.steps),
        )


def what_is_wrong(
    kind: str, replay: Any, verdict: Any, specification: Any, store_state: Any, violation: Any, because: str = FAIR
) -> str:
    """Return the sentence of a counterexample; `because` gives the consequence of an endless wait."""
    run = replay.run
    nodes = {event.life: event.detail.get("node", 0) for event in run.trace.lives()}
    if kind == "deadlock":
        waits = "; ".join(f"node {node + 1} waits to {wish(event, held)}" for node, event, held in replay.waiting)
        return f"Deadlock: after this schedule nobody can go on: {waits}."
    if kind == "blocked":
        return f"After this schedule {_left_alone(replay, violation, nodes)} {because}"
    if kind == "endless" and violation.loop:
        who = sorted({nodes[life] + 1 for life, _ in replay.steps[-violation.loop :]})
        said = f", of nodes {', '.join(map(str, who[:-1]))} and {who[-1]}," if len(who) > 1 else ""
        alone = ", though each of these nodes would finish alone" * (len(who) > 1)
        steps = f"The last {violation.loop} steps" if violation.loop > 1 else "The last step"
        return f"{steps} of this schedule{said} can be repeated for ever: nothing gets done{alone}. {because}"
    if kind == "raised":
        return f"The handler itself failed: {what_failed(run.error)}"
    if kind == "endless":
        return f"After this schedule one incarnation does not end: {endless(step_limit([run.job]))}"
    if isinstance(specification, Invariant):
        return f"After this schedule {specification.complaint(store_state, kind == 'outcome')}."
    if kind == "outcome" and verdict is not None and verdict.damage.any:
        # One that began without inheriting from another began while the one before it was asleep.
        slept = any(event.kind == "local" for event in run.trace.lives()[1:])
        if len({event.detail.get("node") for event in run.trace.lives()}) == 1 and not slept:
            return verdict.sentence
        return sentence(replace(run, trace=Trace([]), plan=FaultPlan()), verdict.damage, None)
    if isinstance(specification, FaultFree):
        differs = specification.complaint if kind == "outcome" else specification.unexplained
        return f"Not as in any run without faults: {'; '.join(differs(store_state))}."
    view = view_of(specification.contents, store_state)
    held = [f"the output {describe(view.outputs)}", f"the counter {view.counter}"]
    return f"Not exactly once: no crash-free run of a single node shows {' and '.join(held)}."


def _left_alone(replay: Any, violation: Any, nodes: dict[int, int]) -> str:
    """Describe the end of the incarnation that does not finish when it runs alone."""
    for node, event, holder in replay.waiting:
        if node == violation.actor and not violation.loop:
            return f"node {node + 1}, left alone, never ends: it waits for another, to {wish(event, holder)}."
    life = replay.steps[-1][0]
    return (
        f"node {nodes[life] + 1}, left alone, goes on for ever and never ends: it waits for another, or loops"
        f"{_round(replay, violation.loop)}."
    )


def _round(replay: Any, loop: int) -> str:
    """Return the steps that an incarnation repeats for ever, if they are few."""
    texts, _ = texts_of(replay.run.trace)
    last = list(zip(replay.steps, replay.texts, strict=True))[len(replay.steps) - loop :]
    steps = list(dict.fromkeys(texts.get(key, intended) for key, intended in last))
    return f": {'; '.join(steps)}" if 0 < len(steps) <= 4 else ""


def prove(
    handler: Handlers,
    nodes: int | None = None,
    items: int = 3,
    *,
    job: Source | None = None,
    invariant: Callable[[View], object] | None = None,
    reference: Handler | None = None,
    counter: bool = True,
    lock_free: bool = False,
    state_limit: int = STATE_LIMIT,
    seconds: float = SECONDS,
    progress: Callable[[int], object] | None = None,
    stopped: Callable[[], object] | None = None,
    merge: bool = True,
    beat: Callable[[], object] | None = None,
    **faults: int,
) -> Proof:
    """Explore every schedule of a handler within bounds. Returns a `Proof`.

    `handler` is a function of one argument, the node, or a `Program`, or a list with one for each node. `nodes` is
    how many run; it may be left out for one, and for a list. `job` replaces the default job of `items` hours.

    `faults` bound the faults of a whole run, as in `Bounds`: `crashes` (default 1: an incarnation dies between two
    steps, the node's next incarnation begins), and, 0 unless they are given, `pauses` (an incarnation falls asleep
    between two steps, the node's next incarnation begins, and the sleeper may wake up at any moment, or never),
    `lost_requests`, `lost_replies`, `duplicates` (requests that arrive twice, the second time right behind the first)
    and `late_requests`: their sender is told that the outcome is unknown, and they arrive at any later moment, also
    after their sender's death and after the end, or never; the second copy of a duplicate may then be late, too.

    The right outcomes are those of crash-free runs of a single node, of `reference` if it is given; for nodes with
    different handlers, or sources, those of their runs without faults, in any order of their steps, and if there
    are several, and no `reference` lists these handlers, the `Proof` is "not judged"; for a `Deployment`, those of
    its reference; or, if `invariant` is given, this function of a `View` of the stores decides at every moment.
    Registers that name nodes may be as several nodes without a fault leave them (`search.specification`). With
    `counter=False` nothing is asked of the counter. A deadlock is never right, nor a schedule in which steps go on
    for ever, though no node is stopped, and nothing gets done. That a node waits for another, as for a lock, is no
    violation: the `Proof` says it in its `lock_free`. With `lock_free=True` it breaks the handler. A wait for
    input, which `node.read` may have to do, is no wait for another.

    Each search looks at `state_limit` states at most, and all of them take `seconds` seconds; `progress(states)` is
    called now and then, and `stopped()` may end the search. `merge=False` is the plain search: no local states or
    equal nodes are merged, nothing goes first. `beat()` is called before any of the handler's code runs.

    Raises `BadInput` for bounds that make no sense, `IdealFailed` for a handler that does not get through its inputs
    when nothing goes wrong, `CourseError` for one that is not deterministic.
    """
    rules = {"reference": reference, "invariant": invariant, "counter": counter}
    case = bounded(handler, nodes, items, job, faults, **rules)
    whole("the limit of states", state_limit, least=1)
    one_of("counter", counter, (True, False))
    limits = Limits(state_limit, checked_seconds(seconds), progress, stopped, beat)

    def explore(symmetric: bool, broken: Collection[Broken]) -> Proof:
        return Prover(case, limits, symmetric=symmetric, merge=merge, broken=broken).prove(lock_free)

    return exploring(explore, symmetric=case.symmetric and merge)


def exploring(explore: Callable[[bool, Collection[Broken]], Explored], symmetric: bool) -> Explored:
    """Return the result of `explore(symmetric, broken)` with as many shortcuts as are sound.

    If `symmetric`, equal nodes are interchangeable until one asks for its number. `broken` holds each property of a
    shortcut that an operation of some incarnation has broken.
    """
    broken: Collection[Broken] = frozenset()
    with _garbage_later():
        while True:
            try:
                return explore(symmetric, broken)
            except NumberAsked:
                symmetric = False
            except Retracted as why:
                broken = why.broken


@contextlib.contextmanager
def _garbage_later() -> Iterator[None]:
    """Have Python look for cycles of garbage seldom: a search makes millions of tuples, and hardly any cycle."""
    before = gc.get_threshold()
    gc.set_threshold(*GARBAGE)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def replay(token: str, handler: Handlers) -> Replay:
    """Carry out the schedule of a token once more. Returns its `Counterexample`'s `Replay`: the run, step by step.

    `handler` is the argument that `prove` got. Raises `BadInput` for a token that was mistyped, or is for another
    handler or version.
    """
    handlers = checked_handlers(handler)
    job, nodes, schedule = read_token(token, handlers)
    return Replayer(programs_of(handlers, job, nodes)).replay(schedule)


def checked_seconds(seconds: float) -> float:
    """Return `seconds` if it is a number above 0. Raises `BadInput` for anything else."""
    if not is_number(seconds) or not seconds > 0:
        raise BadInput(f"The limit of time is {seconds!r}; give a number of seconds, above 0.")
    return seconds

"""One proof at work: the search, what is right, what keeps nodes from getting on, and what was found, replayed."""

import contextlib
import time

from ..pipeline.case import programs_of
from ..simulate.replay import ReplayDiverged, Replayer
from ..verdict import judge
from ..verdict.ideal import IdealFailed, ideal_outcomes
from . import explanation, tokens
from .bounds import Bounds
from .model.automaton import DIFFERS, Automaton, Nondeterministic, Stopped
from .model.shortcuts import Reliances
from .model.store_contents import Contents
from .model.transitions import Transitions
from .model.versions import VersionAbstraction
from .proof import Counterexample, Proof
from .search.completion import to_the_end
from .search.lasso import lasso, moving
from .search.liveness import BLOCKED, Liveness, judge_liveness
from .search.properties import FaultFree, Ideal, Invariant, outcome_of
from .search.search import Found, Search

FIRST_LOOK = 2_000  # states that are searched in order before any others
LOOP_LOOK = 20_000  # states that are searched for a simpler way to go round


class Anything:
    """What is asked of a search that is to see all there is: nothing. `stopped` says why no more is known."""

    warnings, overlooked, silent = (), (), False

    def __init__(self, stopped=""):
        self.stopped = stopped

    def right(self, store_state):
        """Any end will do."""
        return True

    explains = right


class Prover:
    """Proves one handler, or one for each node, within bounds. With `symmetric`, equal nodes are not told apart.

    No shortcut relies on what is `broken`; see `Reliances`.
    """

    def __init__(
        self, handlers, job, bounds, limits, reference, invariant, counter=True, *, symmetric, merge, broken=()
    ):
        self.handlers, self.job, self.bounds, self.limits = handlers, job, bounds, limits
        self.reference, self.counter, self.merge = reference, counter, merge
        self.started = time.perf_counter()
        self.programs = programs_of(handlers, job, bounds.nodes)
        self.contents = Contents(*self.programs, reliances=Reliances(broken, plain=not merge))
        self.automata = []
        try:
            self.automaton = self._automaton(handlers, bounds.nodes, symmetric, merge)
            self.specification = self._specification(invariant)
        except Stopped as why:
            self.specification = Anything(str(why))
        except BaseException:
            self.close()
            raise

    def _automaton(self, handlers, nodes, symmetric, merge=True):
        self.automata.append(Automaton(handlers, self.job, self.contents, nodes, symmetric, merge, self.limits.beat))
        self.automata[-1].over = self.limits.over
        return self.automata[-1]

    def look(self, search, limits):
        """Return what a search has found when it ends, or is over in the middle of a step."""
        try:
            return search(limits)
        except Stopped as why:
            found = search.__self__.found
            found.stopped = str(why)
            return found

    def _specification(self, invariant):
        if invariant is not None:
            return Invariant(invariant, self.contents)
        judges, different = self.automaton, len(set(map(self._runs, self.programs))) > 1
        if different and self.reference is None:
            return self._fault_free(judges)
        if self.reference is not None:
            reference = list(self.reference) if isinstance(self.reference, (list, tuple)) else [self.reference]
            judges = self._automaton(reference, len(reference), False)
            if len(reference) > 1:
                return self._fault_free(judges)
        elif self.bounds.nodes > 1 and not judges.symmetric:
            judges = self._automaton(self.handlers[:1], 1, False)  # alone, and it knows that
        another = self.reference is not None
        return Ideal(judges, judges.starts[0], judges.programs[0], self.limits, self.counter, another)

    def _fault_free(self, automaton):
        """Return what is right for nodes with different handlers: what they leave when nothing goes wrong."""
        found = Search(automaton, Anything(), Bounds(automaton.nodes, self.bounds.items, crashes=0), first=False)
        return FaultFree(found, self.limits, self.reference is not None)

    @staticmethod
    def _runs(program):
        return program.handler, program.source, program.output, program.name

    def _judged_by(self):
        """Return the program whose crash-free runs are right: the reference, or what all nodes run."""
        program = self.programs[0]
        return program if self.reference is None else programs_of(self.reference, self.job)[0]

    def close(self):
        """Dispose of the lives that wait."""
        for automaton in self.automata:
            automaton.close()

    def prove(self, lock_free):
        """Search, and return a `Proof`. With `lock_free`, what keeps a node from getting on breaks the handler."""
        try:
            found, liveness = self._searched()
            for automaton in self.automata:  # what was found is told, however long that takes
                automaton.over = None
            counterexample = liveness_violation = None
            if found.violation is None:
                self.automaton.verify()
            else:  # it is replayed, which tells as well
                counterexample = self.counterexample(found.violation)
            if liveness.hindering is not None:
                asked = lock_free and counterexample is None
                liveness_violation = self.counterexample(
                    liveness.hindering, explanation.ASKED if asked else explanation.NO_VIOLATION
                )
                counterexample = liveness_violation if asked else counterexample
        finally:
            self.close()
        return Proof(
            name=" and ".join(
                dict.fromkeys(getattr(one.handler, "__name__", type(one.handler).__name__) for one in self.programs)
            ),
            job=self.job,
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
        )

    def search(self, **more):
        """Return a new search."""
        return Search(self.automaton, self.specification, self.bounds, **{"merge": self.merge, **more})

    def _searched(self):
        """Search in order as far as a violation is likely, then in any order; and in order again, if there is one.

        Returns (`Found`, the `Liveness` of a search that found nothing else).
        """
        if self.specification.stopped:
            return Found(stopped=f"{self.specification.stopped} before all right outcomes were known"), Liveness()
        ordered, search = self.search(), self.search()
        found = self.look(ordered.in_order, self.limits.but(FIRST_LOOK))
        if found.violation is not None:
            return found, Liveness()
        found = self.look(search.in_any_order, self.limits)
        if found.lost and found.violation is None:  # deep first loses its way where lives have ever new states
            found, search = self.look(ordered.in_order, self.limits), ordered
            found.cyclic = True
            if found.lost or found.stopped:
                found.stopped = f"{found.stopped}{' and ' * bool(found.stopped)}{self.automaton.lost_sight()}"
        if found.violation is not None and found.violation.loop:
            if self.merge and self.automaton.abstraction is None:  # versions grow for ever, and nothing else does
                self.automaton.abstraction = VersionAbstraction(self.automaton)
                return self._searched()
            return self._simplest_loop(found)
        if found.violation is not None:
            simplest = self.look(ordered.in_order, self.limits)
            return (simplest if simplest.violation is not None else found), Liveness()
        if not found.exhausted:
            return found, Liveness()
        try:
            liveness = judge_liveness(self.automaton, self.bounds, search.states, found.cyclic, self.limits)
        except Stopped as why:
            liveness = Liveness(stopped=str(why))
        if liveness.stopped:
            found.exhausted, found.stopped = False, liveness.stopped
        found.violation = liveness.breaking
        return found, liveness

    def _simplest_loop(self, found):
        """Look for a simpler schedule that goes round than the one that was found deep in the search.

        Returns what `_searched` does. Steps that go round while a node that could go on is stopped break no handler.
        """

        def reached(state):
            return "endless" if lasso(search.transitions, search.schedule(state), self.limits.over) else None

        search = self.search(merge=False, goal=reached)
        simplest = self.look(search.in_order, self.limits.but(LOOP_LOOK))
        found = simplest if simplest.violation is not None else found
        violation = found.violation
        violation.loop = lasso(search.transitions, violation.schedule)
        stepping, able, actors = moving(search.transitions, violation.schedule, violation.loop)
        if len(stepping) == 1 < actors:
            violation.kind = BLOCKED
        if able <= stepping:
            return found, Liveness()
        found.violation, found.exhausted, found.stopped = None, False, "some steps can go round for ever"
        return found, Liveness(hindering=violation)

    def counterexample(self, violation, because=explanation.FAIR):
        """Return the counterexample of a violation, replayed with real stores and a recorder."""
        specification = self.specification
        kind, schedule, store_state = violation.kind, violation.schedule, violation.store_state
        if kind == "visible" and not isinstance(specification, Invariant):
            whole_run = to_the_end(Transitions(self.automaton, self.bounds.budget), schedule)
            if whole_run and not specification.right(whole_run[1]):
                kind, (schedule, store_state) = "outcome", whole_run
        try:
            replay = Replayer(self.programs).replay(schedule)
        except ReplayDiverged:
            raise Nondeterministic(DIFFERS) from None
        run, verdict = replay.run, None
        if kind == "raised" and run.error is None:
            raise Nondeterministic(DIFFERS)
        if kind == "outcome" and run.outcome != outcome_of(self.contents, store_state):
            raise Nondeterministic(DIFFERS)
        if isinstance(specification, Ideal) and kind in ("outcome", "raised"):
            with contextlib.suppress(IdealFailed):
                ideals = None if run.error else ideal_outcomes(self._judged_by(), over=self.limits.over)
                reference = None if self.reference is None else self._judged_by()
                verdict = judge(run, self._judged_by(), ideals, reference=reference)
        return Counterexample(
            token=tokens.write(self.handlers, self.job, self.bounds.nodes, schedule),
            sentence=explanation.what_is_wrong(kind, replay, verdict, specification, store_state, violation, because),
            kind="invariant" if isinstance(specification, Invariant) and kind in ("outcome", "visible") else kind,
            explanation=explanation.explain(replay, violation.loop),
            run=run,
            verdict=verdict,
            schedule=tuple(schedule),
            steps=tuple(replay.steps),
        )

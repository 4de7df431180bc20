"""Run random schedules one after another in a task: the explorer's automaton, a random number for each decision.

A sample asks Python only for transitions that no earlier one has seen, so a task does thousands of schedules
a second.
"""

import random
import sys
from dataclasses import dataclass

from ...errors import CourseError, what_failed
from ...explore.model.automaton import DIFFERS, Automaton, Nondeterministic
from ...explore.model.shortcuts import Reliances, Retracted
from ...explore.model.store_contents import Contents
from ...explore.model.transitions import GOING, Transitions
from ...explore.search.properties import Ideal, Invariant, outcome_of
from ...node.pickling import unpickle_handler
from ...pipeline.job import programs_of
from ...simulate.decision import OPTION, STEP, Decision
from ...simulate.replay import ReplayDiverged, Replayer
from ...verdict import ideal_outcomes, judge

STICKY = (0.0, 0.5, 0.8, 0.95)  # how likely the same actor goes on, drawn for each sample: many preemptions, or few
LONGEST = 20_000  # decisions of one sample
MOST_STATES = 30_000  # local states that a task keeps, before it forgets all and learns anew


@dataclass(frozen=True)
class WorkUnit:
    """The work of one task: the program to sample, and the seeds."""

    pickled: bytes
    job: object
    bounds: object
    seeds: object
    path: list


@dataclass(frozen=True)
class RandomSchedule:
    """The result of one seed. `kind` is "right", "outcome", "visible", "raised", "deadlock" or "endless"."""

    seed: int
    kind: str
    damage: str
    sentence: str
    faults: str
    schedule: tuple


class Sampler:
    """Draws random schedules, one for each seed."""

    def __init__(self, unit, broken=()):
        _, self.handlers, self.reference, self.invariant = unpickle_handler(unit.pickled)
        self.job, self.bounds = unit.job, unit.bounds
        reliances = Reliances(broken)
        self.programs = programs_of(self.handlers, self.job, self.bounds.nodes)
        self.contents = Contents(*self.programs, reliances=reliances)
        self.automaton = Automaton(self.programs, self.contents)
        self.judges = None
        if self.invariant is not None:
            self.specification = Invariant(self.invariant, self.contents)
        else:
            self.judges = Automaton(programs_of(self.reference or self.handlers[0], self.job)[:1], self.contents)
            another = self.reference is not None
            self.specification = Ideal(self.judges, self.judges.starts[0], self.judges.programs[0], another=another)
        self.transitions = Transitions(self.automaton, self.bounds.budget)
        self.words = {}  # damage in words, by kind and store state
        self.ideals = None  # what is right, once it is asked for
        fault_free = self._go(random.Random(0), 0.0)[1]
        self.rate = min(0.5, self.bounds.faults / max(1, len(fault_free)))

    def sample(self, seed):
        """Draw the schedule of a seed. The same seed is the same schedule on every machine."""
        kind, schedule, store_state = self._go(random.Random(seed), self.rate)
        faults = "".join(decision.kind for decision in schedule if decision.kind not in (STEP, OPTION))
        if kind == "right":
            return RandomSchedule(seed, kind, "", "", faults, ())
        damage, sentence = self._described(kind, schedule, store_state)
        return RandomSchedule(seed, kind, damage, sentence, faults, tuple(map(tuple, schedule)))

    def close(self):
        """Dispose of the incarnations that wait."""
        self.automaton.close()
        if self.judges is not None:
            self.judges.close()

    def _go(self, rng, rate):
        """Return (kind, schedule, store state) of one sample; it ends where it shows something wrong on its way."""
        states, nodes, budget, store_state = self.automaton.states, self.bounds.nodes, self.bounds.budget, 0
        locals_, schedule, seen = list(self.automaton.starts), [], None
        sticky, last, waking = rng.choice(STICKY), 0, {}
        while len(schedule) < LONGEST:
            kinds = [states[local].kind for local in locals_]
            if "raised" in kinds:
                return "raised", schedule, store_state
            if "endless" in kinds:
                break
            if seen is None and not self.specification.explains(store_state):
                seen = len(schedule), store_state
            able = [actor for actor in range(len(locals_)) if self._able(store_state, locals_[actor], actor)]
            going = [actor for actor in able if waking.get(actor, 0) <= len(schedule)]
            if not any(actor < nodes for actor in going):
                going = [actor for actor in going if actor in waking]
                if not going and not any(kind in GOING for kind in kinds[:nodes]):
                    return self._ended(schedule, store_state, seen)
                going = going or able  # a node waits, and may wait for one that sleeps
                if not going:
                    return "deadlock", schedule, store_state
            actor = last if last in going and rng.random() < sticky else rng.choice(going)
            transition = self._transition(rng, store_state, locals_[actor], actor, budget, rate)
            schedule.append(Decision(actor, transition.kind, transition.option))
            locals_[actor], store_state, budget, last = (
                transition.local,
                transition.store_state,
                budget - transition.cost,
                actor,
            )
            if transition.sleeper >= 0:  # it wakes up after so many decisions, or never, and keeps its locks
                store_state = self.contents.free(store_state, actor, len(locals_))
                waking[len(locals_)] = len(schedule) + rng.choice((1, 3, 10, 30, LONGEST))
                locals_.append(transition.sleeper)
        return "endless", schedule, store_state

    def _able(self, store_state, local, actor):
        """Tell whether an actor has not ended, and need not wait."""
        return self.automaton.states[local].kind in GOING and not self.transitions.waits(store_state, local, actor)

    def _transition(self, rng, store_state, local, actor, budget, rate):
        """Draw one of the transitions: now and then a fault, while there is one left."""
        transitions = self.transitions.of(store_state, local, actor)
        fault_free = [transition for transition in transitions if not transition.cost]
        if rate and rng.random() < rate:
            hard = [transition for transition in transitions if transition.cost and budget & transition.required]
            return rng.choice(hard or fault_free)
        return rng.choice(fault_free)

    def _ended(self, schedule, store_state, seen):
        if not self.specification.right(store_state):
            return "outcome", schedule, store_state
        return ("right", schedule, store_state) if seen is None else ("visible", schedule[: seen[0]], seen[1])

    def _described(self, kind, schedule, store_state):
        """Return (damage in words, sentence); the damage of equal stores is found once, by replaying the
        schedule.
        """
        if kind == "deadlock":
            return kind, "Deadlock: all nodes that had not ended waited."
        if kind == "endless":
            return "no end", f"The nodes had not ended after {len(schedule):,} steps."
        if (kind, store_state) not in self.words:
            self.words[kind, store_state] = self._replayed(kind, schedule, store_state)
        return self.words[kind, store_state]

    def _replayed(self, kind, schedule, store_state):
        try:
            run = Replayer(self.programs).replay(schedule).run
        except ReplayDiverged:
            raise Nondeterministic(DIFFERS) from None
        if kind == "raised":
            return "the handler failed", f"The handler itself failed: {what_failed(run.error or '')}"
        if run.outcome != outcome_of(self.contents, store_state):
            raise Nondeterministic(DIFFERS)
        if self.invariant is not None:
            return "invariant", self.specification.complaint(store_state, kind == "outcome")
        if kind == "visible":
            return "seen on the way", "On the way, observers see what no crash-free run of a single node shows."
        judge_of = self.reference or self.handlers[0]
        self.ideals = self.ideals or ideal_outcomes(judge_of, self.job)
        verdict = judge(run, judge_of, self.ideals, reference=self.reference)
        return "; ".join(verdict.damage.phrases()), verdict.sentence


def sample_seeds(units):
    """Sample the seeds of each unit, in a worker. Yields ("schedules", list) or ("failed", why)."""
    for unit in units:
        sampler, schedules, broken = None, [], frozenset()
        sys.path += [place for place in unit.path if place not in sys.path]
        try:
            for seed in unit.seeds:
                if sampler is not None and len(sampler.automaton.states) > MOST_STATES:
                    sampler = sampler.close()
                while True:
                    try:
                        sampler = sampler or Sampler(unit, broken)
                        schedules.append(sampler.sample(seed))
                        break
                    except Retracted as why:  # begin again without a shortcut that does not hold
                        sampler, broken = sampler and sampler.close(), why.broken
            yield "schedules", schedules
        except CourseError as why:  # an error that is raised here would make Spark try again, and again
            yield "failed", str(why)
        finally:
            if sampler is not None:
                sampler.close()

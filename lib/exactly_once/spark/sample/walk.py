"""One random schedule after another, as a task of the cluster does it: the explorer's automaton, walked by dice.

A walk asks Python only for transitions that no earlier walk has seen, so a task does thousands of schedules a second.
"""

import random
import sys
from dataclasses import dataclass

from ...errors import CourseError, what_failed
from ...explore.model.automaton import DIFFERS, Automaton, Nondeterministic
from ...explore.model.store_contents import Contents
from ...explore.model.transitions import GOING, Transitions
from ...explore.search.properties import Ideal, Invariant, outcome_of
from ...node.parcel import unpack
from ...simulate.decision import OPTION, STEP, Decision
from ...simulate.replay import ReplayDiverged, Replayer
from ...verdict import ideal_outcomes, judge

STICKY = (0.0, 0.5, 0.8, 0.95)  # how likely the same actor goes on, drawn for each walk: many preemptions, or few
LONGEST = 20_000  # decisions of one walk
MOST_STATES = 30_000  # local states that a task keeps, before it forgets all and learns anew


@dataclass(frozen=True)
class WorkUnit:
    """What one task is to do: the seeds to walk, and what is to be walked."""

    parcel: bytes
    job: object
    bounds: object
    seeds: object
    path: list


@dataclass(frozen=True)
class RandomSchedule:
    """What came of one seed. `kind` is "right", "outcome", "visible", "raised", "deadlock" or "endless"."""

    seed: int
    kind: str
    damage: str
    sentence: str
    faults: str
    schedule: tuple


class Sampler:
    """Walks schedules of one world."""

    def __init__(self, unit):
        _, self.handlers, self.reference, self.invariant = unpack(unit.parcel)
        self.job, self.bounds = unit.job, unit.bounds
        self.contents = Contents(self.job)
        self.automaton = Automaton(self.handlers, self.job, self.contents, self.bounds.nodes)
        self.judges = None
        if self.invariant is not None:
            self.specification = Invariant(self.invariant, self.contents)
        else:
            self.judges = Automaton([self.reference or self.handlers[0]], self.job, self.contents)
            self.specification = Ideal(self.judges, self.judges.starts[0], self.judges.programs[0])
        self.ways = Transitions(self.automaton, self.bounds.budget)
        self.words, self.ideals = {}, None  # damage in words, by kind and world; what is right, once it is asked for
        calm = self._go(random.Random(0), 0.0)[1]
        self.rate = min(0.5, self.bounds.faults / max(1, len(calm)))

    def walk(self, seed):
        """Walk the schedule of a seed. The same seed is the same schedule on every machine."""
        kind, schedule, world = self._go(random.Random(seed), self.rate)
        faults = "".join(decision.kind for decision in schedule if decision.kind not in (STEP, OPTION))
        if kind == "right":
            return RandomSchedule(seed, kind, "", "", faults, ())
        damage, sentence = self._told(kind, schedule, world)
        return RandomSchedule(seed, kind, damage, sentence, faults, tuple(map(tuple, schedule)))

    def close(self):
        """Bury the lives that wait."""
        self.automaton.close()
        if self.judges is not None:
            self.judges.close()

    def _go(self, dice, rate):
        """Return (kind, schedule, world) of one walk; a schedule that shows something wrong on its way ends there."""
        states, nodes, budget, world = self.automaton.states, self.bounds.nodes, self.bounds.budget, 0
        held, schedule, seen = list(self.automaton.starts), [], None
        sticky, last, waking = dice.choice(STICKY), 0, {}
        while len(schedule) < LONGEST:
            kinds = [states[local].kind for local in held]
            if "raised" in kinds:
                return "raised", schedule, world
            if "endless" in kinds:
                break
            if seen is None and not self.specification.explains(world):
                seen = len(schedule), world
            able = [actor for actor in range(len(held)) if self._able(world, held[actor], actor)]
            going = [actor for actor in able if waking.get(actor, 0) <= len(schedule)]
            if not any(actor < nodes for actor in going):
                going = [actor for actor in going if actor in waking]
                if not going and not any(kind in GOING for kind in kinds[:nodes]):
                    return self._ended(schedule, world, seen)
                going = going or able  # a node waits, and may wait for one that sleeps
                if not going:
                    return "deadlock", schedule, world
            actor = last if last in going and dice.random() < sticky else dice.choice(going)
            way = self._way(dice, world, held[actor], actor, budget, rate)
            schedule.append(Decision(actor, way.kind, way.option))
            held[actor], world, budget, last = way.local, way.world, budget - way.price, actor
            if way.sleeper >= 0:  # it wakes up after so many decisions, or never, and keeps its locks
                world = self.contents.free(world, actor, len(held))
                waking[len(held)] = len(schedule) + dice.choice((1, 3, 10, 30, LONGEST))
                held.append(way.sleeper)
        return "endless", schedule, world

    def _able(self, world, local, actor):
        """Tell whether an actor has not ended, and need not wait."""
        return self.automaton.states[local].kind in GOING and not self.ways.waits(world, local, actor)

    def _way(self, dice, world, local, actor, budget, rate):
        """Draw one of the ways to go on: now and then a fault, while there is one left."""
        ways = self.ways.of(world, local, actor)
        calm = [way for way in ways if not way.price]
        if rate and dice.random() < rate:
            hard = [way for way in ways if way.price and budget & way.required]
            return dice.choice(hard or calm)
        return dice.choice(calm)

    def _ended(self, schedule, world, seen):
        if not self.specification.right(world):
            return "outcome", schedule, world
        return ("right", schedule, world) if seen is None else ("visible", schedule[: seen[0]], seen[1])

    def _told(self, kind, schedule, world):
        """Return (damage in words, sentence); the damage of equal stores is found once, by performing the
        schedule.
        """
        if kind == "deadlock":
            return kind, "Deadlock: all nodes that had not ended waited."
        if kind == "endless":
            return "no end", f"The nodes had not ended after {len(schedule):,} steps."
        if (kind, world) not in self.words:
            self.words[kind, world] = self._performed(kind, schedule, world)
        return self.words[kind, world]

    def _performed(self, kind, schedule, world):
        try:
            run = Replayer(self.handlers, self.job, self.bounds.nodes).perform(schedule).run
        except ReplayDiverged:
            raise Nondeterministic(DIFFERS) from None
        if kind == "raised":
            return "the handler failed", f"The handler itself failed: {what_failed(run.error or '')}"
        if run.outcome != outcome_of(self.contents, world):
            raise Nondeterministic(DIFFERS)
        if self.invariant is not None:
            return "invariant", self.specification.complaint(world, kind == "outcome")
        if kind == "visible":
            return "seen on the way", "On the way, observers see what no crash-free run of a single node shows."
        judge_of = self.reference or self.handlers[0]
        self.ideals = self.ideals or ideal_outcomes(judge_of, self.job)
        verdict = judge(run, judge_of, self.ideals)
        return "; ".join(verdict.damage.phrases()), verdict.sentence


def walk_seeds(errands):
    """Walk the seeds of each unit, in a worker. Yields ("walks", list), or ("failed", why) when it cannot be done."""
    for unit in errands:
        walker, walks = None, []
        sys.path += [place for place in unit.path if place not in sys.path]
        try:
            for seed in unit.seeds:
                if walker is not None and len(walker.automaton.states) > MOST_STATES:
                    walker = walker.close()
                walker = walker or Sampler(unit)
                walks.append(walker.walk(seed))
            yield "walks", walks
        except CourseError as why:  # an error that is raised here would make Spark try again, and again
            yield "failed", str(why)
        finally:
            if walker is not None:
                walker.close()

"""The search through all schedules: fewest misfortunes first, then fewest preemptions, then fewest steps.

A global state is what the stores hold, the local state of each actor, the misfortunes that are left, and who went
last; all of them whole numbers. The first violation that is found is therefore the one that is easiest to read.
"""

import heapq
import time
from dataclasses import dataclass, field

from .bounds import (
    CRASH,
    DUPLICATE,
    LOST_REPLY,
    LOST_REQUEST,
    OPTION,
    PAUSE,
    STEP,
    STEP_AND_CRASH,
    Decision,
    affordable,
    price,
)
from .contents import UNKNOWN

FAULT, PREEMPTION = 1 << 40, 1 << 20
NOBODY = -1
REPORT_EVERY = 1_000


@dataclass
class Found:
    """What a search found. `violation` is (kind, schedule, world), or None; `outcomes` are the worlds at ends of runs.

    `exhausted` is True when nothing within the bounds was left out; `runs` counts the ways in which all nodes ended.
    """

    states: int = 0
    runs: int = 0
    exhausted: bool = False
    violation: tuple | None = None
    cost: int = 0
    outcomes: set = field(default_factory=set)
    pairs: set = field(default_factory=set)
    stopped: str = ""


class Search:
    """One search. `merge` False leaves symmetric nodes apart, as the plain search does that checks this one.

    `first` False goes on after a violation, to collect all outcomes.
    """

    def __init__(self, automaton, specification, bounds, merge=True, first=True):
        self.automaton, self.contents = automaton, automaton.contents
        self.specification, self.bounds, self.first = specification, bounds, first
        self.nodes = bounds.nodes
        self.symmetric = merge and bounds.nodes > 1 and len(set(automaton.starts)) == 1
        self.found = Found()

    def run(self, state_limit, deadline, progress=None, stopped=None):
        """Search until a violation, the end, the limit of states, the deadline or a stop. Returns `Found`."""
        found, states = self.found, self.automaton.states
        start = self._canonical(0, self.bounds.purse, NOBODY, tuple(self._starts()))
        best, parents, waiting, settled = {start: 0}, {start: None}, [(0, 0, start)], 0
        self._parents = parents
        order = 0
        while waiting:
            cost, _, state = heapq.heappop(waiting)
            if cost > best[state]:
                continue
            settled += 1
            found.states = settled
            often = settled % REPORT_EVERY == 0 or settled >= state_limit
            if often and self._interrupted(settled, state_limit, deadline, progress, stopped):
                return found
            world, purse, last, locals_ = state
            kind = self._wrong(world, locals_)
            if kind:
                if found.violation is None:
                    found.violation, found.cost = (kind, self._schedule(parents, state), world), cost
                if self.first:
                    return found
            if all(states[local].kind == "ended" for local in locals_[: self.nodes]):
                found.runs += 1
                found.outcomes.add(world)
            if kind == "raised":
                continue
            for local in locals_:
                found.pairs.add((world, local))
            for decision, after, faults in self._moves(world, purse, last, locals_):
                switched = last not in (NOBODY, decision.actor)
                new_cost = cost + 1 + FAULT * faults + PREEMPTION * switched
                known = best.get(after)
                if known is None or new_cost < known:
                    best[after] = new_cost
                    parents[after] = (state, decision)
                    order += 1
                    heapq.heappush(waiting, (new_cost, order, after))
        found.exhausted = True
        return found

    def _starts(self):
        starts = self.automaton.starts
        return [starts[node % len(starts)] for node in range(self.nodes)]

    def _interrupted(self, settled, state_limit, deadline, progress, stopped):
        if progress:
            progress(settled)
        if settled >= state_limit:
            self.found.stopped = f"the limit of {state_limit:,} states was reached"
        elif time.perf_counter() > deadline:
            self.found.stopped = "the time was up"
        elif stopped and stopped():
            self.found.stopped = "it was stopped"
        return self.found.stopped

    def _wrong(self, world, locals_):
        """Return what is wrong with a state, in one word, or None."""
        states = self.automaton.states
        if any(states[local].kind == "raised" for local in locals_):
            return "raised"
        if not self.specification.explains(world):
            return "visible"
        if all(states[local].kind == "ended" for local in locals_[: self.nodes]) and not self.specification.right(
            world
        ):
            return "outcome"
        return None

    def _moves(self, world, purse, last, locals_):
        """Yield (decision, next state, misfortunes) for all that can happen."""
        states, step = self.automaton.states, self.automaton.next
        for actor, local in enumerate(locals_):
            state = states[local]
            if state.kind == "ended":
                continue
            if state.kind == "store":
                after, result = self.contents.do(world, state.operation)
                ways = [(STEP, 0, after, result)]
                if affordable(purse, LOST_REQUEST):
                    ways.append((LOST_REQUEST, 0, world, UNKNOWN))
                if affordable(purse, LOST_REPLY):
                    ways.append((LOST_REPLY, 0, after, UNKNOWN))
                if affordable(purse, DUPLICATE):
                    ways.append((DUPLICATE, 0, self.contents.do(after, state.operation)[0], result))
            elif state.kind == "point":
                ways = [(STEP, 0, world, None)]
            else:
                ways = [(OPTION, option, world, option) for option in range(state.options)]
            for kind, option, after, result in ways:
                new = step(local, result)
                yield self._move(Decision(actor, kind, option), after, purse, locals_, new)
                if kind == STEP and states[new].kind == "ended" and actor < self.nodes and affordable(purse, CRASH):
                    yield self._move(Decision(actor, STEP_AND_CRASH), after, purse, locals_, new)
            if actor < self.nodes and (state.kind != "choose" or state.name):  # not within a read
                if affordable(purse, CRASH):
                    yield self._move(Decision(actor, CRASH), world, purse, locals_, local)
                if affordable(purse, PAUSE):
                    yield self._move(Decision(actor, PAUSE), world, purse, locals_, local)

    def _move(self, decision, world, purse, locals_, new):
        """Return (decision, next state, misfortunes) of one decision."""
        actor, kind = decision.actor, decision.kind
        ending, program = self.automaton.states[new].kind, self.automaton.states[new].program
        locals_ = list(locals_)
        last = actor
        if kind in (CRASH, STEP_AND_CRASH, PAUSE) or (ending == "gave up" and actor < self.nodes):
            if kind == PAUSE:
                locals_.append(new)
            new, last = self.automaton.starts[program], NOBODY
        elif ending == "gave up":  # a zombie has its heir already
            new, last = self.automaton.ended, NOBODY
        elif ending == "ended":
            last = NOBODY
        locals_[actor] = new
        spent = price(kind)
        return decision, self._canonical(world, purse - spent, last, tuple(locals_)), bool(spent)

    def _canonical(self, world, purse, last, locals_):
        """Return one state for all that differ in nothing but the names of equal nodes."""
        if self.symmetric:
            order = self._order(locals_, last)
            if last != NOBODY:
                last = order.index(last)
            locals_ = tuple(locals_[actor] for actor in order)
        return world, purse, last, locals_

    def _order(self, locals_, last):
        """Return the actors in canonical order: nodes first, each group by local state, who went last first."""
        return sorted(
            range(len(locals_)), key=lambda actor: (actor >= self.nodes, locals_[actor], actor != last, actor)
        )

    def schedule_to(self, world, local):
        """Return the decisions that lead to a state, seen before, in which an actor has this local state."""
        for state in self._parents:
            if state[0] == world and local in state[3]:
                return self._schedule(self._parents, state)
        raise KeyError((world, local))

    def _schedule(self, parents, state):
        """Return the decisions that lead to a state, with the actors by their own names."""
        way = []
        while parents[state] is not None:
            before, decision = parents[state]
            way.append((before, decision))
            state = before
        if not self.symmetric:
            return [decision for _, decision in reversed(way)]
        return self._renamed(reversed(way))

    def _renamed(self, way):
        names, schedule = list(range(self.nodes)), []
        for (world, purse, _, locals_), decision in way:
            schedule.append(decision._replace(actor=names[decision.actor]))
            names = self._after(names, world, purse, locals_, decision)
        return schedule

    def _after(self, names, world, purse, locals_, decision):
        """Return the actors' own names in the canonical order of the state after a decision."""
        symmetric, self.symmetric = self.symmetric, False
        try:
            moves = self._moves(world, purse, NOBODY, locals_)
            _, _, last, plain = next(after for found, after, _ in moves if found == decision)
        finally:
            self.symmetric = symmetric
        if len(plain) > len(names):
            names = [*names, len(names)]
        return [names[actor] for actor in self._order(plain, last)]
